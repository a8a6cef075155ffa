/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "check/expect.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * An expected node is found by GUID and instance, or by its description or its
 * name of the node name map: one that was read comes before one that was not,
 * and that before one that is gone.  Where it is away, and at least half of the
 * ports that should lead to it lead to another that nobody expects, that one
 * has replaced it and its cables are judged as if it were the expected one.
 */

struct name {
	const char *text;
	uint32_t node;
};

struct names {
	struct name *list; /* sorted by text */
	size_t n, cap;
};

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->node > y->node) - (x->node < y->node);
}

static void add_name(struct names *l, const char *text, uint32_t node)
{
	l->list = xgrow(l->list, l->n, &l->cap, sizeof(*l->list));
	l->list[l->n].text = text;
	l->list[l->n++].node = node;
}

static void sort_names(struct names *l)
{
	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), compare_names);
}

static void index_names(const struct expecting *e, struct names *l)
{
	uint32_t i;

	for (i = 0; i < e->n_nodes; i++) {
		const struct now_node *n = &e->nodes[i];

		add_name(l, n->name, i);
		if (n->desc && *n->desc && strcmp(n->desc, n->name))
			add_name(l, n->desc, i);
	}
	sort_names(l);
}

/* Two that have one name are told with their GUIDs. */
static void mark_shared(struct expecting *e)
{
	struct names l = { 0 };
	uint32_t i;

	for (i = 0; i < e->n_nodes; i++)
		add_name(&l, e->nodes[i].name, i);
	sort_names(&l);
	for (i = 1; i < l.n; i++)
		if (!strcmp(l.list[i - 1].text, l.list[i].text))
			e->nodes[l.list[i - 1].node].is_shared =
				e->nodes[l.list[i].node].is_shared = 1;
	free(l.list);
}

static void take_now(struct want_node *w, const struct expecting *e,
		     uint32_t now)
{
	static const enum want_state states[] = {
		[SEEN_READ] = WANT_READ, [SEEN_UNREAD] = WANT_UNREAD,
		[SEEN_GONE] = WANT_GONE,
	};

	w->now = now;
	w->state = now == NONE ? WANT_NEVER : states[e->nodes[now].seen];
}

static int compare_to_text(const void *key, const void *element)
{
	return strcmp(key, ((const struct name *)element)->text);
}

/* Those of one name: the first of the best kind, and how many are of it. */
static void find_by_name(struct expecting *e, const struct names *l,
			 struct want_node *w)
{
	const struct name *k, *first = NULL, *end = l->list + l->n;
	uint32_t best = NONE;
	int n = 0;

	if (l->n && w->x->name)
		first = bsearch(w->x->name, l->list, l->n, sizeof(*first),
				compare_to_text);
	while (first && first > l->list && !strcmp(first[-1].text, first->text))
		first--;
	for (k = first; k && k < end && !strcmp(k->text, first->text); k++) {
		int seen = e->nodes[k->node].seen;

		if (best != NONE && seen > e->nodes[best].seen)
			continue;
		n = best != NONE && seen == e->nodes[best].seen ? n + 1 : 1;
		if (n == 1)
			best = k->node;
	}
	take_now(w, e, best);
	w->n_of_name = n;
	if (n <= 1 || w->state != WANT_READ)
		return;
	w->state = WANT_AMBIGUOUS;
	for (k = first; k < end && !strcmp(k->text, first->text); k++)
		e->nodes[k->node].is_namesake = 1;
}

static void find_by_guid(const struct expecting *e, struct want_node *w)
{
	size_t low = 0, high = e->n_nodes;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct now_node *n = &e->nodes[mid];

		if (n->guid < w->x->guid || (n->guid == w->x->guid &&
					     n->instance < w->x->instance))
			low = mid + 1;
		else
			high = mid;
	}
	if (low < e->n_nodes && e->nodes[low].guid == w->x->guid &&
	    e->nodes[low].instance == w->x->instance)
		take_now(w, e, (uint32_t)low);
	else
		take_now(w, e, NONE);
}

static void find_all(struct expecting *e)
{
	struct names l = { 0 };
	uint32_t i;

	index_names(e, &l);
	for (i = 0; i < e->x.n_nodes; i++) {
		struct want_node *w = &e->wants[i];

		w->x = &e->x.nodes[i];
		w->was = w->at = w->root = NONE;
		if (w->x->guid)
			find_by_guid(e, w);
		else
			find_by_name(e, &l, w);
		if (w->now != NONE && w->state != WANT_AMBIGUOUS &&
		    e->nodes[w->now].wanted == NONE)
			e->nodes[w->now].wanted = i;
	}
	free(l.list);
}

uint32_t expect_port(const struct expecting *e, uint32_t want, int num)
{
	const struct want_node *w = &e->wants[want];
	const struct now_node *n;

	if (w->state != WANT_READ)
		return NONE;
	n = &e->nodes[w->now];
	return num <= n->nports ? n->ports + (uint32_t)num : NONE;
}

/* ---- replaced ---- */

static int is_away(const struct want_node *w)
{
	return w->state == WANT_UNREAD || w->state == WANT_GONE ||
	       w->state == WANT_NEVER;
}

/* Nobody expects it, and it could be the one that is away. */
static int may_replace(const struct expecting *e, const struct want_node *w,
		       uint32_t now)
{
	const struct now_node *n = &e->nodes[now];
	int32_t type = w->x->type;

	if (type == VAL_NONE && w->now != NONE)
		type = e->nodes[w->now].type;
	return n->wanted == NONE && !n->is_namesake && n->seen == SEEN_READ &&
	       (type == VAL_NONE || type == n->type);
}

/* The end of a link where a node that is away should be; NONE: it is not, or
 * the port was not read. */
static uint32_t port_to_missing(const struct expecting *e,
				const struct expect_link *l, int side)
{
	uint32_t p;

	if (!is_away(&e->wants[l->node[side]]))
		return NONE;
	p = expect_port(e, l->node[1 - side], l->port[1 - side]);
	return p != NONE && e->ports[p].is_read ? p : NONE;
}

static int compare_votes(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

/* votes: pairs of who is away and who is in its place, one for each port. */
static void elect(struct expecting *e, struct edges *votes,
		  const uint32_t *ports)
{
	size_t i, n;

	if (votes->n)
		qsort(votes->ends, votes->n, sizeof(*votes->ends),
		      compare_votes);
	for (i = 0; i < votes->n; i += n) {
		uint32_t want = votes->ends[i][0], now = votes->ends[i][1];
		struct want_node *w = &e->wants[want];

		for (n = 1; i + n < votes->n; n++)
			if (compare_votes(votes->ends[i], votes->ends[i + n]))
				break;
		if (2 * n < ports[want] || w->is_replaced ||
		    e->nodes[now].wanted != NONE)
			continue;
		w->is_replaced = 1;
		w->state = WANT_READ;
		w->was = w->now;
		w->now = now;
		e->nodes[now].wanted = want;
	}
}

static void find_replaced(struct expecting *e)
{
	uint32_t *ports = xcalloc(e->x.n_nodes + 1, sizeof(*ports));
	struct edges votes = { 0 };
	size_t i;

	for (i = 0; i < 2 * e->x.n_links; i++) {
		const struct expect_link *l = &e->x.links[i / 2];
		uint32_t want = l->node[i % 2];
		uint32_t p = port_to_missing(e, l, (int)(i % 2)), peer;

		if (p == NONE)
			continue;
		ports[want]++;
		peer = e->ports[p].peer;
		if (peer != NONE &&
		    may_replace(e, &e->wants[want], e->ports[peer].node))
			edges_add(&votes, want, e->ports[peer].node);
	}
	elect(e, &votes, ports);
	free(votes.ends);
	free(ports);
}

/* ---- who tells of whom ---- */

/* A port where a node that is away should be.  Its line names the first, or
 * the first that was read. */
static void note_place(struct expecting *e, struct want_node *w, uint32_t p)
{
	if (p == NONE || !expect_is_certain(&e->ports[p]))
		w->is_uncertain = 1;
	if (p != NONE && (w->at == NONE || (!e->ports[w->at].is_read &&
					    e->ports[p].is_read)))
		w->at = p;
}

static void group_missing(struct expecting *e)
{
	size_t n = e->x.n_nodes, i;
	uint8_t *in = xcalloc(n + 1, 1), *edge = xcalloc(n + 1, 1);
	uint32_t *root = xcalloc(n + 1, sizeof(*root));
	uint32_t *behind = xcalloc(n + 1, sizeof(*behind));
	struct edges g = { 0 };

	for (i = 0; i < n; i++)
		in[i] = (uint8_t)is_away(&e->wants[i]);
	for (i = 0; i < 2 * e->x.n_links; i++) {
		const struct expect_link *l = &e->x.links[i / 2];
		uint32_t a = l->node[i % 2], b = l->node[1 - i % 2];

		if (i % 2)
			edges_add(&g, a, b);
		if (e->wants[a].state == WANT_READ ||
		    e->wants[b].state != WANT_READ)
			continue;
		note_place(e, &e->wants[a],
			   expect_port(e, b, l->port[1 - i % 2]));
		edge[a] = 1;
	}
	expect_group(&g, n, in, edge, root, behind);
	for (i = 0; i < n; i++) {
		e->wants[i].root = root[i];
		e->wants[i].behind = behind[i];
	}
	free(g.ends);
	free(in);
	free(edge);
	free(root);
	free(behind);
}

/* A double of one that is expected has a rule of its own. */
static int is_double(const struct expecting *e, uint32_t i)
{
	const struct now_node *n = &e->nodes[i];

	while (i && e->nodes[i - 1].guid == n->guid)
		if (e->nodes[--i].wanted != NONE)
			return 1;
	return 0;
}

/* SHARP: a switch of today has one, a plan does not. */
static int is_aggregation(const struct now_node *n)
{
	return n->type == NODE_CA && n->device == 0xcf09;
}

static int leads_to_wanted(const struct expecting *e, uint32_t port)
{
	uint32_t peer = e->ports[port].peer;

	return peer != NONE && e->nodes[e->ports[peer].node].wanted != NONE;
}

uint32_t expect_entry(const struct expecting *e, uint32_t node)
{
	const struct now_node *n = &e->nodes[node];
	uint32_t p, first = NONE;

	for (p = n->ports; p <= n->ports + (uint32_t)n->nports; p++) {
		if (leads_to_wanted(e, p))
			return p;
		if (first == NONE && e->ports[p].peer != NONE)
			first = p;
	}
	return first;
}

static void mark_unexpected(const struct expecting *e, uint8_t *in,
			    uint8_t *edge)
{
	uint32_t i, entry;

	for (i = 0; i < e->n_nodes; i++) {
		const struct now_node *n = &e->nodes[i];

		if (n->wanted != NONE || n->is_namesake ||
		    n->seen != SEEN_READ || is_double(e, i))
			continue;
		entry = expect_entry(e, i);
		edge[i] = entry != NONE && leads_to_wanted(e, entry);
		in[i] = !(edge[i] && is_aggregation(n));
	}
}

static void group_unexpected(struct expecting *e)
{
	size_t n = e->n_nodes, i;
	uint8_t *in = xcalloc(n + 1, 1), *edge = xcalloc(n + 1, 1);
	uint32_t *root = xcalloc(n + 1, sizeof(*root));
	uint32_t *behind = xcalloc(n + 1, sizeof(*behind));
	struct edges g = { 0 };

	mark_unexpected(e, in, edge);
	for (i = 0; i < e->n_ports; i++) {
		uint32_t peer = e->ports[i].peer;

		if (peer != NONE && peer > i)
			edges_add(&g, e->ports[i].node, e->ports[peer].node);
	}
	expect_group(&g, n, in, edge, root, behind);
	for (i = 0; i < n; i++) {
		e->nodes[i].root = root[i];
		e->nodes[i].behind = behind[i];
	}
	free(g.ends);
	free(in);
	free(edge);
	free(root);
	free(behind);
}

void expect_match(struct expecting *e)
{
	e->wants = xcalloc(e->x.n_nodes + 1, sizeof(*e->wants));
	mark_shared(e);
	find_all(e);
	find_replaced(e);
	group_missing(e);
	group_unexpected(e);
}
