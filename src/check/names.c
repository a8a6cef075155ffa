/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include <complib/cl_nodenamemap.h>

#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * complib's parser hands over each line's GUID and the rest of the line.  The
 * name stands between quotes, or is the rest when there are none.
 */

struct sink {
	sqlite3_stmt *stmt;
	int failed;
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

static int take_name(void *arg, uint64_t guid, char *rest)
{
	struct sink *sink = arg;
	struct strbuf safe = STRBUF_INIT;
	const char *name;
	size_t n;

	name = find_name(rest, &n);
	if (!n)
		return 0;
	text_safe(&safe, name, n);
	sqlite3_bind_int64(sink->stmt, 1, (int64_t)guid);
	sqlite3_bind_text(sink->stmt, 2, safe.s, -1, SQLITE_TRANSIENT);
	sqlite3_step(sink->stmt);
	sink->failed = sqlite3_reset(sink->stmt) != SQLITE_OK;
	strbuf_free(&safe);
	return sink->failed;
}

int names_fill(struct check *c, const char *path, struct err *err)
{
	struct sink sink = { NULL, 0 };
	int rc;

	if (!path || access(path, F_OK) < 0)
		return 0;
	if (sqlite3_prepare_v2(c->db, "INSERT OR REPLACE INTO "
			       "temp.stored_name VALUES (?, ?)", -1,
			       &sink.stmt, NULL) != SQLITE_OK)
		return store_err(c->st, err, "reading the node name map");
	rc = parse_node_map(path, take_name, &sink);
	if (sink.failed)
		store_err(c->st, err, "reading the node name map");
	else if (rc)
		err_errno(err, "%s: cannot be read as a node name map (lines "
			  "of 0xGUID \"name\"); correct it", path);
	sqlite3_finalize(sink.stmt);
	return rc ? -1 : 0;
}
