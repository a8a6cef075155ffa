/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/sweep.h"

/*
 * Notes
 *
 * Every reached port whose CapabilityMask has IsSM is asked by directed
 * route, which finds a second master that no LID leads to.  A port that
 * hosted one in the snapshot before and whose PortInfo was lost is asked as
 * well: its silence must not look like absence.  A port that
 * MasterSMLID names without IsSM is asked too; its silence only says that the
 * subnet manager there is gone, so that it is no failed query.
 */

static int has_sm(const struct port *p)
{
	return p->cap_mask != VAL_NONE64 && (p->cap_mask & CAPMASK_IS_SM);
}

/* Does the port say so, or if it said nothing, did it? */
static int is_announced(struct sweep *sw, uint32_t node, int port)
{
	const struct port *p = &sw->snap->nodes[node]->ports[port];

	if (!p->present)
		p = sweep_prev_port(sw, node, port);
	return p && has_sm(p);
}

static void on_sm_info(void *arg, const struct mad_query *q,
		       const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct sm *sm;

	if (r->failed && !is_announced(sw, q->node, q->port))
		return;
	sm = snapshot_add_sm(sw->snap);
	sm->node = q->node;
	sm->port = q->port;
	if (r->failed)
		sweep_fail(sw, q, r);
	else
		decode_sm_info(r->data, sm);
}

static void ask_sm(struct sweep *sw, uint32_t node, uint8_t port)
{
	struct reach *r = sweep_reach(sw, node, port);
	struct mad_query q = {
		.done = on_sm_info, .arg = sw, .node = node, .port = port,
		.attribute = ATTR_SM_INFO, .mgmt_class = CLASS_SMP,
	};

	if (!r)
		return;
	q.dest = &r->dest;
	q.mkey = r->dest.mkey;
	mad_dest_forgive(q.dest); /* the one query that matters is sent */
	mad_submit(sw->mad, &q);
}

void sm_port_known(struct sweep *sw, uint32_t i, uint8_t port)
{
	const struct node *n = sw->snap->nodes[i];
	const struct port *p = &n->ports[port];

	if (port_is_end(n, p) && p->present && has_sm(p))
		ask_sm(sw, i, port);
}

/* What the local port holds its master to be; VAL_NONE when it has none. */
static int32_t master_lid(const struct snapshot *s)
{
	const struct node *n;
	int32_t lid;

	if (s->local_node == NO_NODE)
		return VAL_NONE;
	n = s->nodes[s->local_node];
	lid = n->ports[s->local_port].sm_lid;
	return lid > 0 ? lid : VAL_NONE;
}

void sweep_sms(struct sweep *sw)
{
	struct snapshot *s = sw->snap;
	int32_t master = master_lid(s);
	uint32_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++) {
			const struct port *port = &s->nodes[i]->ports[p];

			if (!port_is_end(s->nodes[i], port) ||
			    (port->present && has_sm(port)))
				continue;
			if (is_announced(sw, i, p) ||
			    (master != VAL_NONE && port->lid == master))
				ask_sm(sw, i, (uint8_t)p);
		}
}
