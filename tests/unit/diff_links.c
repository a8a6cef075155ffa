/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff.h"

static void links_come_and_go(void)
{
	start();
	cable(&is, LEAF1, 4, LEAF2, 4);
	expect("a new link",
	       "link-new: link leaf1 port 4 to leaf2 port 4 new: "
	       "400 Gb/s (4X NDR)\n");

	start();
	unplug(&is, LEAF1, UPLINK);
	port_at(&is, SPINE, 1)->phys = PHYS_DISABLED;
	expect("a link gone",
	       "link-gone: link leaf1 port 3 to spine port 1 gone: leaf1 port "
	       "3 is Polling, spine port 1 is Disabled\n");

	start();
	add_node(&is, 0x19, NODE_SWITCH, 4, "spine2");
	unplug(&is, LEAF1, UPLINK);
	cable(&is, LEAF1, UPLINK, 0x19, 1);
	cable(&is, SPINE, 1, 0x19, 2);
	expect("a switch put between two",
	       "node-new: switch spine2 (0x0000000000000019) new: 2 links\n"
	       "link-gone: link leaf1 port 3 to spine port 1 gone: leaf1 port "
	       "3 leads to spine2 port 1, spine port 1 leads to spine2 port "
	       "2\n");

	start();
	node_at(&is, SPINE)->nports = 1;
	node_at(&is, LEAF2)->ports[UPLINK].peer_node = NO_NODE;
	set_read(port_at(&is, LEAF2, UPLINK), 0);
	expect("a port that its node no longer has",
	       "node-changed: spine (0x0000000000000010): ports 4 -> 1\n"
	       "link-gone: link leaf2 port 3 to spine port 2 gone: leaf2 port "
	       "3 is Polling\n");
}

static void links_move(void)
{
	start();
	unplug(&is, LEAF1, UPLINK);
	cable(&is, LEAF1, 4, SPINE, 1);
	expect("a cable in another port of the leaf",
	       "link-moved: link of spine port 1 moved from leaf1 port 3 to "
	       "leaf1 port 4\n");

	start();
	unplug(&is, LEAF1, UPLINK);
	unplug(&is, LEAF2, UPLINK);
	cable(&is, LEAF1, UPLINK, SPINE, 2);
	expect("one took the other's port",
	       "link-gone: link leaf1 port 3 to spine port 1 gone: leaf1 port "
	       "3 leads to spine port 2, spine port 1 is Polling\n"
	       "link-moved: link of spine port 2 moved from leaf2 port 3 to "
	       "leaf1 port 3\n");
}

static void links_swap(void)
{
	start();
	unplug(&is, H1, 1);
	unplug(&is, H2, 1);
	cable(&is, H1, 1, LEAF1, 2);
	cable(&is, H2, 1, LEAF1, 1);
	expect("two hosts' cables exchanged",
	       "link-swapped: 2 cables exchanged: leaf1 port 1 leads to h2 "
	       "mlx5_0 port 1 (was h1 mlx5_0 port 1), leaf1 port 2 leads to h1 "
	       "mlx5_0 port 1 (was h2 mlx5_0 port 1); swap the plugs in leaf1 "
	       "port 1 and leaf1 port 2 back\n");

	start();
	unplug(&is, LEAF1, UPLINK);
	unplug(&is, LEAF2, UPLINK);
	cable(&is, LEAF1, UPLINK, SPINE, 2);
	cable(&is, LEAF2, UPLINK, SPINE, 1);
	expect("two spine cables exchanged",
	       "link-swapped: 2 cables exchanged: spine port 1 leads to leaf2 "
	       "port 3 (was leaf1 port 3), spine port 2 leads to leaf1 port 3 "
	       "(was leaf2 port 3); swap the plugs in spine port 1 and spine "
	       "port 2 back\n");

	start();
	unplug(&is, H1, 1);
	unplug(&is, H2, 1);
	unplug(&is, H3, 1);
	cable(&is, H2, 1, LEAF1, 1);
	cable(&is, H3, 1, LEAF1, 2);
	cable(&is, H1, 1, LEAF2, 1);
	expect("a ring of three",
	       "link-swapped: 3 cables exchanged: leaf1 port 1 leads to h2 "
	       "mlx5_0 port 1 (was h1 mlx5_0 port 1), leaf1 port 2 leads to h3 "
	       "mlx5_0 port 1 (was h2 mlx5_0 port 1), leaf2 port 1 leads to h1 "
	       "mlx5_0 port 1 (was h3 mlx5_0 port 1); put the plugs back: "
	       "leaf1 port 1 -> leaf1 port 2 -> leaf2 port 1 -> leaf1 port "
	       "1\n");
}

static void links_change(void)
{
	struct port *p;

	start();
	p = port_at(&was, LEAF1, 1);
	p->speed = port_at(&was, H1, 1)->speed = SPEED_HDR;
	port_at(&is, LEAF1, 1)->speed = SPEED_EDR;
	port_at(&is, LEAF1, 1)->width = WIDTH_1X;
	port_at(&is, H1, 1)->speed = SPEED_EDR;
	expect("slower and narrower",
	       "link-rate: link leaf1 port 1 to h1 mlx5_0 port 1: "
	       "200 Gb/s (4X HDR) -> 25 Gb/s (1X EDR)\n");

	start();
	p = port_at(&is, LEAF1, 1);
	p->speed = VAL_NONE;
	p->speed_code = 0x800;
	expect("a speed without a name",
	       "link-rate: link leaf1 port 1 to h1 mlx5_0 port 1: "
	       "400 Gb/s (4X NDR) -> unknown speed 0x800 (4X)\n");

	start();
	port_at(&is, LEAF1, 1)->state = STATE_INIT;
	port_at(&is, LEAF1, 1)->mtu = 256;
	expect("not ACTIVE any more, its MTU means nothing",
	       "link-state: link leaf1 port 1 to h1 mlx5_0 port 1: "
	       "ACTIVE -> INIT\n");

	start();
	port_at(&was, LEAF1, 1)->seen = SEEN_UNREAD;
	port_at(&was, LEAF1, 1)->state = STATE_DOWN;
	port_at(&was, LEAF1, 1)->phys = PHYS_POLLING;
	expect_one_way("a port that was not read since it had no cable", "");

	start();
	port_at(&is, LEAF1, 1)->mtu = 2048;
	port_at(&is, H1, 1)->mtu = 2048;
	expect("MTU",
	       "link-mtu: link leaf1 port 1 to h1 mlx5_0 port 1: "
	       "MTU 4096 -> 2048\n");

	start();
	p = port_at(&is, LEAF1, 1);
	p->speed = p->width = p->state = p->mtu = VAL_NONE;
	p->width_enabled = p->speed_supported = VAL_NONE;
	expect("what one snapshot did not read is no change", "");

	start();
	port_at(&is, LEAF1, 1)->seen = SEEN_UNREAD;
	port_at(&is, LEAF1, 1)->speed = SPEED_SDR;
	port_at(&is, H1, 1)->seen = SEEN_UNREAD;
	port_at(&is, H1, 1)->speed = SPEED_SDR;
	expect_one_way("values of old are no change",
		       "port-unread: h1 mlx5_0 port 1 not read\n"
		       "port-unread: leaf1 port 1 not read\n");
}

/* Other cables and values, of which nothing was read. */
static void everything_unread(void)
{
	size_t i;
	int p;

	cable(&is, H1, 1, LEAF2, 2);
	cable(&is, H4, 1, LEAF1, 1);
	unplug(&is, H2, 1);
	for (i = 0; i < is.n_nodes; i++) {
		is.nodes[i]->seen = SEEN_UNREAD;
		is.nodes[i]->device_id = 7;
		for (p = 0; p <= is.nodes[i]->nports; p++) {
			struct port *port = &is.nodes[i]->ports[p];

			port->seen = port->link_seen = SEEN_UNREAD;
			port->speed = SPEED_SDR;
			port->lid = port->sm_lid = 99;
			port->state = STATE_INIT;
			port->speed_enabled = 1 << SPEED_SDR;
			port->mtu = 256;
		}
	}
}

static void unread(void)
{
	start_without(MISSING(H4), FRONT_SILENT);
	snapshot_carry(&is, &was);
	expect_one_way("a host that is silent",
		       "node-unread: CA h4 mlx5_0 (0x0000000000000104) not "
		       "read, last in snapshot 5\n");

	start_without(MISSING(H4), FRONT_UNREAD);
	snapshot_carry(&is, &was);
	expect_one_way("a host behind a port that is silent",
		       "node-unread: CA h4 mlx5_0 (0x0000000000000104) not "
		       "read, last in snapshot 5\n");

	start_without(MISSING(H4), FRONT_UNREAD);
	snapshot_carry(&is, &was);
	was.nodes[snapshot_find(&was, H4, 0)]->seen = SEEN_UNREAD;
	expect_one_way("a port in front of one that was unread before",
		       "port-unread: leaf2 port 2 not read\n");

	start();
	port_at(&is, LEAF1, UPLINK)->link_seen = SEEN_UNREAD;
	port_at(&is, SPINE, 1)->link_seen = SEEN_UNREAD;
	port_at(&is, SPINE, 1)->seen = SEEN_UNREAD;
	expect_one_way("a link that was not read, and an end of it",
		       "link-unread: link leaf1 port 3 to spine port 1 not "
		       "read\n");
}

/* What b carried over from between the two is not what it read. */
static void stale(void)
{
	start();
	unplug(&is, H4, 1);
	port_at(&is, H4, 1)->seen = SEEN_UNREAD;
	port_at(&is, LEAF2, 2)->seen = SEEN_UNREAD;
	expect_one_way("down at last, and not read: not gone",
		       "port-unread: h4 mlx5_0 port 1 not read\n"
		       "port-unread: leaf2 port 2 not read\n");

	start();
	unplug(&is, H4, 1);
	cable(&is, H4, 1, LEAF1, 4);
	node_at(&is, H4)->seen = SEEN_UNREAD;
	node_at(&is, H4)->last_read = 4;
	port_at(&is, H4, 1)->link_seen = SEEN_UNREAD;
	port_at(&is, LEAF1, 4)->link_seen = SEEN_UNREAD;
	port_at(&is, LEAF2, 2)->seen = SEEN_UNREAD;
	node_set_desc(node_at(&is, H4), (const char[NODE_DESC_LEN]){ "h9" });
	node_at(&is, H4)->device_id = 1;
	expect_one_way("moved before, and not read: unread",
		       "node-unread: CA h9 (0x0000000000000104) not read, last "
		       "in snapshot 4\n"
		       "port-unread: leaf2 port 2 not read\n");

	start();
	everything_unread();
	expect_one_way("nothing was read, whatever it says",
		       "node-unread: switch leaf1 (0x0000000000000021) not "
		       "read; 2 nodes behind it not read\n"
		       "node-unread: switch leaf2 (0x0000000000000022) not "
		       "read; 2 nodes behind it not read\n"
		       "node-unread: switch spine (0x0000000000000010) not "
		       "read\n");

	start();
	set_silent(port_at(&was, LEAF1, 4));
	set_silent(port_at(&was, LEAF2, 4));
	cable(&is, LEAF1, 4, LEAF2, 4);
	expect_one_way("a link of which nothing was known is not new", "");
}

int main(void)
{
	links_come_and_go();
	links_move();
	links_swap();
	links_change();
	unread();
	stale();
	return done_testing();
}
