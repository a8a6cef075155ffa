/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <string.h>

/*
 * Notes
 *
 * Rules name nodes, the wire knows routes and LIDs.  NodeInfo tells who sits
 * at the end of a route (and, asked by LID, of a LID), PortInfo which LIDs a
 * port has.  Places and nodes are never moved nor freed, so that requests can
 * point at them.  Two nodes with the same GUID are one node here.
 */

struct route {
	struct route *chain;
	struct place place;
	uint8_t hops;
	uint8_t hop[PATH_MAX_HOPS];
};

static struct route *routes[16384];
static struct node *nodes[16384];
static struct place lids[N_LIDS];

static uint32_t hash_bytes(const uint8_t *p, size_t n)
{
	uint32_t h = 2166136261u; /* FNV-1a, 32 bits */

	while (n--)
		h = (h ^ *p++) * 16777619u;
	return h ^ h >> 15;
}

struct node *known_node(uint64_t guid)
{
	struct node **head, *n;

	head = &nodes[(guid * 0x9e3779b97f4a7c15u) >> 50];
	for (n = *head; n; n = n->chain)
		if (n->guid == guid)
			return n;
	n = layer_alloc(1, sizeof(*n));
	n->guid = guid;
	n->chain = *head;
	*head = n;
	return n;
}

void known_each(void (*f)(const struct node *n, void *arg), void *arg)
{
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		for (const struct node *n = nodes[i]; n; n = n->chain)
			f(n, arg);
}

/* Directed route SMP, IBA 14.2.1.2: hop count at byte 7, path at 128. */
static struct place *place_of_route(const uint8_t *mad)
{
	const uint8_t *hop = mad + 128 + 1;
	uint8_t hops = mad[7] < PATH_MAX_HOPS ? mad[7] : PATH_MAX_HOPS - 1;
	static uint32_t n_routes;
	struct route **head, *r;

	head = &routes[hash_bytes(hop, hops) % 16384];
	for (r = *head; r; r = r->chain)
		if (r->hops == hops && !memcmp(r->hop, hop, hops))
			return &r->place;
	r = layer_alloc(1, sizeof(*r));
	r->place.route = ++n_routes;
	r->hops = hops;
	memcpy(r->hop, hop, hops);
	r->chain = *head;
	*head = r;
	return &r->place;
}

struct place *known_place(const uint8_t *mad, unsigned lid)
{
	return mad[1] == CLASS_DR ? place_of_route(mad) : &lids[lid % N_LIDS];
}

bool known_is_up(const struct node *n, unsigned port)
{
	return n && n->up[port / 8 % 32] & 1u << port % 8;
}

/* NodeInfo, IBA 14.2.5.3: type at byte 2, NodeGUID 12, LocalPortNum 36. */
static void learn_node(const struct request *req, const uint8_t *data)
{
	struct node *n = known_node(get64(data + 12));

	if (n->type != data[2]) {
		n->type = data[2];
		scenario_refresh(n);
	}
	req->place->node = n;
	req->place->port = n->type == TYPE_SWITCH ? 0 : data[36];
}

/* PortInfo, IBA 14.2.5.6: LID at byte 16, PhysState in 33, LMC in 34. */
static void learn_port(const struct request *req, const uint8_t *data)
{
	struct node *n = req->place->node;
	unsigned lid = get16(data + 16), lmc = data[34] & 7;
	uint8_t bit = 1u << req->port % 8;

	if (!n)
		return;
	n->up[req->port / 8] &= ~bit;
	if (data[33] >> 4 == 5) /* LinkUp */
		n->up[req->port / 8] |= bit;
	if (!lid || (n->type == TYPE_SWITCH && req->port))
		return;
	for (unsigned i = 0; i < 1u << lmc && lid + i < N_LIDS; i++)
		lids[lid + i] = (struct place){ .node = n,
					       .port = req->port };
}

static void learn_desc(const struct request *req, const uint8_t *data)
{
	struct node *n = req->place->node;

	if (!n || !memcmp(n->desc, data, sizeof(n->desc) - 1))
		return;
	memcpy(n->desc, data, sizeof(n->desc) - 1);
	scenario_refresh(n);
}

void known_learn(const struct request *req, const uint8_t *mad)
{
	const uint8_t *data = mad + 64;

	if ((req->mgmt_class != CLASS_DR && req->mgmt_class != CLASS_LID) ||
	    get16(mad + 4) & 0x7fff)
		return;
	if (req->attr == ATTR_NODE_INFO)
		learn_node(req, data);
	else if (req->attr == ATTR_PORT_INFO)
		learn_port(req, data);
	else if (req->attr == ATTR_NODE_DESC)
		learn_desc(req, data);
}
