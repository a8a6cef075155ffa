/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/expectation.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

#define NO_INDEX UINT32_MAX

void expectation_free(struct expectation *x)
{
	while (x->n_nodes)
		free(x->nodes[--x->n_nodes].name);
	free(x->nodes);
	free(x->links);
	free(x->source);
	memset(x, 0, sizeof(*x));
}

struct expect_node *expectation_add_node(struct expectation *x, uint64_t guid,
					 const char *name)
{
	struct expect_node *n;

	x->nodes = xgrow(x->nodes, x->n_nodes, &x->cap_nodes, sizeof(*n));
	n = &x->nodes[x->n_nodes++];
	memset(n, 0, sizeof(*n));
	n->guid = guid;
	n->type = VAL_NONE;
	n->name = xstrdup(name);
	return n;
}

struct expect_link *expectation_add_link(struct expectation *x)
{
	struct expect_link *l;

	x->links = xgrow(x->links, x->n_links, &x->cap_links, sizeof(*l));
	l = &x->links[x->n_links++];
	memset(l, 0, sizeof(*l));
	l->speed = l->width = VAL_NONE;
	return l;
}

static void add_node(struct expectation *x, const struct node *n)
{
	struct strbuf name = STRBUF_INIT;
	struct expect_node *to;

	if (n->name)
		strbuf_add(&name, n->name);
	else
		text_safe(&name, n->desc, n->desc_len);
	to = expectation_add_node(x, n->guid, name.len ? name.s : NULL);
	to->instance = n->instance;
	to->type = n->type;
	strbuf_free(&name);
}

/* Of two ranks, of which 0 and below are not known. */
static int16_t lesser(int16_t a, int16_t b)
{
	if (a <= 0 || (b > 0 && b < a))
		a = b;
	return a > 0 ? a : VAL_NONE;
}

/* Is the cable met here, at its first end, and was it read? */
static int is_first_end(const struct snapshot *s, uint32_t node,
			const struct port *p)
{
	const struct port *q = snapshot_peer(s, p);

	if (!q || p->link_seen != SEEN_READ || q->link_seen != SEEN_READ ||
	    snapshot_peer(s, q) != p)
		return 0;
	return p->peer_node > node ||
	       (p->peer_node == node && q->num >= p->num);
}

static void add_cables(struct expectation *x, const struct snapshot *s,
		       uint32_t node, const uint32_t *index)
{
	const struct node *n = s->nodes[node];
	int i;

	for (i = 1; i <= n->nports; i++) {
		const struct port *p = &n->ports[i], *q = snapshot_peer(s, p);
		struct expect_link *l;

		if (!is_first_end(s, node, p) ||
		    index[p->peer_node] == NO_INDEX)
			continue;
		l = expectation_add_link(x);
		l->node[0] = index[node];
		l->node[1] = index[p->peer_node];
		l->port[0] = p->num;
		l->port[1] = q->num;
		l->speed = lesser(p->speed, q->speed);
		l->width = lesser(p->width, q->width);
	}
}

void expectation_of_snapshot(const struct snapshot *s, struct expectation *x)
{
	uint32_t *index = xcalloc(s->n_nodes ? s->n_nodes : 1, sizeof(*index));
	uint32_t i;

	for (i = 0; i < s->n_nodes; i++) {
		index[i] = NO_INDEX;
		if (s->nodes[i]->seen != SEEN_READ)
			continue;
		index[i] = (uint32_t)x->n_nodes;
		add_node(x, s->nodes[i]);
	}
	for (i = 0; i < s->n_nodes; i++)
		if (index[i] != NO_INDEX)
			add_cables(x, s, i, index);
	free(index);
}
