/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * Nodes are sorted by GUID and, within one, by where they hang: each run of
 * equal GUIDs is numbered in that order.  One that hangs where an instance of
 * the snapshot before did is that instance, so that a node which falls silent
 * does not hand its number, and its counters, to its double.  A fabric without
 * duplicates, which is nearly every one, has nothing to sort.
 */

struct place {
	const struct node *node;
	uint32_t index;
	int has_link;
	uint64_t peer_guid; /* these two are the smallest of all links */
	uint8_t peer_port;
};

static struct place place_of(const struct snapshot *s, uint32_t i)
{
	struct place at = { .node = s->nodes[i], .index = i };
	int p;

	for (p = 0; p <= at.node->nports; p++) {
		const struct port *port = &at.node->ports[p];
		uint64_t guid;

		if (port->peer_node == NO_NODE || port->peer_node == i)
			continue;
		guid = s->nodes[port->peer_node]->guid;
		if (at.has_link && (guid > at.peer_guid ||
				    (guid == at.peer_guid &&
				     port->peer_port > at.peer_port)))
			continue;
		at.has_link = 1;
		at.peer_guid = guid;
		at.peer_port = port->peer_port;
	}
	return at;
}

static int compare_routes(const struct route *a, const struct route *b)
{
	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	return memcmp(a->hop + 1, b->hop + 1, a->hops);
}

static int compare(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->node->guid != b->node->guid)
		return a->node->guid < b->node->guid ? -1 : 1;
	if (a->has_link != b->has_link)
		return a->has_link ? -1 : 1;
	if (a->peer_guid != b->peer_guid)
		return a->peer_guid < b->peer_guid ? -1 : 1;
	if (a->peer_port != b->peer_port)
		return a->peer_port < b->peer_port ? -1 : 1;
	return compare_routes(&a->node->route, &b->node->route);
}

static struct place *sorted_places(const struct snapshot *s)
{
	struct place *list = xcalloc(s->n_nodes, sizeof(*list));
	uint32_t i;

	for (i = 0; i < s->n_nodes; i++)
		list[i] = place_of(s, i);
	qsort(list, s->n_nodes, sizeof(*list), compare);
	return list;
}

/* --- as in the snapshot before ---------------------------------------- */

#define NO_INSTANCE (-1)

/* Where a link leads to, as the key of a map. */
static uint64_t link_key(const struct snapshot *s, const struct port *p)
{
	return s->nodes[p->peer_node]->guid * 255 + p->peer_port;
}

/* A link that tells nodes of one GUID apart: not one between them. */
static int tells(const struct snapshot *s, const struct node *n,
		 const struct port *p)
{
	return p->peer_node != NO_NODE &&
	       s->nodes[p->peer_node]->guid != n->guid;
}

/* Do the two nodes, of one GUID, have a neighbour's port in common? */
static int hang_alike(const struct snapshot *s, const struct node *n,
		      const struct snapshot *prev, const struct node *was)
{
	int p, q;

	for (p = 0; p <= n->nports; p++)
		for (q = 0; tells(s, n, &n->ports[p]) && q <= was->nports; q++)
			if (tells(prev, was, &was->ports[q]) &&
			    link_key(s, &n->ports[p]) ==
				    link_key(prev, &was->ports[q]))
				return 1;
	return 0;
}

/* By neighbour's port, the index of the node of prev's run that hangs there. */
static void map_places(const struct snapshot *prev, const struct place *run,
		       size_t n, struct map *at)
{
	size_t i;
	int p;

	for (i = 0; i < n; i++) {
		const struct node *was = run[i].node;

		for (p = 0; p <= was->nports; p++)
			if (tells(prev, was, &was->ports[p]))
				map_set(at, link_key(prev, &was->ports[p]),
					run[i].index);
	}
}

static int32_t instance_before(const struct snapshot *s, const struct node *n,
			       const struct snapshot *prev,
			       const struct map *at)
{
	uint32_t i = MAP_NONE;
	int p;

	for (p = 0; p <= n->nports && i == MAP_NONE; p++)
		if (tells(s, n, &n->ports[p]))
			i = map_get(at, link_key(s, &n->ports[p]));
	if (i == MAP_NONE || !hang_alike(s, n, prev, prev->nodes[i]))
		return NO_INSTANCE;
	return prev->nodes[i]->instance;
}

/* --- numbering -------------------------------------------------------- */

struct numbering {
	struct snapshot *s;
	const struct snapshot *prev; /* may be NULL */
	struct place *now, *before;  /* sorted */
	size_t n_before;
	size_t at; /* in before: all of smaller GUIDs are behind it */
};

/* prev's run of that GUID; returns its length. */
static size_t run_before(struct numbering *nb, uint64_t guid)
{
	size_t n = 0;

	while (nb->at < nb->n_before && nb->before[nb->at].node->guid < guid)
		nb->at++;
	while (nb->at + n < nb->n_before &&
	       nb->before[nb->at + n].node->guid == guid)
		n++;
	return n;
}

/* Those that hang where an instance did take its number; used marks them. */
static void take_numbers(struct numbering *nb, const struct place *run,
			 size_t n, size_t n_before, struct map *used)
{
	struct map at = { 0 };
	size_t i;

	if (n_before)
		map_places(nb->prev, nb->before + nb->at, n_before, &at);
	for (i = 0; i < n; i++) {
		struct node *node = nb->s->nodes[run[i].index];
		int32_t k = NO_INSTANCE;

		if (n_before)
			k = instance_before(nb->s, node, nb->prev, &at);
		if (k != NO_INSTANCE && map_get(used, (uint64_t)k) != MAP_NONE)
			k = NO_INSTANCE;
		node->instance = k;
		if (k != NO_INSTANCE)
			map_set(used, (uint64_t)k, 1);
	}
	map_free(&at);
}

static void number_run(struct numbering *nb, const struct place *run, size_t n)
{
	size_t i, n_before = run_before(nb, run->node->guid);
	struct map used = { 0 };
	int32_t next = 0;

	if (n == 1 && (!n_before || (n_before == 1 &&
				     !nb->before[nb->at].node->instance))) {
		nb->s->nodes[run->index]->instance = 0;
		return;
	}
	take_numbers(nb, run, n, n_before, &used);
	for (i = 0; i < n; i++) {
		struct node *node = nb->s->nodes[run[i].index];

		if (node->instance != NO_INSTANCE)
			continue;
		while (map_get(&used, (uint64_t)next) != MAP_NONE)
			next++;
		node->instance = next++;
	}
	map_free(&used);
}

int snapshot_renumber_instances(struct snapshot *s,
				const struct snapshot *prev)
{
	struct numbering nb = { .s = s, .prev = prev };
	size_t i, n;
	int shared = 0;

	if (!s->by_instance.n && (!prev || !prev->by_instance.n))
		return 0;
	nb.now = sorted_places(s);
	if (prev) {
		nb.before = sorted_places(prev);
		nb.n_before = prev->n_nodes;
	}
	for (i = 0; i < s->n_nodes; i += n) {
		for (n = 1; i + n < s->n_nodes &&
			    nb.now[i + n].node->guid == nb.now[i].node->guid;)
			n++;
		number_run(&nb, &nb.now[i], n);
		shared += n > 1 ? (int)n : 0;
	}
	free(nb.now);
	free(nb.before);
	map_free(&s->by_guid);
	map_free(&s->by_instance);
	for (i = 0; i < s->n_nodes; i++)
		snapshot_index_node(s, (uint32_t)i);
	return shared;
}

/* --- marking ---------------------------------------------------------- */

static void mark_node_guids(const struct snapshot *s, uint8_t *mark)
{
	struct map seen = { 0 };
	uint32_t i, first;

	for (i = 0; i < s->n_nodes; i++) {
		first = map_get(&seen, s->nodes[i]->guid);
		if (first == MAP_NONE)
			map_set(&seen, s->nodes[i]->guid, i);
		else
			mark[first] = mark[i] = 1;
	}
	map_free(&seen);
}

/* A port and one of another node that was met before it. */
static void mark_port(const struct snapshot *s, struct map *seen, uint32_t i,
		      const struct port *p, uint8_t *mark)
{
	uint32_t first;

	if (!p->guid || !port_is_end(s->nodes[i], p))
		return;
	first = map_get(seen, p->guid);
	if (first == MAP_NONE)
		map_set(seen, p->guid, i);
	else if (first != i)
		mark[first] = mark[i] = 1;
}

uint8_t *snapshot_mark_duplicates(const struct snapshot *s)
{
	uint8_t *mark = xcalloc(s->n_nodes, 1);
	struct map seen = { 0 };
	uint32_t i;
	int p;

	mark_node_guids(s, mark);
	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++)
			mark_port(s, &seen, i, &s->nodes[i]->ports[p], mark);
	map_free(&seen);
	return mark;
}
