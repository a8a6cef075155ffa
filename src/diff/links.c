/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "diff/internal.h"

/*
 * Notes
 *
 * Both ends tell of a cable.  A value of it is the lesser of both, and of both
 * snapshots the same ends are looked at: those where it is known before and
 * after.
 */

static int is_first(const struct diff *d, uint32_t p, uint32_t q)
{
	return q != NONE && first_end(d, p, q) == p;
}

static void tell_cable(struct diff *d, enum change_kind kind, uint32_t p,
		       uint32_t q)
{
	struct change *c = tell(d, kind);

	tell_port(d, c, p);
	tell_port(d, c, q);
}

/* What the end of a link that went does, where it is known: it is down, or
 * leads elsewhere. */
static void add_end(struct strbuf *b, const struct diff *d, uint32_t p,
		    int in_a)
{
	const struct diff_port *port = &d->ports[p];
	const struct port *now = in_a ? port->a : port->b;
	uint32_t far = in_a ? port->far_a : port->far_b;

	if (!now || !now->present || (!in_a && !port_compares(d, p)) ||
	    (far == NONE && !port_is_down(now)))
		return;
	strbuf_add(b, b->len ? ", " : "");
	add_port(b, d, p);
	strbuf_add(b, far == NONE ? " is " : " leads to ");
	if (far == NONE)
		add_state(b, now);
	else
		add_port(b, d, far);
}

static void tell_gone(struct diff *d, uint32_t p, uint32_t q)
{
	add_end(&d->after, d, p, 0);
	add_end(&d->after, d, q, 0);
	add_cable_rate(&d->before, d->ports[p].a, d->ports[q].a);
	strbuf_add(&d->line, "link ");
	add_cable(&d->line, d, p, q);
	strbuf_add(&d->line, " gone");
	if (d->after.len)
		strbuf_addf(&d->line, ": %s", d->after.s);
	tell_cable(d, CHANGE_LINK_GONE, p, q);
}

static void tell_new(struct diff *d, uint32_t p, uint32_t q)
{
	add_end(&d->before, d, p, 1);
	add_end(&d->before, d, q, 1);
	add_cable_rate(&d->after, d->ports[p].b, d->ports[q].b);
	strbuf_add(&d->line, "link ");
	add_cable(&d->line, d, p, q);
	strbuf_add(&d->line, " new");
	if (d->after.len)
		strbuf_addf(&d->line, ": %s", d->after.s);
	tell_cable(d, CHANGE_LINK_NEW, p, q);
}

/* Take one end into the values of its cable before and after. */
static void take_end(int end_was, int end_is, int *was, int *is)
{
	if (end_was == VAL_NONE || end_is == VAL_NONE)
		return;
	*was = lesser(*was, end_was);
	*is = lesser(*is, end_is);
}

/* With the value in d->before and d->after. */
static void tell_value(struct diff *d, enum change_kind kind, uint32_t p,
		       uint32_t q)
{
	strbuf_add(&d->line, "link ");
	add_cable(&d->line, d, p, q);
	strbuf_add(&d->line, kind == CHANGE_LINK_MTU ? ": MTU " : ": ");
	strbuf_add(&d->line, d->before.s);
	strbuf_add(&d->line, " -> ");
	strbuf_add(&d->line, d->after.s);
	tell_cable(d, kind, p, q);
}

/* A port that was down has its cable since then, and was not read in a: only
 * the other end told of the cable. */
static void take_state(const struct diff *d, uint32_t p, int *was, int *is)
{
	const struct diff_port *port = &d->ports[p];

	if (port_compares(d, p) && !port_is_down(port->a))
		take_end(port->a->state, port->b->state, was, is);
}

static void compare_state(struct diff *d, uint32_t p, uint32_t q)
{
	int was = VAL_NONE, is = VAL_NONE;

	take_state(d, p, &was, &is);
	take_state(d, q, &was, &is);
	if (was == is)
		return;
	strbuf_add(&d->before, port_state_name(was));
	strbuf_add(&d->after, port_state_name(is));
	tell_value(d, CHANGE_LINK_STATE, p, q);
}

/* The subnet manager sets NeighborMTU; before that it is what it happens to
 * be, IBA 14.2.5.6. */
static int has_mtu(const struct port *p)
{
	return p->state == STATE_ARMED || p->state == STATE_ACTIVE;
}

static void take_mtu(const struct diff *d, uint32_t p, int *was, int *is)
{
	const struct diff_port *port = &d->ports[p];

	if (port_compares(d, p) && has_mtu(port->a) && has_mtu(port->b))
		take_end(port->a->mtu, port->b->mtu, was, is);
}

static void compare_mtu(struct diff *d, uint32_t p, uint32_t q)
{
	int was = VAL_NONE, is = VAL_NONE;

	take_mtu(d, p, &was, &is);
	take_mtu(d, q, &was, &is);
	if (was == is)
		return;
	add_number(&d->before, was);
	add_number(&d->after, is);
	tell_value(d, CHANGE_LINK_MTU, p, q);
}

static int has_rate(const struct port *p)
{
	return (p->speed != VAL_NONE || p->speed_code > 0) &&
	       p->width != VAL_NONE;
}

static int same_rate(const struct port *p, const struct port *q)
{
	return p->speed == q->speed && p->width == q->width &&
	       (p->speed != VAL_NONE || p->speed_code == q->speed_code);
}

static int rate_compares(const struct diff *d, uint32_t p)
{
	return port_compares(d, p) && has_rate(d->ports[p].a) &&
	       has_rate(d->ports[p].b);
}

static void compare_rate(struct diff *d, uint32_t p, uint32_t q)
{
	const struct diff_port *end = &d->ports[rate_compares(d, p) ? p : q];
	const struct diff_port *other = &d->ports[rate_compares(d, q) ? q : p];

	if (!rate_compares(d, p) && !rate_compares(d, q))
		return;
	if (same_rate(end->a, end->b) && same_rate(other->a, other->b))
		return;
	add_cable_rate(&d->before, end->a, other->a);
	add_cable_rate(&d->after, end->b, other->b);
	if (d->before.len && d->after.len && strcmp(d->before.s, d->after.s))
		tell_value(d, CHANGE_LINK_RATE, p, q);
	strbuf_reset(&d->before);
	strbuf_reset(&d->after);
}

/* Not where the node at an end is unread: that is the event. */
static void compare_seen(struct diff *d, uint32_t p, uint32_t q)
{
	if (d->ports[p].a->link_seen != SEEN_READ ||
	    d->ports[p].b->link_seen == SEEN_READ ||
	    !node_was_read(node_of(d, p)) || !node_was_read(node_of(d, q)))
		return;
	strbuf_add(&d->line, "link ");
	add_cable(&d->line, d, p, q);
	strbuf_add(&d->line, " not read");
	tell_cable(d, CHANGE_LINK_UNREAD, p, q);
	d->ports[p].marks |= MARK_UNREAD;
	d->ports[q].marks |= MARK_UNREAD;
}

void diff_links(struct diff *d)
{
	uint32_t p, was, is;

	for (p = 0; p < d->n_ports; p++) {
		was = d->ports[p].far_a;
		is = d->ports[p].far_b;
		if (is_first(d, p, was) && was == is) {
			compare_rate(d, p, is);
			compare_state(d, p, is);
			compare_mtu(d, p, is);
			compare_seen(d, p, is);
			continue;
		}
		if (is_first(d, p, was) && is_lost(d, p))
			tell_gone(d, p, was);
		if (is_first(d, p, is) && is_gained(d, p))
			tell_new(d, p, is);
	}
}
