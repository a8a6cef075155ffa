/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "fabric/sweep.h"
#include "util/alloc.h"

/* What a sweep knows of the nodes while it runs. */

int port_set_has(const struct port_set *set, uint8_t port)
{
	return set->bits[port / 64] >> (port % 64) & 1;
}

int port_set_add(struct port_set *set, uint8_t port)
{
	int had = port_set_has(set, port);

	set->bits[port / 64] |= UINT64_C(1) << (port % 64);
	return had;
}

void port_set_del(struct port_set *set, uint8_t port)
{
	set->bits[port / 64] &= ~(UINT64_C(1) << (port % 64));
}

int port_set_first(const struct port_set *set)
{
	int i;

	for (i = 0; i < 4; i++)
		if (set->bits[i])
			return i * 64 + __builtin_ctzll(set->bits[i]);
	return -1;
}

/* Instances are numbered at the end: until then a node of a NodeGUID that is
 * or was used twice is not known to be any of the snapshot before. */
static struct target *new_target(struct sweep *sw, size_t i)
{
	struct target *t = xcalloc(1, sizeof(*t));
	const struct node *n = sw->snap->nodes[i];

	t->reach.port = NO_PORT;
	t->next_same = NO_NODE;
	t->prev = NO_NODE;
	if (sw->opt->prev && !n->instance &&
	    snapshot_find(sw->opt->prev, n->guid, 1) == NO_NODE)
		t->prev = snapshot_find(sw->opt->prev, n->guid, 0);
	return t;
}

struct target *sweep_target(struct sweep *sw, uint32_t i)
{
	while (sw->n_targets <= i) {
		sw->targets = xgrow(sw->targets, sw->n_targets,
				    &sw->cap_targets, sizeof(*sw->targets));
		sw->targets[sw->n_targets] = new_target(sw, sw->n_targets);
		sw->n_targets++;
	}
	return sw->targets[i];
}

const struct port *sweep_prev_port(struct sweep *sw, uint32_t i, int port)
{
	uint32_t at = sweep_target(sw, i)->prev;
	const struct node *n;

	if (at == NO_NODE)
		return NULL;
	n = sw->opt->prev->nodes[at];
	return port <= n->nports ? &n->ports[port] : NULL;
}

struct reach *sweep_reach(struct sweep *sw, uint32_t i, uint8_t port)
{
	struct reach *r = &sweep_target(sw, i)->reach;

	if (sw->snap->nodes[i]->type == NODE_SWITCH)
		return r->port == NO_PORT ? NULL : r;
	for (; r; r = r->next)
		if (r->port == port)
			return r;
	return NULL;
}

struct reach *sweep_add_reach(struct sweep *sw, uint32_t i, uint8_t port,
			      const struct route *route, int *added)
{
	struct reach *r = sweep_reach(sw, i, port);
	struct reach *first = &sweep_target(sw, i)->reach;

	*added = !r;
	if (r)
		return r;
	if (first->port == NO_PORT) {
		r = first;
	} else {
		r = xcalloc(1, sizeof(*r));
		r->next = first->next;
		first->next = r;
		r->own = xcalloc(1, sizeof(*r->own));
		*r->own = *route;
	}
	r->port = port;
	r->dest.route = r->own ? r->own : &sw->snap->nodes[i]->route;
	return r;
}

static void forget_sms(struct snapshot *s, uint32_t i)
{
	size_t from, to = 0;

	for (from = 0; from < s->n_sms; from++)
		if (s->sms[from].node != i)
			s->sms[to++] = s->sms[from];
	s->n_sms = to;
}

void sweep_start_over(struct sweep *sw, uint32_t i, const struct route *route,
		      uint8_t arrival)
{
	struct node *n = sw->snap->nodes[i];
	struct target *t = sweep_target(sw, i);
	int p;

	for (p = 0; p <= n->nports; p++) {
		const struct port *port = &n->ports[p];

		/* On its other ways it was asked itself. */
		if (p != n->arrival && sweep_reach(sw, i, (uint8_t)p))
			continue;
		if (port_set_has(&t->known, (uint8_t)p))
			sweep_lid_hold(sw, n, port, -1);
		port_clear(&n->ports[p]);
	}
	forget_sms(sw->snap, i);
	pma_forget(sw, i);
	n->route = *route;
	n->arrival = arrival;
	n->desc_read = n->desc_len = 0;
	t->known = (struct port_set){ { 0 } };
	t->reach.port = NO_PORT;
	t->misled = 0;
}

void sweep_free_targets(struct sweep *sw)
{
	size_t i;

	for (i = 0; i < sw->n_targets; i++) {
		struct reach *r = sw->targets[i]->reach.next;

		while (r) {
			struct reach *next = r->next;

			free(r->own);
			free(r);
			r = next;
		}
		free(sw->targets[i]->halves);
		free(sw->targets[i]);
	}
	free(sw->targets);
}
