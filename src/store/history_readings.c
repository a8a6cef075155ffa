/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* Every reading of one counter of a port: one look into a table for each
 * snapshot of the fabric, whose key begins with that. */

#define WHAT HISTORY_WHAT

/* ?1 the port, ?2 the fabric: snapshot, time, source, value. */
static char *readings_sql(int i)
{
	struct strbuf sql = STRBUF_INIT;
	const char *column = counter_table[i].column;

	strbuf_add(&sql, "SELECT s.id, s.started_ms + c.at, c.src, ");
	if (i < COUNTER_ERRORS)
		strbuf_addf(&sql, "e.%s ", column);
	else
		strbuf_addf(&sql, "%s.%s ", i < COUNTER_MAIN ? "c" : "d",
			    column);
	strbuf_add(&sql, "FROM snapshot s CROSS JOIN counter_row c "
		   "ON c.snapshot = s.id AND c.port = ?1 ");
	if (i < COUNTER_ERRORS)
		strbuf_add(&sql, "CROSS JOIN error_rev e ON c.src & 5 AND "
			   "e.port = ?1 AND e.snapshot = "
			   "(SELECT max(snapshot) FROM error_rev "
			   "WHERE port = ?1 AND snapshot <= s.id) ");
	else if (i >= COUNTER_MAIN)
		strbuf_add(&sql, "CROSS JOIN detail_row d "
			   "ON d.snapshot = s.id AND d.port = ?1 ");
	strbuf_add(&sql, "WHERE s.fabric = ?2 ORDER BY s.id");
	return strbuf_take(&sql);
}

/* Was counter i cleared in a snapshot behind the one, up to the other? */
static int was_cleared(const struct error_steps *s, int64_t from, int64_t to,
		       int i)
{
	size_t k;

	for (k = 0; k < s->n; k++)
		if (s->list[k].snapshot > from && s->list[k].snapshot <= to &&
		    error_was_cleared(s->list[k].reset, i))
			return 1;
	return 0;
}

/* The reading in the row of stmt, against the one before. */
static void take(const struct error_steps *steps, int i, sqlite3_stmt *stmt,
		 struct history_reading *was, struct history_reading *now)
{
	unsigned src = (unsigned)sqlite3_column_int(stmt, 2);

	memset(now, 0, sizeof(*now));
	now->at.snapshot = sqlite3_column_int64(stmt, 0);
	now->at.ms = sqlite3_column_int64(stmt, 1);
	now->move.counter = i;
	now->move.value = sqlite3_column_int64(stmt, 3);
	now->move.width = i < COUNTER_ERRORS ? error_width(i, src) :
					       counter_width(i, src);
	now->move.prev = COUNTER_UNREAD;
	if (was->at.snapshot && was->move.width == now->move.width)
		now->move.prev = was->move.value;
	if (was->at.snapshot)
		now->move.interval_ms = now->at.ms - was->at.ms;
	judge_move(&now->move,
		   i < COUNTER_ERRORS && was->at.snapshot &&
			   was_cleared(steps, was->at.snapshot,
				       now->at.snapshot, i));
	*was = *now;
}

static void keep(struct history *h, struct history_readings *out,
		 const struct history_reading *r)
{
	if (r->at.snapshot < h->since)
		return;
	out->list = xgrow(out->list, out->n, &out->cap, sizeof(*r));
	out->list[out->n++] = *r;
}

static void fill_rises(struct history_readings *out)
{
	struct history_rises *r = &out->rises;
	size_t i;

	r->n = out->n;
	r->rise = xcalloc(out->n + 1, sizeof(*r->rise));
	for (i = 0; i < out->n; i++) {
		r->rise[i] = out->list[i].move.delta;
		r->last = out->list[i].move.value;
		r->moved |= r->rise[i] > 0;
	}
}

static int read_all(struct history *h, int64_t port, int i,
		    struct history_readings *out, struct err *err)
{
	char *sql = readings_sql(i);
	sqlite3_stmt *stmt = store_prepare(h->st, sql, WHAT, err);
	struct history_reading was, now;
	struct error_steps steps = { NULL, 0, 0 };
	int rc = stmt ? error_steps_load(h->st, port, &steps, err) : -1;

	free(sql);
	memset(&was, 0, sizeof(was));
	if (!rc) {
		sqlite3_bind_int64(stmt, 1, port);
		sqlite3_bind_int64(stmt, 2, h->fabric);
	}
	while (rc >= 0 && (rc = store_step(h->st, stmt, WHAT, err)) == 1)
		if (sqlite3_column_type(stmt, 3) != SQLITE_NULL) {
			take(&steps, i, stmt, &was, &now);
			keep(h, out, &now);
		}
	error_steps_free(&steps);
	sqlite3_finalize(stmt);
	return rc;
}

int history_readings(struct history *h, const struct history_place *p, int i,
		     struct history_readings *out, struct err *err)
{
	memset(out, 0, sizeof(*out));
	if (history_now(h, p, &out->now, err) < 0 ||
	    read_all(h, p->port, i, out, err) < 0) {
		history_readings_free(out);
		return -1;
	}
	fill_rises(out);
	return 0;
}
