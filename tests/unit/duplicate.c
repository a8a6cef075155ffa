/* SPDX-License-Identifier: BSD-2-Clause */
/* Several nodes of one NodeGUID: how they are found and numbered. */
#include "model.h"
#include "tap.h"

#define MANY 3000
#define SHARED 0x7777u

/* A switch, and hosts of one GUID cabled to its ports in that order. */
static void build(struct snapshot *s, const int *ports, int n)
{
	int i;

	snapshot_init(s);
	add_node(s, SPINE, NODE_SWITCH, 200, "spine");
	for (i = 0; i < n; i++) {
		struct node *host = snapshot_add_node(s, SHARED, i, 1);

		host->type = NODE_CA;
		host->desc[0] = (char)ports[i];
		host->route = (struct route){ .hops = (uint8_t)(i + 1) };
		if (ports[i])
			snapshot_join(s, 0, (uint8_t)ports[i],
				      (uint32_t)s->n_nodes - 1, 1);
	}
}

/* The port that the node of that number hangs at. */
static int port_of(const struct snapshot *s, int32_t instance)
{
	uint32_t i = snapshot_find(s, SHARED, instance);

	return i == NO_NODE ? -1 : s->nodes[i]->desc[0];
}

/* want: one digit a node. */
static void marked(const struct snapshot *s, const char *want, const char *name)
{
	uint8_t *mark = snapshot_mark_duplicates(s);
	char got[32] = "";
	size_t i;

	for (i = 0; i < s->n_nodes; i++)
		got[i] = mark[i] ? '1' : '0';
	is_str(got, want, "%s", name);
	free(mark);
}

static void by_neighbour(void)
{
	static const int orders[][4] = {
		{ 3, 9, 120, 0 }, { 120, 0, 9, 3 }, { 0, 120, 3, 9 },
	};
	struct snapshot s;
	size_t i;

	for (i = 0; i < 3; i++) {
		build(&s, orders[i], 4);
		is_int(snapshot_renumber_instances(&s, NULL), 4,
		       "four share their GUID");
		ok(port_of(&s, 0) == 3 && port_of(&s, 1) == 9 &&
			   port_of(&s, 2) == 120 && port_of(&s, 3) == 0,
		   "by port, without a link last: order %zu", i);
		is_int(snapshot_find(&s, SHARED, 4), NO_NODE, "no fifth");
		is_int(snapshot_find(&s, SPINE, 0), 0, "the others as before");
		snapshot_free(&s);
	}
}

/* Neighbours' GUIDs count before ports, and are unsigned. */
static void by_guid(void)
{
	static const int ports[] = { 1, 2 };
	struct snapshot s;

	build(&s, ports, 2);
	s.nodes[0]->ports[1].peer_node = NO_NODE;
	add_node(&s, 0x8000000000000000u, NODE_SWITCH, 4, "far");
	snapshot_join(&s, 3, 0, 1, 1);
	snapshot_renumber_instances(&s, NULL);
	ok(port_of(&s, 0) == 2 && port_of(&s, 1) == 1, "by the peer's GUID");
	snapshot_free(&s);
}

/* Two links: the smaller one counts.  A cable to itself does not. */
static void by_smallest(void)
{
	static const int none[] = { 0, 0 };
	struct snapshot s;

	build(&s, none, 0);
	add_node(&s, SHARED, NODE_SWITCH, 8, "")->desc[0] = 1;
	snapshot_add_node(&s, SHARED, 1, 8)->desc[0] = 2;
	snapshot_join(&s, 1, 1, 0, 50);
	snapshot_join(&s, 1, 2, 0, 7);
	snapshot_join(&s, 1, 3, 1, 4);
	snapshot_join(&s, 2, 1, 0, 6);
	snapshot_join(&s, 2, 2, 0, 60);
	snapshot_renumber_instances(&s, NULL);
	ok(port_of(&s, 0) == 2 && port_of(&s, 1) == 1,
	   "by the smallest neighbour");
	marked(&s, "011", "who is one of two");
	snapshot_free(&s);
}

static void by_route(void)
{
	static const int none[] = { 0, 0 };
	struct snapshot s;

	build(&s, none, 2);
	s.nodes[1]->desc[0] = 1;
	s.nodes[1]->route = (struct route){ 2, { 0, 1, 9 } };
	s.nodes[2]->route = (struct route){ 2, { 0, 1, 8 } };
	snapshot_renumber_instances(&s, NULL);
	is_int(port_of(&s, 1), 1, "by the hops of the route");
	s.nodes[2]->route = (struct route){ 3, { 0, 1, 1, 1 } };
	snapshot_renumber_instances(&s, NULL);
	is_int(port_of(&s, 0), 1, "a shorter route first");
	snapshot_free(&s);
}

/* Number hosts at those ports as a snapshot before them has it; tell which
 * port each number is at, "-" where none is. */
static void like_before(const int *before, int n_before, const int *now,
			int n_now, const char *want, const char *name)
{
	struct snapshot prev, s;
	char got[64] = "", one[16];
	int i;

	build(&prev, before, n_before);
	snapshot_renumber_instances(&prev, NULL);
	build(&s, now, n_now);
	snapshot_renumber_instances(&s, &prev);
	for (i = 0; i < 3; i++) {
		int port = port_of(&s, i);

		snprintf(one, sizeof(one), port < 0 ? " -" : " %d", port);
		strcat(got, one);
	}
	is_str(got, want, "%s", name);
	snapshot_free(&prev);
	snapshot_free(&s);
}

static void as_before(void)
{
	static const int nine[] = { 9 }, three_nine[] = { 3, 9 };
	static const int one_nine[] = { 1, 9 }, nine_120[] = { 9, 120 };
	static const int one_three_nine[] = { 9, 1, 3 };

	like_before(nine, 1, one_nine, 2, " 9 1 -",
		    "who had the GUID before keeps number 0");
	like_before(three_nine, 2, nine, 1, " - 9 -",
		    "one that is silent leaves its number free");
	like_before(three_nine, 2, nine_120, 2, " 120 9 -",
		    "and the next that comes has it");
	like_before(three_nine, 2, one_three_nine, 3, " 3 9 1",
		    "a third one is the third, wherever it is");
	like_before(nine, 1, three_nine + 0, 1, " 3 - -",
		    "a node that was moved is itself");
}

/* A second node at the end of a cable: the first has no cable any more. */
static void rejoin(void)
{
	static const int one[] = { 5 };
	struct snapshot s;

	build(&s, one, 1);
	snapshot_add_node(&s, SHARED, 1, 1)->type = NODE_CA;
	snapshot_join(&s, 0, 5, 2, 1);
	is_int(s.nodes[0]->ports[5].peer_node, 2, "the port has a new peer");
	ok(!snapshot_peer(&s, &s.nodes[1]->ports[1]), "the old one has none");
	snapshot_join(&s, 0, 5, 0, 5);
	ok(snapshot_peer(&s, &s.nodes[0]->ports[5]) == &s.nodes[0]->ports[5] &&
		   !snapshot_peer(&s, &s.nodes[2]->ports[1]),
	   "a cable to itself");
	snapshot_join(&s, 0, 5, 1, 1);
	snapshot_join(&s, 0, 5, 1, 1);
	ok(snapshot_peer(&s, &s.nodes[1]->ports[1]) == &s.nodes[0]->ports[5],
	   "and the same again");
	snapshot_free(&s);
}

static void without(void)
{
	struct snapshot s;

	build_fabric(&s);
	is_int(snapshot_renumber_instances(&s, NULL), 0, "none");
	marked(&s, "0000000", "nobody is one");
	snapshot_free(&s);
}

/* PortGUIDs of end ports, of different nodes, that are known. */
static void port_guids(void)
{
	struct snapshot s;

	build_fabric(&s);
	s.nodes[0]->ports[0].guid = 9;	/* an adapter has no port 0 */
	s.nodes[1]->ports[1].guid = 9;	/* a switch's port is none */
	s.nodes[2]->ports[0].guid = 9;
	marked(&s, "0000000", "only end ports count");
	s.nodes[6]->ports[1].guid = 9;
	marked(&s, "0010001", "a switch and an adapter");
	s.nodes[5]->ports[1].guid = 9;
	marked(&s, "0010011", "and one more");
	snapshot_free(&s);
	snapshot_init(&s);
	add_node(&s, 1, NODE_CA, 2, "")->ports[1].guid = 9;
	s.nodes[0]->ports[2].guid = 9;
	marked(&s, "0", "one node is no duplicate of itself");
	snapshot_free(&s);
}

/* Every number is found, whatever order it came in. */
static void many(void)
{
	struct snapshot s;
	int i, wrong = 0;

	snapshot_init(&s);
	for (i = 0; i < MANY; i++)
		snapshot_add_node(&s, SHARED, MANY - 1 - i, 1)->route.hops =
			(uint8_t)(i % 60);
	for (i = 0; i < MANY; i++)
		wrong += snapshot_find(&s, SHARED, i) !=
			 (uint32_t)(MANY - 1 - i);
	is_int(wrong, 0, "found among many");
	is_int(snapshot_renumber_instances(&s, NULL), MANY, "all counted");
	for (i = 0; i < MANY; i++) {
		uint32_t at = snapshot_find(&s, SHARED, i);

		wrong += at == NO_NODE || s.nodes[at]->instance != i;
	}
	is_int(wrong, 0, "and found by their new numbers");
	snapshot_free(&s);
}

/* Keys of two duplicates that are the same number in the index. */
static void same_key(void)
{
	struct snapshot s;

	snapshot_init(&s);
	snapshot_add_node(&s, 5 + 0x9e3779b97f4a7c15u, 1, 1);
	snapshot_add_node(&s, 5, 2, 1);
	is_int(snapshot_find(&s, 5, 2), 1, "the one");
	is_int(snapshot_find(&s, 5 + 0x9e3779b97f4a7c15u, 1), 0, "the other");
	is_int(snapshot_find(&s, 5 - 0x9e3779b97f4a7c15u, 3), NO_NODE, "none");
	snapshot_free(&s);
}

int main(void)
{
	by_neighbour();
	by_guid();
	by_smallest();
	by_route();
	as_before();
	rejoin();
	without();
	port_guids();
	many();
	same_key();
	return done_testing();
}
