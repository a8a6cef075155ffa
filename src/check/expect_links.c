/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "check/expect.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * A port has at most one cable that is expected and one that is there.  Where
 * they differ both are edges, so that what hangs together is a chain or a ring
 * in which they take turns.  A single expected cable is missing, a single real
 * one unexpected; what is longer is one event, and is told as that.  What was
 * not read has no edge.
 */

/* The real cable at a port of a chain; one to itself leads nowhere. */
static uint32_t real(const struct expecting *e, uint32_t p)
{
	return e->ports[p].peer == p ? NONE : e->ports[p].peer;
}

static uint32_t want(const struct expecting *e, uint32_t p)
{
	return e->ports[p].want;
}

static void add(struct chain *c, uint32_t port)
{
	c->port = xgrow(c->port, c->n, &c->cap, sizeof(*c->port));
	c->port[c->n++] = port;
}

/* Go from one end of an expected link to where the chain begins. */
static void find_begin(const struct expecting *e, uint32_t from,
		       struct chain *c, uint32_t *begin)
{
	uint32_t p = from, q;

	for (;;) {
		*begin = p;
		c->begins_real = 0;
		q = real(e, p);
		if (q == NONE)
			return;
		*begin = q;
		c->begins_real = 1;
		p = want(e, q);
		if (p == NONE)
			return;
		if (p == from) {
			c->is_ring = 1;
			c->begins_real = 0;
			*begin = from;
			return;
		}
	}
}

static void follow(struct expecting *e, struct chain *c, uint32_t from)
{
	uint32_t begin, p;
	int is_real;

	c->n = 0;
	c->is_ring = 0;
	find_begin(e, from, c, &begin);
	is_real = c->begins_real;
	for (p = begin; p != NONE; is_real = !is_real) {
		add(c, p);
		e->ports[p].is_told = 1;
		p = is_real ? real(e, p) : want(e, p);
		if (p == begin)
			break;
	}
}

static void judge_single(struct expecting *e, struct want_link *l)
{
	if (expect_is_certain(&e->ports[l->port[0]]) ||
	    expect_is_certain(&e->ports[l->port[1]]))
		l->state = LINK_MISSING;
}

static void add_odd(struct expecting *e, const uint32_t port[2], char *text,
		    size_t cables)
{
	struct odd_cable *o;

	e->odd = xgrow(e->odd, e->n_odd, &e->cap_odd, sizeof(*o));
	o = &e->odd[e->n_odd++];
	o->port[0] = port[0];
	o->port[1] = port[1];
	o->text = text;
	o->cables = (uint32_t)cables;
}

static void tell_chain(struct expecting *e, struct chain *c)
{
	struct strbuf b = STRBUF_INIT;
	uint32_t place[2];
	size_t i, cables = 0;

	for (i = 0; i < c->n; i++) {
		struct now_port *p = &e->ports[c->port[i]];

		if (p->want == NONE)
			continue;
		e->links[p->link].state = LINK_MISCABLED;
		cables++;
	}
	chain_tell(e, c, &b, place);
	add_odd(e, place, strbuf_take(&b), (cables + 1) / 2);
}

/* Which ports have an expected link, and which of those are there. */
static void lay_links(struct expecting *e)
{
	size_t i, k;

	for (i = 0; i < e->x.n_links; i++) {
		struct want_link *l = &e->links[i];

		l->x = &e->x.links[i];
		for (k = 0; k < 2; k++) {
			l->port[k] = expect_port(e, l->x->node[k],
						 l->x->port[k]);
			/* Two words may have come to mean one node. */
			if (l->port[k] != NONE &&
			    e->ports[l->port[k]].link == NONE)
				e->ports[l->port[k]].link = (uint32_t)i;
			else if (l->port[k] != NONE &&
				 e->ports[l->port[k]].link != i)
				l->port[k] = NONE;
		}
	}
}

static void compare(struct expecting *e, struct want_link *l)
{
	uint32_t a = l->port[0], b = l->port[1];

	if (a == NONE || b == NONE)
		return;
	if (e->ports[a].peer == b) {
		l->state = LINK_THERE;
	} else if (a == b) {
		judge_single(e, l);
	} else {
		e->ports[a].want = b;
		e->ports[b].want = a;
	}
}

static int is_expected_node(const struct expecting *e, uint32_t port)
{
	uint32_t i = e->nodes[e->ports[port].node].wanted;

	return i != NONE && e->wants[i].state == WANT_READ;
}

/* A cable that no chain has told of; p is its lower end. */
static void judge_real(struct expecting *e, uint32_t p, struct chain *c)
{
	uint32_t q = e->ports[p].peer, ends[2] = { p, q };
	const struct now_port *a = &e->ports[p], *b;

	if (q == NONE || q < p || a->is_told || e->ports[q].is_told ||
	    !is_expected_node(e, p) || !is_expected_node(e, q))
		return;
	b = &e->ports[q];
	if (a->link == NONE && b->link == NONE) {
		add_odd(e, ends, NULL, 0);
		return;
	}
	if (p == q || (a->link != NONE &&
		       e->links[a->link].state == LINK_THERE))
		return;
	c->n = 0;
	c->is_ring = 0;
	c->begins_real = 1;
	add(c, p);
	add(c, q);
	tell_chain(e, c);
}

void expect_judge_links(struct expecting *e)
{
	struct chain c = { 0 };
	uint32_t i;

	e->links = xcalloc(e->x.n_links + 1, sizeof(*e->links));
	lay_links(e);
	for (i = 0; i < e->x.n_links; i++)
		compare(e, &e->links[i]);
	for (i = 0; i < e->x.n_links; i++) {
		struct want_link *l = &e->links[i];

		if (l->port[0] == NONE || e->ports[l->port[0]].want == NONE ||
		    e->ports[l->port[0]].is_told)
			continue;
		follow(e, &c, l->port[0]);
		if (c.n == 2 && !c.begins_real)
			judge_single(e, l);
		else
			tell_chain(e, &c);
	}
	for (i = 0; i < e->n_ports; i++)
		judge_real(e, i, &c);
	free(c.port);
}
