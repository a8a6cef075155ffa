/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_DUMP_H
#define IBAUDIT_TESTS_DUMP_H

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/strbuf.h"

/* Stored databases: tests/db/schema-N.sql, as "sqlite3 FILE .dump" wrote
 * them. */

static inline char *dump_read(int schema)
{
	struct strbuf b = STRBUF_INIT;
	char path[PATH_MAX], part[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/db/schema-%d.sql",
		 getenv("top_srcdir"), schema);
	f = fopen(path, "r");
	if (!f)
		return NULL;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		strbuf_addn(&b, part, n);
	fclose(f);
	return strbuf_take(&b);
}

/* Fill the file at path with the one of that schema.  Returns 0, or -1. */
static inline int dump_restore(int schema, const char *path)
{
	char *dump = dump_read(schema), *why = NULL;
	sqlite3 *db;
	int rc;

	if (!dump)
		return -1;
	rc = sqlite3_open(path, &db) ||
	     sqlite3_exec(db, dump, NULL, NULL, &why);
	if (rc)
		printf("# %s\n", why ? why : sqlite3_errmsg(db));
	sqlite3_free(why);
	sqlite3_close(db);
	free(dump);
	return rc ? -1 : 0;
}

#endif
