/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/expect.h"

/*
 * Notes
 *
 * What a technician does about a chain is to move plugs.  Of each cable that
 * is there one end stays where it is, and the other goes to the port that is
 * expected opposite that.  Which end stays follows from where the chain
 * begins; where it may begin at either side, that one is taken which moves
 * plugs within a node, and at switches.
 *
 * With one expected cable more than there are, one is missing besides; with
 * one less, one is too many.
 */

#define MOVES_MAX 8 /* in words */

struct move {
	uint32_t stays, from, to;
};

static size_t count_moves(const struct chain *c)
{
	if (c->is_ring)
		return c->n / 2;
	return c->begins_real ? c->n / 2 - 1 : (c->n - 1) / 2;
}

/* Each but those of a ring goes to a port that is free by then. */
static struct move get_move(const struct chain *c, size_t i)
{
	size_t at = 2 * (c->begins_real ? count_moves(c) - 1 - i : i) + 1;
	uint32_t before = c->port[at - 1], behind = c->port[(at + 1) % c->n];
	struct move m = { c->port[at], behind, before };

	if (c->begins_real) {
		m.from = before;
		m.to = behind;
	}
	return m;
}

static void turn(struct chain *c)
{
	size_t i;

	for (i = 0; i < c->n / 2; i++) {
		uint32_t p = c->port[i];

		c->port[i] = c->port[c->n - 1 - i];
		c->port[c->n - 1 - i] = p;
	}
}

static int at_switch(const struct expecting *e, uint32_t port)
{
	return e->nodes[e->ports[port].node].type == NODE_SWITCH;
}

static size_t ease(const struct expecting *e, const struct chain *c)
{
	size_t n = count_moves(c), i, sum = 0;

	for (i = 0; i < n; i++) {
		struct move m = get_move(c, i);

		sum += 4 * (e->ports[m.from].node == e->ports[m.to].node);
		sum += (size_t)(at_switch(e, m.from) + at_switch(e, m.to));
	}
	return sum;
}

/* A chain with as many expected as real cables begins at an expected one. */
static void settle(const struct expecting *e, struct chain *c)
{
	size_t was;

	if (c->n % 2) {
		if (c->begins_real)
			turn(c);
		c->begins_real = 0;
		return;
	}
	was = ease(e, c);
	turn(c);
	if (ease(e, c) <= was)
		turn(c);
}

static void add_pair(struct strbuf *b, const struct expecting *e,
		     const char *before, uint32_t p, const char *between,
		     uint32_t q)
{
	strbuf_add(b, before);
	expect_add_port(b, e, p);
	strbuf_add(b, between);
	expect_add_port(b, e, q);
}

static void add_facts(const struct expecting *e, const struct chain *c,
		      struct strbuf *b)
{
	size_t n = count_moves(c), i;

	for (i = 0; i < n && i < MOVES_MAX; i++) {
		struct move m = get_move(c, i);
		size_t at = 2 * i;

		if (c->is_ring) { /* as the plugs have it that move */
			m.stays = c->port[at];
			m.from = c->port[at ? at - 1 : c->n - 1];
			m.to = c->port[at + 1];
		}
		add_pair(b, e, i ? "; " : "", m.stays, " leads to ", m.from);
		strbuf_add(b, " and should lead to ");
		expect_add_port(b, e, m.to);
	}
	if (n > MOVES_MAX)
		strbuf_addf(b, "; and %zu more", n - MOVES_MAX);
	if (c->is_ring || c->n % 2)
		return;
	if (c->begins_real)
		add_pair(b, e, "; the cable from ", c->port[c->n - 2], " to ",
			 c->port[c->n - 1]);
	else
		add_pair(b, e, "; a cable from ", c->port[c->n - 2], " to ",
			 c->port[c->n - 1]);
	strbuf_add(b, c->begins_real ? " is one too many" : " is missing");
}

static void add_moves(const struct expecting *e, const struct chain *c,
		      struct strbuf *b)
{
	size_t n = count_moves(c), i;
	struct move m = get_move(c, 0);

	if (c->is_ring && n == 2) {
		add_pair(b, e, ": swap the plugs in ", m.to, " and ", m.from);
		return;
	}
	strbuf_add(b, ": ");
	if (c->begins_real)
		strbuf_add(b, "pull that one, and ");
	strbuf_add(b, c->is_ring ? "move the plugs round, that " :
				   "move the plug ");
	for (i = 0; i < n && i < MOVES_MAX; i++) {
		m = get_move(c, i);
		add_pair(b, e, !i ? "from " : c->is_ring ? ", from " :
			 ", then from ", m.from, " to ", m.to);
	}
	if (n > MOVES_MAX)
		strbuf_add(b, ", and so on");
}

/* One cable whose ends should lead to nodes that were not read. */
static void add_lone(const struct expecting *e, const struct chain *c,
		     struct strbuf *b)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		uint32_t link = e->ports[c->port[i]].link;
		const struct want_link *l = &e->links[link == NONE ? 0 : link];
		int far = l->port[0] == c->port[i];

		if (link == NONE)
			continue;
		add_pair(b, e, b->len ? "; " : "", c->port[i], " leads to ",
			 c->port[1 - i]);
		strbuf_add(b, " and should lead to ");
		expect_add_want(b, e, l->x->node[far]);
		strbuf_addf(b, " port %d", l->x->port[far]);
	}
}

void chain_tell(const struct expecting *e, struct chain *c, struct strbuf *b,
		uint32_t place[2])
{
	struct move m;

	settle(e, c);
	if (!count_moves(c)) {
		add_lone(e, c, b);
		place[0] = c->port[0];
		place[1] = c->port[1];
		return;
	}
	add_facts(e, c, b);
	add_moves(e, c, b);
	m = get_move(c, 0);
	place[0] = c->is_ring ? m.to : m.from;
	place[1] = c->is_ring ? m.from : m.to;
}
