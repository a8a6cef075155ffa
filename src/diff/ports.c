/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>

#include "diff/internal.h"
#include "model/speed.h"
#include "util/alloc.h"

#define LIDS_SHOWN 10 /* ports with a line of their own */

/* Ports that share a line. */
struct group {
	uint32_t *ports;
	size_t n, cap;
};

static void group_add(struct group *g, uint32_t p)
{
	g->ports = xgrow(g->ports, g->n, &g->cap, sizeof(*g->ports));
	g->ports[g->n++] = p;
}

/* Whose link came or went has a line already. */
static void compare_state(struct diff *d, uint32_t p)
{
	const struct diff_port *port = &d->ports[p];
	const struct port *a = port->a, *b = port->b;

	if (port->far_a != NONE || port->far_b != NONE ||
	    (!is_change(a->state, b->state, VAL_NONE) &&
	     !is_change(a->phys, b->phys, VAL_NONE)))
		return;
	add_state(&d->before, a);
	add_state(&d->after, b);
	add_port(&d->line, d, p);
	strbuf_addf(&d->line, ": %s -> %s", d->before.s, d->after.s);
	tell_port(d, tell(d, CHANGE_PORT_STATE), p);
}

static void add_rank(struct strbuf *b, const char *name)
{
	strbuf_add(b, b->len ? "," : "");
	strbuf_add(b, name);
}

static void add_mask(struct diff *d, const char *name, int before, int after,
		     int end, const char *(*name_of)(int rank))
{
	struct strbuf was = STRBUF_INIT, is = STRBUF_INIT;
	int rank;

	if (!is_change(before, after, VAL_NONE))
		return;
	for (rank = 1; rank < end; rank++) {
		if (before & 1 << rank)
			add_rank(&was, name_of(rank));
		if (after & 1 << rank)
			add_rank(&is, name_of(rank));
	}
	field_add(d, name, was.len ? was.s : "none", is.len ? is.s : "none");
	strbuf_free(&was);
	strbuf_free(&is);
}

static void compare_enabled(struct diff *d, uint32_t p)
{
	const struct port *a = d->ports[p].a, *b = d->ports[p].b;

	add_mask(d, "speeds enabled", a->speed_enabled, b->speed_enabled,
		 SPEED_END, speed_name);
	add_mask(d, "widths enabled", a->width_enabled, b->width_enabled,
		 WIDTH_END, width_name);
	add_mask(d, "speeds supported", a->speed_supported,
		 b->speed_supported, SPEED_END, speed_name);
	add_mask(d, "widths supported", a->width_supported,
		 b->width_supported, WIDTH_END, width_name);
	if (!has_fields(d))
		return;
	add_port(&d->line, d, p);
	strbuf_add(&d->line, ": ");
	tell_port(d, tell(d, CHANGE_PORT_ENABLED), p);
}

static int is_end_port(const struct diff *d, uint32_t p)
{
	return port_is_end(node_of(d, p)->b, d->ports[p].b);
}

static int has_new_lid(const struct port *a, const struct port *b)
{
	return is_change(a->lid, b->lid, VAL_NONE) ||
	       is_change(a->lmc, b->lmc, VAL_NONE);
}

static void tell_lid(struct diff *d, uint32_t p)
{
	const struct port *a = d->ports[p].a, *b = d->ports[p].b;

	field_add_int(d, "LID", "%" PRId64, a->lid, b->lid, VAL_NONE);
	field_add_int(d, "LMC", "%" PRId64, a->lmc, b->lmc, VAL_NONE);
	add_port(&d->line, d, p);
	strbuf_add(&d->line, ": ");
	tell_port(d, tell(d, CHANGE_PORT_LID), p);
}

static void tell_lids(struct diff *d, const struct group *g)
{
	struct change *c;
	size_t i;

	if (g->n <= LIDS_SHOWN) {
		for (i = 0; i < g->n; i++)
			tell_lid(d, g->ports[i]);
		return;
	}
	strbuf_addf(&d->line, "LID or LMC changed on %zu ports", g->n);
	c = tell(d, CHANGE_PORT_LID);
	for (i = 0; i < g->n; i++)
		tell_port(d, c, g->ports[i]);
}

/* Ports whose MasterSMLID changed, sorted by both values. */
struct sm_lid {
	int32_t was, is;
	uint32_t port;
};

struct sm_lids {
	struct sm_lid *list;
	size_t n, cap;
};

static int compare_sm_lids(const void *va, const void *vb)
{
	const struct sm_lid *p = va, *q = vb;

	if (p->was != q->was)
		return p->was < q->was ? -1 : 1;
	if (p->is != q->is)
		return p->is < q->is ? -1 : 1;
	return p->port < q->port ? -1 : 1;
}

static void sm_lids_add(struct sm_lids *l, int32_t was, int32_t is, uint32_t p)
{
	l->list = xgrow(l->list, l->n, &l->cap, sizeof(*l->list));
	l->list[l->n++] = (struct sm_lid){ was, is, p };
}

static void tell_sm_lid(struct diff *d, const struct sm_lid *l, size_t n)
{
	struct change *c;
	size_t i;

	strbuf_addf(&d->before, "%d", (int)l->was);
	strbuf_addf(&d->after, "%d", (int)l->is);
	if (n == 1)
		add_port(&d->line, d, l->port);
	else
		strbuf_addf(&d->line, "%zu ports", n);
	strbuf_addf(&d->line, ": MasterSMLID %s -> %s", d->before.s,
		    d->after.s);
	c = tell(d, CHANGE_PORT_SM_LID);
	for (i = 0; i < n; i++)
		tell_port(d, c, l[i].port);
}

static void tell_sm_lids(struct diff *d, struct sm_lids *l)
{
	size_t i, n;

	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), compare_sm_lids);
	for (i = 0; i < l->n; i += n) {
		n = 1;
		while (i + n < l->n && l->list[i + n].was == l->list[i].was &&
		       l->list[i + n].is == l->list[i].is)
			n++;
		tell_sm_lid(d, &l->list[i], n);
	}
}

/* Not where a line about the node or the link told it. */
static void compare_seen(struct diff *d, uint32_t p)
{
	const struct diff_port *port = &d->ports[p];

	if (!node_stays(node_of(d, p)) || !node_was_read(node_of(d, p)) ||
	    port->marks & MARK_UNREAD || !port->a || !port->b ||
	    !port->a->present || port->a->seen != SEEN_READ ||
	    (port->b->present && port->b->seen == SEEN_READ))
		return;
	add_port(&d->line, d, p);
	strbuf_add(&d->line, " not read");
	tell_port(d, tell(d, CHANGE_PORT_UNREAD), p);
}

void diff_ports(struct diff *d)
{
	struct group lids = { NULL, 0, 0 };
	struct sm_lids sm_lids = { NULL, 0, 0 };
	uint32_t p;

	for (p = 0; p < d->n_ports; p++) {
		const struct port *a = d->ports[p].a, *b = d->ports[p].b;

		compare_seen(d, p);
		if (!port_compares(d, p))
			continue;
		compare_state(d, p);
		compare_enabled(d, p);
		if (!is_end_port(d, p))
			continue;
		if (has_new_lid(a, b))
			group_add(&lids, p);
		if (is_change(a->sm_lid, b->sm_lid, VAL_NONE))
			sm_lids_add(&sm_lids, a->sm_lid, b->sm_lid, p);
	}
	tell_lids(d, &lids);
	tell_sm_lids(d, &sm_lids);
	free(lids.ports);
	free(sm_lids.list);
}
