/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include "model/names.h"

static int insert(void *arg, uint64_t guid, const char *name)
{
	sqlite3_stmt *stmt = arg;

	sqlite3_bind_int64(stmt, 1, (int64_t)guid);
	sqlite3_bind_text(stmt, 2, name, -1, SQLITE_TRANSIENT);
	sqlite3_step(stmt);
	return sqlite3_reset(stmt) == SQLITE_OK ? 0 : -1;
}

int names_fill(struct check *c, const char *path, struct err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (sqlite3_prepare_v2(c->db, "INSERT OR REPLACE INTO "
			       "temp.stored_name VALUES (?, ?)", -1, &stmt,
			       NULL) != SQLITE_OK)
		return store_err(c->st, err, "reading the node name map");
	rc = names_read(path, insert, stmt, err);
	if (!rc && sqlite3_errcode(c->db) != SQLITE_OK)
		rc = store_err(c->st, err, "reading the node name map");
	sqlite3_finalize(stmt);
	return rc;
}
