/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/attr.h"
#include "util/alloc.h"

#define AGGREGATION_DEVICE_ID 0xcf09 /* NVIDIA's SHARP aggregation node */

void snapshot_init(struct snapshot *s)
{
	memset(s, 0, sizeof(*s));
	s->local_node = NO_NODE;
	strcpy(s->discovery, "engine");
}

static void free_node(struct node *n)
{
	int p;

	for (p = 0; p <= n->nports; p++)
		counters_free(n->ports[p].counters);
	free(n->ports);
	free(n->name);
	free(n);
}

void snapshot_free(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->n_nodes; i++)
		free_node(s->nodes[i]);
	free(s->nodes);
	free(s->sms);
	free(s->failures);
	free(s->fabric);
	free(s->note);
	map_free(&s->by_guid);
	map_free(&s->by_instance);
	memset(s, 0, sizeof(*s));
}

static void clear(const struct attr_row *rows, size_t n, void *base)
{
	size_t i;

	for (i = 0; i < n; i++)
		attr_set(&rows[i], base, 0, 1);
}

/* Two duplicates can share a key: whoever finds one looks whether it is. */
static uint64_t instance_key(uint64_t guid, int32_t instance)
{
	return guid + (uint64_t)instance * 0x9e3779b97f4a7c15u; /* 2^64 / phi */
}

void snapshot_index_node(struct snapshot *s, uint32_t i)
{
	const struct node *n = s->nodes[i];

	if (n->instance)
		map_set(&s->by_instance, instance_key(n->guid, n->instance), i);
	else
		map_set(&s->by_guid, n->guid, i);
}

void port_clear(struct port *p)
{
	clear(port_attrs, n_port_attrs, p);
	p->present = 0;
}

struct node *snapshot_add_node(struct snapshot *s, uint64_t guid,
			       int32_t instance, int nports)
{
	struct node *n = xcalloc(1, sizeof(*n));
	int p;

	s->nodes = xgrow(s->nodes, s->n_nodes, &s->cap_nodes,
			 sizeof(struct node *));
	s->nodes[s->n_nodes++] = n;
	clear(node_attrs, n_node_attrs, n);
	n->guid = guid;
	n->instance = instance;
	snapshot_index_node(s, (uint32_t)s->n_nodes - 1);
	n->nports = (uint8_t)nports;
	n->arrival = NO_PORT;
	n->ports = xcalloc((size_t)nports + 1, sizeof(struct port));
	for (p = 0; p <= nports; p++) {
		port_clear(&n->ports[p]);
		n->ports[p].num = (uint8_t)p;
		n->ports[p].peer_node = NO_NODE;
	}
	return n;
}

struct sm *snapshot_add_sm(struct snapshot *s)
{
	struct sm *sm;

	s->sms = xgrow(s->sms, s->n_sms, &s->cap_sms, sizeof(*sm));
	sm = &s->sms[s->n_sms++];
	memset(sm, 0, sizeof(*sm));
	sm->priority = sm->state = VAL_NONE;
	sm->act_count = VAL_NONE64;
	return sm;
}

struct failure *snapshot_add_failure(struct snapshot *s)
{
	struct failure *f;

	s->failures = xgrow(s->failures, s->n_failures, &s->cap_failures,
			    sizeof(*f));
	f = &s->failures[s->n_failures++];
	memset(f, 0, sizeof(*f));
	f->node = NO_NODE;
	f->port = VAL_NONE;
	return f;
}

static int is_node(const struct node *n, uint64_t guid, int32_t instance)
{
	return n->guid == guid && n->instance == instance;
}

uint32_t snapshot_find(const struct snapshot *s, uint64_t guid,
		       int32_t instance)
{
	uint32_t i = instance ? map_get(&s->by_instance,
					instance_key(guid, instance)) :
				map_get(&s->by_guid, guid);

	if (i == MAP_NONE)
		return NO_NODE;
	if (is_node(s->nodes[i], guid, instance))
		return i;
	for (i = 0; i < s->n_nodes; i++)
		if (is_node(s->nodes[i], guid, instance))
			return i;
	return NO_NODE;
}

struct port *snapshot_peer(const struct snapshot *s, const struct port *p)
{
	if (p->peer_node == NO_NODE)
		return NULL;
	return &s->nodes[p->peer_node]->ports[p->peer_port];
}

/* Nobody names p as its peer any more. */
static void part(const struct snapshot *s, struct port *p)
{
	struct port *far = snapshot_peer(s, p);

	if (far && snapshot_peer(s, far) == p)
		far->peer_node = NO_NODE;
}

void snapshot_join(struct snapshot *s, uint32_t a, uint8_t a_port, uint32_t b,
		   uint8_t b_port)
{
	struct port *pa = &s->nodes[a]->ports[a_port];
	struct port *pb = &s->nodes[b]->ports[b_port];

	part(s, pa);
	part(s, pb);
	pa->peer_node = b;
	pa->peer_port = b_port;
	pb->peer_node = a;
	pb->peer_port = a_port;
	pa->link_seen = pb->link_seen = SEEN_READ;
}

static void count_node(const struct node *n, struct counts *c)
{
	if (n->type == NODE_SWITCH)
		c->switches++;
	else if (n->type == NODE_ROUTER)
		c->routers++;
	else if (node_is_aggregation(n))
		c->aggregation_nodes++;
	else
		c->cas++;
}

/* Each link is counted at one of its ends; a port cabled to itself is one. */
static int is_first_end(const struct snapshot *s, uint32_t i,
			const struct port *p)
{
	if (p->peer_node == NO_NODE || p->link_seen != SEEN_READ)
		return 0;
	if (snapshot_peer(s, p)->peer_node != i ||
	    snapshot_peer(s, p)->peer_port != p->num)
		return 0;
	return i < p->peer_node || (i == p->peer_node && p->num <= p->peer_port);
}

void snapshot_count(const struct snapshot *s, struct counts *c)
{
	uint32_t i;
	int p;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		if (n->seen != SEEN_READ) {
			c->unread_nodes++;
			continue;
		}
		count_node(n, c);
		for (p = 0; p <= n->nports; p++) {
			c->ports += n->ports[p].present &&
				    n->ports[p].seen == SEEN_READ;
			c->links += is_first_end(s, i, &n->ports[p]);
		}
	}
	c->sms = (int64_t)s->n_sms;
	c->failures = (int64_t)s->n_failures;
}

void node_set_desc(struct node *n, const char bytes[NODE_DESC_LEN])
{
	memcpy(n->desc, bytes, NODE_DESC_LEN);
	n->desc_len = NODE_DESC_LEN;
	while (n->desc_len && !n->desc[n->desc_len - 1])
		n->desc_len--;
	n->desc_read = 1;
}

int port_is_up(const struct port *p)
{
	return p->phys == PHYS_LINKUP;
}

int port_is_down(const struct port *p)
{
	return (p->phys >= PHYS_SLEEP && p->phys < PHYS_LINKUP) ||
	       p->phys == PHYS_TEST;
}

int port_is_end(const struct node *n, const struct port *p)
{
	return (n->type == NODE_SWITCH) == (p->num == 0);
}

int node_is_aggregation(const struct node *n)
{
	return n->type == NODE_CA && n->device_id == AGGREGATION_DEVICE_ID;
}

static const char *word(const char *const *words, int n, int i)
{
	return i >= 0 && i < n && words[i] ? words[i] : "unknown";
}

#define WORD(words, i) word(words, sizeof(words) / sizeof(words[0]), i)

const char *node_type_name(int type)
{
	static const char *const words[] = { NULL, "CA", "switch", "router" };

	return WORD(words, type);
}

const char *port_state_name(int state)
{
	static const char *const words[] = { NULL, "DOWN", "INIT", "ARMED",
					     "ACTIVE" };

	return WORD(words, state);
}

const char *phys_state_name(int phys)
{
	static const char *const words[] = {
		NULL, "Sleep", "Polling", "Disabled",
		"PortConfigurationTraining", "LinkUp", "LinkErrorRecovery",
		"PhyTest",
	};

	return WORD(words, phys);
}

const char *sm_state_name(int state)
{
	static const char *const words[] = { "NOT-ACTIVE", "DISCOVERING",
					     "STANDBY", "MASTER" };

	return WORD(words, state);
}

const char *fail_status_name(int status)
{
	static const char *const words[] = { "no answer", "MAD status",
					     "malformed", "not sent",
					     "given up" };

	return WORD(words, status);
}

struct attribute_name {
	int mgmt_class;
	int attribute;
	const char *name;
};

const char *mad_attribute_name(int mgmt_class, int attribute)
{
	/* IBA 14.2.5 and 16.1.3; classes as in <infiniband/umad_types.h>. */
	static const struct attribute_name names[] = {
		{ 0x81, 0x10, "NodeDescription" }, { 0x81, 0x11, "NodeInfo" },
		{ 0x81, 0x12, "SwitchInfo" },      { 0x81, 0x15, "PortInfo" },
		{ 0x81, 0x20, "SMInfo" },
		{ 0x81, 0xff90, "MlnxExtPortInfo" },
		{ 0x04, 0x01, "ClassPortInfo" },   { 0x04, 0x12, "PortCounters" },
		{ 0x04, 0x15, "PortRcvErrorDetails" },
		{ 0x04, 0x16, "PortXmitDiscardDetails" },
		{ 0x04, 0x1d, "PortCountersExtended" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].mgmt_class == mgmt_class &&
		    names[i].attribute == attribute)
			return names[i].name;
	return "unknown";
}

char *route_format(const struct route *r, char out[ROUTE_STRLEN + 1])
{
	int i, n = snprintf(out, ROUTE_STRLEN + 1, "0");

	for (i = 1; i <= r->hops && i < ROUTE_MAX; i++)
		n += snprintf(out + n, (size_t)(ROUTE_STRLEN + 1 - n), ",%u",
			      r->hop[i]);
	return out;
}
