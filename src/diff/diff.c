/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "util/alloc.h"

#define USUAL_ENDS 3 /* a port, where it led, where it leads */

const struct change_row change_table[CHANGE_END] = {
	[CHANGE_NODE_NEW] = { "node-new", "nodes", "a node, or a host, came" },
	[CHANGE_NODE_GONE] = { "node-gone", "nodes",
			       "a node, or a host, went" },
	[CHANGE_NODE_REPLACED] = { "node-replaced", "nodes",
				   "another GUID is in its place" },
	[CHANGE_NODE_RENAMED] = { "node-renamed", "nodes",
				  "its description changed" },
	[CHANGE_NODE_MOVED] = { "node-moved", "nodes",
				"an adapter's port hangs elsewhere" },
	[CHANGE_NODE_CHANGED] = { "node-changed", "nodes",
				  "device, revision, vendor, type, ports" },
	[CHANGE_NODE_UNREAD] = { "node-unread", "nodes",
				 "it was read before, and not now" },
	[CHANGE_LINK_NEW] = { "link-new", "links", "a cable came" },
	[CHANGE_LINK_GONE] = { "link-gone", "links", "a link went" },
	[CHANGE_LINK_MOVED] = { "link-moved", "links",
				"one end of a cable is in another port" },
	[CHANGE_LINK_SWAPPED] = { "link-swapped", "links",
				  "cables were exchanged" },
	[CHANGE_LINK_RATE] = { "link-rate", "links", "speed or width changed" },
	[CHANGE_LINK_STATE] = { "link-state", "links",
				"the port state changed" },
	[CHANGE_LINK_MTU] = { "link-mtu", "links", "NeighborMTU changed" },
	[CHANGE_LINK_UNREAD] = { "link-unread", "links",
				 "it was read before, and not now" },
	[CHANGE_PORT_STATE] = { "port-state", "ports",
				"the state of a port without a link" },
	[CHANGE_PORT_ENABLED] = { "port-enabled", "ports",
				  "speeds or widths, enabled or supported" },
	[CHANGE_PORT_LID] = { "port-lid", "ports", "LID or LMC changed" },
	[CHANGE_PORT_SM_LID] = { "port-sm-lid", "ports",
				 "MasterSMLID changed" },
	[CHANGE_PORT_UNREAD] = { "port-unread", "ports",
				 "it was read before, and not now" },
	[CHANGE_SM_MASTER] = { "sm-master", "sms", "who is master changed" },
	[CHANGE_SM_NEW] = { "sm-new", "sms", "a subnet manager came" },
	[CHANGE_SM_GONE] = { "sm-gone", "sms", "a subnet manager went" },
	[CHANGE_SM_PRIORITY] = { "sm-priority", "sms",
				 "its priority changed" },
	[CHANGE_SM_STATE] = { "sm-state", "sms",
			      "its state changed, and it is not master" },
	[CHANGE_SM_RESTARTED] = { "sm-restarted", "sms",
				  "its ActCount fell" },
	[CHANGE_SM_UNANSWERED] = { "sm-unanswered", "sms",
				   "it answered before, and not now" },
	[CHANGE_COUNTER_ROSE] = { "counter-rose", "counters",
				  "error counters of a port rose" },
	[CHANGE_COUNTER_RESET] = { "counter-reset", "counters",
				   "error counters of a port were cleared" },
	[CHANGE_COUNTER_SATURATED] = { "counter-saturated", "counters",
				       "error counters of a port reached "
				       "their maximum" },
};

static char *take_copy(struct strbuf *b)
{
	char *s = b->len ? xstrdup(b->s) : NULL;

	strbuf_reset(b);
	return s;
}

struct change *tell(struct diff *d, enum change_kind kind)
{
	struct changes *out = d->out;
	struct change *c;

	out->list = xgrow(out->list, out->n, &out->cap, sizeof(*c));
	c = &out->list[out->n++];
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	strbuf_addn(&d->line, d->values.s, d->values.len);
	strbuf_reset(&d->values);
	c->text = take_copy(&d->line);
	c->before = take_copy(&d->before);
	c->after = take_copy(&d->after);
	return c;
}

/* A switch has one LID; of another node it is the port's, or its first. */
static int32_t lid_of(const struct node *n, int port)
{
	int p = n->type == NODE_SWITCH || port == VAL_NONE ? 0 : port;

	if (port == VAL_NONE && n->type != NODE_SWITCH)
		while (p < n->nports && n->ports[p].lid == VAL_NONE)
			p++;
	return p <= n->nports ? n->ports[p].lid : VAL_NONE;
}

/* Kinds, then nodes in their order, the node before its ports. */
static uint64_t order_of(enum change_kind kind, uint32_t node, int port)
{
	uint64_t by_port = port == VAL_NONE ? 0 : (uint64_t)port + 1;

	return (uint64_t)kind << 48 | (uint64_t)node << 16 | by_port;
}

static void add_end(struct diff *d, struct change *c, uint32_t i, int port)
{
	const struct diff_node *n = &d->nodes[i];
	const struct node *node = node_in(n);
	struct change_end *end;

	if (!c->n_where)
		c->order = order_of(c->kind, i, port);
	if (!c->where) {
		c->cap_where = USUAL_ENDS;
		c->where = xcalloc(c->cap_where, sizeof(*c->where));
	}
	c->where = xgrow(c->where, c->n_where, &c->cap_where, sizeof(*end));
	end = &c->where[c->n_where++];
	end->node_guid = node->guid;
	end->instance = node->instance;
	end->port = port;
	end->node = xstrdup(n->name);
	end->lid = lid_of(node, port);
}

void tell_node(struct diff *d, struct change *c, uint32_t node)
{
	add_end(d, c, node, VAL_NONE);
}

void tell_port(struct diff *d, struct change *c, uint32_t port)
{
	add_end(d, c, d->ports[port].node, port_number(d, port));
}

static int compare_changes(const void *va, const void *vb)
{
	const struct change *p = va, *q = vb;

	if (p->order != q->order)
		return p->order < q->order ? -1 : 1;
	return strcmp(p->text, q->text);
}

void diff_snapshots(const struct snapshot *a, const struct snapshot *b,
		    struct changes *out)
{
	struct diff d = { .out = out };

	memset(out, 0, sizeof(*out));
	diff_join(&d, a, b);
	diff_replaced(&d);
	diff_hosts(&d);
	diff_swaps(&d);
	diff_moves(&d);
	diff_nodes(&d);
	diff_links(&d);
	diff_ports(&d);
	diff_sms(&d);
	diff_release(&d);
	if (out->n)
		qsort(out->list, out->n, sizeof(*out->list), compare_changes);
}

void change_free(struct change *c)
{
	size_t i;

	for (i = 0; i < c->n_where; i++)
		free(c->where[i].node);
	free(c->where);
	free(c->text);
	free(c->before);
	free(c->after);
	free(c->counters);
}

void changes_free(struct changes *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		change_free(&c->list[i]);
	free(c->list);
	memset(c, 0, sizeof(*c));
}
