/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <string.h>

#include "diff/internal.h"
#include "util/guid.h"
#include "util/text.h"

static void add_type(struct strbuf *b, const struct diff_node *n)
{
	const struct node *node = node_in(n);

	strbuf_addf(b, "%s ", node_is_aggregation(node) ?
				      "aggregation node" :
				      node_type_name(node->type));
}

static int count_links(const struct diff *d, const struct diff_node *n,
		       int in_a)
{
	uint32_t p;
	int links = 0;

	for (p = n->ports; p < n->ports + n->n_ports; p++)
		links += (in_a ? d->ports[p].far_a : d->ports[p].far_b) != NONE;
	return links;
}

/* "3 links" of a switch, the places of others. */
static void add_links(struct strbuf *b, const struct diff *d, uint32_t i,
		      int in_a)
{
	int links = count_links(d, &d->nodes[i], in_a);

	if (node_is_switch(&d->nodes[i]))
		strbuf_addf(b, "%d %s", links, links == 1 ? "link" : "links");
	else
		add_places(b, d, i, in_a);
}

static const char *links_verb(const struct diff_node *n)
{
	if (node_is_switch(n))
		return n->b ? "" : "had ";
	return n->b ? "at " : "was at ";
}

/* A switch that has a line: it is gone, or was not read. */
static int is_in_front(const struct diff *d, uint32_t node)
{
	const struct diff_node *n = &d->nodes[node];

	if (!node_is_switch(n) || !n->a || node_was_read(n))
		return 0;
	return n->b ? n->a->seen == SEEN_READ : n->heir == NONE;
}

/* Find the switch in front of an adapter that was not read: none of its cables
 * leads to a node that was. */
static void find_front(struct diff *d, uint32_t i)
{
	struct diff_node *n = &d->nodes[i];
	uint32_t front = NONE, p;

	if (!node_stays(n) || node_was_read(n) || node_is_switch(n) ||
	    n->a->seen != SEEN_READ)
		return;
	for (p = n->ports; p < n->ports + n->n_ports; p++) {
		uint32_t far = d->ports[p].far_a;

		if (far == NONE)
			continue;
		if (!is_in_front(d, d->ports[far].node))
			return;
		front = d->ports[far].node;
	}
	n->front = front;
	if (front != NONE)
		d->nodes[front].behind++;
}

static void add_behind(struct diff *d, const struct diff_node *n)
{
	if (n->behind)
		strbuf_addf(&d->line, "; %u %s behind it not read",
			    (unsigned)n->behind,
			    n->behind == 1 ? "node" : "nodes");
}

/* Those behind it are places of its change. */
static void tell_behind(struct diff *d, struct change *c, uint32_t front)
{
	const struct diff_node *n = &d->nodes[front];
	uint32_t p, far;

	for (p = n->ports; n->behind && p < n->ports + n->n_ports; p++) {
		if (d->ports[p].far_a == NONE)
			continue;
		far = d->ports[d->ports[p].far_a].node;
		if (d->nodes[far].front == front && !d->nodes[far].told) {
			d->nodes[far].told = 1;
			tell_node(d, c, far);
		}
	}
}

static void tell_came_or_went(struct diff *d, uint32_t i)
{
	const struct diff_node *n = &d->nodes[i];
	int gone = !n->b;
	struct strbuf *links = gone ? &d->before : &d->after;
	struct change *c;

	add_links(links, d, i, gone);
	add_type(&d->line, n);
	add_node(&d->line, n);
	strbuf_add(&d->line, gone ? " gone" : " new");
	if (links->len)
		strbuf_addf(&d->line, ": %s%s", links_verb(n), links->s);
	if (!gone && !node_was_read(n))
		strbuf_add(&d->line, ", not read");
	add_behind(d, n);
	c = tell(d, gone ? CHANGE_NODE_GONE : CHANGE_NODE_NEW);
	tell_node(d, c, i);
	tell_behind(d, c, i);
}

static int is_renamed(const struct node *a, const struct node *b)
{
	return a->desc_read && b->desc_read &&
	       (a->desc_len != b->desc_len ||
		memcmp(a->desc, b->desc, a->desc_len));
}

static void tell_renamed(struct diff *d, uint32_t i)
{
	const struct diff_node *n = &d->nodes[i];

	text_safe(&d->before, n->a->desc, n->a->desc_len);
	text_safe(&d->after, n->b->desc, n->b->desc_len);
	add_node(&d->line, n);
	strbuf_addf(&d->line, ": description \"%s\" -> \"%s\"", d->before.s,
		    d->after.s);
	tell_node(d, tell(d, CHANGE_NODE_RENAMED), i);
}

static void add_guids(struct diff *d, const char *name, uint64_t before,
		      uint64_t after)
{
	char was[GUID_STRLEN + 1], is[GUID_STRLEN + 1];

	if (before && after && before != after)
		field_add(d, name, guid_format(before, was),
			  guid_format(after, is));
}

static void tell_changed(struct diff *d, uint32_t i)
{
	const struct node *a = d->nodes[i].a, *b = d->nodes[i].b;

	if (is_change(a->type, b->type, VAL_NONE))
		field_add(d, "type", node_type_name(a->type),
			  node_type_name(b->type));
	field_add_int(d, "device id", "0x%04" PRIx64, a->device_id,
		      b->device_id, VAL_NONE);
	field_add_int(d, "revision", "0x%" PRIx64, a->revision, b->revision,
		      VAL_NONE64);
	field_add_int(d, "vendor", "0x%06" PRIx64, a->vendor_id, b->vendor_id,
		      VAL_NONE);
	field_add_int(d, "ports", "%" PRId64, a->nports, b->nports, VAL_NONE);
	add_guids(d, "system image GUID", a->system_image_guid,
		  b->system_image_guid);
	if (!has_fields(d))
		return;
	add_node(&d->line, &d->nodes[i]);
	strbuf_add(&d->line, ": ");
	tell_node(d, tell(d, CHANGE_NODE_CHANGED), i);
}

/*
 * Its ports, and those in front of it, were not read for the same reason; and
 * for the same reason links of it are gone whose other ends were read.  Returns
 * how many are.
 */
static int take_unread(struct diff *d, const struct diff_node *n)
{
	uint32_t p;
	int gone = 0;

	for (p = n->ports; p < n->ports + n->n_ports; p++) {
		if (d->ports[p].far_b != NONE)
			d->ports[d->ports[p].far_b].marks |= MARK_UNREAD;
		if (is_lost(d, p)) {
			tell_lost(d, p);
			gone++;
		}
	}
	return gone;
}

static void tell_unread(struct diff *d, uint32_t i)
{
	const struct diff_node *n = &d->nodes[i];
	struct change *c;
	int gone;

	if (n->a->seen != SEEN_READ)
		return;
	gone = take_unread(d, n);
	if (n->front != NONE)
		return;
	add_type(&d->line, n);
	add_node(&d->line, n);
	strbuf_add(&d->line, " not read");
	if (n->b->last_read)
		strbuf_addf(&d->line, ", last in snapshot %" PRId64,
			    n->b->last_read);
	if (gone)
		strbuf_addf(&d->line, "; %d %s gone", gone,
			    gone == 1 ? "link is" : "links are");
	add_behind(d, n);
	c = tell(d, CHANGE_NODE_UNREAD);
	tell_node(d, c, i);
	tell_behind(d, c, i);
}

void diff_nodes(struct diff *d)
{
	uint32_t i;

	for (i = 0; i < d->n_nodes; i++)
		find_front(d, i);
	for (i = 0; i < d->n_nodes; i++) {
		const struct diff_node *n = &d->nodes[i];

		if (!node_stays(n)) {
			if (!n->told && n->heir == NONE)
				tell_came_or_went(d, i);
			continue;
		}
		if (!node_was_read(n)) {
			tell_unread(d, i);
			continue;
		}
		if (is_renamed(n->a, n->b))
			tell_renamed(d, i);
		tell_changed(d, i);
	}
}
