/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff.h"

static void no_change(void)
{
	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&is, H1, SM_MASTER);
	node_at(&is, H1)->route.hops = 3;
	expect("the same", "");
	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&is, H1, SM_MASTER);
	is.sms[0].act_count = 120;
	expect_one_way("ActCount rises", "");
	snapshot_init(&was);
	snapshot_init(&is);
	expect("two empty ones", "");
}

static void nodes_come_and_go(void)
{
	start();
	add_host(&is, 0x105, "h5", LEAF2, 4);
	expect("a new adapter",
	       "node-new: CA h5 (0x0000000000000105) new: at leaf2 port 4\n");

	start_without(MISSING(H4), FRONT_DOWN);
	expect("an adapter gone",
	       "node-gone: CA h4 mlx5_0 (0x0000000000000104) gone: "
	       "was at leaf2 port 2\n");

	start();
	add_node(&is, 0x23, NODE_SWITCH, LEAF_PORTS, "leaf3");
	cable(&is, 0x23, 1, SPINE, 3);
	cable(&is, 0x23, 2, SPINE, 4);
	expect("a new switch",
	       "node-new: switch leaf3 (0x0000000000000023) new: 2 links\n");

	start_without(MISSING(LEAF2, H3, H4), FRONT_DOWN);
	snapshot_carry(&is, &was);
	expect_one_way("a switch gone in front of hosts: they are unread",
		       "node-unread: switch leaf2 (0x0000000000000022) not "
		       "read, last in snapshot 5; 1 link is gone; 2 nodes "
		       "behind it not read\n");

	start();
	add_node(&is, 0x105, NODE_CA, 1, "");
	expect("one without a link and a description",
	       "node-new: CA 0x0000000000000105 new\n");
}

static void switch_gone(void)
{
	build_without(&was, MISSING(H3, H4), FRONT_DOWN);
	build_without(&is, MISSING(LEAF2, H3, H4), FRONT_DOWN);
	expect("a switch gone",
	       "node-gone: switch leaf2 (0x0000000000000022) gone: "
	       "had 1 link\n");
}

static void duplicates(void)
{
	struct node *n;

	start();
	n = snapshot_add_node(&is, H4, 1, 1);
	n->type = NODE_CA;
	node_set_desc(n, (const char[NODE_DESC_LEN]){ "double" });
	set_read(&n->ports[1], 1);
	snapshot_join(&is, (uint32_t)is.n_nodes - 1, 1,
		      snapshot_find(&is, LEAF2, 0), 4);
	set_read(port_at(&is, LEAF2, 4), 1);
	expect("a second node of one GUID",
	       "node-new: CA double (0x0000000000000104, duplicate 1) new: "
	       "at leaf2 port 4\n");
}

static void replaced(void)
{
	start_without(MISSING(H4), FRONT_DOWN);
	add_host(&is, 0x109, "h4 mlx5_0", LEAF2, 2);
	expect("an adapter replaced",
	       "node-replaced: CA h4 mlx5_0 (0x0000000000000104) replaced by "
	       "h4 mlx5_0 (0x0000000000000109)\n");

	start_without(MISSING(LEAF2), FRONT_DOWN);
	add_node(&is, 0x29, NODE_SWITCH, LEAF_PORTS, "leaf2b");
	cable(&is, 0x29, UPLINK, SPINE, 2);
	cable(&is, 0x29, 2, H3, 1);
	cable(&is, 0x29, 1, H4, 1);
	expect("a switch replaced, with two cables in other ports",
	       "node-replaced: switch leaf2 (0x0000000000000022) replaced by "
	       "leaf2b (0x0000000000000029)\n");

	start_without(MISSING(LEAF2, H4), FRONT_DOWN);
	add_node(&is, 0x29, NODE_SWITCH, LEAF_PORTS, "leaf2b");
	cable(&is, 0x29, UPLINK, SPINE, 2);
	cable(&is, 0x29, 1, H3, 1);
	add_host(&is, 0x109, "h4 new", 0x29, 2);
	expect("a switch replaced, and an adapter behind it",
	       "node-replaced: CA h4 mlx5_0 (0x0000000000000104) replaced by "
	       "h4 new (0x0000000000000109)\n"
	       "node-replaced: switch leaf2 (0x0000000000000022) replaced by "
	       "leaf2b (0x0000000000000029)\n");

	start_without(MISSING(LEAF2, H3, H4), FRONT_DOWN);
	add_host(&is, 0x109, "h9", SPINE, 2);
	expect_one_way("an adapter where a switch was is another node",
		       "node-new: CA h9 (0x0000000000000109) new: at spine "
		       "port 2\n"
		       "node-gone: CA h3 mlx5_0 (0x0000000000000103) gone: "
		       "was at leaf2 port 1\n"
		       "node-gone: CA h4 mlx5_0 (0x0000000000000104) gone: "
		       "was at leaf2 port 2\n"
		       "node-gone: switch leaf2 (0x0000000000000022) gone: "
		       "had 3 links\n");

	start();
	snapshot_free(&is);
	build_without(&is, MISSING(LEAF2), FRONT_DOWN);
	add_node(&is, 0x29, NODE_SWITCH, LEAF_PORTS, "leaf9");
	cable(&is, 0x29, UPLINK, SPINE, 4);
	cable(&is, 0x29, 1, H3, 1);
	cable(&is, 0x29, 2, LEAF1, 4);
	expect("a switch that has a third of its links is another one",
	       "node-new: switch leaf9 (0x0000000000000029) new: 3 links\n"
	       "node-gone: switch leaf2 (0x0000000000000022) gone: "
	       "had 3 links\n"
	       "node-moved: h3 mlx5_0 port 1 moved from leaf2 port 1 to "
	       "leaf9 port 1\n");
}

static void hosts(void)
{
	uint64_t guid;
	char name[16];

	start();
	for (guid = 0x201; guid < 0x204; guid++) {
		snprintf(name, sizeof(name), "dgx-04 mlx5_%d", (int)guid & 7);
		add_node(&was, guid, NODE_CA, 1, name);
	}
	cable(&was, 0x201, 1, LEAF1, 4);
	cable(&was, 0x202, 1, LEAF2, 4);
	cable(&was, 0x203, 1, SPINE, 4);
	expect("a host gone with all its rails",
	       "node-gone: host dgx-04 gone: 3 adapters\n");

	start();
	add_host(&was, 0x201, "dgx-04 mlx5_0", LEAF1, 4);
	add_host(&was, 0x202, "dgx-04 mlx5_1", LEAF2, 4);
	add_host(&was, 0x203, "dgx-04 mlx5_2", SPINE, 4);
	add_host(&is, 0x202, "dgx-04 mlx5_1", LEAF2, 4);
	expect("two rails of three are two lines",
	       "node-gone: CA dgx-04 mlx5_0 (0x0000000000000201) gone: was at "
	       "leaf1 port 4\n"
	       "node-gone: CA dgx-04 mlx5_2 (0x0000000000000203) gone: was at "
	       "spine port 4\n");

	start();
	add_host(&is, 0x201, "one", LEAF1, 4);
	add_host(&is, 0x202, "two", LEAF2, 4);
	node_at(&is, 0x202)->system_image_guid = 0x201;
	expect("adapters of one box",
	       "node-new: host one new: 2 adapters\n");

	start();
	add_host(&is, 0x201, "ConnectX6 Mellanox Technologies", LEAF1, 4);
	add_host(&is, 0x202, "ConnectX6 Mellanox Technologies", LEAF2, 4);
	expect("a description of the device names no host",
	       "node-new: CA ConnectX6 Mellanox Technologies "
	       "(0x0000000000000201) new: at leaf1 port 4\n"
	       "node-new: CA ConnectX6 Mellanox Technologies "
	       "(0x0000000000000202) new: at leaf2 port 4\n");
}

static void nodes_change(void)
{
	struct node *n;

	start();
	node_set_desc(node_at(&is, H4), (const char[NODE_DESC_LEN]){
						"h9\nmlx5_0" });
	expect("renamed",
	       "node-renamed: h9\\x0amlx5_0 (0x0000000000000104): description "
	       "\"h4 mlx5_0\" -> \"h9\\x0amlx5_0\"\n");

	start();
	node_at(&is, H4)->name = xstrdup("rack 7");
	node_at(&was, H4)->name = xstrdup("rack 7");
	port_at(&is, H4, 1)->width_enabled |= 1 << WIDTH_1X;
	expect("the name of a map",
	       "port-enabled: rack 7 port 1: widths enabled 4X -> 1X,4X\n");

	start();
	n = node_at(&is, H4);
	n->device_id = 0x1021;
	n->system_image_guid = 0x44;
	node_at(&was, H4)->revision = 0xa0;
	n->revision = 0xa1;
	node_at(&was, H4)->vendor_id = 0x2c9;
	n->vendor_id = 0x119f;
	expect("device, revision, vendor",
	       "node-changed: h4 mlx5_0 (0x0000000000000104): device id 0xd2f2 "
	       "-> 0x1021, revision 0xa0 -> 0xa1, vendor 0x0002c9 -> "
	       "0x00119f, system image GUID 0x0000000000000104 -> "
	       "0x0000000000000044\n");

	start();
	add_node(&was, 0x301, NODE_CA, 1, "bridge");
	add_node(&is, 0x301, NODE_ROUTER, 2, "bridge");
	expect("type and ports",
	       "node-changed: bridge (0x0000000000000301): type CA -> router, "
	       "ports 1 -> 2\n");

	start();
	node_at(&is, H4)->device_id = VAL_NONE;
	node_at(&is, H4)->system_image_guid = 0;
	node_at(&is, H4)->desc_read = 0;
	expect("what was not read is no change", "");
}

static void nodes_move(void)
{
	start();
	unplug(&is, H4, 1);
	cable(&is, H4, 1, LEAF1, 4);
	expect("a host moved to a free port",
	       "node-moved: h4 mlx5_0 port 1 moved from leaf2 port 2 to leaf1 "
	       "port 4\n");

	start_without(MISSING(H3), FRONT_DOWN);
	unplug(&is, H4, 1);
	cable(&is, H4, 1, LEAF2, 1);
	expect("a host moved where another was, which is gone",
	       "node-gone: CA h3 mlx5_0 (0x0000000000000103) gone: was at "
	       "leaf2 port 1\n"
	       "node-moved: h4 mlx5_0 port 1 moved from leaf2 port 2 to leaf2 "
	       "port 1\n");

	start();
	unplug(&is, H4, 1);
	unplug(&is, H3, 1);
	cable(&is, H3, 1, LEAF2, 2);
	cable(&is, H4, 1, LEAF2, 4);
	expect("two hosts moved one on",
	       "node-moved: h3 mlx5_0 port 1 moved from leaf2 port 1 to leaf2 "
	       "port 2\n"
	       "node-moved: h4 mlx5_0 port 1 moved from leaf2 port 2 to leaf2 "
	       "port 4\n");
}

/* What the list has besides its text. */
static void values(void)
{
	struct changes c;
	const struct change *m;

	start();
	port_at(&is, LEAF1, 0)->lid = 7;
	port_at(&is, H4, 1)->lid = 8;
	unplug(&is, H4, 1);
	cable(&is, H4, 1, LEAF1, 4);
	diff_snapshots(&was, &is, &c);
	m = &c.list[0];
	is_int((long long)c.n, 1, "values: one change");
	is_int((long long)m->n_where, 3, "values: three ends");
	is_str(m->before, "leaf2 port 2", "values: before");
	is_str(m->after, "leaf1 port 4", "values: after");
	ok(m->where[0].node_guid == H4 && m->where[0].port == 1 &&
		   m->where[0].lid == 8, "values: what moved");
	ok(m->where[1].node_guid == LEAF1 && m->where[1].port == 4 &&
		   m->where[1].lid == 7, "values: where to, with its LID");
	ok(m->where[2].node_guid == LEAF2 && m->where[2].port == 2,
	   "values: where from");
	is_str(m->where[0].node, "h4 mlx5_0", "values: a name");
	changes_free(&c);
	ok(!c.list && !c.n, "values: nothing is left");
	finish();
}

static void table(void)
{
	static const char *const groups[] = { "nodes", "links", "ports",
					      "sms", "counters" };
	int kind, at = 0;

	for (kind = 0; kind < CHANGE_END; kind++) {
		const struct change_row *row = &change_table[kind];

		while (at < 4 && strcmp(groups[at], row->group))
			at++;
		ok(row->name && row->doc && !strcmp(groups[at], row->group) &&
			   !strncmp(row->name, row->group,
				    strlen(row->group) - 1),
		   "table: %s", row->name);
	}
}

int main(void)
{
	no_change();
	nodes_come_and_go();
	switch_gone();
	duplicates();
	replaced();
	hosts();
	nodes_change();
	nodes_move();
	values();
	table();
	return done_testing();
}
