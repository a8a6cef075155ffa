/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include "model/counter.h"

/* stored_counter: what store_moves() tells of the snapshot and its baseline. */

struct filler {
	struct check *check;
	sqlite3_stmt *insert;
	struct err *err;
};

static void bind_known(sqlite3_stmt *stmt, const char *name, int64_t v)
{
	if (v != COUNTER_UNREAD)
		bind_int(stmt, name, v);
}

static void bind_text(sqlite3_stmt *stmt, const char *name, const char *s)
{
	sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, name), s, -1,
			  SQLITE_STATIC);
}

static int add_row(void *arg, const struct store_move *m)
{
	struct filler *f = arg;
	sqlite3_stmt *stmt = f->insert;

	sqlite3_clear_bindings(stmt);
	bind_int(stmt, ":port", m->port);
	bind_int(stmt, ":baseline", f->check->baseline);
	bind_text(stmt, ":counter", counter_table[m->counter].column);
	bind_text(stmt, ":name", counter_table[m->counter].name);
	bind_text(stmt, ":unit", counter_table[m->counter].unit);
	bind_int(stmt, ":width", m->width);
	bind_int(stmt, ":value", m->value);
	bind_known(stmt, ":prev", m->prev);
	bind_known(stmt, ":delta", m->delta);
	bind_int(stmt, ":reset", m->reset);
	bind_int(stmt, ":saturated", m->saturated);
	bind_int(stmt, ":saturated_before", m->saturated_before);
	if (m->interval_ms > 0)
		bind_int(stmt, ":interval_ms", m->interval_ms);
	sqlite3_step(stmt);
	if (sqlite3_reset(stmt) == SQLITE_OK)
		return 0;
	return store_err(f->check->st, f->err, "comparing the counters");
}

int counters_fill(struct check *c, struct err *err)
{
	struct filler f = { c, check_prepare(c, "check-fill-counter.sql", err),
			    err };
	int rc;

	if (!f.insert)
		return -1;
	rc = store_moves(c->st, c->id, c->baseline, add_row, &f, err);
	sqlite3_finalize(f.insert);
	return rc;
}
