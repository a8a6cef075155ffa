/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/speed.h"
#include "report/doc.h"

/*
 * Notes
 *
 * A walk makes one row at a time and gives it away.  A port is listed when it
 * can have a PortInfo: port 0 of a switch, any other of all nodes.
 */

static json_t *read_before(int64_t last_read)
{
	return last_read ? json_integer(last_read) : json_null();
}

/* A switch has one LID; of another node it is the first that is known. */
static int32_t node_lid(const struct node *n)
{
	int p;

	if (n->type == NODE_SWITCH)
		return n->ports[0].lid;
	for (p = 1; p <= n->nports; p++)
		if (n->ports[p].lid > 0)
			return n->ports[p].lid;
	return VAL_NONE;
}

/* Of a node that its GUIDs do not tell from another. */
static json_t *node_route(const struct node *n, int is_duplicate)
{
	char route[ROUTE_STRLEN + 1];

	if (n->seen != SEEN_READ || !is_duplicate)
		return json_null();
	return json_string(route_format(&n->route, route));
}

static json_t *node_row(const struct node *n, int is_duplicate)
{
	return json_pack("{s:o, s:i, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:b, "
			 "s:o, s:b, s:o}",
			 "guid", doc_guid(n->guid),
			 "instance", (int)n->instance,
			 "type", node_type_name(n->type),
			 "description", doc_description(n),
			 "device_id", doc_int32(n->device_id),
			 "vendor_id", doc_int32(n->vendor_id),
			 "ports", (int)n->nports,
			 "system_image_guid", doc_guid(n->system_image_guid),
			 "lid", doc_int32(node_lid(n)),
			 "aggregation_node", node_is_aggregation(n),
			 "route", node_route(n, is_duplicate),
			 "read", n->seen == SEEN_READ,
			 "last_read", read_before(n->last_read));
}

static void walk_nodes(struct report *r, const struct snapshot *s)
{
	uint8_t *mark = snapshot_mark_duplicates(s);
	size_t i;

	for (i = 0; i < s->n_nodes; i++)
		if (report_row(r, node_row(s->nodes[i], mark[i])) < 0)
			break;
	free(mark);
}

static json_t *state_word(int32_t state)
{
	return state == VAL_NONE ? json_null() :
				   json_string(port_state_name(state));
}

/* Data VLs of a VLCap or OperationalVLs code, IBA 14.2.5.6. */
static json_t *vls(int32_t code)
{
	static const int count[] = { 0, 1, 2, 4, 8, 15 };

	return code >= 1 && code <= 5 ? json_integer(count[code]) :
					json_null();
}

static json_t *width_word(int32_t width)
{
	return doc_string(width_name(width));
}

static json_t *port_values(const struct port *p)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "port_guid", doc_guid(p->guid),
			 "state", state_word(p->state),
			 "phys", p->phys == VAL_NONE ?
				 json_null() :
				 json_string(phys_state_name(p->phys)),
			 "lmc", doc_int32(p->lmc),
			 "sm_lid", doc_int32(p->sm_lid),
			 "speed", doc_speed(p),
			 "gbps", doc_rate(link_gbps(p->speed, p->width)),
			 "width", width_word(p->width),
			 "speed_enabled", doc_speeds(p->speed_enabled),
			 "speed_supported", doc_speeds(p->speed_supported),
			 "width_enabled", doc_widths(p->width_enabled),
			 "width_supported", doc_widths(p->width_supported),
			 "mtu", doc_int32(p->mtu),
			 "mtu_cap", doc_int32(p->mtu_cap),
			 "vls", vls(p->op_vls),
			 "vls_cap", vls(p->vl_cap),
			 "cap_mask", doc_int64(p->cap_mask),
			 "cap_mask2", doc_int64(p->cap_mask2),
			 "last_read", read_before(p->last_read));
}

static json_t *port_row(const struct snapshot *s, const struct node *n,
			const struct port *p)
{
	const struct port *peer = snapshot_peer(s, p);
	json_t *row = json_pack(
		"{s:o, s:i, s:i, s:o, s:o, s:b, s:o}",
		"node_guid", doc_guid(n->guid),
		"instance", (int)n->instance,
		"port", (int)p->num,
		"node", doc_node_name(n),
		"lid", doc_int32(p->lid),
		"read", n->seen == SEEN_READ && p->present &&
			p->seen == SEEN_READ,
		"peer", peer ? doc_end(s->nodes[p->peer_node], p->peer_port) :
			       json_null());

	json_object_update_new(row, port_values(p));
	return row;
}

static void walk_ports(struct report *r, const struct snapshot *s)
{
	size_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		for (p = n->type != NODE_SWITCH; p <= n->nports; p++)
			if (report_row(r, port_row(s, n, &n->ports[p])) < 0)
				return;
	}
}

/* Both ends tell of a cable; the smaller of what was read, which is also the
 * one that was read when the other was not. */
static int32_t lesser(int32_t a, int32_t b)
{
	if (a == VAL_NONE || b == VAL_NONE)
		return a == VAL_NONE ? b : a;
	return a < b ? a : b;
}

/* Up, at a speed that has no name. */
static int has_unknown_speed(const struct port *p)
{
	return p->speed == VAL_NONE && p->speed_code != VAL_NONE;
}

/* The end that tells the speed of a link: one of an unknown speed comes before
 * all others, as nothing can be said of the link then. */
static const struct port *slower(const struct port *a, const struct port *b)
{
	if (has_unknown_speed(a) || has_unknown_speed(b))
		return has_unknown_speed(a) ? a : b;
	return lesser(a->speed, b->speed) == a->speed ? a : b;
}

static json_t *link_row(const struct snapshot *s, uint32_t i,
			const struct port *a)
{
	const struct port *b = snapshot_peer(s, a);
	const struct port *slow = slower(a, b);
	int32_t width = lesser(a->width, b->width);
	int read = a->link_seen == SEEN_READ;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s}",
			 "a", doc_end(s->nodes[i], a->num),
			 "b", doc_end(s->nodes[a->peer_node], b->num),
			 "state", state_word(lesser(a->state, b->state)),
			 "speed", doc_speed(slow),
			 "gbps", doc_rate(link_gbps(slow->speed, width)),
			 "width", width_word(width),
			 "seen", read ? "read" : "unread");
}

/* Each link is walked once: at the end that comes first, or at the only one
 * that names the other. */
static int is_listed_end(const struct snapshot *s, uint32_t i,
			 const struct port *p)
{
	const struct port *peer = snapshot_peer(s, p);

	if (!peer)
		return 0;
	if (peer->peer_node != i || peer->peer_port != p->num)
		return 1;
	return i < p->peer_node ||
	       (i == p->peer_node && p->num <= p->peer_port);
}

static void walk_links(struct report *r, const struct snapshot *s)
{
	uint32_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		for (p = 0; p <= n->nports; p++)
			if (is_listed_end(s, i, &n->ports[p]) &&
			    report_row(r, link_row(s, i, &n->ports[p])) < 0)
				return;
	}
}

/* SMInfo.SMState is 4 bits, of which 4 to 15 have no name. */
static json_t *sm_state(int32_t state)
{
	if (state == VAL_NONE)
		return json_null();
	if (state < SM_NOTACTIVE || state > SM_MASTER)
		return json_sprintf("unknown %d", (int)state);
	return json_string(sm_state_name(state));
}

static json_t *sm_row(const struct snapshot *s, const struct sm *sm)
{
	const struct node *n = s->nodes[sm->node];
	uint64_t guid = sm->guid ? sm->guid : n->ports[sm->port].guid;

	return json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}",
			 "port_guid", doc_guid(guid),
			 "node_guid", doc_guid(n->guid),
			 "instance", (int)n->instance,
			 "port", (int)sm->port,
			 "node", doc_node_name(n),
			 "lid", doc_int32(doc_lid(n, sm->port)),
			 "priority", doc_int32(sm->priority),
			 "state", sm_state(sm->state),
			 "act_count", doc_int64(sm->act_count));
}

enum { SM_RANK_UNKNOWN = SM_MASTER + 1, SM_RANK_SILENT, SM_RANKS };

static int sm_rank(int32_t state)
{
	if (state == VAL_NONE)
		return SM_RANK_SILENT;
	if (state < SM_NOTACTIVE || state > SM_MASTER)
		return SM_RANK_UNKNOWN;
	return SM_MASTER - state;
}

/* Masters first, then by state; those that did not answer last. */
static void walk_sms(struct report *r, const struct snapshot *s)
{
	size_t i;
	int rank;

	for (rank = 0; rank < SM_RANKS; rank++)
		for (i = 0; i < s->n_sms; i++)
			if (sm_rank(s->sms[i].state) == rank &&
			    report_row(r, sm_row(s, &s->sms[i])) < 0)
				return;
}

static json_t *counter_sources(unsigned src)
{
	static const struct {
		unsigned bit;
		const char *name;
	} sources[] = {
		{ SRC_PC, "PortCounters" },
		{ SRC_EXT, "PortCountersExtended" },
		{ SRC_RCV_DETAILS, "PortRcvErrorDetails" },
		{ SRC_XMIT_DETAILS, "PortXmitDiscardDetails" },
	};
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (src & sources[i].bit)
			json_array_append_new(a, json_string(sources[i].name));
	return a;
}

static json_t *counter_values(const struct counters *c)
{
	json_t *values = json_object();
	int i;

	for (i = 0; i < COUNTER_COUNT; i++) {
		int64_t v = counters_get(c, i);

		json_object_set_new(values, counter_table[i].column,
				    v == COUNTER_UNREAD ? json_null() :
							  json_integer(v));
	}
	return values;
}

static json_t *counters_row(const struct node *n, const struct port *p)
{
	const struct counters *c = p->counters;

	return json_pack("{s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:b, s:o}",
			 "node_guid", doc_guid(n->guid),
			 "instance", (int)n->instance,
			 "port", (int)p->num,
			 "node", doc_node_name(n),
			 "lid", doc_int32(doc_lid(n, p->num)),
			 "at", doc_time(c->at_ms),
			 "source", counter_sources(c->src),
			 "errors_64bit", !!(c->src & SRC_EXT_ERR),
			 "values", counter_values(c));
}

static void walk_counters(struct report *r, const struct snapshot *s)
{
	size_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		for (p = 0; p <= n->nports; p++)
			if (n->ports[p].counters &&
			    report_row(r, counters_row(n, &n->ports[p])) < 0)
				return;
	}
}

/* Where a PMA query went: the port's own LID, of a switch port 0's. */
static int32_t failure_lid(const struct node *n, const struct failure *f)
{
	int port = n->type == NODE_SWITCH || f->port == VAL_NONE ? 0 : f->port;
	int p;

	for (p = port; p <= n->nports; p++)
		if (n->ports[p].lid != VAL_NONE)
			return n->ports[p].lid;
	return VAL_NONE;
}

static json_t *failure_row(const struct snapshot *s, const struct failure *f)
{
	const struct node *n = f->node == NO_NODE ? NULL : s->nodes[f->node];
	char route[ROUTE_STRLEN + 1];

	return json_pack(
		"{s:o, s:i, s:o, s:o, s:o, s:s, s:s, s:s, s:i, s:I, s:s, s:i, "
		"s:o}",
		"node_guid", n ? doc_guid(n->guid) : json_null(),
		"instance", n ? (int)n->instance : 0,
		"port", doc_int32(f->port),
		"node", n ? doc_node_name(n) : json_null(),
		"lid", n ? doc_int32(failure_lid(n, f)) : json_null(),
		"route", route_format(&f->route, route),
		"class", f->mgmt_class == 0x04 ? "PMA" : "SMP",
		"attribute", mad_attribute_name(f->mgmt_class, f->attribute),
		"attribute_id", (int)f->attribute,
		"modifier", (json_int_t)f->modifier,
		"status", fail_status_name(f->status),
		"mad_status", (int)f->mad_status,
		"text", doc_string(f->text));
}

static void walk_failures(struct report *r, const struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->n_failures; i++)
		if (report_row(r, failure_row(s, &s->failures[i])) < 0)
			return;
}

static const struct column node_columns[] = {
	{ "GUID", "guid#", 0 },		 { "TYPE", "type", 0 },
	{ "PORTS", "ports", 1 },	 { "LID", "lid", 1 },
	{ "READ", "read", 0 },		 { "DESCRIPTION", "description", 0 },
	{ NULL, NULL, 0 },
};

/* GUIDs do not tell them from each other, routes do. */
static const struct column duplicate_columns[] = {
	{ "GUID", "guid#", 0 },		 { "TYPE", "type", 0 },
	{ "PORTS", "ports", 1 },	 { "LID", "lid", 1 },
	{ "READ", "read", 0 },		 { "ROUTE", "route", 0 },
	{ "DESCRIPTION", "description", 0 },
	{ NULL, NULL, 0 },
};

static const struct column port_columns[] = {
	{ "NODE GUID", "node_guid#", 0 }, { "PORT", "port", 1 },
	{ "LID", "lid", 1 },		 { "STATE", "state", 0 },
	{ "PHYS", "phys", 0 },		 { "SPEED", "speed", 0 },
	{ "WIDTH", "width", 0 },	 { "READ", "read", 0 },
	{ "NODE", "node", 0 },		 { NULL, NULL, 0 },
};

static const struct column link_columns[] = {
	{ "STATE", "state", 0 },	 { "Gb/s", "gbps", 1 },
	{ "SPEED", "speed", 0 },	 { "WIDTH", "width", 0 },
	{ "SEEN", "seen", 0 },		 { "NODE", "a.node#", 0 },
	{ "PORT", "a.port", 1 },	 { "TO NODE", "b.node#", 0 },
	{ "PORT", "b.port", 1 },	 { NULL, NULL, 0 },
};

static const struct column sm_columns[] = {
	{ "STATE", "state", 0 },	 { "PRIORITY", "priority", 1 },
	{ "LID", "lid", 1 },		 { "PORT GUID", "port_guid", 0 },
	{ "PORT", "port", 1 },		 { "NODE", "node#", 0 },
	{ NULL, NULL, 0 },
};

static const struct column counters_columns[] = {
	{ "NODE GUID", "node_guid#", 0 }, { "PORT", "port", 1 },
	{ "NODE", "node", 0 },		 { "COUNTERS NOT 0", "values", 0 },
	{ NULL, NULL, 0 },
};

static const struct column failure_columns[] = {
	{ "NODE GUID", "node_guid#", 0 }, { "PORT", "port", 1 },
	{ "CLASS", "class", 0 },	 { "ATTRIBUTE", "attribute", 0 },
	{ "STATUS", "status", 0 },	 { "LID", "lid", 1 },
	{ "ROUTE", "route", 0 },
	{ "NODE", "node", 0 },		 { "TEXT", "text", 0 },
	{ NULL, NULL, 0 },
};

const struct row_list row_lists[] = {
	{ { "nodes", LIST_TABLE, node_columns, "No nodes.", 0 },
	  "switches, channel adapters and routers", 0, walk_nodes,
	  duplicate_columns },
	{ { "ports", LIST_TABLE, port_columns, "No ports.", 0 },
	  "every port, with its state, speed and width", 0, walk_ports, NULL },
	{ { "links", LIST_TABLE, link_columns, "No links.", 0 },
	  "every cable, with both ends", 0, walk_links, NULL },
	{ { "sms", LIST_TABLE, sm_columns, "No subnet manager.", 0 },
	  "subnet managers", 0, walk_sms, NULL },
	{ { "counters", LIST_TABLE, counters_columns,
	    "No counters were read in this snapshot.", 0 },
	  "counters of every port that was asked", 1, walk_counters, NULL },
	{ { "failures", LIST_TABLE, failure_columns, "No query failed.", 0 },
	  "every query that failed", 0, walk_failures, NULL },
	{ { NULL, LIST_TABLE, NULL, NULL, 0 }, NULL, 0, NULL, NULL },
};

const struct row_list *row_list_find(const char *name)
{
	const struct row_list *l;

	for (l = row_lists; l->list.key; l++)
		if (!strcmp(l->list.key, name))
			return l;
	return NULL;
}

static int has_duplicates(const struct snapshot *s)
{
	uint8_t *mark = snapshot_mark_duplicates(s);
	int has = memchr(mark, 1, s->n_nodes) != NULL;

	free(mark);
	return has;
}

void report_rows(struct report *r, const struct row_list *rows,
		 const struct snapshot *s)
{
	struct list list = rows->list;

	list.instances = s->by_instance.n > 0;
	if (rows->columns_for_duplicates && has_duplicates(s))
		list.columns = rows->columns_for_duplicates;
	report_list_begin(r, &list);
	rows->walk(r, s);
	report_list_end(r);
}
