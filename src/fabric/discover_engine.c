/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "fabric/sweep.h"

/*
 * Notes
 *
 * Discovery by directed route.  NodeInfo through an exit of a known node says
 * who is behind it, and at which of its ports we came in: that is a link.  A
 * node that is new is then asked for its description and PortInfo; a switch
 * first for port 0, whose capability words hold for all its ports, then for
 * the others.  Each port of a switch that is up, but the one we came in by,
 * is probed in turn.
 *
 * Nothing that fails ends the walk.  A port whose PortInfo was lost is probed
 * all the same: what hangs behind it may still answer.
 */

static void probe(struct sweep *sw, uint32_t node, uint8_t port, int quiet);
static void ask_port(struct sweep *sw, uint32_t node, struct reach *r,
		     uint8_t port, uint32_t flags);

static struct mad_query smp(struct sweep *sw, uint32_t node, struct reach *r,
			    uint8_t port, uint16_t attribute, mad_done_fn *done)
{
	return (struct mad_query){
		.dest = &r->dest, .done = done, .arg = sw, .node = node,
		.port = port, .attribute = attribute, .mgmt_class = CLASS_SMP,
	};
}

/* --- PortInfo --------------------------------------------------------- */

/* Every port of a switch that may lead on, but the one we came in by. */
static int leads_on(const struct node *n, const struct port *p)
{
	return n->type == NODE_SWITCH && p->num && p->num != n->arrival;
}

static void ask_other_ports(struct sweep *sw, uint32_t i)
{
	struct target *t = sweep_target(sw, i);
	int p;

	for (p = 1; p <= sw->snap->nodes[i]->nports; p++)
		ask_port(sw, i, &t->reach, (uint8_t)p, 0);
}

static void on_mlnx_port_info(void *arg, const struct mad_query *q,
			      const struct mad_reply *r)
{
	struct sweep *sw = arg;

	if (!r->failed)
		decode_mlnx_port_info(
			r->data, &sw->snap->nodes[q->node]->ports[q->port]);
	else if (!mad_reply_is_refusal(r))
		sweep_fail(sw, q, r);
}

static void ask_fdr10(struct sweep *sw, const struct mad_query *after,
		      struct reach *r)
{
	struct mad_query q = smp(sw, after->node, r, after->port,
				 ATTR_MLNX_PORT_INFO, on_mlnx_port_info);

	q.modifier = after->port;
	mad_submit(sw->mad, &q);
}

static void take_port_info(struct sweep *sw, const struct mad_query *q,
			   const uint8_t *data)
{
	struct node *n = sw->snap->nodes[q->node];
	struct port *p = &n->ports[q->port];
	struct target *t = sweep_target(sw, q->node);
	struct reach *r = sweep_reach(sw, q->node, q->port);
	struct port_caps own;
	const struct port_caps *caps = &t->caps;

	decode_port_caps(data, &own);
	if (n->type != NODE_SWITCH)
		caps = &own;
	else if (!q->port)
		t->caps = own;
	decode_port_info(data, port_is_end(n, p), caps, p);
	if (r && !(q->modifier & PORT_INFO_EXT) &&
	    port_info_wants_ext(data, caps))
		ask_port(sw, q->node, r, q->port, PORT_INFO_EXT);
	else if (r && port_wants_fdr10(n, p))
		ask_fdr10(sw, q, r);
}

static void on_port_info(void *arg, const struct mad_query *q,
			 const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct node *n = sw->snap->nodes[q->node];
	struct port *p = &n->ports[q->port];

	/* The second question is about the extended speed: refused, there is
	 * none; unanswered, the first answer may tell a wrong one. */
	if (q->modifier & PORT_INFO_EXT) {
		if (!r->failed) {
			take_port_info(sw, q, r->data);
		} else if (!mad_reply_is_refusal(r)) {
			sweep_fail(sw, q, r);
			p->speed = p->speed_code = p->speed_enabled =
				p->speed_supported = VAL_NONE;
		}
		return;
	}
	sw->progress.ports_read++;
	if (r->failed)
		sweep_fail(sw, q, r);
	else
		take_port_info(sw, q, r->data);
	if (n->type == NODE_SWITCH && !q->port)
		ask_other_ports(sw, q->node);
	else if (leads_on(n, p) && (r->failed || port_is_up(p)))
		probe(sw, q->node, q->port, r->failed);
}

static void ask_port(struct sweep *sw, uint32_t node, struct reach *r,
		     uint8_t port, uint32_t flags)
{
	struct mad_query q = smp(sw, node, r, port, ATTR_PORT_INFO,
				 on_port_info);

	q.modifier = port | flags;
	if (!flags)
		sw->progress.ports_known++;
	mad_submit(sw->mad, &q);
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

	q = smp(sw, i, r, NO_PORT, ATTR_NODE_DESC, on_node_desc);
	mad_submit(sw->mad, &q);
	if (n->type == NODE_SWITCH) {
		q = smp(sw, i, r, NO_PORT, ATTR_SWITCH_INFO, on_switch_info);
		mad_submit(sw->mad, &q);
		ask_port(sw, i, r, 0, 0);
	}
}

/* A subnet has no more nodes than unicast LIDs; beyond that somebody makes
 * them up. */
#define MAX_NODES 0xbfff

static uint32_t add_node(struct sweep *sw, const struct node_info *info,
			 const struct route *route)
{
	struct node *n = snapshot_add_node(sw->snap, info->node_guid, 0,
					   info->nports);

	n->type = info->type;
	n->system_image_guid = info->system_image_guid;
	n->device_id = info->device_id;
	n->revision = info->revision;
	n->vendor_id = (int32_t)info->vendor_id;
	n->arrival = info->local_port;
	n->route = *route;
	return (uint32_t)(sw->snap->n_nodes - 1);
}

/* Arrival at a node's port for the first time. */
static void arrive(struct sweep *sw, uint32_t i, const struct node_info *info,
		   const struct route *route, int is_new)
{
	struct node *n = sw->snap->nodes[i];
	uint8_t own = n->type == NODE_SWITCH ? 0 : info->local_port;
	int added;
	struct reach *r = sweep_add_reach(sw, i, own, route, &added);

	if (added)
		n->ports[own].guid = info->port_guid;
	if (is_new)
		ask_node(sw, i, r);
	if (added && n->type != NODE_SWITCH)
		ask_port(sw, i, r, own, 0);
}

/* One node can not have two shapes, nor one port two neighbours. */
static const char *contradiction(const struct sweep *sw, uint32_t i,
				 const struct node_info *info,
				 const struct mad_query *q)
{
	const struct node *n = sw->snap->nodes[i];
	const struct port *near, *far;

	if (n->type != info->type || n->nports != info->nports)
		return "this NodeGUID was seen with another type or number of "
		       "ports: is it used twice?";
	if (q->node == NO_NODE)
		return NULL;
	near = &sw->snap->nodes[q->node]->ports[q->port];
	far = &n->ports[info->local_port];
	if ((near->peer_node != NO_NODE &&
	     (near->peer_node != i || near->peer_port != info->local_port)) ||
	    (far->peer_node != NO_NODE &&
	     (far->peer_node != q->node || far->peer_port != q->port)))
		return "a port has two neighbours: is a NodeGUID used twice, "
		       "or was a cable moved?";
	return NULL;
}

static void take_node_info(struct sweep *sw, const struct mad_query *q,
			   const struct node_info *info)
{
	struct snapshot *s = sw->snap;
	uint32_t i = snapshot_find(s, info->node_guid, 0);
	int is_new = i == NO_NODE;
	struct route route = q->dest->route;
	const char *why;

	if (q->exit && route_extend(&q->dest->route, q->exit, &route) < 0)
		return;
	if (is_new && s->n_nodes >= MAX_NODES) {
		sweep_malformed(sw, q, "more nodes than a subnet has LIDs");
		return;
	}
	if (is_new)
		i = add_node(sw, info, &route);
	why = contradiction(sw, i, info, q);
	if (why) {
		sweep_malformed(sw, q, why);
		return;
	}
	if (q->node != NO_NODE)
		snapshot_join(s, q->node, q->port, i, info->local_port);
	else
		s->local_node = i, s->local_port = info->local_port;
	arrive(sw, i, info, &route, is_new);
}

static void on_node_info(void *arg, const struct mad_query *q,
			 const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct node_info info;

	if (r->failed)
		sweep_fail(sw, q, r);
	else if (decode_node_info(r->data, &info) < 0)
		sweep_malformed(sw, q, "NodeInfo that cannot be true");
	else
		take_node_info(sw, q, &info);
}

/* Behind a port whose PortInfo was lost: the loss has its row already, and
 * the port may well be down. */
static void on_node_info_quiet(void *arg, const struct mad_query *q,
			       const struct mad_reply *r)
{
	if (!r->failed)
		on_node_info(arg, q, r);
}

static void probe(struct sweep *sw, uint32_t node, uint8_t port, int quiet)
{
	struct reach *r = &sweep_target(sw, node)->reach;
	struct mad_query q = smp(sw, node, r, port, ATTR_NODE_INFO,
				 quiet ? on_node_info_quiet : on_node_info);

	q.exit = port;
	if (r->dest.route.hops + 1 >= ROUTE_MAX)
		sweep_malformed(sw, &q, "further away than a directed route "
				"can reach");
	else
		mad_submit(sw->mad, &q);
}

/* The local node's own adapter: only the port that we use leads out, unless
 * the program runs on a switch. */
static void probe_from_local(struct sweep *sw)
{
	struct snapshot *s = sw->snap;

	if (s->nodes[s->local_node]->type != NODE_SWITCH)
		probe(sw, s->local_node, s->local_port, 0);
}

/* Ports of adapters that the sweep did not arrive at: one end of a cable to
 * another fabric, mostly.  An adapter may decline to tell. */
static void on_other_port(void *arg, const struct mad_query *q,
			  const struct mad_reply *r)
{
	((struct sweep *)arg)->progress.ports_read++;
	if (!r->failed)
		take_port_info(arg, q, r->data);
	else if (!mad_reply_is_refusal(r))
		sweep_fail(arg, q, r);
}

static void ask_unreached(struct sweep *sw, uint32_t i)
{
	struct node *n = sw->snap->nodes[i];
	int p;

	if (n->type == NODE_SWITCH)
		return;
	for (p = 1; p <= n->nports; p++) {
		struct mad_query q;

		if (sweep_reach(sw, i, (uint8_t)p))
			continue;
		q = smp(sw, i, &sweep_target(sw, i)->reach, (uint8_t)p,
			ATTR_PORT_INFO, on_other_port);
		q.modifier = (uint32_t)p;
		sw->progress.ports_known++;
		mad_submit(sw->mad, &q);
	}
}

/*
 * A link to a port that says it is down cannot be: the NodeInfo came from
 * another node with the same GUID, or a cable was pulled meanwhile.  Either
 * way what hangs there was not read.
 */
static void drop_impossible(struct sweep *sw, uint32_t i, struct port *p)
{
	struct mad_query q = smp(sw, i, &sweep_target(sw, i)->reach, p->num,
				 ATTR_NODE_INFO, NULL);
	struct port *far = snapshot_peer(sw->snap, p);

	if (!far || !p->present || !far->present || !port_is_up(p) ||
	    far->phys >= PHYS_LINKUP)
		return;
	q.exit = p->num;
	sweep_malformed(sw, &q, "leads to a port that says it is down: is a "
			"NodeGUID used twice?");
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

int discover_engine(struct sweep *sw, struct err *err)
{
	struct mad_query q = {
		.dest = &sw->first, .done = on_node_info, .arg = sw,
		.node = NO_NODE, .port = NO_PORT, .attribute = ATTR_NODE_INFO,
		.mgmt_class = CLASS_SMP,
	};
	uint32_t i;

	mad_submit(sw->mad, &q);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	if (sw->snap->local_node == NO_NODE)
		return err_set(err, "%s port %d: its own adapter does not "
			       "answer NodeInfo, so nothing of the fabric can "
			       "be read; try again, or another port (-P)",
			       sw->local.ca, sw->local.port);
	probe_from_local(sw);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	for (i = 0; i < sw->snap->n_nodes; i++)
		ask_unreached(sw, i);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	drop_all_impossible(sw);
	return 0;
}
