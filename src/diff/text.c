/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "diff/internal.h"
#include "model/speed.h"
#include "util/guid.h"

#define INT_STRLEN 24 /* any 64-bit number */

void add_number(struct strbuf *b, int v)
{
	char s[INT_STRLEN], *at = s + sizeof(s);
	int rest = v;

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	strbuf_addn(b, at, (size_t)(s + sizeof(s) - at));
}

void add_port(struct strbuf *b, const struct diff *d, uint32_t port)
{
	strbuf_add(b, node_of(d, port)->label);
	strbuf_add(b, " port ");
	add_number(b, port_number(d, port));
}

void add_cable(struct strbuf *b, const struct diff *d, uint32_t p, uint32_t q)
{
	add_port(b, d, p);
	strbuf_add(b, " to ");
	add_port(b, d, q);
}

/* One without a name has its GUID as name. */
void add_node(struct strbuf *b, const struct diff_node *n)
{
	const struct node *node = node_in(n);
	char guid[GUID_STRLEN + 1];

	guid_format(node->guid, guid);
	if (!strcmp(n->name, guid)) {
		strbuf_add(b, n->label);
		return;
	}
	strbuf_addf(b, "%s (%s", n->name, guid);
	if (node->instance)
		strbuf_addf(b, ", duplicate %d", (int)node->instance);
	strbuf_add(b, ")");
}

void add_places(struct strbuf *b, const struct diff *d, uint32_t node, int in_a)
{
	const struct diff_node *n = &d->nodes[node];
	uint32_t p;

	for (p = n->ports; p < n->ports + n->n_ports; p++) {
		const struct diff_port *port = &d->ports[p];
		uint32_t far = in_a ? port->far_a : port->far_b;

		if (far == NONE)
			continue;
		if (b->len)
			strbuf_add(b, ", ");
		add_port(b, d, far);
	}
}

/* One lane of SDR is 2.5, the others are whole. */
static void add_gbps(struct strbuf *b, double gbps)
{
	if (gbps == (int)gbps)
		add_number(b, (int)gbps);
	else
		strbuf_addf(b, "%g", gbps);
}

static void add_rate(struct strbuf *b, int speed, int speed_code, int width)
{
	double gbps = link_gbps(speed, width);

	if (gbps > 0) {
		add_gbps(b, gbps);
		strbuf_add(b, " Gb/s (");
		strbuf_add(b, width_name(width));
		strbuf_add(b, " ");
		strbuf_add(b, speed_name(speed));
		strbuf_add(b, ")");
	} else if (speed_code > 0 && width_name(width)) {
		strbuf_addf(b, "unknown speed 0x%03x (%s)",
			    (unsigned)speed_code, width_name(width));
	}
}

int lesser(int a, int b)
{
	if (a == VAL_NONE || b == VAL_NONE)
		return a == VAL_NONE ? b : a;
	return a < b ? a : b;
}

static int has_unknown_speed(const struct port *p)
{
	return p->speed == VAL_NONE && p->speed_code > 0;
}

/* A speed that nobody knows comes before all others: nothing can be said of
 * the link then. */
void add_cable_rate(struct strbuf *b, const struct port *p,
		    const struct port *q)
{
	int width = lesser(p->width, q->width);

	if (has_unknown_speed(p))
		add_rate(b, VAL_NONE, p->speed_code, width);
	else if (has_unknown_speed(q))
		add_rate(b, VAL_NONE, q->speed_code, width);
	else
		add_rate(b, lesser(p->speed, q->speed), VAL_NONE, width);
}

/* What a port without a link does is its physical state. */
void add_state(struct strbuf *b, const struct port *p)
{
	if (p->phys != VAL_NONE &&
	    (p->state == STATE_DOWN || p->state == VAL_NONE)) {
		strbuf_add(b, phys_state_name(p->phys));
		return;
	}
	if (p->state == VAL_NONE)
		return;
	strbuf_add(b, port_state_name(p->state));
	if (p->phys != VAL_NONE && !port_is_up(p))
		strbuf_addf(b, " (%s)", phys_state_name(p->phys));
}

int is_change(int64_t before, int64_t after, int64_t none)
{
	return before != after && before != none && after != none;
}

static void add_field(struct strbuf *b, const char *name, const char *value)
{
	strbuf_add(b, b->len ? ", " : "");
	strbuf_add(b, name);
	strbuf_add(b, " ");
	strbuf_add(b, value);
}

void field_add(struct diff *d, const char *name, const char *before,
	       const char *after)
{
	add_field(&d->values, name, before);
	strbuf_add(&d->values, " -> ");
	strbuf_add(&d->values, after);
	add_field(&d->before, name, before);
	add_field(&d->after, name, after);
}

void field_add_int(struct diff *d, const char *name, const char *format,
		   int64_t before, int64_t after, int64_t none)
{
	char was[INT_STRLEN], is[INT_STRLEN];

	if (!is_change(before, after, none))
		return;
	snprintf(was, sizeof(was), format, before);
	snprintf(is, sizeof(is), format, after);
	field_add(d, name, was, is);
}

int has_fields(const struct diff *d)
{
	return d->values.len > 0;
}
