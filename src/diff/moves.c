/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/internal.h"

/*
 * Notes
 *
 * A cable that went and one that came are one that moved when they have a port
 * in common.  First come adapters whose port hangs elsewhere: they have moved,
 * whoever hangs where they did.  What remains are chains that have two ends
 * (swaps.c has the rings): from one of them on, each cable that went goes with
 * the one that came next to it, so that few are left alone.
 */

static void tell_move(struct diff *d, enum change_kind kind, const char *lead,
		      uint32_t p)
{
	uint32_t from = d->ports[p].far_a, to = d->ports[p].far_b;
	struct change *c;

	strbuf_add(&d->line, lead);
	add_port(&d->line, d, p);
	strbuf_add(&d->line, " moved from ");
	add_cable(&d->line, d, from, to);
	add_port(&d->before, d, from);
	add_port(&d->after, d, to);
	c = tell(d, kind);
	tell_port(d, c, p);
	tell_port(d, c, to);
	tell_port(d, c, from);
	tell_lost(d, p);
	tell_gained(d, p);
}

/* It hangs at another port, of which neither replaced the other's switch. */
static int has_moved(const struct diff *d, uint32_t p)
{
	const struct diff_port *port = &d->ports[p];

	if (!node_stays(node_of(d, p)) || node_is_switch(node_of(d, p)) ||
	    port->far_a == NONE || port->far_b == NONE ||
	    port->far_a == port->far_b || port->far_a == p ||
	    port->far_b == p || port->b->link_seen != SEEN_READ ||
	    port->marks & (MARK_TOLD_A | MARK_TOLD_B))
		return 0;
	return node_of(d, port->far_a)->heir != d->ports[port->far_b].node;
}

/* Along a chain from its end; p has one cable that is not told.  A port that is
 * cabled to itself ends it as well. */
static void pair_chain(struct diff *d, uint32_t p)
{
	int lost = is_lost(d, p);
	uint32_t mid, next;

	while (lost ? is_lost(d, p) : is_gained(d, p)) {
		mid = lost ? d->ports[p].far_a : d->ports[p].far_b;
		if (!(lost ? is_gained(d, mid) : is_lost(d, mid)))
			return;
		next = lost ? d->ports[mid].far_b : d->ports[mid].far_a;
		if (mid == p || next == mid)
			return;
		tell_move(d, CHANGE_LINK_MOVED, "link of ", mid);
		p = next;
	}
}

void diff_moves(struct diff *d)
{
	uint32_t p;

	for (p = 0; p < d->n_ports; p++)
		if (has_moved(d, p))
			tell_move(d, CHANGE_NODE_MOVED, "", p);
	for (p = 0; p < d->n_ports; p++)
		if (is_lost(d, p) != is_gained(d, p))
			pair_chain(d, p);
}
