/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <errno.h>
#include <string.h>

/*
 * Notes
 *
 * store_err() is the one place where a state of SQLite becomes words.  Each
 * line says what to do; where SQLite's own text adds something (a damaged
 * file, a statement that does not compile) it is in the line.
 */

/* The operating system's word for what SQLite ran into, or SQLite's own. */
static const char *reason(struct store *st)
{
	int saved = sqlite3_system_errno(st->db);

	return saved ? strerror(saved) : sqlite3_errmsg(st->db);
}

static int err_disk(struct store *st, struct err *err, const char *what)
{
	if (sqlite3_errcode(st->db) == SQLITE_FULL ||
	    sqlite3_system_errno(st->db) == ENOSPC ||
	    sqlite3_system_errno(st->db) == EDQUOT)
		return err_set(err, "%s: disk full while %s; the database is "
			       "as it was: free space there, then run this "
			       "again", st->path, what);
	return err_set(err, "%s: the disk failed while %s (%s); check it, "
		       "then run this again", st->path, what, reason(st));
}

int store_err(struct store *st, struct err *err, const char *what)
{
	switch (sqlite3_errcode(st->db)) {
	case SQLITE_FULL:
	case SQLITE_IOERR:
		return err_disk(st, err, what);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, "%s: in use by another process while %s; "
			       "run this again when that is done", st->path,
			       what);
	case SQLITE_NOTADB:
		return err_set(err, "%s: not an SQLite database; name "
			       "ibaudit's file, or a new one, with --db",
			       st->path);
	case SQLITE_CORRUPT:
		return err_set(err, "%s: damaged (%s) while %s; see 'ibaudit "
			       "db check', and restore it from a copy",
			       st->path, sqlite3_errmsg(st->db), what);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return err_set(err, "%s: no permission to write it, or in its "
			       "directory, while %s; run this as its owner",
			       st->path, what);
	case SQLITE_CANTOPEN:
		return err_set(err, "%s: cannot be opened (%s); check the "
			       "permissions of the file and its directory",
			       st->path, reason(st));
	default:
		return err_set(err, "%s: failed while %s: %s", st->path, what,
			       sqlite3_errmsg(st->db));
	}
}

int store_exec(struct store *st, const char *sql, const char *what,
	       struct err *err)
{
	if (sqlite3_exec(st->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return store_err(st, err, what);
}

sqlite3_stmt *store_prepare(struct store *st, const char *sql,
			    const char *what, struct err *err)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(st->db, sql, -1, &stmt, NULL) == SQLITE_OK)
		return stmt;
	store_err(st, err, what);
	return NULL;
}

int store_step(struct store *st, sqlite3_stmt *stmt, const char *what,
	       struct err *err)
{
	switch (sqlite3_step(stmt)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return store_err(st, err, what);
	}
}

int store_run(struct store *st, sqlite3_stmt *stmt, const char *what,
	      struct err *err)
{
	int rc = store_step(st, stmt, what, err);

	sqlite3_reset(stmt);
	return rc < 0 ? -1 : 0;
}

int store_int(struct store *st, const char *sql, int64_t a, int64_t b,
	      int64_t *value, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, sql, "reading", err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, a);
	sqlite3_bind_int64(stmt, 2, b);
	rc = store_step(st, stmt, "reading", err);
	if (rc == 1)
		*value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc < 0 ? -1 : 0;
}

void store_bind(sqlite3_stmt *stmt, int i, int64_t v, int64_t none)
{
	if (v == none)
		sqlite3_bind_null(stmt, i);
	else
		sqlite3_bind_int64(stmt, i, v);
}

int64_t store_column(sqlite3_stmt *stmt, int i, int64_t none)
{
	if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
		return none;
	return sqlite3_column_int64(stmt, i);
}

void store_rollback(struct store *st)
{
	if (!sqlite3_get_autocommit(st->db))
		sqlite3_exec(st->db, "ROLLBACK", NULL, NULL, NULL);
}

void store_add_columns(struct strbuf *b, const char *prefix,
		       const struct attr_row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		strbuf_addf(b, ", %s%s", prefix, rows[i].column);
}

int store_bind_attrs(sqlite3_stmt *stmt, int i, const struct attr_row *rows,
		     size_t n, const void *base)
{
	size_t k;
	int null;

	for (k = 0; k < n; k++, i++) {
		int64_t v = attr_get(&rows[k], base, &null);

		if (null)
			sqlite3_bind_null(stmt, i);
		else
			sqlite3_bind_int64(stmt, i, v);
	}
	return i;
}

int store_column_attrs(sqlite3_stmt *stmt, int i, const struct attr_row *rows,
		       size_t n, void *base)
{
	size_t k;

	for (k = 0; k < n; k++, i++) {
		int64_t v = sqlite3_column_int64(stmt, i);

		/* NULL reads as 0. */
		attr_set(&rows[k], base, v,
			 !v && sqlite3_column_type(stmt, i) == SQLITE_NULL);
	}
	return i;
}
