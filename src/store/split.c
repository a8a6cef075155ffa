/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <stdlib.h>
#include <string.h>

/*
 * Notes
 *
 * Up to schema 3 a port's counters were one row a snapshot.  Snapshot by
 * snapshot their data counters are copied to counter_row, and their error
 * counters saved as a sweep saves them.  A database may lack the columns of
 * counters that its program did not know.
 */

#define WHAT "bringing the database up to date"

struct split {
	struct error_saver es;
	sqlite3_stmt *copy, *read;
	uint8_t has[COUNTER_MAIN];
};

static int find_columns(struct split *sp)
{
	sqlite3_stmt *stmt;
	int rc, i;

	stmt = store_prepare(sp->es.st, "SELECT name FROM "
			     "pragma_table_info('counter_row_3')", WHAT,
			     sp->es.err);
	if (!stmt)
		return -1;
	while ((rc = store_step(sp->es.st, stmt, WHAT, sp->es.err)) == 1) {
		i = counter_find((const char *)sqlite3_column_text(stmt, 0));
		if (i >= 0 && i < COUNTER_MAIN)
			sp->has[i] = 1;
	}
	sqlite3_finalize(stmt);
	return rc;
}

static void add_counters(const struct split *sp, struct strbuf *sql, int i,
			 int end, int all)
{
	for (; i < end; i++)
		if (sp->has[i])
			strbuf_addf(sql, ", %s", counter_table[i].column);
		else if (all)
			strbuf_add(sql, ", NULL");
}

static sqlite3_stmt *prepare(struct split *sp, struct strbuf *sql)
{
	sqlite3_stmt *stmt = store_prepare(sp->es.st, sql->s, WHAT,
					   sp->es.err);

	strbuf_free(sql);
	return stmt;
}

static int prepare_all(struct split *sp)
{
	struct strbuf copy = STRBUF_INIT, read = STRBUF_INIT;

	strbuf_add(&copy, "INSERT INTO counter_row (snapshot, port, at, src");
	add_counters(sp, &copy, COUNTER_ERRORS, COUNTER_MAIN, 0);
	strbuf_add(&copy, ") SELECT snapshot, port, at, src");
	add_counters(sp, &copy, COUNTER_ERRORS, COUNTER_MAIN, 0);
	strbuf_add(&copy, " FROM counter_row_3 WHERE snapshot = ?1");
	sp->copy = prepare(sp, &copy);
	strbuf_add(&read, "SELECT port, src");
	add_counters(sp, &read, 0, COUNTER_MAIN, 1);
	strbuf_add(&read, " FROM counter_row_3 WHERE snapshot = ?1 "
		   "ORDER BY port");
	sp->read = prepare(sp, &read);
	return sp->copy && sp->read ? error_saver_open(&sp->es) : -1;
}

static int split_row(struct split *sp)
{
	sqlite3_stmt *stmt = sp->read;
	struct counters c;
	int i;

	counters_init(&c);
	c.src = (uint8_t)sqlite3_column_int(stmt, 1);
	for (i = 0; i < COUNTER_MAIN; i++)
		c.value[i] = store_column(stmt, 2 + i, COUNTER_UNREAD);
	return errors_save(&sp->es, sqlite3_column_int64(stmt, 0), &c);
}

static int split_snapshot(struct split *sp, int64_t fabric, int64_t snapshot)
{
	int rc;

	map_free(&sp->es.written);
	sp->es.fabric = fabric;
	sp->es.snapshot = snapshot;
	sqlite3_bind_int64(sp->copy, 1, snapshot);
	if (store_run(sp->es.st, sp->copy, WHAT, sp->es.err) < 0)
		return -1;
	sqlite3_bind_int64(sp->read, 1, snapshot);
	while ((rc = store_step(sp->es.st, sp->read, WHAT, sp->es.err)) == 1)
		if (split_row(sp) < 0) {
			rc = -1;
			break;
		}
	sqlite3_reset(sp->read);
	return rc;
}

static int split_all(struct split *sp)
{
	sqlite3_stmt *stmt;
	int rc;

	stmt = store_prepare(sp->es.st, "SELECT fabric, id FROM snapshot "
			     "ORDER BY id", WHAT, sp->es.err);
	if (!stmt)
		return -1;
	while ((rc = store_step(sp->es.st, stmt, WHAT, sp->es.err)) == 1)
		if (split_snapshot(sp, sqlite3_column_int64(stmt, 0),
				   sqlite3_column_int64(stmt, 1)) < 0) {
			rc = -1;
			break;
		}
	sqlite3_finalize(stmt);
	return rc;
}

int store_split_counters(struct store *st, struct err *err)
{
	struct split sp;
	int rc = -1;

	memset(&sp, 0, sizeof(sp));
	sp.es.st = st;
	sp.es.err = err;
	sp.es.errors = errors_create();
	if (find_columns(&sp) == 0 && prepare_all(&sp) == 0)
		rc = split_all(&sp);
	error_saver_close(&sp.es);
	errors_destroy(sp.es.errors);
	sqlite3_finalize(sp.copy);
	sqlite3_finalize(sp.read);
	if (rc < 0)
		return -1;
	return store_exec(st, "DROP TABLE counter_row_3", WHAT, err);
}
