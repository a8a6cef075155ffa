/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/carry.h"

#include "model.h"
#include "tap.h"

#define MISSING(...) ((const uint64_t[]){ __VA_ARGS__, 0 })

/* The fabric as snapshot 5 had it, with keys as the store gives them. */
static void build_prev(struct snapshot *prev)
{
	size_t i;
	int p;

	build_fabric(prev);
	prev->id = 5;
	for (i = 0; i < prev->n_nodes; i++) {
		prev->nodes[i]->key = (int64_t)i + 1;
		for (p = 0; p <= prev->nodes[i]->nports; p++)
			prev->nodes[i]->ports[p].key =
				(int64_t)(i + 1) * 100 + p;
	}
}

static void free_both(struct snapshot *s, struct snapshot *prev)
{
	snapshot_free(s);
	snapshot_free(prev);
}

static int is_unread(const struct snapshot *s, uint64_t guid, int64_t since)
{
	const struct node *n = node_at(s, guid);

	return n && n->seen == SEEN_UNREAD && n->last_read == since;
}

/* Are these two ports each other's peer, with that state? */
static int is_linked(const struct snapshot *s, uint64_t a, int a_port,
		     uint64_t b, int b_port, int seen)
{
	const struct port *p = port_at(s, a, a_port);
	const struct port *q = port_at(s, b, b_port);

	return snapshot_peer(s, p) == q && snapshot_peer(s, q) == p &&
	       p->link_seen == seen && q->link_seen == seen;
}

static void nothing_missing(void)
{
	struct snapshot s, prev;
	struct counts c;

	build_prev(&prev);
	build_fabric(&s);
	snapshot_carry(&s, &prev);
	snapshot_count(&s, &c);
	is_int(c.unread_nodes, 0, "same: nothing is unread");
	is_int(c.links, 6, "same: all links read");
	is_int(node_at(&s, LEAF2)->key, node_at(&prev, LEAF2)->key,
	       "same: a node's key goes over");
	is_int(port_at(&s, LEAF2, 2)->key, port_at(&prev, LEAF2, 2)->key,
	       "same: a port's key goes over");
	free_both(&s, &prev);
}

static void first_snapshot(void)
{
	struct snapshot s, prev;

	snapshot_init(&prev);
	build_fabric(&s);
	snapshot_carry(&s, &prev);
	is_int((long long)s.n_nodes, 7, "against an empty one: as read");
	is_int(node_at(&s, SPINE)->key, 0, "against an empty one: no key");
	snapshot_free(&s);
	build_prev(&prev);
	snapshot_init(&s);
	add_node(&s, 0x400, NODE_CA, 1, "new local");
	set_read(port_at(&s, 0x400, 1), 1);
	snapshot_carry(&s, &prev);
	is_int((long long)s.n_nodes, 8, "a new, silent start: all is unread");
	free_both(&s, &prev);
}

static void host_gone(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_without(&s, MISSING(H4), FRONT_DOWN);
	snapshot_carry(&s, &prev);
	ok(!node_at(&s, H4), "host behind a port that is down: gone");
	ok(!snapshot_peer(&s, port_at(&s, LEAF2, 2)), "and so is its link");
	is_int(port_at(&s, LEAF2, 2)->key, port_at(&prev, LEAF2, 2)->key,
	       "the port has its key still");
	free_both(&s, &prev);
}

static void host_unread(enum front front, const char *name)
{
	struct snapshot s, prev;
	struct counts c;
	struct port *p;

	build_prev(&prev);
	port_at(&prev, H4, 1)->lid = 17;
	build_without(&s, MISSING(H4), front);
	snapshot_carry(&s, &prev);
	ok(is_unread(&s, H4, 5), "host behind a %s port: unread since 5", name);
	ok(node_at(&s, H4)->desc_read, "%s: with its description", name);
	is_int(node_at(&s, H4)->key, node_at(&prev, H4)->key, "%s: its key",
	       name);
	p = port_at(&s, H4, 1);
	ok(p->seen == SEEN_UNREAD && p->present && p->lid == 17 &&
		   p->last_read == 5, "%s: its port's values", name);
	ok(is_linked(&s, H4, 1, LEAF2, 2, SEEN_UNREAD), "%s: its link", name);
	is_int(port_at(&s, LEAF2, 2)->seen,
	       front == FRONT_UNREAD ? SEEN_UNREAD : SEEN_READ,
	       "%s: the switch's port", name);
	snapshot_count(&s, &c);
	is_int(c.unread_nodes, 1, "%s: counted as unread", name);
	is_int(c.links, 5, "%s: its link is not counted", name);
	free_both(&s, &prev);
}

/* Nobody could ask what hangs behind a switch that does not answer, or that
 * is not there any more: it is unread, and the switch with it. */
static void behind_a_switch(enum front front, const char *name)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_without(&s, MISSING(LEAF2, H3, H4), front);
	snapshot_carry(&s, &prev);
	ok(is_unread(&s, LEAF2, 5) && is_unread(&s, H3, 5) &&
		   is_unread(&s, H4, 5),
	   "%s: the switch and what is behind it are unread", name);
	ok(is_linked(&s, H3, 1, LEAF2, 1, SEEN_UNREAD), "%s: and its links",
	   name);
	is_int(!!snapshot_peer(&s, port_at(&s, LEAF2, UPLINK)),
	       front != FRONT_DOWN, "%s: its uplink", name);
	free_both(&s, &prev);
}

/* A host behind a switch that was lost still answers by its second port. */
static void through_a_lost_switch(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_without(&s, MISSING(LEAF2, H4), FRONT_SILENT);
	snapshot_carry(&s, &prev);
	is_int(node_at(&s, H3)->seen, SEEN_READ, "one that answered is read");
	ok(is_unread(&s, LEAF2, 5) && is_unread(&s, H4, 5),
	   "its silent switch and what is behind that are not");
	ok(is_linked(&s, H3, 1, LEAF2, 1, SEEN_UNREAD), "the link is unread");
	free_both(&s, &prev);
}

static void unread_again(void)
{
	struct snapshot s, prev, next;

	build_prev(&prev);
	build_without(&s, MISSING(LEAF2, H3, H4), FRONT_SILENT);
	snapshot_carry(&s, &prev);
	s.id = 6;
	build_without(&next, MISSING(LEAF2, H3, H4), FRONT_SILENT);
	snapshot_carry(&next, &s);
	ok(is_unread(&next, LEAF2, 5) && is_unread(&next, H3, 5),
	   "unread twice: last read in 5 still");
	is_int(port_at(&next, H3, 1)->last_read, 5, "and its port");
	ok(is_linked(&next, H3, 1, LEAF2, 1, SEEN_UNREAD), "and its link");
	snapshot_free(&next);

	build_without(&next, MISSING(LEAF2, H3, H4), FRONT_DOWN);
	snapshot_carry(&next, &s);
	is_int((long long)next.n_nodes, 7, "unread, then cut off: unread still");
	snapshot_free(&next);

	build_fabric(&next);
	snapshot_carry(&next, &s);
	is_int(node_at(&next, LEAF2)->seen, SEEN_READ, "unread, then read");
	ok(is_linked(&next, H3, 1, LEAF2, 1, SEEN_READ), "and its link");
	snapshot_free(&next);
	free_both(&s, &prev);
}

static void port_unread(void)
{
	struct snapshot s, prev;
	struct port *p;

	build_prev(&prev);
	port_at(&prev, H3, 1)->guid = 0x1111;
	port_at(&prev, H3, 1)->lid = 4;
	build_without(&s, MISSING(0), FRONT_DOWN);
	p = port_at(&s, H3, 1);
	p->present = 0;
	p->phys = p->state = VAL_NONE;
	p->guid = 0x2222;
	snapshot_carry(&s, &prev);
	ok(p->present && p->seen == SEEN_UNREAD && p->lid == 4 &&
		   p->last_read == 5, "a lost PortInfo: values as before");
	is_int((long long)p->guid, 0x2222, "but what NodeInfo told is newer");
	ok(is_linked(&s, H3, 1, LEAF2, 1, SEEN_READ), "a link read is read");
	free_both(&s, &prev);
}

static void attributes_unread(void)
{
	struct snapshot s, prev, next;
	struct node *n;

	build_prev(&prev);
	build_without(&s, MISSING(0), FRONT_DOWN);
	n = node_at(&s, LEAF1);
	n->desc_read = n->desc_len = 0;
	memset(n->desc, 0, sizeof(n->desc));
	n->enhanced_port0 = n->lft_cap = n->lft_top = VAL_NONE;
	snapshot_carry(&s, &prev);
	s.id = 6;
	is_int(n->desc_len, 5, "a lost NodeDescription: as before");
	is_int(n->lft_cap, 49152, "a lost SwitchInfo: as before");
	is_int(n->seen, SEEN_READ, "the node is read all the same");

	build_without(&next, MISSING(0), FRONT_DOWN);
	n = node_at(&next, LEAF1);
	n->desc_read = n->desc_len = 0;
	snapshot_carry(&next, &s);
	is_int(n->desc_len, 5, "lost twice: as before still");
	snapshot_free(&next);
	free_both(&s, &prev);
}

static void port_down(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_fabric(&s);
	port_at(&s, H4, 1)->peer_node = NO_NODE;
	port_at(&s, LEAF2, 2)->peer_node = NO_NODE;
	set_read(port_at(&s, H4, 1), 0);
	set_silent(port_at(&s, LEAF2, 2));
	snapshot_carry(&s, &prev);
	ok(!snapshot_peer(&s, port_at(&s, LEAF2, 2)),
	   "one end down, the other unread: the link is gone");
	snapshot_free(&s);

	build_fabric(&s);
	port_at(&s, H4, 1)->peer_node = NO_NODE;
	port_at(&s, LEAF2, 2)->peer_node = NO_NODE;
	set_read(port_at(&s, LEAF2, 2), 0);
	snapshot_carry(&s, &prev);
	ok(!snapshot_peer(&s, port_at(&s, H4, 1)),
	   "one end up, the other down: the link is gone");
	free_both(&s, &prev);
}

static void silent_neighbour(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_fabric(&s);
	port_at(&s, H4, 1)->peer_node = NO_NODE;
	port_at(&s, LEAF2, 2)->peer_node = NO_NODE;
	snapshot_carry(&s, &prev);
	ok(is_linked(&s, H4, 1, LEAF2, 2, SEEN_UNREAD),
	   "both ends up, the probe lost: the link is unread");
	free_both(&s, &prev);
}

static void moved_cable(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_without(&s, MISSING(H4), FRONT_DOWN);
	add_node(&s, H4, NODE_CA, 1, "h4 mlx5_0");
	cable(&s, H4, 1, LEAF1, 4);
	snapshot_carry(&s, &prev);
	ok(is_linked(&s, H4, 1, LEAF1, 4, SEEN_READ), "moved: the new link");
	ok(!snapshot_peer(&s, port_at(&s, LEAF2, 2)), "moved: not the old one");
	set_silent(port_at(&s, LEAF2, 2));
	snapshot_carry(&s, &prev);
	ok(!snapshot_peer(&s, port_at(&s, LEAF2, 2)),
	   "moved, and the old port unread: not the old one");
	free_both(&s, &prev);
}

static void swapped_cables(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	build_fabric(&s);
	cable(&s, H3, 1, LEAF2, 2);
	cable(&s, H4, 1, LEAF2, 1);
	snapshot_carry(&s, &prev);
	ok(is_linked(&s, H3, 1, LEAF2, 2, SEEN_READ) &&
		   is_linked(&s, H4, 1, LEAF2, 1, SEEN_READ), "swapped");
	is_int((long long)s.n_nodes, 7, "swapped: nobody else");
	snapshot_free(&s);

	build_without(&s, MISSING(H4), FRONT_SILENT);
	port_at(&s, LEAF2, 1)->peer_node = NO_NODE;
	cable(&s, H3, 1, LEAF2, 2);
	snapshot_carry(&s, &prev);
	ok(!node_at(&s, H4), "its port leads to another: gone");
	ok(!snapshot_peer(&s, port_at(&s, LEAF2, 1)),
	   "and the silent port keeps no peer that is elsewhere");
	free_both(&s, &prev);
}

static void duplicates(void)
{
	struct snapshot s, prev;
	struct node *n;
	uint32_t at;

	build_prev(&prev);
	n = snapshot_add_node(&prev, H4, 1, 1);
	n->type = NODE_CA;
	n->key = 77;
	set_read(&n->ports[1], 1);
	snapshot_join(&prev, (uint32_t)prev.n_nodes - 1, 1,
		      snapshot_find(&prev, LEAF1, 0), 4);
	build_without(&s, MISSING(0), FRONT_DOWN);
	set_read(port_at(&s, LEAF1, 4), 1);
	snapshot_carry(&s, &prev);
	at = snapshot_find(&s, H4, 1);
	ok(at != NO_NODE && s.nodes[at]->seen == SEEN_UNREAD &&
		   s.nodes[at]->key == 77, "the silent one of two is unread");
	is_int(node_at(&s, H4)->seen, SEEN_READ, "the other one is read");
	snapshot_free(&s);

	build_without(&s, MISSING(0), FRONT_DOWN);
	snapshot_carry(&s, &prev);
	is_int(snapshot_find(&s, H4, 1), NO_NODE, "the one of two is gone");
	free_both(&s, &prev);
}

static void second_port(void)
{
	struct snapshot s, prev;
	struct node *n;

	build_prev(&prev);
	n = add_node(&prev, 0x200, NODE_CA, 2, "dual");
	n->key = 200;
	cable(&prev, 0x200, 1, LEAF1, 4);
	cable(&prev, 0x200, 2, LEAF2, 4);

	build_fabric(&s);
	set_read(port_at(&s, LEAF2, 4), 1);
	snapshot_carry(&s, &prev);
	ok(is_unread(&s, 0x200, 5), "one attachment down, one silent: unread");
	ok(!snapshot_peer(&s, port_at(&s, LEAF1, 4)), "the one link is gone");
	ok(is_linked(&s, 0x200, 2, LEAF2, 4, SEEN_UNREAD), "the other is not");
	snapshot_free(&s);

	build_fabric(&s);
	snapshot_carry(&s, &prev);
	ok(!node_at(&s, 0x200), "both attachments down: gone");
	snapshot_free(&s);

	build_fabric(&s);
	n = add_node(&s, 0x200, NODE_CA, 2, "dual");
	cable(&s, 0x200, 1, LEAF1, 4);
	set_silent(&n->ports[2]);
	snapshot_carry(&s, &prev);
	ok(!snapshot_peer(&s, &n->ports[2]), "second port unread, its switch "
	   "port down: no link");
	is_int(n->ports[2].seen, SEEN_UNREAD, "second port is unread");
	free_both(&s, &prev);
}

static void ports_changed(void)
{
	struct snapshot s, prev;
	struct node *n;

	build_prev(&prev);
	cable(&prev, LEAF1, 4, SPINE, 4);
	build_without(&s, MISSING(LEAF1, H2), FRONT_DOWN);
	n = add_node(&s, LEAF1, NODE_SWITCH, 1, "leaf1");
	cable(&s, H1, 1, LEAF1, 1);
	snapshot_carry(&s, &prev);
	ok(!node_at(&s, H2), "on a port that its switch no longer has: gone");
	is_int(n->nports, 1, "fewer ports than before");
	is_int(n->ports[1].key, port_at(&prev, LEAF1, 1)->key, "keys of those");
	snapshot_free(&s);

	build_without(&s, MISSING(LEAF1), FRONT_DOWN);
	n = add_node(&s, LEAF1, NODE_SWITCH, 9, "leaf1");
	snapshot_carry(&s, &prev);
	is_int(n->nports, 9, "more ports than before");
	is_int(n->ports[9].key, 0, "new ones have no key");
	free_both(&s, &prev);
}

static void loops(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	cable(&prev, LEAF1, 4, LEAF1, 4);
	cable(&prev, SPINE, 3, SPINE, 4);
	build_without(&s, MISSING(SPINE), FRONT_DOWN);
	set_silent(port_at(&s, LEAF1, 4));
	snapshot_carry(&s, &prev);
	ok(!node_at(&s, SPINE), "a switch cabled to itself can be gone");
	ok(snapshot_peer(&s, port_at(&s, LEAF1, 4)) == port_at(&s, LEAF1, 4),
	   "a port cabled to itself, unread, keeps that");
	free_both(&s, &prev);
}

static void no_attachment(void)
{
	struct snapshot s, prev;

	build_prev(&prev);
	add_node(&prev, 0x300, NODE_CA, 1, "loner");
	build_fabric(&s);
	snapshot_carry(&s, &prev);
	ok(is_unread(&s, 0x300, 5), "no known attachment: unread");
	free_both(&s, &prev);
}

int main(void)
{
	nothing_missing();
	first_snapshot();
	host_gone();
	host_unread(FRONT_SILENT, "silent");
	host_unread(FRONT_UNREAD, "unread");
	behind_a_switch(FRONT_SILENT, "silent");
	behind_a_switch(FRONT_UNREAD, "unread");
	behind_a_switch(FRONT_DOWN, "cut off");
	through_a_lost_switch();
	unread_again();
	port_unread();
	attributes_unread();
	port_down();
	silent_neighbour();
	moved_cable();
	swapped_cables();
	duplicates();
	second_port();
	ports_changed();
	loops();
	no_attachment();
	return done_testing();
}
