/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/expect_file.h"

#include <string.h>

#include "model/topology_file.h"
#include "util/lines.h"

int expect_file_read(const char *path, struct expect_file *e, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	memset(e, 0, sizeof(*e));
	rc = lines_read(path, TOPOLOGY_FILE_MIB, &text, err);
	if (!rc) {
		e->is_plan = !topology_is(text.s, text.len);
		rc = e->is_plan ? plan_parse(path, text.s, text.len, &e->plan,
					     err) :
				  topology_parse(path, text.s, text.len,
						 &e->topology, err);
	}
	strbuf_free(&text);
	return rc;
}

void expect_file_free(struct expect_file *e)
{
	snapshot_free(&e->topology);
	plan_free(&e->plan);
}
