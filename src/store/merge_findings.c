/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/merge.h"

/*
 * Notes
 *
 * An episode of theirs that began within one of ours with the same rule and
 * place, or at the same time, is that one; so is one that is open where ours
 * is. It lasts from the earlier beginning to the later end.  One that we closed
 * stays as it is: ours knew both.
 *
 * Times tell an episode, and not ids, so that a second merge changes nothing.
 */

#define PLACE \
	"fabric = ?1 AND rule = ?2 AND node_guid IS ?3 AND instance IS ?4 " \
	"AND port IS ?5 AND peer_guid IS ?6 AND peer_instance IS ?7 " \
	"AND peer_port IS ?8"

/* ?9 severity, ?10 message, ?11 and ?12 first, ?13 and ?14 last, ?15 missed,
 * ?16 and ?17 closed, ?18 ended */
#define COLUMNS \
	"rule, node_guid, instance, port, peer_guid, peer_instance, " \
	"peer_port, severity, message, first_snapshot, first_ms, " \
	"last_snapshot, last_ms, missed, closed, closed_ms, ended"

static const char find_sql[] =
	"SELECT id FROM finding_row WHERE " PLACE " AND (first_ms = ?12 OR "
	"(first_ms <= ?12 AND (closed IS NULL OR closed_ms > ?12)) OR "
	"(closed IS NULL AND ?16 IS NULL)) "
	"ORDER BY closed IS NOT NULL, id LIMIT 1";
static const char add_sql[] =
	"INSERT INTO finding_row (fabric, " COLUMNS ") VALUES (?1, ?2, ?3, "
	"?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
	"?18)";
/* The episode ?19. */
static const char join_sql[] =
	"UPDATE finding_row SET "
	"first_snapshot = min(first_snapshot, ?11), "
	"first_ms = CASE WHEN ?11 < first_snapshot THEN ?12 ELSE first_ms END, "
	"severity = CASE WHEN ?13 > last_snapshot THEN ?9 ELSE severity END, "
	"message = CASE WHEN ?13 > last_snapshot THEN ?10 ELSE message END, "
	"missed = CASE WHEN ?13 > last_snapshot THEN ?15 ELSE missed END, "
	"last_ms = CASE WHEN ?13 > last_snapshot THEN ?14 ELSE last_ms END, "
	"last_snapshot = max(last_snapshot, ?13), "
	"closed = CASE WHEN ?16 > last_snapshot THEN ?16 END, "
	"closed_ms = CASE WHEN ?16 > last_snapshot THEN ?17 END, "
	"ended = CASE WHEN ?16 > last_snapshot THEN ?18 END "
	"WHERE id = ?19 AND closed IS NULL";

enum { FIND, ADD, JOIN, STMT_COUNT };

struct merger {
	const struct merge_plan *p;
	struct store *st;
	struct err *err;
	sqlite3_stmt *stmt[STMT_COUNT];
};

/* Columns of a row of theirs that name a snapshot, from 0. */
static int is_snapshot(int column)
{
	return column == 9 || column == 11 || column == 14;
}

/* Parameters 2 to 18, of a row of COLUMNS. */
static void bind_row(const struct merger *m, sqlite3_stmt *to,
		     sqlite3_stmt *row)
{
	int i;

	for (i = 0; i < sqlite3_column_count(row); i++)
		if (is_snapshot(i) &&
		    sqlite3_column_type(row, i) != SQLITE_NULL)
			sqlite3_bind_int64(to, i + 2, merge_next_id(m->p,
				&m->p->theirs, sqlite3_column_int64(row, i)));
		else
			sqlite3_bind_value(to, i + 2,
					   sqlite3_column_value(row, i));
}

static int merge_row(const struct merger *m, sqlite3_stmt *row)
{
	int64_t id = 0;
	int i, rc;

	for (i = 0; i < STMT_COUNT; i++)
		bind_row(m, m->stmt[i], row);
	rc = store_step(m->st, m->stmt[FIND], MERGE_WHAT, m->err);
	if (rc == 1)
		id = sqlite3_column_int64(m->stmt[FIND], 0);
	sqlite3_reset(m->stmt[FIND]);
	if (rc < 0)
		return -1;
	if (!id)
		return store_run(m->st, m->stmt[ADD], MERGE_WHAT, m->err);
	sqlite3_bind_int64(m->stmt[JOIN], 19, id);
	return store_run(m->st, m->stmt[JOIN], MERGE_WHAT, m->err);
}

static int merge_theirs(const struct merger *m)
{
	const struct merge_side *t = &m->p->theirs;
	sqlite3_stmt *rows;
	int rc;

	rows = store_prepare(t->st, "SELECT " COLUMNS " FROM finding_row "
			     "WHERE fabric = ?1 ORDER BY id", MERGE_WHAT,
			     m->err);
	if (!rows)
		return -1;
	sqlite3_bind_int64(rows, 1, t->fabric);
	while ((rc = store_step(t->st, rows, MERGE_WHAT, m->err)) == 1)
		if (merge_row(m, rows) < 0) {
			rc = -1;
			break;
		}
	sqlite3_finalize(rows);
	return rc;
}

/* One of ours: id, first_snapshot, last_snapshot, closed. */
static int renumber_row(const struct merger *m, sqlite3_stmt *update,
			sqlite3_stmt *row)
{
	int i;

	sqlite3_bind_int64(update, 1, sqlite3_column_int64(row, 0));
	for (i = 1; i < 4; i++)
		if (sqlite3_column_type(row, i) == SQLITE_NULL)
			sqlite3_bind_null(update, i + 1);
		else
			sqlite3_bind_int64(update, i + 1, merge_next_id(m->p,
				&m->p->ours, sqlite3_column_int64(row, i)));
	return store_run(m->st, update, MERGE_WHAT, m->err);
}

static int renumber_rows(const struct merger *m, const char *select,
			 const char *sql)
{
	struct store *old = m->p->ours.st;
	sqlite3_stmt *rows, *update;
	int rc = -1;

	rows = store_prepare(old, select, MERGE_WHAT, m->err);
	update = rows ? store_prepare(m->st, sql, MERGE_WHAT, m->err) : NULL;
	if (update) {
		sqlite3_bind_int64(rows, 1, m->p->ours.fabric);
		while ((rc = store_step(old, rows, MERGE_WHAT, m->err)) == 1)
			if (renumber_row(m, update, rows) < 0) {
				rc = -1;
				break;
			}
	}
	sqlite3_finalize(rows);
	sqlite3_finalize(update);
	return rc;
}

static int renumber_ours(const struct merger *m)
{
	if (!m->p->ours.fabric || m->p->ours.n == m->p->n_kept)
		return 0;
	if (renumber_rows(m, "SELECT id, first_snapshot, last_snapshot, closed "
			  "FROM finding_row WHERE fabric = ?1",
			  "UPDATE finding_row SET first_snapshot = ?2, "
			  "last_snapshot = ?3, closed = ?4 WHERE id = ?1") < 0)
		return -1;
	return renumber_rows(m, "SELECT fabric, snapshot, NULL, NULL "
			     "FROM expect_set WHERE fabric = ?1",
			     "UPDATE expect_set SET snapshot = ?2 "
			     "WHERE fabric = ?1");
}

int merge_findings(const struct merge_plan *p, struct store *st,
		   struct err *err)
{
	static const char *const sql[] = { find_sql, add_sql, join_sql };
	struct merger m = { .p = p, .st = st, .err = err };
	int64_t fabric = 0;
	int i, rc = renumber_ours(&m);

	if (!rc && store_find_fabric(st, p->to, &fabric, err) < 0)
		rc = -1;
	for (i = 0; !rc && i < STMT_COUNT; i++) {
		m.stmt[i] = store_prepare(st, sql[i], MERGE_WHAT, err);
		if (m.stmt[i])
			sqlite3_bind_int64(m.stmt[i], 1, fabric);
		else
			rc = -1;
	}
	if (!rc)
		rc = merge_theirs(&m);
	for (i = 0; i < STMT_COUNT; i++)
		sqlite3_finalize(m.stmt[i]);
	return rc;
}
