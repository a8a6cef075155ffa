/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/map.h"

/*
 * Notes
 *
 * Of each key the newest row at or before the snapshot holds; a tombstone
 * hides it.  Nodes come in the order of their keys, not of discovery, and
 * without a route, but for duplicates: that is of a sweep, and not of the
 * fabric.
 *
 * While a port has few rows in port_rev, and keys have few gaps, one walk over
 * all rows in their order takes half of the time that it takes to search
 * for each that holds: a later row of a port replaces what an earlier one said.
 *
 * One transaction, of which all queries see the same state: a sweep may store
 * meanwhile.
 *
 * The data may be damaged: every reference is checked before it is followed.
 */

#define WHAT "loading a snapshot"

/* A node's key stands in node_key, the row that holds in node_rev. */
#define NODES_AT \
	"FROM node_key k JOIN node_rev r ON r.node = k.id AND r.snapshot = " \
	"(SELECT max(x.snapshot) FROM node_rev x " \
	"WHERE x.node = k.id AND x.snapshot <= ?1) " \
	"WHERE +k.fabric = ?2 AND r.seen <> 2 ORDER BY k.id" /* no sorting */
#define PORTS_AT \
	"FROM node_key k JOIN port_key p ON p.node = k.id " \
	"JOIN port_rev r ON r.port = p.id AND r.snapshot = " \
	"(SELECT max(x.snapshot) FROM port_rev x " \
	"WHERE x.port = p.id AND x.snapshot <= ?1) " \
	"LEFT JOIN port_key q ON q.id = r.peer " \
	"WHERE k.fabric = ?2 AND r.seen <> 2"
#define PICKED_AT \
	"FROM temp.picked t CROSS JOIN port_key p ON p.id = t.port " \
	"CROSS JOIN port_rev r ON r.port = p.id AND r.snapshot = " \
	"(SELECT max(x.snapshot) FROM port_rev x " \
	"WHERE x.port = p.id AND x.snapshot <= ?1) " \
	"LEFT JOIN port_key q ON q.id = r.peer WHERE r.seen <> 2"
/* The highest key of a port, where the walk is the shorter way; else -1. */
#define WALK_TO \
	"SELECT CASE WHEN min(id) >= 0 AND max(id) <= 16 * count(*) AND " \
	"(SELECT count(*) FROM port_rev) <= 4 * count(*) " \
	"THEN max(id) ELSE -1 END FROM port_key"

struct loader {
	struct store *st;
	struct snapshot *out;
	struct err *err;
	int64_t fabric;
	struct map by_key; /* node key -> index in out */
	uint32_t *ports;   /* by key: index << 8 | number, LOST or NO_NODE */
	int64_t n_ports;
	int picked;        /* only the ports of temp.picked */
	int64_t walked;    /* key of the port whose rows are walked over */
	const char *wrong; /* with the last of its rows, or NULL */
};

static int damaged(struct loader *ld, const char *what)
{
	return err_set(ld->err, "%s: damaged: snapshot %lld has %s; restore "
		       "it from a copy, or load another snapshot",
		       ld->st->path, (long long)ld->out->id, what);
}

/* A query on the snapshot (?1) and its fabric (?2), or NULL. */
static sqlite3_stmt *query(struct loader *ld, const char *sql)
{
	sqlite3_stmt *stmt = store_prepare(ld->st, sql, WHAT, ld->err);

	if (!stmt)
		return NULL;
	sqlite3_bind_int64(stmt, 1, ld->out->id);
	if (sqlite3_bind_parameter_count(stmt) > 1)
		sqlite3_bind_int64(stmt, 2, ld->fabric);
	return stmt;
}

/* Call row() on each row.  0, or -1 as soon as one of them failed. */
static int each_row(struct loader *ld, const char *sql,
		    int (*row)(struct loader *ld, sqlite3_stmt *stmt))
{
	sqlite3_stmt *stmt = query(ld, sql);
	int rc;

	if (!stmt)
		return -1;
	while ((rc = store_step(ld->st, stmt, WHAT, ld->err)) == 1)
		if (row(ld, stmt) < 0) {
			rc = -1;
			break;
		}
	sqlite3_finalize(stmt);
	return rc;
}

/* The node with that key, or NULL when the snapshot has none. */
static struct node *node_of(struct loader *ld, int64_t key, uint32_t *at)
{
	*at = map_get(&ld->by_key, (uint64_t)key);
	return *at == MAP_NONE ? NULL : ld->out->nodes[*at];
}

/* The port (node key, number) in columns i and i + 1, or NULL. */
static struct port *port_of(struct loader *ld, sqlite3_stmt *stmt, int i,
			    uint32_t *at)
{
	struct node *n = node_of(ld, sqlite3_column_int64(stmt, i), at);
	int num = sqlite3_column_int(stmt, i + 1);

	if (!n || num < 0 || num > n->nports)
		return NULL;
	return &n->ports[num];
}

static int head_row(struct loader *ld, sqlite3_stmt *stmt)
{
	struct snapshot *s = ld->out;
	const char *discovery = (const char *)sqlite3_column_text(stmt, 11);

	ld->fabric = sqlite3_column_int64(stmt, 0);
	s->fabric = xstrdup((const char *)sqlite3_column_text(stmt, 1));
	s->subnet_prefix = (uint64_t)sqlite3_column_int64(stmt, 2);
	s->started_ms = sqlite3_column_int64(stmt, 3);
	s->finished_ms = sqlite3_column_int64(stmt, 4);
	s->complete = sqlite3_column_int(stmt, 5);
	s->with_counters = sqlite3_column_int(stmt, 6);
	s->pma_asked = sqlite3_column_int64(stmt, 7);
	s->pma_answered = sqlite3_column_int64(stmt, 8);
	s->mads_sent = sqlite3_column_int64(stmt, 9);
	s->mads_unmatched = sqlite3_column_int64(stmt, 10);
	snprintf(s->discovery, sizeof(s->discovery), "%s",
		 discovery ? discovery : "");
	s->note = xstrdup((const char *)sqlite3_column_text(stmt, 12));
	return 0;
}

static int load_head(struct loader *ld)
{
	if (each_row(ld, "SELECT s.fabric, f.name, s.subnet_prefix, "
		     "s.started_ms, s.finished_ms, s.complete, "
		     "s.with_counters, s.pma_asked, s.pma_answered, "
		     "s.mads_sent, s.mads_unmatched, s.discovery, s.note "
		     "FROM snapshot s JOIN fabric f ON f.id = s.fabric "
		     "WHERE s.id = ?1", head_row) < 0)
		return -1;
	if (ld->out->fabric)
		return 0;
	return err_set(ld->err, "no snapshot %lld; see 'ibaudit list'",
		       (long long)ld->out->id);
}

static void read_descr(struct node *n, sqlite3_stmt *stmt, int i)
{
	const void *bytes = sqlite3_column_blob(stmt, i);
	int len = sqlite3_column_bytes(stmt, i);

	n->desc_read = sqlite3_column_type(stmt, i) != SQLITE_NULL;
	n->desc_len = (uint8_t)(len < NODE_DESC_LEN ? len : NODE_DESC_LEN);
	if (n->desc_len)
		memcpy(n->desc, bytes, n->desc_len);
}

static int node_row(struct loader *ld, sqlite3_stmt *stmt)
{
	int64_t key = sqlite3_column_int64(stmt, 0);
	int nports = sqlite3_column_int(stmt, 3);
	struct node *n;
	int p;

	if (nports < 0 || nports >= NO_PORT)
		return damaged(ld, "a node with an impossible number of ports");
	map_set(&ld->by_key, (uint64_t)key, (uint32_t)ld->out->n_nodes);
	n = snapshot_add_node(ld->out, (uint64_t)sqlite3_column_int64(stmt, 1),
			      sqlite3_column_int(stmt, 2), nports);
	n->key = key;
	n->seen = (uint8_t)sqlite3_column_int(stmt, 4);
	n->last_read = sqlite3_column_int64(stmt, 5);
	read_descr(n, stmt, 6);
	store_column_attrs(stmt, 7, node_attrs, n_node_attrs, n);
	for (p = 0; p <= nports; p++)
		n->ports[p].seen = n->seen;
	return 0;
}

static int load_nodes(struct loader *ld)
{
	struct strbuf sql = STRBUF_INIT;
	int rc;

	strbuf_add(&sql, "SELECT k.id, k.guid, k.instance, r.nports, r.seen, "
		   "r.last_read, r.descr");
	store_add_columns(&sql, "r.", node_attrs, n_node_attrs);
	strbuf_add(&sql, " " NODES_AT);
	rc = each_row(ld, sql.s, node_row);
	strbuf_free(&sql);
	return rc;
}

static int port_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	struct port *p = port_of(ld, stmt, 1, &at), *q;

	if (!p)
		return damaged(ld, "a port without its node");
	p->key = sqlite3_column_int64(stmt, 0);
	p->present = (uint8_t)sqlite3_column_int(stmt, 3);
	p->seen = (uint8_t)sqlite3_column_int(stmt, 4);
	p->link_seen = (uint8_t)sqlite3_column_int(stmt, 5);
	p->last_read = (uint32_t)sqlite3_column_int64(stmt, 6);
	store_column_attrs(stmt, 10, port_attrs, n_port_attrs, p);
	if (sqlite3_column_type(stmt, 7) == SQLITE_NULL)
		return 0;
	q = port_of(ld, stmt, 8, &at);
	if (!q)
		return damaged(ld, "a link to a port that is not there");
	p->peer_node = at;
	p->peer_port = q->num;
	q->key = sqlite3_column_int64(stmt, 7);
	return 0;
}

/* --- the walk --------------------------------------------------------- */

#define LOST (NO_NODE - 1) /* of a node that is not there */

static int key_row(struct loader *ld, sqlite3_stmt *stmt)
{
	int64_t key = sqlite3_column_int64(stmt, 0);
	uint32_t at;
	const struct port *p = port_of(ld, stmt, 1, &at);

	if (key < 0 || key >= ld->n_ports)
		return damaged(ld, "a port with an impossible key");
	ld->ports[key] = p ? at << 8 | p->num : LOST;
	return 0;
}

/* What the port with that key is in ld->ports. */
static uint32_t place_of(const struct loader *ld, int64_t key)
{
	return key >= 0 && key < ld->n_ports ? ld->ports[key] : NO_NODE;
}

static struct port *port_at(const struct loader *ld, uint32_t at)
{
	return &ld->out->nodes[at >> 8]->ports[at & 0xff];
}

/* The rows of a port are over. */
static int end_port(struct loader *ld)
{
	return ld->wrong ? damaged(ld, ld->wrong) : 0;
}

static void take_peer(struct loader *ld, struct port *p, int64_t key)
{
	uint32_t at = place_of(ld, key);

	if (at == NO_NODE || at == LOST) {
		ld->wrong = "a link to a port that is not there";
		return;
	}
	p->peer_node = at >> 8;
	p->peer_port = at & 0xff;
	port_at(ld, at)->key = key;
}

static void take_rev(struct loader *ld, struct port *p, sqlite3_stmt *stmt)
{
	p->key = ld->walked;
	p->present = (uint8_t)sqlite3_column_int(stmt, 1);
	p->seen = (uint8_t)sqlite3_column_int(stmt, 2);
	p->link_seen = (uint8_t)sqlite3_column_int(stmt, 3);
	p->last_read = (uint32_t)sqlite3_column_int64(stmt, 4);
	p->peer_node = NO_NODE;
	store_column_attrs(stmt, 6, port_attrs, n_port_attrs, p);
	if (sqlite3_column_type(stmt, 5) != SQLITE_NULL)
		take_peer(ld, p, sqlite3_column_int64(stmt, 5));
}

static void forget_rev(const struct loader *ld, uint32_t at)
{
	struct port *p = port_at(ld, at);

	port_clear(p);
	p->seen = ld->out->nodes[at >> 8]->seen;
	p->link_seen = p->peer_port = 0;
	p->last_read = 0;
	p->peer_node = NO_NODE;
}

static int rev_row(struct loader *ld, sqlite3_stmt *stmt)
{
	int64_t port = sqlite3_column_int64(stmt, 0);
	int is_gone = sqlite3_column_int(stmt, 2) == SEEN_GONE;
	uint32_t at = place_of(ld, port);

	if (port != ld->walked && end_port(ld) < 0)
		return -1;
	ld->walked = port;
	ld->wrong = NULL;
	if (at == NO_NODE)
		return 0; /* another fabric's */
	if (at == LOST)
		ld->wrong = is_gone ? NULL : "a port without its node";
	else if (is_gone)
		forget_rev(ld, at);
	else
		take_rev(ld, port_at(ld, at), stmt);
	return 0;
}

static int walk_ports(struct loader *ld, int64_t last)
{
	struct strbuf sql = STRBUF_INIT;
	int rc;

	ld->n_ports = last + 1;
	ld->ports = xcalloc((size_t)ld->n_ports, sizeof(*ld->ports));
	memset(ld->ports, 0xff, (size_t)ld->n_ports * sizeof(*ld->ports));
	if (each_row(ld, "SELECT p.id, p.node, p.num FROM node_key k "
		     "JOIN port_key p ON p.node = k.id "
		     "WHERE ?1 AND k.fabric = ?2", key_row) < 0)
		return -1;
	strbuf_add(&sql, "SELECT r.port, r.present, r.seen, r.link_seen, "
		   "r.last_read, r.peer");
	store_add_columns(&sql, "r.", port_attrs, n_port_attrs);
	strbuf_add(&sql, " FROM port_rev r WHERE r.snapshot <= ?1 "
		   "ORDER BY r.port, r.snapshot");
	rc = each_row(ld, sql.s, rev_row);
	strbuf_free(&sql);
	return rc < 0 ? -1 : end_port(ld);
}

static int load_ports(struct loader *ld)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t last = -1;
	int rc;

	if (!ld->picked &&
	    store_int(ld->st, WALK_TO, 0, 0, &last, ld->err) < 0)
		return -1;
	if (last >= 0)
		return walk_ports(ld, last);
	strbuf_add(&sql, "SELECT p.id, p.node, p.num, r.present, r.seen, "
		   "r.link_seen, r.last_read, r.peer, q.node, q.num");
	store_add_columns(&sql, "r.", port_attrs, n_port_attrs);
	strbuf_add(&sql, ld->picked ? " " PICKED_AT : " " PORTS_AT);
	rc = each_row(ld, sql.s, port_row);
	strbuf_free(&sql);
	return rc;
}

static int local_row(struct loader *ld, sqlite3_stmt *stmt)
{
	const struct port *p = port_of(ld, stmt, 0, &ld->out->local_node);

	if (!p)
		return damaged(ld, "a local port that is not there");
	ld->out->local_port = p->num;
	return 0;
}

static int load_local(struct loader *ld)
{
	return each_row(ld, "SELECT p.node, p.num FROM snapshot s "
			"JOIN port_key p ON p.id = s.local_port "
			"WHERE s.id = ?1", local_row);
}

static int sm_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	const struct port *p = port_of(ld, stmt, 0, &at);
	struct sm *sm;

	if (!p)
		return damaged(ld, "a subnet manager on a port that is not "
			       "there");
	sm = snapshot_add_sm(ld->out);
	sm->node = at;
	sm->port = p->num;
	sm->answered = (uint8_t)sqlite3_column_int(stmt, 2);
	sm->guid = (uint64_t)sqlite3_column_int64(stmt, 3);
	sm->priority = (int32_t)store_column(stmt, 4, VAL_NONE);
	sm->state = (int32_t)store_column(stmt, 5, VAL_NONE);
	sm->act_count = store_column(stmt, 6, VAL_NONE64);
	return 0;
}

static int load_sms(struct loader *ld)
{
	return each_row(ld, "SELECT p.node, p.num, r.answered, r.guid, "
			"r.priority, r.state, r.act_count FROM sm_row r "
			"JOIN port_key p ON p.id = r.port "
			"WHERE r.snapshot = ?1 ORDER BY r.port", sm_row);
}

/* "0,1,5,2", as route_format() writes it. */
static void parse_route(const char *s, struct route *r)
{
	for (s = strchr(s, ','); s && r->hops < ROUTE_MAX - 1;
	     s = strchr(s + 1, ','))
		r->hop[++r->hops] = (uint8_t)atoi(s + 1);
}

static int duplicate_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	struct node *n = node_of(ld, sqlite3_column_int64(stmt, 0), &at);

	if (!n)
		return damaged(ld, "the route of a node that is not there");
	parse_route((const char *)sqlite3_column_text(stmt, 1), &n->route);
	return 0;
}

static int load_duplicates(struct loader *ld)
{
	return each_row(ld, "SELECT node, route FROM duplicate_row "
			"WHERE snapshot = ?1", duplicate_row);
}

static int failure_row(struct loader *ld, sqlite3_stmt *stmt)
{
	struct failure *f = snapshot_add_failure(ld->out);

	if (sqlite3_column_type(stmt, 0) != SQLITE_NULL &&
	    !node_of(ld, sqlite3_column_int64(stmt, 0), &f->node))
		return damaged(ld, "a failed query of a node that is not "
			       "there");
	f->port = (int32_t)store_column(stmt, 1, VAL_NONE);
	parse_route((const char *)sqlite3_column_text(stmt, 2), &f->route);
	f->mgmt_class = (uint8_t)sqlite3_column_int(stmt, 3);
	f->attribute = (uint16_t)sqlite3_column_int(stmt, 4);
	f->modifier = (uint32_t)sqlite3_column_int64(stmt, 5);
	f->status = (uint8_t)sqlite3_column_int(stmt, 6);
	f->mad_status = (uint16_t)sqlite3_column_int(stmt, 7);
	snprintf(f->text, sizeof(f->text), "%s",
		 (const char *)sqlite3_column_text(stmt, 8));
	return 0;
}

static int load_failures(struct loader *ld)
{
	return each_row(ld, "SELECT node, num, route, mgmt_class, attribute, "
			"modifier, status, mad_status, text FROM failure_row "
			"WHERE snapshot = ?1 ORDER BY seq", failure_row);
}

static int counter_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	struct port *p = port_of(ld, stmt, 0, &at);
	struct counters *c;
	int i;

	if (!p)
		return damaged(ld, "counters of a port that is not there");
	c = xcalloc(1, sizeof(*c));
	counters_init(c);
	if (__builtin_add_overflow(ld->out->started_ms,
				   sqlite3_column_int64(stmt, 2), &c->at_ms)) {
		counters_free(c);
		return damaged(ld, "counters of an impossible time");
	}
	c->src = (uint8_t)sqlite3_column_int(stmt, 3);
	for (i = COUNTER_ERRORS; i < COUNTER_MAIN; i++)
		c->value[i] = store_column(stmt, 4 + i - COUNTER_ERRORS,
					   COUNTER_UNREAD);
	counters_free(p->counters);
	p->counters = c;
	return 0;
}

static int error_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	struct port *p = port_of(ld, stmt, 0, &at);
	struct error_row row;

	if (sqlite3_column_type(stmt, 2) == SQLITE_NULL || !p || !p->counters)
		return damaged(ld, "error counters that are not there");
	errors_read(stmt, 2, &row);
	memcpy(p->counters->value, row.value, sizeof(row.value));
	return 0;
}

static int detail_row(struct loader *ld, sqlite3_stmt *stmt)
{
	uint32_t at;
	struct port *p = port_of(ld, stmt, 0, &at);
	int i;

	if (!p || !p->counters)
		return damaged(ld, "details of counters that are not there");
	for (i = COUNTER_MAIN; i < COUNTER_COUNT; i++)
		counters_set(p->counters, i,
			     store_column(stmt, 2 + i - COUNTER_MAIN,
					  COUNTER_UNREAD));
	return 0;
}

/* ", r.column" for the counters i to end; NULL for those that the database
 * has not. */
static int add_counters(struct loader *ld, struct strbuf *sql, int i, int end)
{
	uint8_t has[COUNTER_COUNT];

	if (store_counter_columns(ld->st, has, ld->err) < 0)
		return -1;
	for (; i < end; i++)
		strbuf_addf(sql, ", %s%s", has[i] ? "r." : "NULL AS ",
			    counter_table[i].column);
	return 0;
}

static int load_values(struct loader *ld, const char *select, int i, int end,
		       const char *from,
		       int (*row)(struct loader *ld, sqlite3_stmt *stmt))
{
	struct strbuf sql = STRBUF_INIT;
	int rc;

	strbuf_add(&sql, select);
	rc = add_counters(ld, &sql, i, end);
	strbuf_addf(&sql, " FROM %s", from);
	if (!rc)
		rc = each_row(ld, sql.s, row);
	strbuf_free(&sql);
	return rc;
}

/* Of the ports whose error counters were read in this snapshot. */
static int load_errors(struct loader *ld)
{
	struct strbuf sql = STRBUF_INIT;
	int rc;

	strbuf_add(&sql, "SELECT p.node, p.num");
	errors_add_columns(&sql, "e.");
	strbuf_add(&sql, " FROM counter_row c JOIN port_key p ON p.id = c.port "
		   "LEFT JOIN error_rev e ON e.port = c.port AND e.snapshot = "
		   "(SELECT max(x.snapshot) FROM error_rev x "
		   "WHERE x.port = c.port AND x.snapshot <= ?1) "
		   "WHERE c.snapshot = ?1 AND c.src & 5");
	rc = each_row(ld, sql.s, error_row);
	strbuf_free(&sql);
	return rc;
}

static int load_all_counters(struct loader *ld)
{
	if (load_values(ld, "SELECT p.node, p.num, r.at, r.src",
			COUNTER_ERRORS, COUNTER_MAIN,
			"counter_row r JOIN port_key p ON p.id = r.port "
			"WHERE r.snapshot = ?1", counter_row) < 0 ||
	    load_errors(ld) < 0)
		return -1;
	return load_values(ld, "SELECT p.node, p.num", COUNTER_MAIN,
			   COUNTER_COUNT, "detail_row r JOIN port_key p ON "
			   "p.id = r.port WHERE r.snapshot = ?1", detail_row);
}

/* The counters that details split up, where they are above 0. */
static void take_parents(struct port *p, const struct error_row *row)
{
	static const unsigned src[] = { SRC_RCV_DETAILS, SRC_XMIT_DETAILS };
	size_t i;

	for (i = 0; i < sizeof(src) / sizeof(src[0]); i++) {
		int parent = counter_parent(src[i]);

		if (row->value[parent] <= 0)
			continue;
		if (!p->counters) {
			p->counters = xcalloc(1, sizeof(*p->counters));
			counters_init(p->counters);
		}
		p->counters->value[parent] = row->value[parent];
	}
}

static int load_parents(struct loader *ld)
{
	const struct errors *e = store_errors(ld->st, ld->fabric, ld->out->id,
					      ld->err);
	const struct error_row *row;
	size_t i;
	int p;

	if (!e)
		return -1;
	for (i = 0; i < ld->out->n_nodes; i++)
		for (p = 0; p <= ld->out->nodes[i]->nports; p++) {
			struct port *port = &ld->out->nodes[i]->ports[p];

			row = port->key ? errors_get(e, port->key) : NULL;
			if (row)
				take_parents(port, row);
		}
	return 0;
}

static int load_counters(struct loader *ld, enum store_counters which)
{
	switch (which) {
	case STORE_ALL_COUNTERS:
		return load_all_counters(ld);
	case STORE_PARENTS:
		return load_parents(ld);
	case STORE_NO_COUNTERS:
		break;
	}
	return 0;
}

static int load_all(struct loader *ld, enum store_counters counters)
{
	if (load_head(ld) < 0 || load_nodes(ld) < 0 || load_ports(ld) < 0 ||
	    load_sms(ld) < 0)
		return -1;
	if (ld->picked)
		return 0;
	if (load_local(ld) < 0 || load_duplicates(ld) < 0 ||
	    load_failures(ld) < 0)
		return -1;
	return load_counters(ld, counters);
}

int store_load_part(struct store *st, int64_t id, enum store_counters counters,
		    int picked, struct snapshot *out, struct err *err)
{
	struct loader ld = { .st = st, .out = out, .err = err,
			     .picked = picked };
	int rc;

	snapshot_init(out);
	out->id = id;
	rc = load_all(&ld, counters);
	if (rc < 0)
		snapshot_free(out);
	map_free(&ld.by_key);
	free(ld.ports);
	return rc;
}

int store_load(struct store *st, int64_t id, enum store_counters counters,
	       struct snapshot *out, struct err *err)
{
	int is_ours = sqlite3_get_autocommit(st->db), rc;

	snapshot_init(out);
	if (is_ours && store_exec(st, "BEGIN", WHAT, err) < 0)
		return -1;
	rc = store_load_part(st, id, counters, 0, out, err);
	if (is_ours)
		store_rollback(st);
	/* The sweep that follows takes long and does not need its cache. */
	sqlite3_db_release_memory(st->db);
	return rc;
}
