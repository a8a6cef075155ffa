/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/attr.h"
#include "model/speed.h"
#include "util/alloc.h"

/* What became of a port: its link, and its error counters. */

#define WHAT HISTORY_WHAT

int link_states_load(struct store *st, int64_t port, struct link_states *out,
		     struct err *err)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int rc;

	memset(out, 0, sizeof(*out));
	strbuf_add(&sql, "SELECT r.snapshot, r.seen, r.present, r.peer, "
		   "r.link_seen");
	store_add_columns(&sql, "r.", port_attrs, n_port_attrs);
	strbuf_add(&sql, " FROM port_rev r WHERE r.port = ?1 "
		   "ORDER BY r.snapshot");
	stmt = store_prepare(st, sql.s, WHAT, err);
	strbuf_free(&sql);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, port);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		struct link_state *l;

		out->list = xgrow(out->list, out->n, &out->cap, sizeof(*l));
		l = &out->list[out->n++];
		memset(l, 0, sizeof(*l));
		l->snapshot = sqlite3_column_int64(stmt, 0);
		l->port.seen = (uint8_t)sqlite3_column_int(stmt, 1);
		l->port.present = (uint8_t)sqlite3_column_int(stmt, 2);
		l->peer = sqlite3_column_int64(stmt, 3);
		l->port.link_seen = (uint8_t)sqlite3_column_int(stmt, 4);
		store_column_attrs(stmt, 5, port_attrs, n_port_attrs,
				   &l->port);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static void add_up(const struct port *p, struct strbuf *b)
{
	double gbps = link_gbps(p->speed, p->width);

	strbuf_add(b, "up");
	if (gbps > 0)
		strbuf_addf(b, " at %g Gb/s (%s %s)", gbps,
			    width_name(p->width), speed_name(p->speed));
	else if (p->speed_code > 0)
		strbuf_addf(b, " at unknown speed 0x%03x",
			    (unsigned)p->speed_code);
	if (p->state != VAL_NONE)
		strbuf_addf(b, ", %s", port_state_name(p->state));
}

int history_add_link(struct history *h, const struct link_state *l,
		     struct strbuf *b, struct err *err)
{
	struct history_end peer;

	if (l->port.seen == SEEN_GONE) {
		strbuf_add(b, "gone");
		return 0;
	}
	if (l->port.seen != SEEN_READ || !l->port.present)
		strbuf_add(b, "not read");
	else if (port_is_up(&l->port))
		add_up(&l->port, b);
	else
		strbuf_add(b, l->port.phys == VAL_NONE ? "state unknown" :
						phys_state_name(l->port.phys));
	if (!l->peer)
		return 0;
	if (history_end(h, 0, l->peer, l->snapshot, &peer, err) < 0)
		return -1;
	strbuf_add(b, port_is_up(&l->port) && l->port.seen == SEEN_READ ?
			      ", to " : ", was linked to ");
	history_add_end(b, &peer);
	history_end_free(&peer);
	return 0;
}

static void add_lid(const struct link_state *was, const struct link_state *now,
		    struct strbuf *b)
{
	if (was && was->port.lid != now->port.lid &&
	    now->port.lid != VAL_NONE && was->port.lid != VAL_NONE)
		strbuf_addf(b, "; LID %d -> %d", (int)was->port.lid,
			    (int)now->port.lid);
	if (was && was->port.mtu != now->port.mtu &&
	    now->port.mtu != VAL_NONE && was->port.mtu != VAL_NONE)
		strbuf_addf(b, "; MTU %d -> %d", (int)was->port.mtu,
			    (int)now->port.mtu);
	if (was && (was->port.speed_enabled != now->port.speed_enabled ||
		    was->port.width_enabled != now->port.width_enabled) &&
	    now->port.speed_enabled != VAL_NONE &&
	    was->port.speed_enabled != VAL_NONE)
		strbuf_add(b, "; other speeds or widths are enabled");
}

static int tell_links(struct history *h, int64_t port,
		      struct history_events *out, struct err *err)
{
	struct link_states states;
	struct strbuf now = STRBUF_INIT, was = STRBUF_INIT;
	size_t i;
	int rc = link_states_load(h->st, port, &states, err);

	strbuf_add(&was, "");
	for (i = 0; !rc && i < states.n; i++) {
		strbuf_reset(&now);
		rc = history_add_link(h, &states.list[i], &now, err);
		add_lid(i ? &states.list[i - 1] : NULL, &states.list[i], &now);
		if (!rc && strcmp(now.s, was.s))
			history_tell(h, out, states.list[i].snapshot, "link",
				     "%s", now.s);
		strbuf_reset(&was);
		strbuf_add(&was, now.s);
	}
	strbuf_free(&now);
	strbuf_free(&was);
	free(states.list);
	return rc;
}

int error_steps_load(struct store *st, int64_t port, struct error_steps *out,
		     struct err *err)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int rc;

	memset(out, 0, sizeof(*out));
	strbuf_add(&sql, "SELECT snapshot");
	errors_add_columns(&sql, "");
	strbuf_add(&sql, " FROM error_rev WHERE port = ?1 ORDER BY snapshot");
	stmt = store_prepare(st, sql.s, WHAT, err);
	strbuf_free(&sql);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, port);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		struct strbuf reset = STRBUF_INIT;
		struct error_step *s;
		const char *text = (const char *)sqlite3_column_text(stmt, 3);

		out->list = xgrow(out->list, out->n, &out->cap, sizeof(*s));
		s = &out->list[out->n++];
		s->snapshot = sqlite3_column_int64(stmt, 0);
		errors_read(stmt, 1, &s->row);
		strbuf_addf(&reset, " %s ", text ? text : "");
		s->reset = strbuf_take(&reset);
	}
	sqlite3_finalize(stmt);
	return rc;
}

void error_steps_free(struct error_steps *s)
{
	while (s->n)
		free(s->list[--s->n].reset);
	free(s->list);
	memset(s, 0, sizeof(*s));
}

/* What counter i did from one row to the next; false when nothing. */
static int compare_step(const struct error_step *was,
			const struct error_step *now, int i,
			struct store_move *m)
{
	memset(m, 0, sizeof(*m));
	m->value = now->row.value[i];
	if (m->value == COUNTER_UNREAD)
		return 0;
	m->width = error_width(i, now->row.src);
	m->prev = was && error_width(i, was->row.src) == m->width ?
			  was->row.value[i] : COUNTER_UNREAD;
	return judge_move(m, error_was_cleared(now->reset, i)) &&
	       m->prev != COUNTER_UNREAD && m->value != m->prev;
}

static void tell_step(const struct history *h, struct history_events *out,
		      int64_t snapshot, int i, const struct store_move *m)
{
	const char *name = counter_table[i].name;
	struct history_event *e;

	if (m->reset)
		e = history_tell(h, out, snapshot, "cleared",
				 "%s was cleared: %lld -> %lld", name,
				 (long long)m->prev, (long long)m->value);
	else
		e = history_tell(h, out, snapshot, "counter",
				 "%s rose by %lld to %lld%s", name,
				 (long long)(m->value - m->prev),
				 (long long)m->value,
				 m->saturated ? ", its maximum" : "");
	e->counter = i;
	e->value = m->value;
	e->before = m->prev;
	e->delta = m->delta;
}

/* The rises by the snapshots that were asked for. */
static void note_rise(const struct history *h, struct history_rises *r,
		      int64_t snapshot, const struct store_move *m)
{
	size_t at = history_index(h, snapshot);

	if (!r->rise) {
		r->n = history_span(h);
		r->rise = xcalloc(r->n + 1, sizeof(*r->rise));
	}
	r->last = m->value;
	if (at == SIZE_MAX)
		return;
	r->moved = 1;
	r->rise[at] += m->delta == COUNTER_UNREAD ? 0 : m->delta;
}

static int tell_counters(struct history *h, int64_t port,
			 struct history_port *out, struct err *err)
{
	struct error_steps s;
	struct store_move m;
	size_t k;
	int i, rc = error_steps_load(h->st, port, &s, err);

	for (k = 0; !rc && k < s.n; k++) {
		struct error_step *now = &s.list[k];

		if (strstr(now->reset, " * "))
			history_tell(h, &out->events, now->snapshot,
				     "restarted", "all its counters began anew:"
				     " the device restarted, or was cleared");
		for (i = 0; i < COUNTER_ERRORS; i++)
			if (compare_step(k ? now - 1 : NULL, now, i, &m)) {
				tell_step(h, &out->events, now->snapshot, i,
					  &m);
				note_rise(h, &out->counters[i], now->snapshot,
					  &m);
			}
	}
	error_steps_free(&s);
	return rc;
}

int history_now(struct history *h, const struct history_place *p,
		struct history_now *out, struct err *err)
{
	struct link_states states = { NULL, 0, 0 };
	struct strbuf b = STRBUF_INIT;
	int64_t seen = SEEN_GONE;
	int rc;

	memset(out, 0, sizeof(*out));
	rc = history_end(h, p->node, p->port, h->latest.id, &out->end, err);
	if (!rc && p->port)
		rc = link_states_load(h->st, p->port, &states, err);
	if (!rc && !p->port)
		rc = store_int(h->st, "SELECT seen FROM node_rev WHERE "
			       "node = ?1 ORDER BY snapshot DESC LIMIT 1",
			       p->node, 0, &seen, err);
	if (!rc && states.n)
		rc = history_add_link(h, &states.list[states.n - 1], &b, err);
	else if (!rc)
		strbuf_add(&b, p->port || seen == SEEN_GONE ? "gone" :
			       seen == SEEN_READ ? "there" : "not read");
	out->state = strbuf_take(&b);
	free(states.list);
	return rc;
}

int history_port(struct history *h, const struct history_place *p,
		 struct history_port *out, struct err *err)
{
	memset(out, 0, sizeof(*out));
	if (history_now(h, p, &out->now, err) < 0 ||
	    tell_links(h, p->port, &out->events, err) < 0 ||
	    tell_counters(h, p->port, out, err) < 0) {
		history_port_free(out);
		return -1;
	}
	history_settle(h, &out->events);
	return 0;
}
