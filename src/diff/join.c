/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "util/alloc.h"
#include "util/guid.h"
#include "util/text.h"

static char *name_of(const struct node *n)
{
	struct strbuf b = STRBUF_INIT;

	if (n->name)
		return xstrdup(n->name);
	if (n->desc_len)
		text_safe(&b, n->desc, n->desc_len);
	else
		strbuf_addf(&b, GUID_FMT, GUID_ARG(n->guid));
	return strbuf_take(&b);
}

static char *label_of(const char *name, const struct node *n)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_add(&b, name);
	if (n->instance)
		strbuf_addf(&b, " (duplicate %d)", (int)n->instance);
	return strbuf_take(&b);
}

static void add_pair(struct diff *d, uint32_t index_a, uint32_t index_b)
{
	struct diff_node *n = &d->nodes[d->n_nodes++];

	n->index_a = index_a;
	n->index_b = index_b;
	n->a = index_a == NONE ? NULL : d->a->nodes[index_a];
	n->b = index_b == NONE ? NULL : d->b->nodes[index_b];
	n->name = name_of(node_in(n));
	n->label = label_of(n->name, node_in(n));
	n->heir = NONE;
	n->front = NONE;
}

/* By name; the identity settles what is equal. */
static int compare_nodes(const void *va, const void *vb)
{
	const struct diff_node *p = va, *q = vb;
	const struct node *n = node_in(p), *m = node_in(q);
	int by_name = strcmp(p->name, q->name);

	if (by_name)
		return by_name;
	if (n->guid != m->guid)
		return n->guid < m->guid ? -1 : 1;
	return (n->instance > m->instance) - (n->instance < m->instance);
}

static void join_nodes(struct diff *d)
{
	const struct snapshot *a = d->a, *b = d->b;
	uint32_t i;

	d->nodes = xcalloc(a->n_nodes + b->n_nodes + 1, sizeof(*d->nodes));
	d->node_of_a = xcalloc(a->n_nodes + 1, sizeof(*d->node_of_a));
	d->node_of_b = xcalloc(b->n_nodes + 1, sizeof(*d->node_of_b));
	for (i = 0; i < a->n_nodes; i++)
		add_pair(d, i, snapshot_find(b, a->nodes[i]->guid,
					     a->nodes[i]->instance));
	for (i = 0; i < b->n_nodes; i++)
		if (snapshot_find(a, b->nodes[i]->guid,
				  b->nodes[i]->instance) == NO_NODE)
			add_pair(d, NONE, i);
	qsort(d->nodes, d->n_nodes, sizeof(*d->nodes), compare_nodes);
	for (i = 0; i < d->n_nodes; i++) {
		if (d->nodes[i].a)
			d->node_of_a[d->nodes[i].index_a] = i;
		if (d->nodes[i].b)
			d->node_of_b[d->nodes[i].index_b] = i;
	}
}

static uint32_t count_ports(const struct diff_node *n)
{
	uint32_t a = n->a ? n->a->nports : 0, b = n->b ? n->b->nports : 0;

	return (a > b ? a : b) + 1;
}

static void join_ports(struct diff *d)
{
	uint32_t i, p;

	for (i = 0; i < d->n_nodes; i++) {
		d->nodes[i].ports = d->n_ports;
		d->nodes[i].n_ports = count_ports(&d->nodes[i]);
		d->n_ports += d->nodes[i].n_ports;
	}
	d->ports = xcalloc(d->n_ports + 1, sizeof(*d->ports));
	for (i = 0; i < d->n_nodes; i++) {
		const struct diff_node *n = &d->nodes[i];

		for (p = 0; p < n->n_ports; p++) {
			struct diff_port *port = &d->ports[n->ports + p];

			port->node = i;
			if (n->a && p <= n->a->nports)
				port->a = &n->a->ports[p];
			if (n->b && p <= n->b->nports)
				port->b = &n->b->ports[p];
		}
	}
}

static uint32_t other_end(const struct diff *d, const struct snapshot *s,
			  const uint32_t *node_of, const struct port *p)
{
	const struct port *far = p ? snapshot_peer(s, p) : NULL;

	if (!far || snapshot_peer(s, far) != p)
		return NONE;
	return d->nodes[node_of[p->peer_node]].ports + p->peer_port;
}

/* Does a know that port p has no cable to q? */
static int denied_in_a(const struct diff *d, uint32_t p, uint32_t q)
{
	const struct diff_port *port = &d->ports[p];

	if (port->far_a != NONE || !port->a)
		return port->far_a != q;
	return port->a->present && port_is_down(port->a);
}

/* Did b read that port p has no cable to q? */
static int denied_in_b(const struct diff *d, uint32_t p, uint32_t q)
{
	const struct diff_port *port = &d->ports[p];

	if (!node_was_read(node_of(d, p)))
		return 0;
	if (!port->b)
		return 1;
	if (port->far_b != NONE && port->b->link_seen == SEEN_READ)
		return port->far_b != q;
	return port->b->present && port->b->seen == SEEN_READ &&
	       port_is_down(port->b);
}

/* The marks of cables between nodes that stay. */
static void mark_cables(struct diff *d)
{
	uint32_t p, q;

	for (p = 0; p < d->n_ports; p++) {
		struct diff_port *port = &d->ports[p];

		if (port->far_a == port->far_b || !node_stays(node_of(d, p)))
			continue;
		q = port->far_a;
		if (q != NONE && node_stays(node_of(d, q)) &&
		    (denied_in_b(d, p, q) || denied_in_b(d, q, p)))
			port->marks |= MARK_LOST;
		q = port->far_b;
		if (q != NONE && node_stays(node_of(d, q)) &&
		    port->b->link_seen == SEEN_READ &&
		    (denied_in_a(d, p, q) || denied_in_a(d, q, p)))
			port->marks |= MARK_GAINED;
	}
}

void diff_join(struct diff *d, const struct snapshot *a,
	       const struct snapshot *b)
{
	uint32_t p;

	d->a = a;
	d->b = b;
	join_nodes(d);
	join_ports(d);
	for (p = 0; p < d->n_ports; p++) {
		struct diff_port *port = &d->ports[p];

		port->far_a = other_end(d, a, d->node_of_a, port->a);
		port->far_b = other_end(d, b, d->node_of_b, port->b);
	}
	mark_cables(d);
}

void diff_release(struct diff *d)
{
	uint32_t i;

	for (i = 0; i < d->n_nodes; i++) {
		free(d->nodes[i].name);
		free(d->nodes[i].label);
	}
	free(d->nodes);
	free(d->ports);
	free(d->node_of_a);
	free(d->node_of_b);
	strbuf_free(&d->line);
	strbuf_free(&d->values);
	strbuf_free(&d->before);
	strbuf_free(&d->after);
}

const struct diff_node *node_of(const struct diff *d, uint32_t port)
{
	return &d->nodes[d->ports[port].node];
}

int port_number(const struct diff *d, uint32_t port)
{
	return (int)(port - node_of(d, port)->ports);
}

int node_stays(const struct diff_node *n)
{
	return n->a && n->b;
}

const struct node *node_in(const struct diff_node *n)
{
	return n->b ? n->b : n->a;
}

int node_is_switch(const struct diff_node *n)
{
	return node_in(n)->type == NODE_SWITCH;
}

int node_was_read(const struct diff_node *n)
{
	return n->b && n->b->seen == SEEN_READ;
}

int port_compares(const struct diff *d, uint32_t port)
{
	const struct port *a = d->ports[port].a, *b = d->ports[port].b;

	return a && b && a->present && b->present && b->seen == SEEN_READ &&
	       node_was_read(node_of(d, port));
}

uint32_t first_end(const struct diff *d, uint32_t p, uint32_t q)
{
	int p_switch = node_is_switch(node_of(d, p));
	int q_switch = node_is_switch(node_of(d, q));

	if (p_switch != q_switch)
		return p_switch ? p : q;
	return p < q ? p : q;
}

int is_lost(const struct diff *d, uint32_t port)
{
	return (d->ports[port].marks & (MARK_LOST | MARK_TOLD_A)) == MARK_LOST;
}

int is_gained(const struct diff *d, uint32_t port)
{
	return (d->ports[port].marks & (MARK_GAINED | MARK_TOLD_B)) ==
	       MARK_GAINED;
}

void tell_lost(struct diff *d, uint32_t port)
{
	d->ports[port].marks |= MARK_TOLD_A;
	d->ports[d->ports[port].far_a].marks |= MARK_TOLD_A;
}

void tell_gained(struct diff *d, uint32_t port)
{
	d->ports[port].marks |= MARK_TOLD_B;
	d->ports[d->ports[port].far_b].marks |= MARK_TOLD_B;
}
