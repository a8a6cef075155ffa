/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/saver.h"

#include <stdlib.h>

/*
 * Notes
 *
 * A node that got its key just now has no port keys yet: a first sweep
 * inserts without looking anything up.
 */

/* Those that are NULL here are made from the tables of the model. */
static const char *const statements[ST_COUNT] = {
	[ST_FABRIC_ADD] =
		"INSERT INTO fabric (name, subnet_prefix) VALUES (?1, ?2) "
		"ON CONFLICT (name) DO UPDATE SET subnet_prefix = ?2",
	[ST_SNAPSHOT_ADD] =
		"INSERT INTO snapshot (fabric, subnet_prefix, started_ms, "
		"finished_ms, complete, with_counters, pma_asked, "
		"pma_answered, mads_sent, mads_unmatched, discovery, "
		"local_port, note, switches, cas, aggregation_nodes, routers, "
		"ports, links, sms, failures, unread_nodes) VALUES (?,?,?,?,?,"
		"?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_NODE_FIND] = "SELECT id FROM node_key "
			 "WHERE fabric = ?1 AND guid = ?2 AND instance = ?3",
	[ST_NODE_ADD] = "INSERT INTO node_key (fabric, guid, instance) "
			"VALUES (?1, ?2, ?3)",
	[ST_PORT_FIND] = "SELECT id FROM port_key "
			 "WHERE node = ?1 AND num = ?2",
	[ST_PORT_ADD] = "INSERT INTO port_key (node, num) VALUES (?1, ?2)",
	[ST_NODE_GONE] = "INSERT INTO node_rev (node, snapshot, seen, nports) "
			 "VALUES (?1, ?2, 2, 0)",
	[ST_PORT_GONE] = "INSERT INTO port_rev (port, snapshot, seen, "
			 "present, link_seen) VALUES (?1, ?2, 2, 0, 0)",
	[ST_SM] = "INSERT INTO sm_row (snapshot, port, answered, guid, "
		  "priority, state, act_count) VALUES (?, ?, ?, ?, ?, ?, ?)",
	[ST_FAILURE] = "INSERT INTO failure_row (snapshot, seq, node, num, "
		       "route, mgmt_class, attribute, modifier, status, "
		       "mad_status, text) "
		       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[ST_DUPLICATE] = "INSERT INTO duplicate_row (snapshot, node, route) "
			 "VALUES (?, ?, ?)",
};

/* ") VALUES (?,?),(?,?)" for so many rows of n. */
static void add_placeholders(struct strbuf *b, size_t n, size_t rows)
{
	const char *before = ") VALUES (";
	size_t i;

	for (; rows; rows--, before = ",(") {
		strbuf_add(b, before);
		for (i = 0; i < n; i++)
			strbuf_add(b, i ? ",?" : "?");
		strbuf_add(b, ")");
	}
}

static void add_counters(struct strbuf *b, int i, int end)
{
	for (; i < end; i++)
		strbuf_addf(b, ", %s", counter_table[i].column);
}

static char *made_statement(int which)
{
	struct strbuf b = STRBUF_INIT;

	if (which == ST_NODE_REV) {
		strbuf_add(&b, "INSERT INTO node_rev (node, snapshot, seen, "
			   "last_read, nports, descr, name");
		store_add_columns(&b, "", node_attrs, n_node_attrs);
		add_placeholders(&b, 7 + n_node_attrs, 1);
	} else if (which == ST_PORT_REV) {
		strbuf_add(&b, "INSERT INTO port_rev (port, snapshot, seen, "
			   "last_read, present, link_seen, peer");
		store_add_columns(&b, "", port_attrs, n_port_attrs);
		add_placeholders(&b, 7 + n_port_attrs, 1);
	} else if (which == ST_COUNTER || which == ST_COUNTERS) {
		strbuf_add(&b, "INSERT INTO counter_row (snapshot, port, at, "
			   "src");
		add_counters(&b, COUNTER_ERRORS, COUNTER_MAIN);
		add_placeholders(&b, SAVER_COUNTER_PARAMETERS,
				 which == ST_COUNTER ? 1 : SAVER_AT_ONCE);
	} else {
		strbuf_add(&b, "INSERT INTO detail_row (snapshot, port");
		add_counters(&b, COUNTER_MAIN, COUNTER_COUNT);
		add_placeholders(&b, 2 + COUNTER_DETAILS, 1);
	}
	return strbuf_take(&b);
}

int saver_prepare(struct saver *sv)
{
	int i;

	for (i = 0; i < ST_COUNT; i++) {
		char *made = statements[i] ? NULL : made_statement(i);

		sv->stmt[i] = store_prepare(sv->st, made ? made : statements[i],
					    SAVER_WHAT, sv->err);
		free(made);
		if (!sv->stmt[i])
			return -1;
	}
	return 0;
}

void saver_finalize(struct saver *sv)
{
	int i;

	for (i = 0; i < ST_COUNT; i++)
		sqlite3_finalize(sv->stmt[i]);
	strbuf_free(&sv->text);
	free(sv->fresh);
}

int saver_run(struct saver *sv, int which)
{
	return store_run(sv->st, sv->stmt[which], SAVER_WHAT, sv->err);
}

/* The id that a statement with these parameters finds: 1, 0 or -1. */
static int find_id(struct saver *sv, int which, const int64_t *v, int n,
		   int64_t *id)
{
	sqlite3_stmt *stmt = sv->stmt[which];
	int i, rc;

	for (i = 0; i < n; i++)
		sqlite3_bind_int64(stmt, i + 1, v[i]);
	rc = store_step(sv->st, stmt, SAVER_WHAT, sv->err);
	if (rc == 1)
		*id = sqlite3_column_int64(stmt, 0);
	sqlite3_reset(stmt);
	return rc;
}

static int add_id(struct saver *sv, int which, const int64_t *v, int n,
		  int64_t *id)
{
	if (find_id(sv, which, v, n, id) < 0)
		return -1;
	*id = sqlite3_last_insert_rowid(sv->st->db);
	return 0;
}

static int node_key(struct saver *sv, uint32_t i)
{
	struct node *n = sv->s->nodes[i];
	const int64_t v[] = { sv->fabric, (int64_t)n->guid, n->instance };
	int found;

	if (n->key)
		return 0;
	found = find_id(sv, ST_NODE_FIND, v, 3, &n->key);
	if (found)
		return found < 0 ? -1 : 0;
	sv->fresh[i] = 1;
	return add_id(sv, ST_NODE_ADD, v, 3, &n->key);
}

int saver_port_key(struct saver *sv, uint32_t i, uint8_t num)
{
	struct port *p = &sv->s->nodes[i]->ports[num];
	const int64_t v[] = { sv->s->nodes[i]->key, num };
	int found;

	if (p->key)
		return 0;
	found = sv->fresh[i] ? 0 : find_id(sv, ST_PORT_FIND, v, 2, &p->key);
	if (found)
		return found < 0 ? -1 : 0;
	return add_id(sv, ST_PORT_ADD, v, 2, &p->key);
}

int saver_is_blank(const struct port *p)
{
	size_t i;
	int null;

	if (p->present || p->peer_node != NO_NODE)
		return 0;
	for (i = 0; i < n_port_attrs; i++) {
		attr_get(&port_attrs[i], p, &null);
		if (!null)
			return 0;
	}
	return 1;
}

static int needs_key(const struct port *p)
{
	return !saver_is_blank(p) || p->counters;
}

int saver_keys(struct saver *sv)
{
	uint32_t i;
	int p;

	for (i = 0; i < sv->s->n_nodes; i++)
		if (node_key(sv, i) < 0)
			return -1;
	for (i = 0; i < sv->s->n_nodes; i++)
		for (p = 0; p <= sv->s->nodes[i]->nports; p++)
			if (needs_key(&sv->s->nodes[i]->ports[p]) &&
			    saver_port_key(sv, i, (uint8_t)p) < 0)
				return -1;
	return 0;
}
