/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/sweep.h"

/*
 * Notes
 *
 * PortRcvErrorDetails and PortXmitDiscardDetails tell what the events of
 * another counter were, so they are asked only where that one moved since the
 * snapshot before: on a fabric at rest, and in a first sweep, nowhere.  ClassPortInfo does not say
 * whether a node has them.  A node is asked one after another, and one that
 * refuses an attribute is not asked for it again.
 */

static const struct detail_row {
	unsigned src;
	uint16_t attribute;
} details[] = {
	{ SRC_RCV_DETAILS, ATTR_PORT_RCV_ERROR_DETAILS },
	{ SRC_XMIT_DETAILS, ATTR_PORT_XMIT_DISCARD_DETAILS },
};

#define N_DETAILS (sizeof(details) / sizeof(details[0]))

/* What the port's counter i was in the snapshot before; COUNTER_UNREAD when
 * that is not known, or when it was 0. */
static int64_t value_before(const struct sweep *sw, const struct node *n,
			    int port, int i)
{
	const struct snapshot *prev = sw->opt->prev;
	uint32_t at = prev ? snapshot_find(prev, n->guid, n->instance) :
			     NO_NODE;
	const struct counters *c;

	if (at == NO_NODE || port > prev->nodes[at]->nports)
		return COUNTER_UNREAD;
	c = prev->nodes[at]->ports[port].counters;
	return c ? counters_get(c, i) : COUNTER_UNREAD;
}

/* A rise, or what a counter that was reset counts since. */
static int is_wanted(struct sweep *sw, uint32_t i, int port,
		     const struct detail_row *d)
{
	const struct node *n = sw->snap->nodes[i];
	const struct counters *c = n->ports[port].counters;
	int parent = counter_parent(d->src);
	int64_t v;

	if (!c || sweep_target(sw, i)->lacks & d->src)
		return 0;
	v = counters_get(c, parent);
	return v > 0 && v != value_before(sw, n, port, parent);
}

static void on_details(void *arg, const struct mad_query *q,
		       const struct mad_reply *r);

/* Ask node i for the first thing that is wanted, from that port and row on. */
static void ask_next(struct sweep *sw, uint32_t i, int port, size_t row)
{
	for (; port <= sw->snap->nodes[i]->nports; port++, row = 0)
		for (; row < N_DETAILS; row++)
			if (is_wanted(sw, i, port, &details[row])) {
				sweep_ask_pma(sw, i, (uint8_t)port,
					      (uint8_t)port,
					      details[row].attribute,
					      on_details);
				return;
			}
}

static size_t row_of(uint16_t attribute)
{
	size_t row = 0;

	while (details[row].attribute != attribute)
		row++;
	return row;
}

static void on_details(void *arg, const struct mad_query *q,
		       const struct mad_reply *r)
{
	struct sweep *sw = arg;
	size_t row = row_of(q->attribute);
	struct port *p = &sw->snap->nodes[q->node]->ports[q->port];

	if (mad_reply_is_refusal(r))
		sweep_target(sw, q->node)->lacks |= details[row].src;
	else if (r->failed)
		sweep_fail(sw, q, r);
	else if (r->data[1] != q->select)
		sweep_malformed(sw, q, "details of another port");
	else
		counters_decode_details(p->counters, details[row].src, r->data,
					r->len);
	ask_next(sw, q->node, q->port, row + 1);
}

int sweep_details(struct sweep *sw, struct err *err)
{
	uint32_t i;

	if (!sw->opt->prev)
		return 0;
	for (i = 0; i < sw->snap->n_nodes; i++)
		ask_next(sw, i, 0, 0);
	return mad_run(sw->mad, sw->deadline_us, err);
}
