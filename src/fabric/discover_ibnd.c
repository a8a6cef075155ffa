/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include <infiniband/ibnetdisc.h>

#include "fabric/mkey.h"
#include "fabric/sweep.h"

/*
 * Notes
 *
 * Discovery by libibnetdisc, the second opinion.  What it reads is decoded
 * again from its raw copies.  It says nowhere but on stderr what it lost: a
 * switch port without PortInfo and a port that is up without a neighbour are
 * taken for failed queries.
 */

static void set_route(struct route *r, const ib_dr_path_t *path)
{
	int i;

	r->hops = (uint8_t)(path->cnt < ROUTE_MAX ? path->cnt : ROUTE_MAX - 1);
	for (i = 0; i <= r->hops; i++)
		r->hop[i] = path->p[i];
}

static struct mad_query lost_query(struct sweep *sw, uint32_t i, uint8_t port,
				   uint16_t attribute)
{
	return (struct mad_query){
		.dest = &sweep_target(sw, i)->reach.dest, .node = i,
		.port = port, .attribute = attribute, .modifier = port,
		.mgmt_class = CLASS_SMP,
	};
}

static void lost(struct sweep *sw, uint32_t i, uint8_t port,
		 uint16_t attribute)
{
	struct mad_query q = lost_query(sw, i, port, attribute);
	struct mad_reply r = { .failed = 1 + FAIL_NO_ANSWER,
			       .text = "libibnetdisc has no answer" };

	if (attribute == ATTR_NODE_INFO) {
		q.exit = port;
		q.modifier = 0;
	}
	sweep_fail(sw, &q, &r);
}

/* A way to a port whose GUID is known. */
static void add_reach(struct sweep *sw, uint32_t i, uint8_t port)
{
	const struct node *n = sw->snap->nodes[i];
	int added;
	struct reach *r = sweep_add_reach(sw, i, port, &n->route, &added);

	r->dest.mkey = mkeys_at(sw->opt->mkeys, n, port);
}

static void take_port(struct sweep *sw, uint32_t i, const ibnd_node_t *from,
		      int port)
{
	struct node *n = sw->snap->nodes[i];
	struct port *p = &n->ports[port];
	const ibnd_port_t *ip = from->ports[port];
	const struct port_caps *caps = &sweep_target(sw, i)->caps;

	if (!ip) {
		if (n->type == NODE_SWITCH)
			lost(sw, i, (uint8_t)port, ATTR_PORT_INFO);
		return;
	}
	if (n->type != NODE_SWITCH) {
		caps = NULL;
		p->guid = ip->guid;
		add_reach(sw, i, (uint8_t)port);
	}
	decode_port_info(ip->info, port_is_end(n, p), caps, p);
	if (port_wants_fdr10(n, p))
		decode_mlnx_port_info(ip->ext_info, p);
	sw->progress.ports_read++;
}

/* Port 0 first: its capability words hold for all ports of a switch. */
static void take_ports(struct sweep *sw, uint32_t i, const ibnd_node_t *from)
{
	struct target *t = sweep_target(sw, i);
	int p;

	if (from->type == IB_NODE_SWITCH) {
		if (from->ports[0])
			decode_port_caps(from->ports[0]->info, &t->caps);
		sw->snap->nodes[i]->ports[0].guid =
			mad_get_field64((void *)from->info, 0,
					IB_NODE_PORT_GUID_F);
		add_reach(sw, i, 0);
		take_port(sw, i, from, 0);
	}
	for (p = 1; p <= from->numports; p++)
		take_port(sw, i, from, p);
}

static void take_node(struct sweep *sw, const ibnd_node_t *from)
{
	struct node_info info;
	struct node *n;
	uint32_t i;

	if (decode_node_info(from->info, &info) < 0)
		return;
	n = snapshot_add_node(sw->snap, info.node_guid, 0, info.nports);
	i = (uint32_t)(sw->snap->n_nodes - 1);
	n->type = info.type;
	n->system_image_guid = info.system_image_guid;
	n->device_id = info.device_id;
	n->revision = info.revision;
	n->vendor_id = (int32_t)info.vendor_id;
	n->arrival = info.local_port;
	set_route(&n->route, &from->path_portid.drpath);
	node_set_desc(n, from->nodedesc);
	if (n->type == NODE_SWITCH)
		decode_switch_info(from->switchinfo, n);
	take_ports(sw, i, from);
}

static void join_port(struct sweep *sw, uint32_t i, const ibnd_node_t *from,
		      int port)
{
	struct snapshot *s = sw->snap;
	const ibnd_port_t *far = from->ports[port] ?
				 from->ports[port]->remoteport : NULL;
	uint32_t peer = far ? snapshot_find(s, far->node->guid, 0) : NO_NODE;

	if (peer != NO_NODE)
		snapshot_join(s, i, (uint8_t)port, peer, (uint8_t)far->portnum);
	else if (port && from->ports[port] &&
		 port_is_up(&s->nodes[i]->ports[port]) &&
		 s->nodes[i]->type == NODE_SWITCH)
		lost(sw, i, (uint8_t)port, ATTR_NODE_INFO);
}

static void take_links(struct sweep *sw, const ibnd_fabric_t *fabric)
{
	const ibnd_node_t *from;
	int p;

	for (from = fabric->nodes; from; from = from->next) {
		uint32_t i = snapshot_find(sw->snap, from->guid, 0);

		for (p = 0; i != NO_NODE && p <= from->numports; p++)
			join_port(sw, i, from, p);
	}
}

int discover_ibnd(struct sweep *sw, struct err *err)
{
	ibnd_config_t config = {
		.max_smps = (unsigned)sw->mad_opt.smp_window,
		.timeout_ms = (unsigned)sw->mad_opt.timeout_ms,
		.retries = (unsigned)sw->mad_opt.retries,
		.flags = IBND_CONFIG_MLX_EPI,
		.mkey = mkeys_of(sw->opt->mkeys, 0),
	};
	ibnd_fabric_t *fabric;
	const ibnd_node_t *from;

	fabric = ibnd_discover_fabric(sw->local.ca, sw->local.port, NULL,
				      &config);
	if (!fabric)
		return err_set(err, "%s port %d: libibnetdisc could not read "
			       "the fabric; try --discovery engine",
			       sw->local.ca, sw->local.port);
	for (from = fabric->nodes; from; from = from->next)
		take_node(sw, from);
	take_links(sw, fabric);
	sw->snap->local_node = snapshot_find(sw->snap, fabric->from_node->guid,
					     0);
	sw->snap->local_port = (uint8_t)fabric->from_portnum;
	sw->snap->mads_sent += fabric->total_mads_used;
	ibnd_destroy_fabric(fabric);
	return 0;
}
