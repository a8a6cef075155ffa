/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <string.h>

#include "model/counter.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * Two cursors walk the error counters of the snapshot and of the baseline in
 * the order of ports, side by side, and judge() picks the few that a rule
 * could care for: almost every one of a million values is the same as before.
 * What is compared follows counter_table.  Most of the time goes into fetching
 * values, so the walk takes NULL for 0 at first and looks for NULL only where
 * something moved.
 *
 * A port that the baseline did not read, since a query was lost, is compared
 * with its last reading before that, at most OLDEST snapshots back: a rise
 * must not hide behind a lost reply.
 *
 * All counters saturate and none wraps.  A value below the one before was
 * cleared by somebody; when a 64-bit data or packet counter fell, all of the
 * port were, also those that stand higher by now.  So the data counters matter
 * only where an error counter rose, and are looked up there.
 */

#define FIRST_COUNTER 3 /* column: behind port, at and src */
#define FAILED "comparing the counters"
#define OLDEST "100"

/* Conditions on counter_row r and its snapshot s; ?1 is a snapshot. */
#define WHERE_WALK "r.snapshot = ?1 ORDER BY r.port"
#define WHERE_PORT "r.snapshot = ?1 AND r.port = ?2"
#define WHERE_LAST                                                            \
	"r.port = ?2 AND r.snapshot = (SELECT c.snapshot FROM "               \
	"(SELECT o.id FROM main.snapshot o WHERE o.id < ?1 AND o.fabric = "   \
	"(SELECT fabric FROM main.snapshot WHERE id = ?1) "                   \
	"ORDER BY o.id DESC LIMIT " OLDEST ") x JOIN main.counter_row c "     \
	"ON c.snapshot = x.id AND c.port = ?2 AND c.src & 5 "                 \
	"ORDER BY x.id DESC LIMIT 1)" /* 5: SRC_PC | SRC_EXT_ERR */


/* The counter rows of one snapshot. */
struct cursor {
	sqlite3_stmt *walk;   /* error counters, one row a port */
	sqlite3_stmt *lookup; /* data counters of one port */
	int row; /* walk stands on one */
	int64_t port;
	struct counters c;
};

struct comparison {
	struct check *check;
	sqlite3_stmt *insert;
	struct cursor now, was;
	struct cursor last; /* a port's last reading before the baseline */
};

/* What became of one counter. */
struct verdict {
	int64_t value, prev, delta; /* COUNTER_UNREAD: not known */
	int width;
	int reset, saturated, saturated_before;
};

/* A database of an older program lacks the columns of newer counters. */
static int has_column(sqlite3 *db, const char *column)
{
	return sqlite3_table_column_metadata(db, "main", "counter_row", column,
					     NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

/* All counters of that kind, with their port and time.  NULL on error. */
static sqlite3_stmt *select_kind(sqlite3 *db, enum counter_kind kind,
				 const char *where, int64_t snapshot)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int i;

	strbuf_add(&sql, "SELECT r.port, s.started_ms + r.at, r.src");
	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == kind)
			strbuf_addf(&sql, ", %s",
				    has_column(db, counter_table[i].column) ?
					    counter_table[i].column : "NULL");
	strbuf_addf(&sql, " FROM main.counter_row r CROSS JOIN main.snapshot s"
		    " ON s.id = r.snapshot WHERE %s", where);
	sqlite3_prepare_v2(db, sql.s, -1, &stmt, NULL);
	strbuf_free(&sql);
	if (stmt)
		sqlite3_bind_int64(stmt, 1, snapshot);
	return stmt;
}

static int cursor_open(struct cursor *cur, sqlite3 *db, int64_t snapshot,
		       const char *walk, const char *lookup)
{
	counters_init(&cur->c);
	cur->walk = select_kind(db, COUNTER_ERROR, walk, snapshot);
	cur->lookup = select_kind(db, COUNTER_DATA, lookup, snapshot);
	return cur->walk && cur->lookup ? 0 : -1;
}

static void cursor_close(struct cursor *cur)
{
	sqlite3_finalize(cur->walk);
	sqlite3_finalize(cur->lookup);
}

/* Take the counters of that kind from the row of stmt; NULL is 0. */
static void read_kind(struct counters *c, sqlite3_stmt *stmt,
		      enum counter_kind kind)
{
	int i, col = FIRST_COUNTER;

	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == kind)
			c->value[i] = sqlite3_column_int64(stmt, col++);
}

/* Tell NULL from 0 in what read_kind() took. */
static void mark_unread(struct counters *c, sqlite3_stmt *stmt,
			enum counter_kind kind)
{
	int i, col = FIRST_COUNTER;

	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == kind &&
		    sqlite3_column_type(stmt, col++) == SQLITE_NULL)
			c->value[i] = COUNTER_UNREAD;
}

/* On to the next port; -1 on error. */
static int cursor_next(struct cursor *cur)
{
	int rc = sqlite3_step(cur->walk);

	cur->row = rc == SQLITE_ROW;
	if (!cur->row)
		return rc == SQLITE_DONE ? 0 : -1;
	cur->port = sqlite3_column_int64(cur->walk, 0);
	cur->c.at_ms = sqlite3_column_int64(cur->walk, 1);
	cur->c.src = (uint8_t)sqlite3_column_int(cur->walk, 2);
	read_kind(&cur->c, cur->walk, COUNTER_ERROR);
	return 0;
}

/* Read the data counters of the port that it stands on. */
static void cursor_lookup(struct cursor *cur)
{
	sqlite3_bind_int64(cur->lookup, 2, cur->port);
	if (sqlite3_step(cur->lookup) == SQLITE_ROW) {
		read_kind(&cur->c, cur->lookup, COUNTER_DATA);
		mark_unread(&cur->c, cur->lookup, COUNTER_DATA);
	}
	sqlite3_reset(cur->lookup);
}

/* Can a counter of the port be worth a row?  One that is full is at least at
 * the maximum that it has in PortCounters. */
static int may_matter(const struct counters *now, const struct counters *was)
{
	int i;

	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == COUNTER_ERROR &&
		    (now->value[i] >= counter_max(counter_table[i].pc.width) ||
		     (was && now->value[i] != was->value[i])))
			return 1;
	return 0;
}

static int any_rose(const struct counters *now, const struct counters *was)
{
	int i;

	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == COUNTER_ERROR &&
		    was->value[i] != COUNTER_UNREAD &&
		    now->value[i] > was->value[i])
			return 1;
	return 0;
}

static int any_data_fell(const struct counters *now, const struct counters *was)
{
	int i;

	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == COUNTER_DATA &&
		    now->value[i] != COUNTER_UNREAD &&
		    now->value[i] < was->value[i] &&
		    counter_width(i, now->src) == 64 &&
		    counter_width(i, was->src) == 64)
			return 1;
	return 0;
}

/* Did all counters of the port begin anew, while one of them rose? */
static int is_epoch(struct comparison *x, struct cursor *before)
{
	if (!any_rose(&x->now.c, &before->c))
		return 0;
	cursor_lookup(&x->now);
	cursor_lookup(before);
	return any_data_fell(&x->now.c, &before->c);
}

/* was is NULL without a reading in the baseline.  True when it is worth a row
 * of the view. */
static int judge(int i, const struct counters *now, const struct counters *was,
		 int epoch, struct verdict *v)
{
	int64_t max;

	memset(v, 0, sizeof(*v));
	v->value = now->value[i];
	if (v->value == COUNTER_UNREAD)
		return 0;
	v->width = counter_width(i, now->src);
	/* Another width: another counter, and no comparison. */
	v->prev = was && counter_width(i, was->src) == v->width ?
			  was->value[i] : COUNTER_UNREAD;
	max = counter_max(v->width);
	v->saturated = v->value >= max;
	v->delta = COUNTER_UNREAD;
	if (v->prev == COUNTER_UNREAD)
		return v->saturated;
	v->saturated_before = v->prev >= max;
	v->reset = v->value < v->prev || (epoch && v->value > v->prev);
	if (v->reset)
		v->delta = v->value;
	else if (!v->saturated_before)
		v->delta = v->value - v->prev;
	return v->saturated || v->value != v->prev;
}

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

/* interval_ms is 0 or less when there is no rate. */
static int add_row(struct comparison *x, int i, const struct verdict *v,
		   int64_t interval_ms)
{
	sqlite3_stmt *stmt = x->insert;

	sqlite3_clear_bindings(stmt);
	bind_int(stmt, ":port", x->now.port);
	bind_int(stmt, ":baseline", x->check->baseline);
	bind_text(stmt, ":counter", counter_table[i].column);
	bind_text(stmt, ":name", counter_table[i].name);
	bind_text(stmt, ":unit", counter_table[i].unit);
	bind_int(stmt, ":width", v->width);
	bind_int(stmt, ":value", v->value);
	bind_known(stmt, ":prev", v->prev);
	bind_known(stmt, ":delta", v->delta);
	bind_int(stmt, ":reset", v->reset);
	bind_int(stmt, ":saturated", v->saturated);
	bind_int(stmt, ":saturated_before", v->saturated_before);
	if (interval_ms > 0)
		bind_int(stmt, ":interval_ms", interval_ms);
	sqlite3_step(stmt);
	return sqlite3_reset(stmt) == SQLITE_OK ? 0 : -1;
}

/* Compare the port that now stands on with that reading; NULL is none. */
static int compare_with(struct comparison *x, struct cursor *before)
{
	const struct counters *was = before ? &before->c : NULL;
	int64_t interval_ms = was ? x->now.c.at_ms - was->at_ms : 0;
	int epoch, i;
	struct verdict v;

	if (!may_matter(&x->now.c, was))
		return 0;
	mark_unread(&x->now.c, x->now.walk, COUNTER_ERROR);
	if (before)
		mark_unread(&before->c, before->walk, COUNTER_ERROR);
	epoch = before && is_epoch(x, before);
	for (i = 0; i < COUNTER_MAIN; i++)
		if (counter_table[i].kind == COUNTER_ERROR &&
		    judge(i, &x->now.c, was, epoch, &v) &&
		    add_row(x, i, &v, interval_ms) < 0)
			return -1;
	return 0;
}

/* Did the reading lack an error counter that the port has now? */
static int lacks_some(const struct cursor *now, const struct cursor *was)
{
	unsigned errors = SRC_PC | SRC_EXT_ERR;

	return (now->c.src & errors) && !(was->c.src & errors);
}

static int compare_port(struct comparison *x)
{
	int rc;

	if (x->was.row && x->was.port == x->now.port &&
	    !lacks_some(&x->now, &x->was))
		return compare_with(x, &x->was);
	if (!x->check->baseline)
		return compare_with(x, NULL);
	sqlite3_bind_int64(x->last.walk, 2, x->now.port);
	rc = cursor_next(&x->last);
	if (!rc)
		rc = compare_with(x, x->last.row ? &x->last : NULL);
	sqlite3_reset(x->last.walk);
	return rc;
}

static int compare_all(struct comparison *x)
{
	if (cursor_next(&x->now) < 0 || cursor_next(&x->was) < 0)
		return -1;
	while (x->now.row) {
		while (x->was.row && x->was.port < x->now.port)
			if (cursor_next(&x->was) < 0)
				return -1;
		if (compare_port(x) < 0 || cursor_next(&x->now) < 0)
			return -1;
	}
	return 0;
}

int counters_fill(struct check *c, struct err *err)
{
	struct comparison x;
	int rc = -1;

	memset(&x, 0, sizeof(x));
	x.check = c;
	x.insert = check_prepare(c, "check-fill-counter.sql", err);
	if (!x.insert)
		return -1;
	if (cursor_open(&x.now, c->db, c->id, WHERE_WALK, WHERE_PORT) == 0 &&
	    cursor_open(&x.was, c->db, c->baseline, WHERE_WALK, WHERE_PORT) ==
		    0 &&
	    cursor_open(&x.last, c->db, c->baseline, WHERE_LAST, WHERE_LAST) ==
		    0)
		rc = compare_all(&x);
	if (rc < 0)
		store_err(c->st, err, FAILED);
	cursor_close(&x.now);
	cursor_close(&x.was);
	cursor_close(&x.last);
	sqlite3_finalize(x.insert);
	return rc;
}
