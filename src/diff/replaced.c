/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "diff/internal.h"

/*
 * Notes
 *
 * The ports that led to a node that is gone tell what they lead to now.  When
 * it is a new node of the same type, and those are most of the links of both,
 * the one replaced the other.  Switches come first: an adapter that was
 * replaced together with its switch is found behind the port of the same
 * number.
 */

/* The port that stayed where port's cable ended in a; NONE. */
static uint32_t far_that_stays(const struct diff *d, uint32_t port)
{
	uint32_t far = d->ports[port].far_a;
	const struct diff_node *n;
	uint32_t number;

	if (far == NONE || node_of(d, far)->b)
		return far;
	n = node_of(d, far);
	number = (uint32_t)port_number(d, far);
	if (n->heir == NONE || number >= d->nodes[n->heir].n_ports)
		return NONE;
	return d->nodes[n->heir].ports + number;
}

/* The new node of that type where the port's cable ended, now; NONE. */
static uint32_t successor(const struct diff *d, uint32_t port, int32_t type)
{
	uint32_t far = far_that_stays(d, port), now;
	const struct diff_node *n;

	if (far == NONE || d->ports[far].far_b == NONE ||
	    d->ports[far].b->link_seen != SEEN_READ)
		return NONE;
	now = d->ports[far].far_b;
	n = node_of(d, now);
	if (n->a || n->heir != NONE || n->b->type != type)
		return NONE;
	return d->ports[now].node;
}

static int compare_nodes(const void *va, const void *vb)
{
	const uint32_t *p = va, *q = vb;

	return (*p > *q) - (*p < *q);
}

static int count_links(const struct diff *d, const struct diff_node *n)
{
	uint32_t p;
	int links = 0;

	for (p = n->ports; p < n->ports + n->n_ports; p++)
		links += (n->b ? d->ports[p].far_b : d->ports[p].far_a) != NONE;
	return links;
}

/*
 * Are so many ports enough, that led to n and lead to the heir?  Most links of
 * both are.  Of an adapter with two ports one is, when that is all that the
 * other has: its second port may not be cabled yet.
 */
static int is_enough(const struct diff *d, const struct diff_node *n,
		     uint32_t heir, int votes)
{
	int was = count_links(d, n), is = count_links(d, &d->nodes[heir]);
	int most = was > is ? was : is, least = was < is ? was : is;

	return votes * 2 > most || (!node_is_switch(n) && votes == least &&
				    votes * 2 == most);
}

/* The node that replaced n: of several that may have the first; NONE. */
static uint32_t find_heir(const struct diff *d, const struct diff_node *n)
{
	uint32_t heirs[UINT8_MAX + 1], p, now;
	int n_heirs = 0, i, votes = 0;

	for (p = n->ports; p < n->ports + n->n_ports; p++) {
		now = successor(d, p, n->a->type);
		if (now != NONE)
			heirs[n_heirs++] = now;
	}
	qsort(heirs, (size_t)n_heirs, sizeof(*heirs), compare_nodes);
	for (i = 0; i < n_heirs; i++) {
		votes++;
		if (i + 1 < n_heirs && heirs[i + 1] == heirs[i])
			continue;
		if (is_enough(d, n, heirs[i], votes))
			return heirs[i];
		votes = 0;
	}
	return NONE;
}

static void tell_replaced(struct diff *d, uint32_t old, uint32_t new)
{
	const struct diff_node *was = &d->nodes[old], *is = &d->nodes[new];
	struct change *c;

	strbuf_addf(&d->line, "%s ", node_type_name(was->a->type));
	add_node(&d->line, was);
	strbuf_add(&d->line, " replaced by ");
	add_node(&d->line, is);
	add_node(&d->before, was);
	add_node(&d->after, is);
	c = tell(d, CHANGE_NODE_REPLACED);
	tell_node(d, c, new);
	tell_node(d, c, old);
}

static void find_replaced(struct diff *d, int switches)
{
	uint32_t i;

	for (i = 0; i < d->n_nodes; i++) {
		struct diff_node *n = &d->nodes[i];

		if (n->b || node_is_switch(n) != switches)
			continue;
		n->heir = find_heir(d, n);
		if (n->heir == NONE)
			continue;
		d->nodes[n->heir].heir = i;
		tell_replaced(d, i, n->heir);
	}
}

void diff_replaced(struct diff *d)
{
	find_replaced(d, 1);
	find_replaced(d, 0);
}
