/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <stdio.h>
#include <string.h>

/*
 * Notes
 *
 * What error counters did between two snapshots.  Only ports with a row in
 * error_rev between them can have moved, and only those with `full` in the row
 * that holds can be saturated, so nothing else is read.
 *
 * A port that the baseline did not read, since a query was lost, is compared
 * with its last reading before that: the row that held then.  The time of that
 * reading is looked for at most OLDEST snapshots back; beyond that the rise
 * has no rate.
 *
 * All counters saturate and none wraps.  What was cleared on the way stands in
 * `reset` of the rows between.
 */

#define WHAT "comparing the counters"
#define OLDEST "100"

enum { NOW, WAS, RESETS, WAS_AT, MOVER_COUNT };

struct mover {
	struct store *st;
	struct err *err;
	int64_t id, baseline;
	int (*each)(void *arg, const struct store_move *m);
	void *arg;
	sqlite3_stmt *ports;
	sqlite3_stmt *stmt[MOVER_COUNT]; /* by port (?1) */
	struct strbuf resets; /* " symbol_error rcv_errors * " */
	struct error_row now, was;
	int64_t now_at, was_at; /* ms */
	int has_was, has_time;
};

/* ?1 the snapshot, ?2 the baseline: the ports that may have moved, in order,
 * and when each was read. */
static const char ports_sql[] =
	"SELECT c.port, s.started_ms + c.at, k.guid, k.instance, p.num, "
	"m.guid, m.instance, q.num FROM ("
	"SELECT port FROM error_rev WHERE ?2 > 0 AND snapshot > ?2 AND "
	"snapshot <= ?1 UNION "
	"SELECT port FROM error_rev INDEXED BY error_rev_full "
	"WHERE full AND snapshot <= ?1) e "
	"CROSS JOIN counter_row c ON c.snapshot = ?1 AND c.port = e.port "
	"CROSS JOIN snapshot s ON s.id = c.snapshot "
	"CROSS JOIN port_key p ON p.id = c.port "
	"CROSS JOIN node_key k ON k.id = p.node "
	"LEFT JOIN port_rev r ON r.port = c.port AND r.snapshot = "
	"(SELECT max(snapshot) FROM port_rev "
	"WHERE port = c.port AND snapshot <= ?1) "
	"LEFT JOIN port_key q ON q.id = r.peer "
	"LEFT JOIN node_key m ON m.id = q.node "
	"WHERE c.src & 5 ORDER BY c.port"; /* SRC_ERRORS */

/* Of port ?1 and snapshot ?2 (and baseline ?3). */
static const char resets_sql[] =
	"SELECT reset FROM error_rev WHERE port = ?1 AND snapshot > ?3 AND "
	"snapshot <= ?2 AND reset IS NOT NULL";
static const char was_at_sql[] =
	"SELECT x.started_ms + c.at FROM (SELECT o.id, o.started_ms "
	"FROM snapshot o WHERE o.id <= ?2 AND o.fabric = "
	"(SELECT fabric FROM snapshot WHERE id = ?2) "
	"ORDER BY o.id DESC LIMIT " OLDEST ") x CROSS JOIN counter_row c "
	"ON c.snapshot = x.id AND c.port = ?1 AND c.src & 5 "
	"ORDER BY x.id DESC LIMIT 1";

static sqlite3_stmt *prepare_row(struct mover *m)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;

	strbuf_add(&sql, "SELECT snapshot");
	errors_add_columns(&sql, "");
	strbuf_add(&sql, " FROM error_rev WHERE port = ?1 AND snapshot <= ?2 "
		   "ORDER BY snapshot DESC LIMIT 1");
	stmt = store_prepare(m->st, sql.s, WHAT, m->err);
	strbuf_free(&sql);
	return stmt;
}

static int prepare_all(struct mover *m)
{
	static const char *const sql[MOVER_COUNT] = {
		[RESETS] = resets_sql, [WAS_AT] = was_at_sql,
	};
	int i;

	m->ports = store_prepare(m->st, ports_sql, WHAT, m->err);
	if (!m->ports)
		return -1;
	sqlite3_bind_int64(m->ports, 1, m->id);
	sqlite3_bind_int64(m->ports, 2, m->baseline);
	for (i = 0; i < MOVER_COUNT; i++) {
		int before = i == WAS || i == WAS_AT;

		m->stmt[i] = sql[i] ? store_prepare(m->st, sql[i], WHAT,
						    m->err) : prepare_row(m);
		if (!m->stmt[i])
			return -1;
		sqlite3_bind_int64(m->stmt[i], 2,
				   before ? m->baseline : m->id);
		if (i == RESETS)
			sqlite3_bind_int64(m->stmt[i], 3, m->baseline);
	}
	return 0;
}

static void finalize_all(struct mover *m)
{
	int i;

	sqlite3_finalize(m->ports);
	for (i = 0; i < MOVER_COUNT; i++)
		sqlite3_finalize(m->stmt[i]);
	strbuf_free(&m->resets);
}

/* Step the statement for that port: 1, 0 or -1.  Reset it behind. */
static int step_for(struct mover *m, int which, int64_t port)
{
	sqlite3_bind_int64(m->stmt[which], 1, port);
	return store_step(m->st, m->stmt[which], WHAT, m->err);
}

/* The row that held for the port: 1, 0 or -1. */
static int read_row(struct mover *m, int which, int64_t port,
		    struct error_row *row)
{
	int rc = step_for(m, which, port);

	if (rc == 1)
		errors_read(m->stmt[which], 1, row);
	sqlite3_reset(m->stmt[which]);
	return rc;
}

static int read_resets(struct mover *m, int64_t port)
{
	int rc;

	strbuf_reset(&m->resets);
	strbuf_add(&m->resets, " ");
	while ((rc = step_for(m, RESETS, port)) == 1)
		strbuf_addf(&m->resets, "%s ", (const char *)
			    sqlite3_column_text(m->stmt[RESETS], 0));
	sqlite3_reset(m->stmt[RESETS]);
	return rc;
}

static int read_time(struct mover *m, int64_t port)
{
	int rc = step_for(m, WAS_AT, port);

	if (rc == 1)
		m->was_at = sqlite3_column_int64(m->stmt[WAS_AT], 0);
	m->has_time = rc == 1;
	sqlite3_reset(m->stmt[WAS_AT]);
	return rc < 0 ? -1 : 0;
}

int error_was_cleared(const char *resets, int i)
{
	char word[48];

	if (strstr(resets, " * "))
		return 1;
	snprintf(word, sizeof(word), " %s ", counter_table[i].column);
	return strstr(resets, word) != NULL;
}

int judge_move(struct store_move *v, int cleared)
{
	int64_t max = counter_max(v->width);

	v->delta = COUNTER_UNREAD;
	v->reset = v->saturated_before = 0;
	v->saturated = v->value >= max;
	if (v->prev == COUNTER_UNREAD)
		return v->saturated;
	v->saturated_before = v->prev >= max;
	v->reset = v->value < v->prev || (v->value && cleared);
	if (v->reset)
		v->delta = v->value;
	else if (!v->saturated_before)
		v->delta = v->value - v->prev;
	return v->saturated || v->reset || v->value != v->prev;
}

/* Counter i of the port; true when it is worth telling. */
static int judge(const struct mover *m, int i, struct store_move *v)
{
	v->counter = i;
	v->value = m->now.value[i];
	if (v->value == COUNTER_UNREAD)
		return 0;
	v->width = error_width(i, m->now.src);
	/* Another width: another counter, and no comparison. */
	v->prev = m->has_was && error_width(i, m->was.src) == v->width ?
			  m->was.value[i] : COUNTER_UNREAD;
	return judge_move(v, v->prev != COUNTER_UNREAD &&
				     error_was_cleared(m->resets.s, i));
}

static void read_place(sqlite3_stmt *stmt, struct store_move *v)
{
	v->port = sqlite3_column_int64(stmt, 0);
	v->node_guid = (uint64_t)sqlite3_column_int64(stmt, 2);
	v->instance = sqlite3_column_int(stmt, 3);
	v->num = sqlite3_column_int(stmt, 4);
	v->peer_guid = (uint64_t)sqlite3_column_int64(stmt, 5);
	v->peer_instance = sqlite3_column_int(stmt, 6);
	v->peer_num = (int32_t)store_column(stmt, 7, VAL_NONE);
}

static int move_port(struct mover *m)
{
	struct store_move v = { 0 };
	int64_t port;
	int rc, i;

	read_place(m->ports, &v);
	port = v.port;

	rc = read_row(m, NOW, port, &m->now);
	if (rc == 1 && m->baseline) {
		m->has_was = read_row(m, WAS, port, &m->was);
		if (m->has_was < 0 || read_resets(m, port) < 0 ||
		    read_time(m, port) < 0)
			return -1;
	}
	if (m->has_was && m->has_time)
		v.interval_ms = m->now_at - m->was_at;
	for (i = 0; rc == 1 && i < COUNTER_ERRORS; i++)
		if (judge(m, i, &v) && m->each(m->arg, &v) < 0)
			return -1;
	return rc < 0 ? -1 : 0;
}

static int move_all(struct mover *m)
{
	int rc;

	while ((rc = store_step(m->st, m->ports, WHAT, m->err)) == 1) {
		m->now_at = sqlite3_column_int64(m->ports, 1);
		if (move_port(m) < 0)
			return -1;
	}
	return rc;
}

int store_moves(struct store *st, int64_t id, int64_t baseline,
		int (*each)(void *arg, const struct store_move *m), void *arg,
		struct err *err)
{
	struct mover m = { .st = st, .err = err, .id = id,
			   .baseline = baseline, .each = each, .arg = arg };
	int rc = prepare_all(&m);

	if (!rc)
		rc = move_all(&m);
	finalize_all(&m);
	return rc;
}
