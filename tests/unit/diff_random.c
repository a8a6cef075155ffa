/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff.h"

/*
 * Fabrics that are cabled at random, and recabled: whatever happened, the list
 * does not depend on the order of nodes, is the same the other way round, and
 * tells of each cable that went or came once.
 */

#define SWITCHES 4
#define SWITCH_PORTS 8
#define ADAPTERS 12
#define ADAPTER_PORTS 2
#define ROUNDS 1000

static uint32_t seed;

/* Numerical Recipes' generator; its low bits are poor. */
static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)seed * n >> 32);
}

struct plug {
	uint64_t guid;
	int port;
};

/* Most nodes, and the ports that they have. */
static int add_nodes(struct snapshot *s, struct plug *plugs)
{
	int i, p, n = 0;
	char name[16];

	for (i = 0; i < SWITCHES + ADAPTERS; i++) {
		int is_switch = i < SWITCHES;
		int ports = is_switch ? SWITCH_PORTS : ADAPTER_PORTS;
		uint64_t guid = (uint64_t)i + 1;

		if (!below(6))
			continue;
		if (is_switch)
			snprintf(name, sizeof(name), "switch%d", i);
		else
			snprintf(name, sizeof(name), "h%d mlx5_%d", i / 2,
				 i % 2);
		add_node(s, guid, is_switch ? NODE_SWITCH : NODE_CA, ports,
			 name);
		for (p = 1; p <= ports; p++)
			plugs[n++] = (struct plug){ guid, p };
	}
	return n;
}

static int is_free(const struct snapshot *s, const struct plug *p)
{
	return node_at(s, p->guid) && port_at(s, p->guid, p->port)->peer_node ==
	       NO_NODE;
}

/* The cables of another fabric, as far as its nodes are here, but for some. */
static void keep_cables(struct snapshot *s, const struct snapshot *from)
{
	size_t i;
	int p;

	for (i = 0; i < from->n_nodes; i++)
		for (p = 1; p <= from->nodes[i]->nports; p++) {
			const struct port *far = snapshot_peer(
				from, &from->nodes[i]->ports[p]);
			struct plug a = { from->nodes[i]->guid, p }, b;

			if (!far)
				continue;
			b.guid = from->nodes[from->nodes[i]->ports[p].peer_node]
					 ->guid;
			b.port = far->num;
			if (is_free(s, &a) && is_free(s, &b) && below(4))
				cable(s, a.guid, a.port, b.guid, b.port);
		}
}

static void add_cables(struct snapshot *s, const struct plug *plugs, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		struct plug a = plugs[below((uint32_t)n)];
		struct plug b = plugs[below((uint32_t)n)];

		if ((a.guid != b.guid || a.port != b.port) &&
		    is_free(s, &a) && is_free(s, &b))
			cable(s, a.guid, a.port, b.guid, b.port);
	}
}

/* Cables in a ring: each one's end goes where the next one's was. */
static void exchange_cables(struct snapshot *s, const struct plug *plugs, int n)
{
	struct plug near[4], far[4];
	int want = 2 + (int)below(3), have = 0, i;

	for (i = 0; i < 20 && have < want && n; i++) {
		struct plug p = plugs[below((uint32_t)n)];
		const struct port *port = port_at(s, p.guid, p.port);

		if (is_free(s, &p))
			continue;
		near[have] = p;
		far[have].guid = s->nodes[port->peer_node]->guid;
		far[have++].port = port->peer_port;
		unplug(s, p.guid, p.port);
	}
	for (i = 0; i < have; i++)
		cable(s, near[i].guid, near[i].port, far[(i + 1) % have].guid,
		      far[(i + 1) % have].port);
}

static void recable(uint32_t round)
{
	struct plug plugs[SWITCHES * SWITCH_PORTS + ADAPTERS * ADAPTER_PORTS];
	int n;

	seed = round;
	snapshot_init(&was);
	snapshot_init(&is);
	n = add_nodes(&was, plugs);
	add_cables(&was, plugs, n);
	n = add_nodes(&is, plugs);
	keep_cables(&is, &was);
	if (below(2))
		exchange_cables(&is, plugs, n);
	if (below(2))
		add_cables(&is, plugs, n);
}

static int is_end(const struct change_end *e, const struct snapshot *s,
		  uint32_t node, int port)
{
	return e->node_guid == s->nodes[node]->guid && e->port == port;
}

/* Do these two ends of the change stand for the cable at that port? */
static int is_cable(const struct change *c, size_t i, size_t j,
		    const struct snapshot *s, uint32_t node,
		    const struct port *p)
{
	const struct change_end *e = &c->where[i], *f = &c->where[j];

	return (is_end(e, s, node, p->num) &&
		is_end(f, s, p->peer_node, p->peer_port)) ||
	       (is_end(f, s, node, p->num) &&
		is_end(e, s, p->peer_node, p->peer_port));
}

/* How often a list tells that the cable went (of was) or came (of is). */
static int count_told(const struct changes *list, const struct snapshot *s,
		      uint32_t node, const struct port *p)
{
	size_t i, j;
	int told = 0;

	for (i = 0; i < list->n; i++) {
		const struct change *c = &list->list[i];
		int went = s == &was;

		if (c->kind == (went ? CHANGE_LINK_GONE : CHANGE_LINK_NEW))
			told += is_cable(c, 0, 1, s, node, p);
		if (c->kind == CHANGE_NODE_MOVED ||
		    c->kind == CHANGE_LINK_MOVED)
			told += is_cable(c, 0, went ? 2 : 1, s, node, p);
		if (c->kind != CHANGE_LINK_SWAPPED)
			continue;
		for (j = 0; j < c->n_where; j++)
			told += is_end(&c->where[j], s, node, p->num);
	}
	return told;
}

/* Is the cable at that port in the other snapshot as well?  -1: one of its
 * nodes is not. */
static int is_kept(const struct snapshot *s, const struct snapshot *other,
		   uint32_t node, const struct port *p)
{
	uint32_t i = snapshot_find(other, s->nodes[node]->guid, 0);
	uint32_t j = snapshot_find(other, s->nodes[p->peer_node]->guid, 0);

	if (i == NO_NODE || j == NO_NODE)
		return -1;
	return other->nodes[i]->ports[p->num].peer_node == j &&
	       other->nodes[i]->ports[p->num].peer_port == p->peer_port;
}

/* Each cable between nodes that stay is told once, or stays itself; one of a
 * node that came or went at most once, as what an adapter moved from or to. */
static int tells_each_cable(const struct changes *list,
			    const struct snapshot *s,
			    const struct snapshot *other)
{
	uint32_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++)
		for (p = 1; p <= s->nodes[i]->nports; p++) {
			const struct port *port = &s->nodes[i]->ports[p];
			int told, kept;

			if (port->peer_node == NO_NODE)
				continue;
			told = count_told(list, s, i, port);
			kept = is_kept(s, other, i, port);
			if (kept < 0 ? told > 1 : told != !kept)
				return 0;
		}
	return 1;
}

static int is_right(void)
{
	struct changes c;
	char *lines, *again;
	int good;

	diff_snapshots(&was, &is, &c);
	good = tells_each_cable(&c, &was, &is) &&
	       tells_each_cable(&c, &is, &was);
	lines = lines_of(&c);
	changes_free(&c);
	turn_round(&was);
	again = diff_lines(&was, &is);
	good = good && !strcmp(lines, again);
	free(lines);
	free(again);
	return good && is_mirrored();
}

int main(void)
{
	uint32_t round;
	int bad = 0;

	for (round = 1; round <= ROUNDS && bad < 3; round++) {
		recable(round);
		if (!is_right()) {
			char *lines = diff_lines(&was, &is);

			printf("# round %u:\n# %s\n", (unsigned)round, lines);
			free(lines);
			bad++;
		}
		finish();
	}
	is_int(bad, 0, "%d fabrics that were recabled at random", ROUNDS);
	return done_testing();
}
