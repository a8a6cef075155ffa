/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <complib/cl_nodenamemap.h>

#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * complib's parser hands over each line's GUID and the rest of the line.  The
 * name stands between quotes, or is the rest when there are none.
 */

struct sink {
	int (*take)(void *arg, uint64_t guid, const char *name);
	void *arg;
	int stopped;
};

/* The name in the rest of a line; *n its length. */
static const char *find_name(const char *s, size_t *n)
{
	if (*s == '"') {
		s++;
		*n = strcspn(s, "\"");
	} else {
		*n = strcspn(s, "#");
		while (*n && isspace((unsigned char)s[*n - 1]))
			--*n;
	}
	return s;
}

static int take_line(void *arg, uint64_t guid, char *rest)
{
	struct sink *sink = arg;
	struct strbuf safe = STRBUF_INIT;
	const char *name;
	size_t n;

	name = find_name(rest, &n);
	if (!n)
		return 0;
	text_safe(&safe, name, n);
	sink->stopped = sink->take(sink->arg, guid, safe.s) < 0;
	strbuf_free(&safe);
	return sink->stopped;
}

int names_read(const char *path,
	       int (*take)(void *arg, uint64_t guid, const char *name),
	       void *arg, struct err *err)
{
	struct sink sink = { take, arg, 0 };

	if (!path || access(path, F_OK) < 0)
		return 0;
	if (!parse_node_map(path, take_line, &sink) || sink.stopped)
		return 0;
	return err_errno(err, "%s: cannot be read as a node name map (lines "
			 "of 0xGUID \"name\"); correct it", path);
}

static int set_name(void *arg, uint64_t guid, const char *name)
{
	struct snapshot *s = arg;
	uint32_t i = snapshot_find(s, guid, 0);

	if (i != NO_NODE) {
		free(s->nodes[i]->name);
		s->nodes[i]->name = xstrdup(name);
	}
	return 0;
}

int names_apply(const char *path, struct snapshot *s, struct err *err)
{
	return names_read(path, set_name, s, err);
}
