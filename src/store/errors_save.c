/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <stdlib.h>

/*
 * Notes
 *
 * A row is written where a port's error counters differ from its reading
 * before.  Which of them fell stands in the row, as the counters that somebody
 * cleared: when rows are folded into one by pruning, the values alone would no
 * longer tell.  Where a 64-bit data or packet counter fell too, the device
 * began anew and every counter of the port with it, also one that stands
 * higher by now.
 */

#define WHAT "storing the error counters"
#define OLDEST "100" /* snapshots to look back for a port's last reading */

/* The data counters of a port's (?2) last reading before snapshot ?1. */
static char *data_sql(void)
{
	struct strbuf sql = STRBUF_INIT;
	int i;

	strbuf_add(&sql, "SELECT r.src");
	for (i = COUNTER_ERRORS; i < COUNTER_MAIN; i++)
		strbuf_addf(&sql, ", r.%s", counter_table[i].column);
	strbuf_add(&sql, " FROM (SELECT o.id FROM snapshot o "
		   "WHERE o.fabric = ?3 AND o.id < ?1 ORDER BY o.id DESC "
		   "LIMIT " OLDEST ") x CROSS JOIN counter_row r "
		   "ON r.snapshot = x.id AND r.port = ?2 "
		   "ORDER BY x.id DESC LIMIT 1");
	return strbuf_take(&sql);
}

static char *insert_sql(void)
{
	struct strbuf sql = STRBUF_INIT;
	int i;

	strbuf_add(&sql, "INSERT INTO error_rev (port, snapshot");
	errors_add_columns(&sql, "");
	strbuf_add(&sql, ") VALUES (?, ?, ?, ?, ?");
	for (i = 0; i < COUNTER_ERRORS; i++)
		strbuf_add(&sql, ", ?");
	strbuf_add(&sql, ")");
	return strbuf_take(&sql);
}

int error_saver_open(struct error_saver *es)
{
	char *insert = insert_sql(), *data = data_sql();

	es->data = NULL;
	es->insert = store_prepare(es->st, insert, WHAT, es->err);
	if (es->insert)
		es->data = store_prepare(es->st, data, WHAT, es->err);
	free(insert);
	free(data);
	return es->data ? 0 : -1;
}

void error_saver_close(struct error_saver *es)
{
	sqlite3_finalize(es->insert);
	sqlite3_finalize(es->data);
	map_free(&es->written);
}

/* Has the row under stmt a 64-bit data counter above c's? */
static int any_fell(sqlite3_stmt *stmt, const struct counters *c)
{
	unsigned src = (unsigned)sqlite3_column_int(stmt, 0);
	int i;

	for (i = COUNTER_ERRORS; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == COUNTER_DATA &&
		    c->value[i] != COUNTER_UNREAD &&
		    c->value[i] < sqlite3_column_int64(
					  stmt, 1 + i - COUNTER_ERRORS) &&
		    counter_width(i, src) == 64 &&
		    counter_width(i, c->src) == 64)
			return 1;
	return 0;
}

/* Did the port begin anew since its last reading?  1, 0 or -1. */
static int is_epoch(struct error_saver *es, int64_t port,
		    const struct counters *c)
{
	int rc;

	if (!(c->src & SRC_EXT))
		return 0;
	sqlite3_bind_int64(es->data, 1, es->snapshot);
	sqlite3_bind_int64(es->data, 2, port);
	sqlite3_bind_int64(es->data, 3, es->fabric);
	rc = store_step(es->st, es->data, WHAT, es->err);
	if (rc == 1)
		rc = any_fell(es->data, c);
	sqlite3_reset(es->data);
	return rc;
}

/* The columns of those that fell, a blank between them. */
static void add_fallen(struct strbuf *b, const struct error_row *was,
		       const struct error_row *now)
{
	int i;

	for (i = 0; i < COUNTER_ERRORS; i++)
		if (now->value[i] != COUNTER_UNREAD &&
		    now->value[i] < was->value[i] &&
		    error_width(i, now->src) == error_width(i, was->src))
			strbuf_addf(b, "%s%s", b->len ? " " : "",
				    counter_table[i].column);
}

static int is_full(const struct error_row *row)
{
	int i;

	for (i = 0; i < COUNTER_ERRORS; i++)
		if (row->value[i] != COUNTER_UNREAD &&
		    row->value[i] >= counter_max(error_width(i, row->src)))
			return 1;
	return 0;
}

static int insert(struct error_saver *es, int64_t port,
		  const struct error_row *row, const char *reset)
{
	sqlite3_stmt *stmt = es->insert;
	int i;

	sqlite3_bind_int64(stmt, 1, port);
	sqlite3_bind_int64(stmt, 2, es->snapshot);
	sqlite3_bind_int64(stmt, 3, row->src);
	sqlite3_bind_int64(stmt, 4, is_full(row));
	sqlite3_bind_text(stmt, 5, *reset ? reset : NULL, -1, SQLITE_STATIC);
	for (i = 0; i < COUNTER_ERRORS; i++)
		store_bind(stmt, 6 + i, row->value[i], COUNTER_UNREAD);
	if (store_run(es->st, stmt, WHAT, es->err) < 0)
		return -1;
	errors_set(es->errors, port, row);
	map_set(&es->written, (uint64_t)port, 1);
	return 1;
}

static int differ(const struct error_row *was, const struct error_row *now)
{
	int i;

	if (was->src != now->src)
		return 1;
	for (i = 0; i < COUNTER_ERRORS; i++)
		if (was->value[i] != now->value[i])
			return 1;
	return 0;
}

/* Store what differs, and with epoch also that the port began anew. */
static int save(struct error_saver *es, int64_t port, const struct counters *c,
		int epoch)
{
	const struct error_row *was = errors_get(es->errors, port);
	struct strbuf reset = STRBUF_INIT;
	struct error_row now;
	int i, rc;

	now.src = c->src & SRC_ERRORS;
	for (i = 0; i < COUNTER_ERRORS; i++)
		now.value[i] = c->value[i];
	if (was && !epoch && !differ(was, &now))
		return 0;
	if (!epoch && was)
		epoch = is_epoch(es, port, c);
	if (epoch < 0)
		return -1;
	if (epoch)
		strbuf_add(&reset, "*");
	else if (was)
		add_fallen(&reset, was, &now);
	rc = insert(es, port, &now, reset.s ? reset.s : "");
	strbuf_free(&reset);
	return rc;
}

int errors_save(struct error_saver *es, int64_t port, const struct counters *c)
{
	return c->src & SRC_ERRORS ? save(es, port, c, 0) : 0;
}

int errors_save_epoch(struct error_saver *es, int64_t port,
		      const struct counters *c)
{
	const struct error_row *was = errors_get(es->errors, port);
	int i, epoch;

	if (!was || was->src != (c->src & SRC_ERRORS) ||
	    map_get(&es->written, (uint64_t)port) != MAP_NONE)
		return 0;
	for (i = 0; i < COUNTER_ERRORS; i++)
		if (was->value[i] != c->value[i])
			return 0; /* it will have a row of its own */
	epoch = is_epoch(es, port, c);
	return epoch > 0 ? save(es, port, c, 1) : epoch;
}
