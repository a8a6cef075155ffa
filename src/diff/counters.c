/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/guid.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * store_moves() tells counter by counter, in the order of ports, and only of
 * those that moved.  A port's are gathered into one change a kind.  Where many
 * ports were cleared somebody cleared the fabric: that is one change.
 */

#define EVENTS_MIN 1
#define ERRORS_MIN 10
#define CLEARED_MAX 10 /* ports; more are one change */

struct gatherer {
	const struct snapshot *b;
	int64_t threshold;
	struct changes *out;
	size_t first;       /* of our changes in out */
	int64_t port;       /* key; whose changes are open */
	size_t at[CHANGE_END]; /* 1 + index in out, while open */
};

int diff_is_rise(int counter, int64_t delta, int64_t threshold)
{
	int is_event = !strcmp(counter_table[counter].unit, "events");

	if (threshold)
		return delta >= threshold;
	return delta >= (is_event ? EVENTS_MIN : ERRORS_MIN);
}

static enum change_kind kind_of(const struct gatherer *g,
				const struct store_move *m)
{
	if (m->reset)
		return CHANGE_COUNTER_RESET;
	if (m->saturated)
		return m->saturated_before ? CHANGE_END :
					     CHANGE_COUNTER_SATURATED;
	if (m->delta == COUNTER_UNREAD ||
	    !diff_is_rise(m->counter, m->delta, g->threshold))
		return CHANGE_END;
	return CHANGE_COUNTER_ROSE;
}

static char *name_of(const struct snapshot *s, uint64_t guid, int32_t instance,
		     int32_t *lid)
{
	uint32_t at = snapshot_find(s, guid, instance);
	struct strbuf b = STRBUF_INIT;
	char text[GUID_STRLEN + 1];
	const struct node *n;

	*lid = VAL_NONE;
	if (at != NO_NODE) {
		n = s->nodes[at];
		*lid = n->type == NODE_SWITCH ? n->ports[0].lid : VAL_NONE;
		if (n->name)
			strbuf_add(&b, n->name);
		else
			text_safe(&b, n->desc, n->desc_len);
	}
	if (!b.len)
		strbuf_add(&b, guid_format(guid, text));
	return strbuf_take(&b);
}

static void add_end(struct gatherer *g, struct change *c, uint64_t guid,
		    int32_t instance, int32_t port)
{
	struct change_end *e = &c->where[c->n_where++];

	e->node_guid = guid;
	e->instance = instance;
	e->port = port;
	e->node = name_of(g->b, guid, instance, &e->lid);
}

/* The change of that kind of the move's port; a new one where there is none. */
static struct change *change_of(struct gatherer *g, enum change_kind kind,
				const struct store_move *m)
{
	struct changes *out = g->out;
	struct change *c;

	if (g->port != m->port)
		memset(g->at, 0, sizeof(g->at));
	g->port = m->port;
	if (g->at[kind])
		return &out->list[g->at[kind] - 1];
	out->list = xgrow(out->list, out->n, &out->cap, sizeof(*c));
	c = &out->list[out->n++];
	g->at[kind] = out->n;
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	c->cap_where = 2;
	c->where = xcalloc(c->cap_where, sizeof(*c->where));
	add_end(g, c, m->node_guid, m->instance, m->num);
	if (m->peer_guid)
		add_end(g, c, m->peer_guid, m->peer_instance, m->peer_num);
	return c;
}

static int gather(void *arg, const struct store_move *m)
{
	struct gatherer *g = arg;
	enum change_kind kind = kind_of(g, m);
	struct change_counter *v;
	struct change *c;

	if (kind == CHANGE_END)
		return 0;
	c = change_of(g, kind, m);
	c->counters = xgrow(c->counters, c->n_counters, &c->cap_counters,
			    sizeof(*v));
	v = &c->counters[c->n_counters++];
	v->counter = m->counter;
	v->value = m->value;
	v->before = m->prev;
	v->delta = m->delta;
	v->interval_ms = m->interval_ms;
	return 0;
}

#define MINUTE_MS 60000 /* a rate of less than that says nothing */

/* " within 5 min (144 an hour)" */
static void add_time(struct strbuf *b, int64_t interval_ms, int64_t delta)
{
	double s = (double)interval_ms / 1000, rate = (double)delta * 3600 / s;
	char span[CLOCK_SPAN_LEN + 1];

	if (interval_ms <= 0)
		return;
	strbuf_addf(b, " within %s", clock_span(s, span));
	if (interval_ms >= MINUTE_MS && delta != COUNTER_UNREAD)
		strbuf_addf(b, rate < 10 ? " (%.2g an hour)" : " (%.0f an hour)",
			    rate);
}

/* "SymbolErrorCounter rose by 12 to 70 within 5 min (144 an hour)" */
static void add_counter(struct strbuf *b, enum change_kind kind,
			const struct change_counter *v)
{
	strbuf_addf(b, "%s%s ", b->len ? ", " : "",
		    counter_table[v->counter].name);
	switch (kind) {
	case CHANGE_COUNTER_RESET:
		strbuf_addf(b, "%lld -> %lld", (long long)v->before,
			    (long long)v->value);
		break;
	case CHANGE_COUNTER_SATURATED:
		strbuf_addf(b, "reached its maximum, %lld",
			    (long long)v->value);
		break;
	default:
		strbuf_addf(b, "rose by %lld to %lld", (long long)v->delta,
			    (long long)v->value);
		add_time(b, v->interval_ms, v->delta);
	}
}

static void write_text(struct change *c)
{
	struct strbuf line = STRBUF_INIT, counters = STRBUF_INIT;
	size_t i;

	for (i = 0; i < c->n_counters; i++)
		add_counter(&counters, c->kind, &c->counters[i]);
	for (i = 0; i < c->n_where; i++)
		strbuf_addf(&line, "%s%s port %d", i ? " to " : "",
			    c->where[i].node, (int)c->where[i].port);
	strbuf_addf(&line, ": %s%s",
		    c->kind == CHANGE_COUNTER_RESET ? "cleared: " : "",
		    counters.s);
	c->text = strbuf_take(&line);
	strbuf_free(&counters);
}

/* Forget the resets but the first, which tells of all of them. */
static void fold_resets(struct gatherer *g, size_t cleared)
{
	struct change *to = NULL, *c;
	struct changes *out = g->out;
	struct strbuf line = STRBUF_INIT;
	size_t i, n = g->first;

	for (i = g->first; i < out->n; i++) {
		c = &out->list[i];
		if (c->kind != CHANGE_COUNTER_RESET) {
			out->list[n++] = *c;
			continue;
		}
		if (!to) {
			to = &out->list[n++];
			*to = *c;
			to->n_counters = 0;
			while (to->n_where > 1)
				free(to->where[--to->n_where].node);
			continue;
		}
		to->where = xgrow(to->where, to->n_where, &to->cap_where,
				  sizeof(*to->where));
		to->where[to->n_where++] = c->where[0];
		c->where[0].node = NULL;
		change_free(c);
	}
	out->n = n;
	strbuf_addf(&line, "counters of %zu ports were cleared", cleared);
	free(to->text);
	to->text = strbuf_take(&line);
}

static int by_place(const void *va, const void *vb)
{
	const struct change *a = va, *b = vb;
	int rc = (int)a->kind - (int)b->kind;

	if (!rc)
		rc = strcmp(a->where[0].node, b->where[0].node);
	if (!rc && a->where[0].node_guid != b->where[0].node_guid)
		rc = a->where[0].node_guid < b->where[0].node_guid ? -1 : 1;
	if (!rc)
		rc = a->where[0].instance - b->where[0].instance;
	return rc ? rc : a->where[0].port - b->where[0].port;
}

int diff_counters(struct store *st, int64_t a_id, const struct snapshot *b,
		  int64_t threshold, struct changes *out, struct err *err)
{
	struct gatherer g = { .b = b, .threshold = threshold, .out = out,
			      .first = out->n };
	size_t i, cleared = 0;

	if (store_moves(st, b->id, a_id, gather, &g, err) < 0)
		return -1;
	if (out->n == g.first)
		return 0;
	qsort(out->list + g.first, out->n - g.first, sizeof(*out->list),
	      by_place);
	for (i = g.first; i < out->n; i++) {
		write_text(&out->list[i]);
		cleared += out->list[i].kind == CHANGE_COUNTER_RESET;
	}
	if (cleared > CLEARED_MAX)
		fold_resets(&g, cleared);
	return 0;
}
