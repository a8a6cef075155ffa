/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/walk.h"

/*
 * Notes
 *
 * PortInfo in the engine's discovery.  A switch is asked for its ports one
 * after the other, each when the one before is known: more would only wait,
 * since one query at a time goes to a node.
 */

/* Every port of a switch that may lead on, but the one we came in by. */
static int leads_on(const struct node *n, const struct port *p)
{
	return n->type == NODE_SWITCH && p->num && p->num != n->arrival;
}

static void ask_next_port(struct sweep *sw, uint32_t i, uint8_t port)
{
	const struct node *n = sw->snap->nodes[i];

	if (n->type == NODE_SWITCH && port < n->nports)
		walk_ask_port(sw, i, &sweep_target(sw, i)->reach,
			 (uint8_t)(port + 1));
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

/* FDR10 looks like QDR. */
static void ask_fdr10(struct sweep *sw, const struct mad_query *after)
{
	const struct node *n = sw->snap->nodes[after->node];
	struct mad_query q = *after;

	if (!port_wants_fdr10(n, &n->ports[after->port]))
		return;
	q.done = on_mlnx_port_info;
	q.attribute = ATTR_MLNX_PORT_INFO;
	q.modifier = after->port;
	mad_submit(sw->mad, &q);
}

/* The capability words that hold for a port, once its answer is there. */
static const struct port_caps *caps_of(struct sweep *sw, uint32_t node,
				       uint8_t port, const uint8_t *data,
				       struct port_caps *own)
{
	struct target *t = sweep_target(sw, node);

	decode_port_caps(data, own);
	if (sw->snap->nodes[node]->type != NODE_SWITCH)
		return own;
	if (!port)
		t->caps = *own;
	return &t->caps;
}

static void take_port(struct sweep *sw, uint32_t node, uint8_t port,
		      const uint8_t *data)
{
	struct node *n = sw->snap->nodes[node];
	struct port *p = &n->ports[port];
	struct port_caps own;

	decode_port_info(data, port_is_end(n, p),
			 caps_of(sw, node, port, data, &own), p);
}

/* The second question is about the extended speed: refused, there is none;
 * unanswered, the first answer may tell a wrong one. */
static void on_port_info_ext(void *arg, const struct mad_query *q,
			     const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct port *p = &sw->snap->nodes[q->node]->ports[q->port];

	if (!r->failed) {
		take_port(sw, q->node, q->port, r->data);
	} else if (mad_reply_is_refusal(r)) {
		sweep_target(sw, q->node)->no_ext = 1;
	} else {
		sweep_fail(sw, q, r);
		p->speed = p->speed_code = p->speed_enabled =
			p->speed_supported = VAL_NONE;
		return;
	}
	ask_fdr10(sw, q);
}

/* Ask again where the answer is known to lack something. */
static void ask_speed(struct sweep *sw, const struct mad_query *q,
		      const uint8_t *data)
{
	struct target *t = sweep_target(sw, q->node);
	struct mad_query ext = *q;
	struct port_caps own;

	/* Port 0 of a switch has no link. */
	if ((q->modifier & PORT_INFO_EXT) || t->no_ext || !q->port ||
	    !port_info_wants_ext(data, caps_of(sw, q->node, q->port, data,
					       &own))) {
		ask_fdr10(sw, q);
		return;
	}
	ext.done = on_port_info_ext;
	ext.modifier |= PORT_INFO_EXT;
	mad_submit(sw->mad, &ext);
}

void walk_take_port(struct sweep *sw, const struct mad_query *q,
		    const uint8_t *data)
{
	take_port(sw, q->node, q->port, data);
	ask_speed(sw, q, data);
}

static void on_port_info(void *arg, const struct mad_query *q,
			 const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct node *n = sw->snap->nodes[q->node];
	struct port *p = &n->ports[q->port];
	struct mad_query plain = *q;

	if ((q->modifier & PORT_INFO_EXT) && mad_reply_is_refusal(r)) {
		sweep_target(sw, q->node)->no_ext = 1;
		plain.modifier &= ~PORT_INFO_EXT;
		mad_submit(sw->mad, &plain);
		return;
	}
	sw->progress.ports_read++;
	if (r->failed)
		sweep_fail(sw, q, r);
	else
		walk_take_port(sw, q, r->data);
	if (leads_on(n, p) && (r->failed || port_is_up(p)))
		walk_probe_port(sw, q->node, q->port, r->failed);
	ask_next_port(sw, q->node, q->port);
	sweep_port_known(sw, q->node, q->port);
}

/* Some switches tell the extended speeds only to who asks for them: where
 * port 0 announced them, the others are asked so from the first. */
static uint32_t port_modifier(struct sweep *sw, uint32_t node, uint8_t port)
{
	const struct target *t = sweep_target(sw, node);

	if (sw->snap->nodes[node]->type == NODE_SWITCH && port &&
	    !t->no_ext && port_caps_have_ext(&t->caps))
		return port | PORT_INFO_EXT;
	return port;
}

void walk_ask_port(struct sweep *sw, uint32_t node, struct reach *r,
		   uint8_t port)
{
	struct mad_query q = walk_smp(sw, node, r, port, ATTR_PORT_INFO,
				 on_port_info);

	q.modifier = port_modifier(sw, node, port);
	sw->progress.ports_known++;
	mad_submit(sw->mad, &q);
}

static void on_port_info_again(void *arg, const struct mad_query *q,
			       const struct mad_reply *r)
{
	struct sweep *sw = arg;

	if (r->failed) {
		sweep_fail(sw, q, r);
		return;
	}
	walk_take_port(sw, q, r->data);
	if (port_is_up(&sw->snap->nodes[q->node]->ports[q->port]) &&
	    walk_half(sw, q->node, q->port))
		walk_probe_port(sw, q->node, q->port, 0);
	sweep_port_known(sw, q->node, q->port);
}

void walk_ask_port_again(struct sweep *sw, uint32_t node, uint8_t port)
{
	struct reach *r = sweep_reach(sw, node, port);
	struct mad_query q;

	if (!r)
		r = &sweep_target(sw, node)->reach;
	q = walk_smp(sw, node, r, port, ATTR_PORT_INFO, on_port_info_again);
	q.modifier = port_modifier(sw, node, port);
	mad_submit(sw->mad, &q);
}
