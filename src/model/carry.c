/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/carry.h"

#include <string.h>

#include "model/attr.h"

/*
 * Notes
 *
 * prev holds, besides what it read, what it carried over itself; both count
 * as "last known".  Nodes are matched by (NodeGUID, instance).  Three passes:
 * add the missing nodes that are not shown to be gone, take over the values of
 * ports that were not read, then the peers that were not read - in this
 * order, since a peer can be a node that the first pass added.
 */

static uint32_t find_same(const struct snapshot *s, const struct node *n)
{
	return snapshot_find(s, n->guid, n->instance);
}

/*
 * Was the port read in s, and does it not lead to prev's node n?  Either is
 * known only for a port that was read, or that its node no longer has; a port
 * that is up and whose neighbour stayed silent says nothing.
 */
static int leads_elsewhere(const struct snapshot *s, uint32_t at, uint8_t num,
			   const struct node *n)
{
	const struct port *p;
	const struct node *peer;

	if (s->nodes[at]->seen != SEEN_READ)
		return 0;
	if (num > s->nodes[at]->nports)
		return 1;
	p = &s->nodes[at]->ports[num];
	if (p->seen != SEEN_READ || !p->present)
		return 0;
	if (port_is_down(p))
		return 1;
	if (p->peer_node == NO_NODE || p->link_seen != SEEN_READ)
		return 0;
	peer = s->nodes[p->peer_node];
	return peer->guid != n->guid || peer->instance != n->instance;
}

/* Each last known attachment was read, and none leads to it.  A switch that
 * is not in s cannot have been read: what hangs behind it is unread. */
static int is_gone(const struct snapshot *s, const struct snapshot *prev,
		   const struct node *n)
{
	int p, attachments = 0;

	for (p = 0; p <= n->nports; p++) {
		const struct port *port = &n->ports[p];
		uint32_t at;

		if (port->peer_node == NO_NODE ||
		    prev->nodes[port->peer_node] == n)
			continue;
		attachments++;
		at = find_same(s, prev->nodes[port->peer_node]);
		if (at == NO_NODE ||
		    !leads_elsewhere(s, at, port->peer_port, n))
			return 0;
	}
	return attachments > 0;
}

static void take_node(struct node *to, const struct node *from, int64_t prev_id)
{
	attr_copy(node_attrs, n_node_attrs, to, from);
	memcpy(to->desc, from->desc, sizeof(to->desc));
	to->desc_len = from->desc_len;
	to->desc_read = from->desc_read;
	to->seen = SEEN_UNREAD;
	to->last_read = from->seen == SEEN_READ ? prev_id : from->last_read;
}

/* NodeInfo may have told the GUID of a port that did not answer itself. */
static void take_port(struct port *to, const struct port *from, int64_t prev_id)
{
	uint64_t guid = to->guid ? to->guid : from->guid;

	attr_copy(port_attrs, n_port_attrs, to, from);
	to->guid = guid;
	to->present = from->present;
	to->seen = SEEN_UNREAD;
	to->last_read = from->seen == SEEN_READ ? (uint32_t)prev_id :
						  from->last_read;
}

static void add_unread(struct snapshot *s, const struct node *was,
		       int64_t prev_id)
{
	struct node *n = snapshot_add_node(s, was->guid, was->instance,
					   was->nports);
	int p;

	take_node(n, was, prev_id);
	for (p = 0; p <= n->nports; p++)
		n->ports[p].seen = SEEN_UNREAD;
}

static void add_missing(struct snapshot *s, const struct snapshot *prev)
{
	size_t i;

	for (i = 0; i < prev->n_nodes; i++)
		if (find_same(s, prev->nodes[i]) == NO_NODE &&
		    !is_gone(s, prev, prev->nodes[i]))
			add_unread(s, prev->nodes[i], prev->id);
}

/* What this sweep did not learn of a node that it did read. */
static void take_attributes(struct node *n, const struct node *was)
{
	if (!n->desc_read && was->desc_read) {
		memcpy(n->desc, was->desc, sizeof(n->desc));
		n->desc_len = was->desc_len;
		n->desc_read = 1;
	}
	if (n->enhanced_port0 == VAL_NONE) {
		n->enhanced_port0 = was->enhanced_port0;
		n->lft_cap = was->lft_cap;
		n->lft_top = was->lft_top;
	}
}

static void take_ports(struct node *n, const struct node *was, int64_t prev_id)
{
	int p;

	n->key = was->key;
	for (p = 0; p <= n->nports && p <= was->nports; p++) {
		struct port *port = &n->ports[p];

		port->key = was->ports[p].key;
		if (!port->present && was->ports[p].present)
			take_port(port, &was->ports[p], prev_id);
		else if (!port->guid && port_is_end(n, port))
			port->guid = was->ports[p].guid;
	}
}

/* May port p still have the peer that it had?  Not when either end was read
 * and is down, or has another peer now. */
static int may_keep(const struct snapshot *s, const struct node *n,
		    const struct port *p, uint32_t peer, uint8_t peer_port)
{
	const struct port *q;

	if (p->peer_node != NO_NODE || peer == NO_NODE ||
	    peer_port > s->nodes[peer]->nports)
		return 0;
	if (p->present && p->seen == SEEN_READ && port_is_down(p))
		return 0;
	q = &s->nodes[peer]->ports[peer_port];
	if (q->peer_node != NO_NODE)
		return 0;
	return !leads_elsewhere(s, peer, peer_port, n);
}

static void take_peers(struct snapshot *s, const struct snapshot *prev,
		       uint32_t i, const struct node *was)
{
	struct node *n = s->nodes[i];
	int p;

	for (p = 0; p <= n->nports && p <= was->nports; p++) {
		const struct port *old = &was->ports[p];
		uint32_t peer;

		if (old->peer_node == NO_NODE)
			continue;
		peer = find_same(s, prev->nodes[old->peer_node]);
		if (!may_keep(s, n, &n->ports[p], peer, old->peer_port))
			continue;
		snapshot_join(s, i, (uint8_t)p, peer, old->peer_port);
		n->ports[p].link_seen = SEEN_UNREAD;
		s->nodes[peer]->ports[old->peer_port].link_seen = SEEN_UNREAD;
	}
}

void snapshot_carry(struct snapshot *s, const struct snapshot *prev)
{
	size_t i;

	add_missing(s, prev);
	for (i = 0; i < s->n_nodes; i++) {
		uint32_t at = find_same(prev, s->nodes[i]);

		if (at == NO_NODE)
			continue;
		if (s->nodes[i]->seen == SEEN_READ)
			take_attributes(s->nodes[i], prev->nodes[at]);
		take_ports(s->nodes[i], prev->nodes[at], prev->id);
	}
	for (i = 0; i < s->n_nodes; i++) {
		uint32_t at = find_same(prev, s->nodes[i]);

		if (at != NO_NODE)
			take_peers(s, prev, (uint32_t)i, prev->nodes[at]);
	}
}
