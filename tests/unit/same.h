/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_SAME_H
#define IBAUDIT_TESTS_SAME_H

#include "model.h"
#include "util/strbuf.h"

/*
 * Are two snapshots the same?  Compared by identity, since a loaded one has
 * its nodes in another order; of routes only those of duplicates are stored.
 * What differs is told in *why, one line each.
 */
static inline int same_route(const struct route *a, const struct route *b)
{
	return a->hops == b->hops && !memcmp(a->hop + 1, b->hop + 1, a->hops);
}

static inline int same_end(const struct snapshot *a, const struct port *p,
			   const struct snapshot *b, const struct port *q)
{
	const struct node *n, *m;

	if (p->peer_node == NO_NODE || q->peer_node == NO_NODE)
		return p->peer_node == q->peer_node;
	n = a->nodes[p->peer_node];
	m = b->nodes[q->peer_node];
	return n->guid == m->guid && n->instance == m->instance &&
	       p->peer_port == q->peer_port;
}

static inline int same_counters(const struct counters *c,
				const struct counters *d)
{
	int i;

	if (!c || !d)
		return c == d;
	for (i = COUNTER_MAIN; i < COUNTER_COUNT; i++)
		if (counters_get(c, i) != counters_get(d, i))
			return 0;
	return c->at_ms == d->at_ms && c->src == d->src &&
	       !memcmp(c->value, d->value, sizeof(c->value));
}

static inline void compare_ports(const struct snapshot *a, const struct node *n,
				 const struct snapshot *b, const struct node *m,
				 struct strbuf *why)
{
	int i;

	for (i = 0; i <= n->nports && i <= m->nports; i++) {
		const struct port *p = &n->ports[i], *q = &m->ports[i];
		int known = p->present || q->present ||
			    p->peer_node != NO_NODE;

		if (p->present != q->present || !same_end(a, p, b, q) ||
		    (p->peer_node != NO_NODE && p->link_seen != q->link_seen))
			strbuf_addf(why, "%llx[%d]: link\n",
				    (unsigned long long)n->guid, i);
		if (known && (p->seen != q->seen ||
			      (p->seen && p->last_read != q->last_read)))
			strbuf_addf(why, "%llx[%d]: seen %d %d\n",
				    (unsigned long long)n->guid, i, p->seen,
				    q->seen);
		if (!attr_same(port_attrs, n_port_attrs, p, q))
			strbuf_addf(why, "%llx[%d]: attributes\n",
				    (unsigned long long)n->guid, i);
		if (!same_counters(p->counters, q->counters))
			strbuf_addf(why, "%llx[%d]: counters\n",
				    (unsigned long long)n->guid, i);
	}
}

static inline void compare_nodes(const struct snapshot *a,
				 const struct snapshot *b, struct strbuf *why)
{
	uint8_t *mark = snapshot_mark_duplicates(a);
	size_t i;

	if (a->n_nodes != b->n_nodes)
		strbuf_addf(why, "%zu and %zu nodes\n", a->n_nodes, b->n_nodes);
	for (i = 0; i < a->n_nodes; i++) {
		const struct node *n = a->nodes[i], *m;
		uint32_t at = snapshot_find(b, n->guid, n->instance);

		if (at == NO_NODE) {
			strbuf_addf(why, "%llx: missing\n",
				    (unsigned long long)n->guid);
			continue;
		}
		m = b->nodes[at];
		if (n->nports != m->nports || n->seen != m->seen ||
		    (n->seen && n->last_read != m->last_read) ||
		    n->desc_read != m->desc_read ||
		    memcmp(n->desc, m->desc, sizeof(n->desc)) ||
		    n->desc_len != m->desc_len ||
		    !attr_same(node_attrs, n_node_attrs, n, m) ||
		    (n->seen == SEEN_READ && mark[i] &&
		     !same_route(&n->route, &m->route)))
			strbuf_addf(why, "%llx: node\n",
				    (unsigned long long)n->guid);
		compare_ports(a, n, b, m, why);
	}
	free(mark);
}

static inline int same_sm(const struct snapshot *a, const struct sm *x,
			  const struct snapshot *b, const struct sm *y)
{
	return a->nodes[x->node]->guid == b->nodes[y->node]->guid &&
	       x->port == y->port && x->answered == y->answered &&
	       x->guid == y->guid && x->priority == y->priority &&
	       x->state == y->state && x->act_count == y->act_count;
}

static inline void compare_sms(const struct snapshot *a,
			       const struct snapshot *b, struct strbuf *why)
{
	size_t i, k;

	for (i = 0; i < a->n_sms; i++) {
		for (k = 0; k < b->n_sms; k++)
			if (same_sm(a, &a->sms[i], b, &b->sms[k]))
				break;
		if (k == b->n_sms || a->n_sms != b->n_sms)
			strbuf_addf(why, "sm %zu\n", i);
	}
}

static inline void compare_failures(const struct snapshot *a,
				    const struct snapshot *b,
				    struct strbuf *why)
{
	size_t i;

	if (a->n_failures != b->n_failures)
		strbuf_add(why, "failures\n");
	for (i = 0; i < a->n_failures && i < b->n_failures; i++) {
		const struct failure *f = &a->failures[i], *g = &b->failures[i];
		int same_node = f->node == NO_NODE || g->node == NO_NODE ?
					f->node == g->node :
					a->nodes[f->node]->guid ==
						b->nodes[g->node]->guid;

		if (!same_node || f->port != g->port ||
		    !same_route(&f->route, &g->route) ||
		    f->mgmt_class != g->mgmt_class ||
		    f->status != g->status || f->attribute != g->attribute ||
		    f->mad_status != g->mad_status ||
		    f->modifier != g->modifier || strcmp(f->text, g->text))
			strbuf_addf(why, "failure %zu\n", i);
	}
}

static inline void compare_heads(const struct snapshot *a,
				 const struct snapshot *b, struct strbuf *why)
{
	int notes = a->note && b->note ? !strcmp(a->note, b->note) :
					 a->note == b->note;
	int local = a->local_node == NO_NODE || b->local_node == NO_NODE ?
			    a->local_node == b->local_node :
			    a->nodes[a->local_node]->guid ==
					    b->nodes[b->local_node]->guid &&
				    a->local_port == b->local_port;

	if (a->id != b->id || strcmp(a->fabric, b->fabric) || !notes ||
	    a->subnet_prefix != b->subnet_prefix ||
	    a->started_ms != b->started_ms ||
	    a->finished_ms != b->finished_ms || a->complete != b->complete ||
	    a->with_counters != b->with_counters ||
	    a->pma_asked != b->pma_asked ||
	    a->pma_answered != b->pma_answered ||
	    a->mads_sent != b->mads_sent ||
	    a->mads_unmatched != b->mads_unmatched || !local ||
	    strcmp(a->discovery, b->discovery))
		strbuf_add(why, "head\n");
}

static inline int same_snapshot(const struct snapshot *a,
				const struct snapshot *b, struct strbuf *why)
{
	strbuf_reset(why);
	compare_heads(a, b, why);
	compare_nodes(a, b, why);
	compare_sms(a, b, why);
	compare_failures(a, b, why);
	return !why->len;
}

#endif
