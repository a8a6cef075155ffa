/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "diff/internal.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * Each port has one cable in a at most, and one in b.  Ports and the cables
 * that went or came are therefore chains, in which both kinds take turns.  One
 * that is closed is a ring of cables whose plugs were exchanged: two cables
 * are the usual swap.  Every other port of a ring is on the same side: to put
 * it right it is enough to move the plugs on one of them.  A port that is
 * cabled to itself ends a chain.
 */

#define CABLES_SHOWN 8 /* in the text; all ports are in where */

/* What a ring's side is judged by. */
struct side {
	uint32_t first; /* the port that comes first */
	uint32_t n;
	int one_node, switches;
};

/* Where the plug in port p belongs: the next port on its side. */
static uint32_t plug_of(const struct diff *d, uint32_t p)
{
	return d->ports[d->ports[p].far_b].far_a;
}

/* Go on from port p as long as both kinds take turns; each port is passed
 * once in all.  Is it a ring? */
static int walk(struct diff *d, uint32_t p)
{
	uint32_t first = p, far;

	do {
		if (d->ports[p].marks & MARK_WALKED)
			return 0;
		d->ports[p].marks |= MARK_WALKED;
		if (!is_gained(d, p))
			return 0;
		far = d->ports[p].far_b;
		d->ports[far].marks |= MARK_WALKED;
		if (far == p || !is_lost(d, far))
			return 0;
		p = d->ports[far].far_a;
	} while (p != first);
	return 1;
}

static struct side judge(const struct diff *d, uint32_t p)
{
	struct side s = { p, 0, 1, 1 };
	uint32_t at = p;

	do {
		s.n++;
		s.one_node &= node_of(d, at) == node_of(d, p);
		s.switches &= node_is_switch(node_of(d, at));
		if (at < s.first)
			s.first = at;
		at = plug_of(d, at);
	} while (at != p);
	return s;
}

/* Plugs are moved where they are close together, and rather at a switch. */
static struct side better_side(const struct diff *d, uint32_t p)
{
	struct side s = judge(d, p), t = judge(d, d->ports[p].far_a);

	if (s.one_node != t.one_node)
		return s.one_node ? s : t;
	if (s.switches != t.switches)
		return s.switches ? s : t;
	return s.first < t.first ? s : t;
}

static int compare_ports(const void *va, const void *vb)
{
	const uint32_t *p = va, *q = vb;

	return (*p > *q) - (*p < *q);
}

/* The side's ports in their order, for the caller to free. */
static uint32_t *list_ports(const struct diff *d, const struct side *s)
{
	uint32_t *ports = xcalloc(s->n, sizeof(*ports)), p = s->first, i;

	for (i = 0; i < s->n; i++, p = plug_of(d, p))
		ports[i] = p;
	qsort(ports, s->n, sizeof(*ports), compare_ports);
	return ports;
}

static void add_cables(struct strbuf *b, const struct diff *d,
		       const uint32_t *ports, uint32_t n, int in_a)
{
	uint32_t i;

	for (i = 0; i < n && i < CABLES_SHOWN; i++) {
		const struct diff_port *port = &d->ports[ports[i]];

		strbuf_add(b, i ? ", " : "");
		add_cable(b, d, ports[i], in_a ? port->far_a : port->far_b);
	}
	if (i < n)
		strbuf_add(b, ", and others");
}

static void add_exchange(struct strbuf *b, const struct diff *d,
			 const uint32_t *ports, uint32_t n)
{
	uint32_t i;

	strbuf_addf(b, "%u cables exchanged: ", n);
	for (i = 0; i < n && i < CABLES_SHOWN; i++) {
		strbuf_add(b, i ? ", " : "");
		add_port(b, d, ports[i]);
		strbuf_add(b, " leads to ");
		add_port(b, d, d->ports[ports[i]].far_b);
		strbuf_add(b, " (was ");
		add_port(b, d, d->ports[ports[i]].far_a);
		strbuf_add(b, ")");
	}
	if (i < n)
		strbuf_addf(b, ", and %u more", n - i);
}

static void add_remedy(struct strbuf *b, const struct diff *d,
		       const struct side *s)
{
	uint32_t p = s->first, i;

	if (s->n == 2) {
		strbuf_add(b, "; swap the plugs in ");
		add_port(b, d, p);
		strbuf_add(b, " and ");
		add_port(b, d, plug_of(d, p));
		strbuf_add(b, " back");
		return;
	}
	strbuf_add(b, "; put the plugs back: ");
	for (i = 0; i < s->n && i < CABLES_SHOWN; i++, p = plug_of(d, p)) {
		add_port(b, d, p);
		strbuf_add(b, " -> ");
	}
	if (i < s->n)
		strbuf_add(b, "...");
	else
		add_port(b, d, p);
}

static void tell_ring(struct diff *d, uint32_t p)
{
	struct side s = better_side(d, p);
	uint32_t *ports = list_ports(d, &s), i;
	struct change *c;

	add_exchange(&d->line, d, ports, s.n);
	add_remedy(&d->line, d, &s);
	add_cables(&d->before, d, ports, s.n, 1);
	add_cables(&d->after, d, ports, s.n, 0);
	c = tell(d, CHANGE_LINK_SWAPPED);
	for (i = 0; i < s.n; i++) {
		tell_port(d, c, ports[i]);
		tell_port(d, c, d->ports[ports[i]].far_a);
		tell_lost(d, ports[i]);
		tell_gained(d, ports[i]);
	}
	free(ports);
}

void diff_swaps(struct diff *d)
{
	uint32_t p;

	for (p = 0; p < d->n_ports; p++)
		if (is_lost(d, p) && walk(d, p))
			tell_ring(d, p);
}
