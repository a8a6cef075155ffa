/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "fabric/walk.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * A NodeInfo with a NodeGUID that is known is the same node again, most of
 * the time: by a parallel link, a loop, the other end of a link, or another
 * port of an adapter.  Or it is a second node with a GUID that was copied, and
 * to take it for the first would hide all that hangs behind it.
 *
 * So the port that was probed makes a claim: "behind me is port g of G".
 * A node X of that GUID fits when
 * - X is a switch, and its own probe out of g names the claiming port;
 * - X is an adapter, which is not probed through, and its port g has no other
 *   neighbour and is not down.
 * That is not enough where the claiming port is one of X's own, or where X is
 * an adapter at which the sweep did not arrive by port g: a second node would
 * say the same.  Then the LID is read on both ways, behind the claiming port
 * and on the way that is known, and tells.
 * A claim that fits nowhere stays open until all answers are in: X's own
 * probe may be under way, or have failed.  When it fits no node then, all the
 * ports that contradict each other are asked once more, since a cable may
 * have moved meanwhile.  If they stand by what they said it is another node,
 * the next instance of its NodeGUID, with a route of its own, and is walked
 * like any other.
 *
 * One instance of a switch a round: other claims of its GUID may be about
 * further ports of the same switch.
 *
 * Two nodes of one GUID that name the same neighbour at the same port of
 * theirs look like one node whose answers changed; walking on there would go
 * round for ever, so that the claim becomes a failed query.
 */

/* Of all GUIDs that are used twice, together.  More switches than that is a
 * loop of answers that somebody makes up. */
#define SWITCHES_MAX 64
#define ADAPTERS_MAX 4096

struct room {
	int switches, adapters;
};

enum fit { FIT_NO, FIT_LATER, FIT_YES };

static void drop(struct claim *c)
{
	c->done = 1;
}

/* --- which node? ------------------------------------------------------ */

static enum fit fit_switch(struct sweep *sw, uint32_t x, const struct claim *c)
{
	const struct half *h = walk_half(sw, x, c->info.local_port);

	if (!h->told)
		return FIT_LATER;
	if (h->guid == sw->snap->nodes[c->node]->guid && h->port == c->port)
		return FIT_YES;
	return FIT_NO;
}

static enum fit fit(struct sweep *sw, uint32_t x, const struct claim *c)
{
	const struct node *n = sw->snap->nodes[x];
	const struct port *far;

	if (n->type != c->info.type || n->nports != c->info.nports ||
	    x == c->not_node)
		return FIT_NO;
	far = &n->ports[c->info.local_port];
	if (far->peer_node != NO_NODE)
		return far->peer_node == c->node && far->peer_port == c->port ?
			       FIT_YES : FIT_NO;
	if (n->type == NODE_SWITCH)
		return fit_switch(sw, x, c);
	if (x == c->node && c->info.local_port == c->port)
		return FIT_NO; /* an adapter at its own port */
	return far->present && !port_is_up(far) ? FIT_NO : FIT_YES;
}

/* The first node of the claim's GUID that fits; FIT_LATER counts when the
 * answers are all in, and the port was not read as down. */
static uint32_t find_fit(struct sweep *sw, const struct claim *c, int all_in)
{
	uint32_t x = snapshot_find(sw->snap, c->info.node_guid, 0);
	uint32_t weak = NO_NODE;

	for (; x != NO_NODE; x = sweep_target(sw, x)->next_same) {
		const struct port *far;
		enum fit f = fit(sw, x, c);

		if (f == FIT_YES)
			return x;
		if (f == FIT_NO || !all_in || weak != NO_NODE)
			continue;
		far = &sw->snap->nodes[x]->ports[c->info.local_port];
		if (!far->present || port_is_up(far))
			weak = x;
	}
	return weak;
}

/* --- is it that node? ------------------------------------------------- */

static void join(struct sweep *sw, uint32_t x, struct claim *c);

/* The port whose LID tells: a switch has one for all its ports. */
static uint8_t lid_port(const struct claim *c)
{
	return c->info.type == NODE_SWITCH ? 0 : c->info.local_port;
}

/* What answers behind the claiming port has that PortInfo.  Returns 0 when it
 * is another node. */
static int is_same(struct claim *c, const struct mad_query *q,
		   const uint8_t *data)
{
	struct sweep *sw = c->sw;
	const struct port *p =
		&sw->snap->nodes[c->verified]->ports[lid_port(c)];
	int32_t lid = decode_port_lid(data);

	if (lid > 0 && p->present && p->lid > 0)
		return lid == p->lid;
	if (c->verified == c->node)
		sweep_malformed(sw, q, "leads to its own NodeGUID; without "
				"LIDs a loop looks like a second node");
	return 1;
}

static void on_far_side(void *arg, const struct mad_query *q,
			const struct mad_reply *r)
{
	struct claim *c = arg;
	struct sweep *sw = c->sw;
	struct mad_query own = *q;
	uint32_t x = c->verified;

	own.node = c->node;
	own.port = c->port;
	if (r->failed) {
		sweep_fail(sw, &own, r);
	} else if (!is_same(c, &own, r->data)) {
		c->not_node = x;
		c->verified = NO_NODE;
		return; /* stays open */
	}
	if (fit(sw, x, c) != FIT_NO)
		join(sw, x, c);
}

static void ask_far_side(struct sweep *sw, struct claim *c)
{
	struct reach *r = &sweep_target(sw, c->node)->reach;
	struct mad_query q = {
		.dest = &r->dest, .done = on_far_side, .arg = c,
		.mkey = sweep_target(sw, c->verified)->reach.dest.mkey,
		.node = c->verified, .port = lid_port(c), .exit = c->port,
		.attribute = ATTR_PORT_INFO, .modifier = lid_port(c),
		.mgmt_class = CLASS_SMP,
	};

	mad_submit(sw->mad, &q);
}

/* The adapter was asked for port g on the way that is known.  It may decline
 * to tell of a port that it was not asked at. */
static void on_second_port(void *arg, const struct mad_query *q,
			   const struct mad_reply *r)
{
	struct claim *c = arg;
	struct sweep *sw = c->sw;
	struct mad_query own = *q;

	own.arg = sw;
	if (!r->failed)
		walk_take_port(sw, &own, r->data);
	if (fit(sw, q->node, c) == FIT_YES)
		ask_far_side(sw, c);
	else
		c->verified = NO_NODE; /* stays open */
}

static void ask_second_port(struct sweep *sw, uint32_t x, struct claim *c)
{
	struct reach *r = &sweep_target(sw, x)->reach;
	struct mad_query q = {
		.dest = &r->dest, .done = on_second_port, .arg = c,
		.mkey = r->dest.mkey, .node = x, .port = c->info.local_port,
		.attribute = ATTR_PORT_INFO, .modifier = c->info.local_port,
		.mgmt_class = CLASS_SMP,
	};

	mad_submit(sw->mad, &q);
}

/* Would a second node of that GUID say the same? */
static int is_doubtful(struct sweep *sw, uint32_t x, const struct claim *c)
{
	const struct node *n = sw->snap->nodes[x];

	if (c->verified == x ||
	    n->ports[c->info.local_port].peer_node != NO_NODE)
		return 0;
	if (n->type == NODE_SWITCH)
		return x == c->node;
	return !sweep_reach(sw, x, c->info.local_port);
}

static void join(struct sweep *sw, uint32_t x, struct claim *c)
{
	const struct node *n = sw->snap->nodes[x];

	if (!is_doubtful(sw, x, c)) {
		walk_arrive(sw, c->node, c->port, x, &c->info, 0);
		drop(c);
		return;
	}
	c->verified = x;
	if (n->type == NODE_SWITCH || n->ports[c->info.local_port].present)
		ask_far_side(sw, c);
	else
		ask_second_port(sw, x, c);
}

void duplicates_claim(struct sweep *sw, uint32_t node, uint8_t port,
		      const struct node_info *info)
{
	struct claim now = { .next = sw->claims, .sw = sw, .info = *info,
			     .node = node, .port = port,
			     .not_node = NO_NODE, .verified = NO_NODE };
	struct claim *c = &now;
	uint32_t x = find_fit(sw, c, 0);

	if (x == NO_NODE || is_doubtful(sw, x, c)) {
		c = xcalloc(1, sizeof(*c));
		*c = now;
		sw->claims = c;
	}
	if (x != NO_NODE)
		join(sw, x, c);
}

/* --- asking once more ------------------------------------------------- */

static void unjoin(struct sweep *sw, uint32_t node, uint8_t port)
{
	struct port *p = &sw->snap->nodes[node]->ports[port];
	struct port *far = snapshot_peer(sw->snap, p);

	if (!far)
		return;
	far->peer_node = p->peer_node = NO_NODE;
}

/* Was the port's neighbour reached by way of it?  It is another one then, and
 * so may be all that was found behind it. */
static void mislead(struct sweep *sw, const struct mad_query *q)
{
	uint32_t x = sw->snap->nodes[q->node]->ports[q->port].peer_node;
	const struct route *in;
	struct route route;

	if (x == NO_NODE || route_extend(q->dest->route, q->port, &route) < 0)
		return;
	in = sweep_target(sw, x)->reach.dest.route;
	if (!in || memcmp(in, &route, sizeof(route)))
		return;
	if (sw->snap->nodes[x]->type != NODE_SWITCH)
		sweep_target(sw, x)->misled = 1;
	else
		sweep_malformed(sw, q, "its cable moved while it was read: "
				"what is behind it may be wrong");
}

static void on_probe_again(void *arg, const struct mad_query *q,
			   const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct half *h = walk_half(sw, q->node, q->port);
	struct node_info info;

	if (!r->failed && decode_node_info(r->data, &info) == 0 &&
	    info.node_guid == h->guid && info.local_port == h->port)
		return;
	/* Not asked again is no evidence; silence is. */
	if (r->failed && r->failed != 1 + FAIL_NO_ANSWER) {
		sweep_fail(sw, q, r);
		return;
	}
	h->told = 0;
	mislead(sw, q);
	unjoin(sw, q->node, q->port);
	walk_on_node_info(sw, q, r);
}

/* Returns 0 when that was done before, or cannot be. */
static int ask_again(struct sweep *sw, uint32_t node, uint8_t port)
{
	const struct port *p = &sw->snap->nodes[node]->ports[port];
	struct half *h = walk_half(sw, node, port);
	struct mad_query q;

	if (!h || h->again)
		return 0;
	h->again = 1;
	if (h->told) {
		q = walk_probe(sw, node, port, on_probe_again);
		mad_submit(sw->mad, &q);
	} else if (p->present && !port_is_up(p)) {
		walk_ask_port_again(sw, node, port);
	}
	return 1;
}

/* The claiming port, and all who have the port that it claims. */
static int ask_claim_again(struct sweep *sw, const struct claim *c)
{
	uint32_t x = snapshot_find(sw->snap, c->info.node_guid, 0);
	int asked = ask_again(sw, c->node, c->port);

	for (; x != NO_NODE; x = sweep_target(sw, x)->next_same) {
		const struct node *n = sw->snap->nodes[x];
		const struct port *far;

		if (n->type != c->info.type || n->nports != c->info.nports)
			continue;
		far = &n->ports[c->info.local_port];
		if (far->peer_node != NO_NODE)
			asked |= ask_again(sw, far->peer_node, far->peer_port);
		else
			asked |= ask_again(sw, x, c->info.local_port);
	}
	return asked;
}

/* --- another node ----------------------------------------------------- */

static void give_up(struct sweep *sw, struct claim *c, const char *why)
{
	struct mad_query q = walk_probe(sw, c->node, c->port, NULL);

	sweep_malformed(sw, &q, why);
	drop(c);
}

/* Has another node of the claiming node's GUID, at the same port, the
 * neighbour that is claimed? */
static int goes_round(struct sweep *sw, const struct claim *c)
{
	const struct snapshot *s = sw->snap;
	uint32_t x = snapshot_find(s, c->info.node_guid, 0);

	if (c->info.type != NODE_SWITCH)
		return 0;
	for (; x != NO_NODE; x = sweep_target(sw, x)->next_same) {
		const struct port *far;

		if (c->info.local_port > s->nodes[x]->nports)
			continue;
		far = &s->nodes[x]->ports[c->info.local_port];
		if (far->peer_node != NO_NODE && far->peer_node != c->node &&
		    far->peer_port == c->port &&
		    s->nodes[far->peer_node]->guid == s->nodes[c->node]->guid)
			return 1;
	}
	return 0;
}

/* Make the claimed node the next instance of its GUID. */
static void add_instance(struct sweep *sw, struct claim *c, int32_t instance,
			 uint32_t first)
{
	const struct route *from = sweep_target(sw, c->node)->reach.dest.route;
	struct route route;
	uint32_t i;

	if (route_extend(from, c->port, &route) < 0) {
		give_up(sw, c, "further away than a directed route can reach");
		return;
	}
	i = walk_add_node(sw, &c->info, instance, &route);
	sweep_target(sw, i)->next_same = sweep_target(sw, first)->next_same;
	sweep_target(sw, first)->next_same = i;
	walk_arrive(sw, c->node, c->port, i, &c->info, 1);
	drop(c);
}

static void make_instance(struct sweep *sw, struct claim *c, struct room *room)
{
	int *left = c->info.type == NODE_SWITCH ? &room->switches :
						  &room->adapters;
	uint32_t first = snapshot_find(sw->snap, c->info.node_guid, 0);
	uint32_t x = find_fit(sw, c, 0);
	int32_t last;

	if (x != NO_NODE) {
		join(sw, x, c);
		return;
	}
	if (goes_round(sw, c)) {
		give_up(sw, c, "a NodeGUID used twice: what is behind this "
			"port was not read");
		return;
	}
	if (--*left < 0) {
		give_up(sw, c, "too many nodes share NodeGUIDs");
		return;
	}
	x = sweep_target(sw, first)->next_same;
	last = x == NO_NODE ? 0 : sw->snap->nodes[x]->instance;
	add_instance(sw, c, last + 1, first);
}

/* --- all claims ------------------------------------------------------- */

/* Forget what is decided, and what the port does not say any more. */
static int sort_out(struct sweep *sw)
{
	struct claim **at = &sw->claims, *c;

	while ((c = *at)) {
		const struct half *h = walk_half(sw, c->node, c->port);

		if (!c->done && h->told && h->guid == c->info.node_guid &&
		    h->port == c->info.local_port) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		free(c);
	}
	return !!sw->claims;
}

static void join_what_fits(struct sweep *sw)
{
	struct claim *c;

	for (c = sw->claims; c; c = c->next) {
		uint32_t x = c->done ? NO_NODE : find_fit(sw, c, 1);

		if (x != NO_NODE)
			join(sw, x, c);
	}
}

static int ask_all_again(struct sweep *sw)
{
	struct claim *c;
	int asked = 0;

	for (c = sw->claims; c; c = c->next)
		if (!c->done)
			asked |= ask_claim_again(sw, c);
	return asked;
}

static void give_all_up(struct sweep *sw, const char *why)
{
	struct claim *c;

	for (c = sw->claims; c; c = c->next)
		if (!c->done)
			give_up(sw, c, why);
}

/* At most one new switch a GUID. */
static void make_instances(struct sweep *sw, struct room *room)
{
	struct map made = { 0 };
	struct claim *c;

	for (c = sw->claims; c; c = c->next) {
		if (c->done || map_get(&made, c->info.node_guid) != MAP_NONE)
			continue;
		make_instance(sw, c, room);
		if (c->info.type == NODE_SWITCH)
			map_set(&made, c->info.node_guid, 1);
	}
	map_free(&made);
}

int duplicates_settle(struct sweep *sw, struct err *err)
{
	struct room room = { SWITCHES_MAX, ADAPTERS_MAX };

	while (sort_out(sw)) {
		join_what_fits(sw);
		if (mad_run(sw->mad, sw->deadline_us, err) < 0)
			return -1;
		if (!sort_out(sw))
			break;
		if (mad_stopped(sw->mad))
			give_all_up(sw, mad_stopped(sw->mad));
		else if (!ask_all_again(sw))
			make_instances(sw, &room);
		if (mad_run(sw->mad, sw->deadline_us, err) < 0)
			return -1;
	}
	return 0;
}

void duplicates_free(struct sweep *sw)
{
	struct claim *c;

	while ((c = sw->claims)) {
		sw->claims = c->next;
		free(c);
	}
}
