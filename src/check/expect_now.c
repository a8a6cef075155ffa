/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "check/expect.h"
#include "util/alloc.h"
#include "util/guid.h"
#include "util/map.h"

/*
 * Notes
 *
 * The snapshot as arrays, nodes in the order of NodeGUID and instance, each
 * with a block of ports for all numbers up to its NumPorts.
 */

static int int_or_none(sqlite3_stmt *stmt, int i)
{
	return sqlite3_column_type(stmt, i) == SQLITE_NULL ?
		       VAL_NONE : sqlite3_column_int(stmt, i);
}

static void add_node(struct expecting *e, sqlite3_stmt *stmt)
{
	struct now_node *n;

	e->nodes = xgrow(e->nodes, e->n_nodes, &e->cap_nodes, sizeof(*n));
	n = &e->nodes[e->n_nodes++];
	memset(n, 0, sizeof(*n));
	n->key = sqlite3_column_int64(stmt, 0);
	n->guid = (uint64_t)sqlite3_column_int64(stmt, 1);
	n->instance = sqlite3_column_int(stmt, 2);
	n->name = xstrdup((const char *)sqlite3_column_text(stmt, 3));
	n->seen = sqlite3_column_int(stmt, 4);
	n->last_read = sqlite3_column_int64(stmt, 5);
	n->type = int_or_none(stmt, 6);
	n->nports = sqlite3_column_int(stmt, 7);
	n->device = int_or_none(stmt, 8);
	n->desc = xstrdup((const char *)sqlite3_column_text(stmt, 9));
	n->wanted = n->root = NONE;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct now_node *x = a, *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

static int read_nodes(struct expecting *e)
{
	sqlite3_stmt *stmt = check_prepare(e->c, "check-expect-nodes.sql",
					   e->err);

	if (!stmt)
		return -1;
	bind_int(stmt, ":snapshot", e->c->id);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		add_node(e, stmt);
	if (e->n_nodes)
		qsort(e->nodes, e->n_nodes, sizeof(*e->nodes), compare_nodes);
	if (sqlite3_finalize(stmt) == SQLITE_OK)
		return 0;
	return store_err(e->c->st, e->err, "reading the snapshot");
}

/* A block of ports for each node. */
static void place_ports(struct expecting *e)
{
	uint32_t i, p = 0;
	int num;

	for (i = 0; i < e->n_nodes; i++)
		e->n_ports += (size_t)e->nodes[i].nports + 1;
	e->ports = xcalloc(e->n_ports ? e->n_ports : 1, sizeof(*e->ports));
	for (i = 0; i < e->n_nodes; i++) {
		e->nodes[i].ports = p;
		for (num = 0; num <= e->nodes[i].nports; num++, p++) {
			struct now_port *port = &e->ports[p];

			port->node = i;
			port->num = (uint8_t)num;
			port->peer = port->want = port->link = NONE;
			port->phys = port->state = VAL_NONE;
			port->speed = port->width = VAL_NONE;
		}
	}
}

/* What the ports' rows say, until the keys of all ports are known. */
struct reader {
	struct map nodes, ports; /* index by key */
	uint64_t *peers;         /* key by port, 0: none */
};

static void add_port(struct expecting *e, struct reader *r,
		     sqlite3_stmt *stmt)
{
	uint32_t node = map_get(&r->nodes,
				(uint64_t)sqlite3_column_int64(stmt, 0)), i;
	int num = sqlite3_column_int(stmt, 1);
	struct now_port *p;

	if (node == MAP_NONE || num > e->nodes[node].nports)
		return;
	i = e->nodes[node].ports + (uint32_t)num;
	p = &e->ports[i];
	p->key = sqlite3_column_int64(stmt, 2);
	map_set(&r->ports, (uint64_t)p->key, i);
	r->peers[i] = (uint64_t)sqlite3_column_int64(stmt, 3);
	p->is_read = (uint8_t)sqlite3_column_int(stmt, 4);
	p->state = (int16_t)int_or_none(stmt, 5);
	p->phys = (int16_t)int_or_none(stmt, 6);
	p->speed = (int16_t)int_or_none(stmt, 7);
	p->width = (int16_t)int_or_none(stmt, 8);
}

/* Of two ports each must name the other. */
static void join_ports(struct expecting *e, const struct reader *r)
{
	uint32_t i;

	for (i = 0; i < e->n_ports; i++) {
		uint32_t q = r->peers[i] ? map_get(&r->ports, r->peers[i]) :
					   MAP_NONE;

		if (q != MAP_NONE &&
		    r->peers[q] == (uint64_t)e->ports[i].key)
			e->ports[i].peer = q;
	}
}

static int read_ports(struct expecting *e)
{
	struct reader r = { .peers = xcalloc(e->n_ports ? e->n_ports : 1,
					     sizeof(*r.peers)) };
	sqlite3_stmt *stmt = check_prepare(e->c, "check-expect-ports.sql",
					   e->err);
	uint32_t i;
	int rc = -1;

	for (i = 0; i < e->n_nodes; i++)
		map_set(&r.nodes, (uint64_t)e->nodes[i].key, i);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		add_port(e, &r, stmt);
	if (stmt && sqlite3_finalize(stmt) == SQLITE_OK)
		rc = 0;
	else if (stmt)
		store_err(e->c->st, e->err, "reading the snapshot");
	join_ports(e, &r);
	map_free(&r.nodes);
	map_free(&r.ports);
	free(r.peers);
	return rc;
}

int expect_read(struct expecting *e)
{
	if (read_nodes(e) < 0)
		return -1;
	place_ports(e);
	return read_ports(e);
}

void expect_free_now(struct expecting *e)
{
	while (e->n_nodes) {
		free(e->nodes[--e->n_nodes].name);
		free(e->nodes[e->n_nodes].desc);
	}
	free(e->nodes);
	free(e->ports);
}

int expect_is_certain(const struct now_port *p)
{
	return p->is_read && p->phys != VAL_NONE &&
	       (p->peer != NONE || p->phys != PHYS_LINKUP);
}

void expect_add_node(struct strbuf *b, const struct expecting *e,
		     uint32_t node)
{
	const struct now_node *n = &e->nodes[node];

	strbuf_add(b, n->name);
	if (n->is_shared)
		strbuf_addf(b, " (" GUID_FMT ")", GUID_ARG(n->guid));
}

void expect_add_port(struct strbuf *b, const struct expecting *e,
		     uint32_t port)
{
	expect_add_node(b, e, e->ports[port].node);
	strbuf_addf(b, " port %d", e->ports[port].num);
}

void expect_add_want(struct strbuf *b, const struct expecting *e,
		     uint32_t want)
{
	const struct want_node *w = &e->wants[want];

	if (w->now != NONE && !w->is_replaced)
		expect_add_node(b, e, w->now);
	else if (w->x->name)
		strbuf_add(b, w->x->name);
	else
		strbuf_addf(b, GUID_FMT, GUID_ARG(w->x->guid));
}

void expect_add_what(struct strbuf *b, const struct expecting *e,
		     uint32_t port)
{
	const struct now_port *p = &e->ports[port];

	if (p->peer == port) {
		strbuf_add(b, "cabled to itself");
	} else if (p->peer != NONE) {
		strbuf_add(b, "up, and leads to ");
		expect_add_port(b, e, p->peer);
	} else if (p->is_read && p->phys == PHYS_LINKUP) {
		strbuf_add(b, "up, and nothing answers behind it");
	} else if (p->is_read) {
		strbuf_add(b, phys_state_name(p->phys));
	}
}
