/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_MODEL_H
#define IBAUDIT_TESTS_MODEL_H

#include <stdlib.h>
#include <string.h>

#include "model/attr.h"
#include "model/snapshot.h"
#include "model/speed.h"
#include "util/alloc.h"

/*
 * Small fabrics for unit tests: a spine, two leaves, two hosts on each.
 *
 *     H1 H2 = LEAF1 = SPINE = LEAF2 = H3 H4
 */
enum {
	SPINE = 0x10,
	LEAF1 = 0x21,
	LEAF2,
	H1 = 0x101,
	H2,
	H3,
	H4
};

#define SPINE_PORTS 4
#define LEAF_PORTS 4
#define UPLINK 3 /* of each leaf */

static inline struct node *node_at(const struct snapshot *s, uint64_t guid)
{
	uint32_t i = snapshot_find(s, guid, 0);

	return i == NO_NODE ? NULL : s->nodes[i];
}

static inline struct port *port_at(const struct snapshot *s, uint64_t guid,
				   int num)
{
	return &node_at(s, guid)->ports[num];
}

/* A port that was read; up tells PortPhysicalState. */
static inline void set_read(struct port *p, int up)
{
	p->present = 1;
	p->seen = SEEN_READ;
	p->phys = up ? PHYS_LINKUP : PHYS_POLLING;
	p->state = up ? STATE_ACTIVE : STATE_DOWN;
	p->speed = up ? SPEED_NDR : VAL_NONE;
	p->width = up ? WIDTH_4X : VAL_NONE;
	p->speed_enabled = p->speed_supported = 1 << SPEED_NDR;
	p->width_enabled = p->width_supported = 1 << WIDTH_4X;
	p->mtu = 4096;
}

/* A port of which nothing but its number is known. */
static inline void set_silent(struct port *p)
{
	struct port keep = { .num = p->num, .peer_node = NO_NODE };
	size_t i;

	counters_free(p->counters);
	*p = keep;
	for (i = 0; i < n_port_attrs; i++)
		attr_set(&port_attrs[i], p, 0, 1);
}

static inline struct node *add_node(struct snapshot *s, uint64_t guid,
				    int type, int nports, const char *name)
{
	struct node *n = snapshot_add_node(s, guid, 0, nports);
	int p;

	n->type = type;
	n->seen = SEEN_READ;
	n->system_image_guid = guid;
	n->device_id = 0xd2f2;
	n->desc_read = 1;
	n->desc_len = (uint8_t)strlen(name);
	memcpy(n->desc, name, n->desc_len);
	if (type == NODE_SWITCH) {
		n->enhanced_port0 = 0;
		n->lft_cap = 49152;
	}
	for (p = type == NODE_SWITCH ? 0 : 1; p <= nports; p++)
		set_read(&n->ports[p], p == 0);
	return n;
}

static inline void cable(struct snapshot *s, uint64_t a, int a_port, uint64_t b,
			 int b_port)
{
	snapshot_join(s, snapshot_find(s, a, 0), (uint8_t)a_port,
		      snapshot_find(s, b, 0), (uint8_t)b_port);
	set_read(port_at(s, a, a_port), 1);
	set_read(port_at(s, b, b_port), 1);
}

static inline void build_fabric(struct snapshot *s)
{
	snapshot_init(s);
	s->fabric = xstrdup("default");
	s->subnet_prefix = 0xfe80000000000000;
	s->started_ms = 1700000000000;
	s->finished_ms = s->started_ms + 500;
	s->complete = 1;
	add_node(s, H1, NODE_CA, 1, "h1 mlx5_0");
	add_node(s, LEAF1, NODE_SWITCH, LEAF_PORTS, "leaf1");
	add_node(s, SPINE, NODE_SWITCH, SPINE_PORTS, "spine");
	add_node(s, H2, NODE_CA, 1, "h2 mlx5_0");
	add_node(s, LEAF2, NODE_SWITCH, LEAF_PORTS, "leaf2");
	add_node(s, H3, NODE_CA, 1, "h3 mlx5_0");
	add_node(s, H4, NODE_CA, 1, "h4 mlx5_0");
	cable(s, H1, 1, LEAF1, 1);
	cable(s, H2, 1, LEAF1, 2);
	cable(s, LEAF1, UPLINK, SPINE, 1);
	cable(s, LEAF2, UPLINK, SPINE, 2);
	cable(s, H3, 1, LEAF2, 1);
	cable(s, H4, 1, LEAF2, 2);
	s->local_node = 0;
	s->local_port = 1;
}

/* What a port in front of a node that a sweep did not find looks like. */
enum front { FRONT_DOWN, FRONT_SILENT, FRONT_UNREAD };

static inline int is_among(uint64_t guid, const uint64_t *list)
{
	for (; *list; list++)
		if (*list == guid)
			return 1;
	return 0;
}

/* The built fabric as a sweep sees it that did not find the nodes of the list
 * (which ends with 0). */
static inline void build_without(struct snapshot *s, const uint64_t *missing,
				 enum front front)
{
	struct snapshot all;
	size_t i;
	int p;

	build_fabric(&all);
	snapshot_init(s);
	s->fabric = xstrdup("default");
	s->subnet_prefix = all.subnet_prefix;
	s->started_ms = all.started_ms + 600000;
	s->finished_ms = s->started_ms + 500;
	s->complete = front == FRONT_DOWN;
	for (i = 0; i < all.n_nodes; i++) {
		const struct node *n = all.nodes[i];

		if (!is_among(n->guid, missing))
			add_node(s, n->guid, n->type, n->nports,
				 (const char *)n->desc);
	}
	for (i = 0; i < all.n_nodes; i++) {
		const struct node *n = all.nodes[i];

		for (p = 0; p <= n->nports; p++) {
			const struct node *far;

			if (n->ports[p].peer_node == NO_NODE ||
			    is_among(n->guid, missing))
				continue;
			far = all.nodes[n->ports[p].peer_node];
			if (!is_among(far->guid, missing))
				cable(s, n->guid, p, far->guid,
				      n->ports[p].peer_port);
			else if (front == FRONT_UNREAD)
				set_silent(port_at(s, n->guid, p));
			else
				set_read(port_at(s, n->guid, p),
					 front == FRONT_SILENT);
		}
	}
	s->local_node = snapshot_find(s, H1, 0);
	s->local_port = 1;
	snapshot_free(&all);
}

#endif
