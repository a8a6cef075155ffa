/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "fabric/mkey.h"
#include "fabric/walk.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * Discovery by directed route.  NodeInfo through an exit of a known node says
 * who is behind it, and at which of its ports we came in.  A node that is new
 * is then asked for its description and PortInfo; a switch first for port 0,
 * whose capability words hold for all its ports, then for the others.  Each
 * port of a switch that is up, but the one we came in by, is probed in turn:
 * one probe an end of a link, and none of an adapter's.
 *
 * Nothing that fails ends the walk.  A port whose PortInfo was lost is probed
 * all the same: what hangs behind it may still answer.
 *
 * Counters and subnet managers are asked for as soon as a port is known.
 */

struct mad_query walk_smp(struct sweep *sw, uint32_t node, struct reach *r,
			  uint8_t port, uint16_t attribute, mad_done_fn *done)
{
	return (struct mad_query){
		.dest = &r->dest, .done = done, .arg = sw, .node = node,
		.mkey = r->dest.mkey, .port = port, .attribute = attribute,
		.mgmt_class = CLASS_SMP,
	};
}

struct half *walk_half(struct sweep *sw, uint32_t node, uint8_t port)
{
	struct half *halves = sweep_target(sw, node)->halves;

	return halves ? &halves[port] : NULL;
}

/* --- probes ----------------------------------------------------------- */

struct mad_query walk_probe(struct sweep *sw, uint32_t node, uint8_t port,
			    mad_done_fn *done)
{
	struct mad_query q = walk_smp(sw, node, &sweep_target(sw, node)->reach,
				 port, ATTR_NODE_INFO, done);

	q.exit = port;
	q.mkey = mkeys_behind(sw->opt->mkeys, sw->opt->prev,
			      sw->snap->nodes[node], port);
	return q;
}

/* Behind a port whose PortInfo was lost: the loss has its row already, and
 * the port may well be down. */
static void on_node_info_quiet(void *arg, const struct mad_query *q,
			       const struct mad_reply *r)
{
	if (!r->failed)
		walk_on_node_info(arg, q, r);
}

void walk_submit_probe(struct sweep *sw, const struct mad_query *q)
{
	if (q->dest->route->hops + 1 >= ROUTE_MAX)
		sweep_malformed(sw, q, "further away than a directed route "
				"can reach");
	else if (!trial_takes(sw, q))
		mad_submit(sw->mad, q);
}

void walk_probe_port(struct sweep *sw, uint32_t node, uint8_t port, int quiet)
{
	struct mad_query q = walk_probe(sw, node, port,
					quiet ? on_node_info_quiet :
						walk_on_node_info);

	walk_submit_probe(sw, &q);
}

/* --- NodeDescription, SwitchInfo -------------------------------------- */

static void on_node_desc(void *arg, const struct mad_query *q,
			 const struct mad_reply *r)
{
	struct sweep *sw = arg;

	if (r->failed)
		sweep_fail(sw, q, r);
	else
		node_set_desc(sw->snap->nodes[q->node], (const char *)r->data);
}

static void on_switch_info(void *arg, const struct mad_query *q,
			   const struct mad_reply *r)
{
	struct sweep *sw = arg;

	if (r->failed)
		sweep_fail(sw, q, r);
	else
		decode_switch_info(r->data, sw->snap->nodes[q->node]);
}

/* --- NodeInfo --------------------------------------------------------- */

static void ask_node(struct sweep *sw, uint32_t i, struct reach *r)
{
	struct node *n = sw->snap->nodes[i];
	struct mad_query q;

	q = walk_smp(sw, i, r, NO_PORT, ATTR_NODE_DESC, on_node_desc);
	mad_submit(sw->mad, &q);
	if (n->type == NODE_SWITCH) {
		q = walk_smp(sw, i, r, NO_PORT, ATTR_SWITCH_INFO, on_switch_info);
		mad_submit(sw->mad, &q);
		walk_ask_port(sw, i, r, 0);
	}
}

/* A subnet has no more nodes than unicast LIDs; beyond that somebody makes
 * them up. */
#define MAX_NODES 0xbfff

uint32_t walk_add_node(struct sweep *sw, const struct node_info *info,
		       int32_t instance, const struct route *route)
{
	struct node *n = snapshot_add_node(sw->snap, info->node_guid, instance,
					   info->nports);
	uint32_t i = (uint32_t)(sw->snap->n_nodes - 1);

	n->type = info->type;
	n->system_image_guid = info->system_image_guid;
	n->device_id = info->device_id;
	n->revision = info->revision;
	n->vendor_id = (int32_t)info->vendor_id;
	n->arrival = info->local_port;
	n->route = *route;
	if (n->type == NODE_SWITCH || i == 0)
		sweep_target(sw, i)->halves =
			xcalloc((size_t)n->nports + 1, sizeof(struct half));
	return i;
}

void walk_arrive(struct sweep *sw, uint32_t node, uint8_t port, uint32_t i,
		 const struct node_info *info, int is_new)
{
	struct snapshot *s = sw->snap;
	struct node *n = s->nodes[i];
	uint8_t own = n->type == NODE_SWITCH ? 0 : info->local_port;
	struct route route = n->route;
	struct reach *r;
	int added;

	if (node != NO_NODE) {
		route_extend(sweep_target(sw, node)->reach.dest.route, port,
			     &route);
		snapshot_join(s, node, port, i, info->local_port);
	}
	if (sweep_target(sw, i)->misled) {
		sweep_start_over(sw, i, &route, info->local_port);
		is_new = 1;
	}
	r = sweep_add_reach(sw, i, own, &route, &added);
	if (added) {
		n->ports[own].guid = info->port_guid;
		r->dest.mkey = mkeys_at(sw->opt->mkeys, n, own);
	}
	if (is_new)
		ask_node(sw, i, r);
	if (!added || n->type == NODE_SWITCH)
		return;
	if (n->ports[own].present)
		sweep_port_known(sw, i, own);
	else
		walk_ask_port(sw, i, r, own);
}

void walk_take_node(struct sweep *sw, const struct mad_query *q,
		    const struct node_info *info)
{
	struct route route = *q->dest->route;
	struct half *h = NULL;
	uint32_t i;

	if (q->node != NO_NODE)
		h = walk_half(sw, q->node, q->port);
	if (h) {
		h->guid = info->node_guid;
		h->port = info->local_port;
		h->told = 1;
	}
	if (snapshot_find(sw->snap, info->node_guid, 0) != NO_NODE) {
		duplicates_claim(sw, q->node, q->port, info);
		return;
	}
	if (q->exit && route_extend(q->dest->route, q->exit, &route) < 0)
		return;
	if (sw->snap->n_nodes >= MAX_NODES) {
		sweep_malformed(sw, q, "more nodes than a subnet has LIDs");
		return;
	}
	i = walk_add_node(sw, info, 0, &route);
	walk_arrive(sw, q->node, q->port, i, info, 1);
}

void walk_on_node_info(void *arg, const struct mad_query *q,
		       const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct node_info info;

	if (r->failed)
		sweep_fail(sw, q, r);
	else if (decode_node_info(r->data, &info) < 0)
		sweep_malformed(sw, q, "NodeInfo that cannot be true");
	else
		walk_take_node(sw, q, &info);
}

/* --- the whole -------------------------------------------------------- */

static void on_local(void *arg, const struct mad_query *q,
		     const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct node_info info;

	walk_on_node_info(arg, q, r);
	if (!sw->snap->n_nodes || decode_node_info(r->data, &info) < 0)
		return;
	sw->snap->local_node = 0;
	sw->snap->local_port = info.local_port;
}

static int ask_local(struct sweep *sw, struct err *err)
{
	struct mad_query q = {
		.dest = &sw->first, .done = on_local, .arg = sw,
		.node = NO_NODE, .port = NO_PORT, .attribute = ATTR_NODE_INFO,
		.mgmt_class = CLASS_SMP,
	};

	mad_submit(sw->mad, &q);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	if (sw->snap->local_node == NO_NODE)
		return err_set(err, "%s port %d: its own adapter does not "
			       "answer NodeInfo, so nothing of the fabric can "
			       "be read; try again, or another port (-P)",
			       sw->local.ca, sw->local.port);
	return 0;
}

/* The local node's own adapter: only the port that we use leads out, unless
 * the program runs on a switch. */
static void probe_from_local(struct sweep *sw)
{
	struct snapshot *s = sw->snap;

	if (s->nodes[s->local_node]->type != NODE_SWITCH)
		walk_probe_port(sw, s->local_node, s->local_port, 0);
}

/* Ports of adapters that the sweep did not arrive at: one end of a cable to
 * another fabric, mostly.  An adapter may decline to tell. */
static void on_other_port(void *arg, const struct mad_query *q,
			  const struct mad_reply *r)
{
	struct sweep *sw = arg;

	sw->progress.ports_read++;
	if (!r->failed)
		walk_take_port(sw, q, r->data);
	else if (!mad_reply_is_refusal(r))
		sweep_fail(sw, q, r);
}

static void ask_unreached(struct sweep *sw, uint32_t i)
{
	struct node *n = sw->snap->nodes[i];
	int p;

	if (n->type == NODE_SWITCH)
		return;
	for (p = 1; p <= n->nports; p++) {
		struct mad_query q;

		if (sweep_reach(sw, i, (uint8_t)p) || n->ports[p].present)
			continue;
		q = walk_smp(sw, i, &sweep_target(sw, i)->reach, (uint8_t)p,
			ATTR_PORT_INFO, on_other_port);
		q.modifier = (uint32_t)p;
		sw->progress.ports_known++;
		mad_submit(sw->mad, &q);
	}
}

/* A link to a port that says it is down cannot be: a cable was pulled
 * meanwhile.  What hangs there was not read. */
static void drop_impossible(struct sweep *sw, uint32_t i, struct port *p)
{
	struct mad_query q = walk_smp(sw, i, &sweep_target(sw, i)->reach, p->num,
				 ATTR_NODE_INFO, NULL);
	struct port *far = snapshot_peer(sw->snap, p);

	if (!far || !p->present || !far->present || !port_is_up(p) ||
	    far->phys >= PHYS_LINKUP)
		return;
	q.exit = p->num;
	sweep_malformed(sw, &q, "leads to a port that says it is down: was "
			"the cable moved?");
	p->peer_node = far->peer_node = NO_NODE;
}

static void drop_all_impossible(struct sweep *sw)
{
	uint32_t i;
	int p;

	for (i = 0; i < sw->snap->n_nodes; i++)
		for (p = 0; p <= sw->snap->nodes[i]->nports; p++)
			drop_impossible(sw, i, &sw->snap->nodes[i]->ports[p]);
}

/* Is a node away that the snapshot before has read? */
static int misses_some(const struct sweep *sw)
{
	const struct snapshot *prev = sw->opt->prev;
	size_t i;

	for (i = 0; prev && i < prev->n_nodes; i++)
		if (prev->nodes[i]->seen == SEEN_READ &&
		    !prev->nodes[i]->instance &&
		    snapshot_find(sw->snap, prev->nodes[i]->guid, 0) == NO_NODE)
			return 1;
	return 0;
}

/* It may have moved during the sweep, to a port that was read before it came:
 * then it is not gone. */
static int look_for_missed(struct sweep *sw, struct err *err)
{
	uint32_t i;
	int p;

	if (!misses_some(sw) || mad_stopped(sw->mad))
		return 0;
	for (i = 0; i < sw->snap->n_nodes; i++)
		for (p = 1; p <= sw->snap->nodes[i]->nports; p++) {
			const struct port *port = &sw->snap->nodes[i]->ports[p];

			if (walk_half(sw, i, (uint8_t)p) && port->present &&
			    port_is_down(port) && sweep_reach(sw, i, (uint8_t)p))
				walk_ask_port_again(sw, i, (uint8_t)p);
		}
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	return duplicates_settle(sw, err);
}

int discover_engine(struct sweep *sw, struct err *err)
{
	uint32_t i;

	if (ask_local(sw, err) < 0)
		return -1;
	probe_from_local(sw);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	trial_finish(sw);
	if (duplicates_settle(sw, err) < 0 || look_for_missed(sw, err) < 0)
		return -1;
	for (i = 0; i < sw->snap->n_nodes; i++)
		ask_unreached(sw, i);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	drop_all_impossible(sw);
	return 0;
}
