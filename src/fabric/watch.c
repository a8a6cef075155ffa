/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/sweep.h"
#include "util/clock.h"

/*
 * Notes
 *
 * All SMPs of this host pass through the local leaf, and VL15 has no flow
 * control: what it cannot take it drops, ours as well as the subnet
 * manager's.  Its counter VL15Dropped at our port is looked at a few times a
 * second.  A rise halves the windows; one that goes on stops the sweep.
 */

#define LOOK_US 250000
#define RISES_MAX 3
#define VL15_DROPPED_AT 22 /* in PortCounters, IBA 16.1.3.5 */

static void take(struct sweep *sw, int32_t dropped)
{
	struct watch *w = &sw->watch;

	if (w->dropped == VAL_NONE || dropped <= w->dropped) {
		w->rises = 0;
	} else {
		mad_narrow(sw->mad);
		if (++w->rises >= RISES_MAX)
			mad_stop(sw->mad, "stopped: the local leaf drops "
				 "subnet management packets (VL15Dropped)");
	}
	w->dropped = dropped;
}

static void on_look(void *arg, const struct mad_query *q,
		    const struct mad_reply *r)
{
	struct sweep *sw = arg;

	(void)q;
	sw->watch.is_asked = 0;
	if (!r->failed && r->data[1] == q->select)
		take(sw, r->data[VL15_DROPPED_AT] << 8 |
			 r->data[VL15_DROPPED_AT + 1]);
}

void watch_look(struct sweep *sw)
{
	struct watch *w = &sw->watch;
	const struct snapshot *s = sw->snap;
	int64_t now = clock_mono_us();
	const struct port *local;
	const struct node *leaf;

	if (!sw->opt->counters || s->local_node == NO_NODE || w->is_asked ||
	    now < w->next_us)
		return;
	local = &s->nodes[s->local_node]->ports[s->local_port];
	if (local->peer_node == NO_NODE)
		return;
	leaf = s->nodes[local->peer_node];
	if (leaf->type != NODE_SWITCH || leaf->ports[0].lid <= 0)
		return;
	w->is_asked = 1;
	w->next_us = now + LOOK_US;
	sweep_ask_pma(sw, local->peer_node, local->peer_port, local->peer_port,
		      ATTR_PORT_COUNTERS, on_look);
}
