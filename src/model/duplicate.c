/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * Nodes are sorted by GUID and, within one, by where they hang: each run of
 * equal GUIDs is numbered in that order.  A fabric without duplicates, which
 * is nearly every one, has nothing to sort.
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

int snapshot_renumber_instances(struct snapshot *s)
{
	struct place *list;
	int32_t nth = 0;
	size_t i;
	int n = 0;

	if (!s->by_instance.n)
		return 0;
	list = sorted_places(s);
	map_free(&s->by_instance);
	for (i = 0; i < s->n_nodes; i++) {
		if (i && list[i].node->guid == list[i - 1].node->guid)
			n += ++nth == 1 ? 2 : 1;
		else
			nth = 0;
		s->nodes[list[i].index]->instance = nth;
		snapshot_index_node(s, list[i].index);
	}
	free(list);
	return n;
}

static void mark_node_guids(const struct snapshot *s, uint8_t *mark)
{
	size_t i;

	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		mark[i] = n->instance || snapshot_find(s, n->guid, 1) != NO_NODE;
	}
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
