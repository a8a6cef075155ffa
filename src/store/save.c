/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"
#include "store/saver.h"

#include <stdlib.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * One transaction: fabric, keys, the snapshot's row, what differs from prev,
 * tombstones, duplicates, managers, failures, counters, the error counters
 * that differ from what is known.  Keys come first, since all else refers to
 * them.
 *
 * Rows go in in the order of their keys where there are many of them: SQLite
 * then appends to the tree instead of splitting its pages.  Counters, a row for
 * each port of the fabric, go in by many a statement: within one, SQLite knows
 * the end of the table, and need not search for it.
 */

static int save_fabric(struct saver *sv)
{
	sqlite3_stmt *stmt = sv->stmt[ST_FABRIC_ADD];
	int64_t last = 0, known = sv->prev ? sv->prev->id : 0;

	sqlite3_bind_text(stmt, 1, sv->s->fabric, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 2, (int64_t)sv->s->subnet_prefix);
	if (saver_run(sv, ST_FABRIC_ADD) < 0 ||
	    store_find_fabric(sv->st, sv->s->fabric, &sv->fabric,
			      sv->err) < 0 ||
	    store_latest(sv->st, sv->s->fabric, &last, sv->err) < 0)
		return -1;
	if (last == known)
		return 0;
	return err_set(sv->err, "%s: snapshot %lld of fabric '%s' was stored "
		       "meanwhile; run this again", sv->st->path,
		       (long long)last, sv->s->fabric);
}

static int bind_local(struct saver *sv, sqlite3_stmt *stmt, int i)
{
	const struct snapshot *s = sv->s;

	if (s->local_node == NO_NODE)
		return sqlite3_bind_null(stmt, i);
	if (saver_port_key(sv, s->local_node, s->local_port) < 0)
		return -1;
	return sqlite3_bind_int64(stmt, i,
		s->nodes[s->local_node]->ports[s->local_port].key);
}

static void bind_all(sqlite3_stmt *stmt, int i, const int64_t *v, size_t n)
{
	while (n--)
		sqlite3_bind_int64(stmt, i++, *v++);
}

static void bind_counts(sqlite3_stmt *stmt, int i, const struct counts *c)
{
	const int64_t v[] = {
		c->switches, c->cas, c->aggregation_nodes, c->routers,
		c->ports, c->links, c->sms, c->failures, c->unread_nodes,
	};

	bind_all(stmt, i, v, sizeof(v) / sizeof(v[0]));
}

static int save_head(struct saver *sv)
{
	sqlite3_stmt *stmt = sv->stmt[ST_SNAPSHOT_ADD];
	struct snapshot *s = sv->s;
	const int64_t v[] = {
		sv->fabric, (int64_t)s->subnet_prefix, s->started_ms,
		s->finished_ms, s->complete, s->with_counters, s->pma_asked,
		s->pma_answered, s->mads_sent, s->mads_unmatched,
	};
	struct counts c;

	snapshot_count(s, &c);
	bind_all(stmt, 1, v, sizeof(v) / sizeof(v[0]));
	sqlite3_bind_text(stmt, 11, s->discovery, -1, SQLITE_STATIC);
	if (bind_local(sv, stmt, 12) < 0)
		return -1;
	sqlite3_bind_text(stmt, 13, s->note, -1, SQLITE_STATIC);
	bind_counts(stmt, 14, &c);
	if (saver_run(sv, ST_SNAPSHOT_ADD) < 0)
		return -1;
	s->id = sqlite3_last_insert_rowid(sv->st->db);
	return 0;
}

static int save_duplicate(struct saver *sv, const struct node *n)
{
	sqlite3_stmt *stmt = sv->stmt[ST_DUPLICATE];
	char route[ROUTE_STRLEN + 1];

	sqlite3_bind_int64(stmt, 1, sv->s->id);
	sqlite3_bind_int64(stmt, 2, n->key);
	sqlite3_bind_text(stmt, 3, route_format(&n->route, route), -1,
			  SQLITE_STATIC);
	return saver_run(sv, ST_DUPLICATE);
}

static int save_duplicates(struct saver *sv)
{
	uint8_t *mark = snapshot_mark_duplicates(sv->s);
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < sv->s->n_nodes; i++)
		if (mark[i] && sv->s->nodes[i]->seen == SEEN_READ)
			rc = save_duplicate(sv, sv->s->nodes[i]);
	free(mark);
	return rc;
}

static int save_sms(struct saver *sv)
{
	sqlite3_stmt *stmt = sv->stmt[ST_SM];
	size_t i;

	for (i = 0; i < sv->s->n_sms; i++) {
		const struct sm *sm = &sv->s->sms[i];

		if (saver_port_key(sv, sm->node, sm->port) < 0)
			return -1;
		sqlite3_bind_int64(stmt, 1, sv->s->id);
		sqlite3_bind_int64(stmt, 2,
			sv->s->nodes[sm->node]->ports[sm->port].key);
		sqlite3_bind_int64(stmt, 3, sm->answered);
		store_bind(stmt, 4, (int64_t)sm->guid, 0);
		store_bind(stmt, 5, sm->priority, VAL_NONE);
		store_bind(stmt, 6, sm->state, VAL_NONE);
		store_bind(stmt, 7, sm->act_count, VAL_NONE64);
		if (saver_run(sv, ST_SM) < 0)
			return -1;
	}
	return 0;
}

static int save_failure(struct saver *sv, const struct failure *f, size_t seq)
{
	sqlite3_stmt *stmt = sv->stmt[ST_FAILURE];
	char route[ROUTE_STRLEN + 1];

	sqlite3_bind_int64(stmt, 1, sv->s->id);
	sqlite3_bind_int64(stmt, 2, (int64_t)seq);
	store_bind(stmt, 3,
		   f->node == NO_NODE ? 0 : sv->s->nodes[f->node]->key, 0);
	store_bind(stmt, 4, f->port, VAL_NONE);
	sqlite3_bind_text(stmt, 5, route_format(&f->route, route), -1,
			  SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 6, f->mgmt_class);
	sqlite3_bind_int64(stmt, 7, f->attribute);
	sqlite3_bind_int64(stmt, 8, f->modifier);
	sqlite3_bind_int64(stmt, 9, f->status);
	sqlite3_bind_int64(stmt, 10, f->mad_status);
	sqlite3_bind_text(stmt, 11, f->text, -1, SQLITE_STATIC);
	return saver_run(sv, ST_FAILURE);
}

static int save_failures(struct saver *sv)
{
	size_t i;

	for (i = 0; i < sv->s->n_failures; i++)
		if (save_failure(sv, &sv->s->failures[i], i) < 0)
			return -1;
	return 0;
}

/* Bind the counters of p from parameter i on.  bound, NULL for none, is the
 * port that these parameters were of before: most counters are the same. */
static void bind_counters(const struct saver *sv, sqlite3_stmt *stmt, int i,
			  const struct port *p, const struct port *bound)
{
	const struct counters *c = p->counters;
	const int64_t *was = bound ? bound->counters->value : NULL;
	int k;

	sqlite3_bind_int64(stmt, i, sv->s->id);
	sqlite3_bind_int64(stmt, i + 1, p->key);
	sqlite3_bind_int64(stmt, i + 2, c->at_ms - sv->s->started_ms);
	sqlite3_bind_int64(stmt, i + 3, c->src);
	for (k = COUNTER_ERRORS; k < COUNTER_MAIN; k++)
		if (!was || c->value[k] != was[k])
			store_bind(stmt, i + 4 + k - COUNTER_ERRORS,
				   c->value[k], COUNTER_UNREAD);
}

/* Insert the counters of the n ports of a list, `rows` with each run of the
 * statement: n is a multiple of it. */
static int insert_counters(struct saver *sv, int which, size_t rows,
			   const struct port **list, size_t n)
{
	sqlite3_stmt *stmt = sv->stmt[which];
	size_t i;

	for (i = 0; i < n; i++) {
		bind_counters(sv, stmt,
			      1 + (int)(i % rows) * SAVER_COUNTER_PARAMETERS,
			      list[i], i < rows ? NULL : list[i - rows]);
		if (i % rows == rows - 1 && saver_run(sv, which) < 0)
			return -1;
	}
	return 0;
}

static int save_details_of(struct saver *sv, const struct port *p)
{
	sqlite3_stmt *stmt = sv->stmt[ST_DETAIL];
	int i;

	sqlite3_bind_int64(stmt, 1, sv->s->id);
	sqlite3_bind_int64(stmt, 2, p->key);
	for (i = 0; i < COUNTER_DETAILS; i++)
		store_bind(stmt, 3 + i, p->counters->details[i],
			   COUNTER_UNREAD);
	return saver_run(sv, ST_DETAIL);
}

static int by_key(const void *a, const void *b)
{
	const struct port *p = *(const struct port *const *)a;
	const struct port *q = *(const struct port *const *)b;

	return (p->key > q->key) - (p->key < q->key);
}

/* The ports whose counters were read, in the order of their keys. */
static const struct port **counted_ports(const struct snapshot *s, size_t *n)
{
	const struct port **list = NULL;
	size_t i, cap = 0;
	int p;

	*n = 0;
	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++)
			if (s->nodes[i]->ports[p].counters) {
				list = xgrow(list, *n, &cap, sizeof(*list));
				list[(*n)++] = &s->nodes[i]->ports[p];
			}
	if (*n)
		qsort(list, *n, sizeof(*list), by_key);
	return list;
}

/* The error counters of a port; where they tell of an event, its neighbour
 * may be the one that began anew. */
static int save_errors_of(struct saver *sv, struct error_saver *es,
			  const struct port *p)
{
	const struct port *peer = snapshot_peer(sv->s, p);
	int rc = errors_save(es, p->key, p->counters);

	if (rc == 1 && peer && peer->counters)
		rc = errors_save_epoch(es, peer->key, peer->counters);
	return rc < 0 ? -1 : 0;
}

static int save_errors(struct saver *sv, const struct port **list, size_t n)
{
	struct error_saver es = { .st = sv->st, .err = sv->err,
				  .fabric = sv->fabric,
				  .snapshot = sv->s->id };
	size_t i;
	int rc;

	es.errors = store_errors(sv->st, sv->fabric,
				 sv->prev ? sv->prev->id : 0, sv->err);
	if (!es.errors)
		return -1;
	rc = error_saver_open(&es);
	for (i = 0; !rc && i < n; i++)
		rc = save_errors_of(sv, &es, list[i]);
	error_saver_close(&es);
	sv->st->errors_of = sv->s->id;
	return rc;
}

static int save_list(struct saver *sv, const struct port **list, size_t n)
{
	size_t rest = n % SAVER_AT_ONCE, i;

	if (insert_counters(sv, ST_COUNTERS, SAVER_AT_ONCE, list,
			    n - rest) < 0 ||
	    insert_counters(sv, ST_COUNTER, 1, list + n - rest, rest) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (list[i]->counters->details &&
		    save_details_of(sv, list[i]) < 0)
			return -1;
	return save_errors(sv, list, n);
}

static int save_counters(struct saver *sv)
{
	size_t n;
	const struct port **list = counted_ports(sv->s, &n);
	int rc = n ? save_list(sv, list, n) : 0;

	free(list);
	return rc;
}

static int save_all(struct saver *sv)
{
	if (save_fabric(sv) < 0 || saver_keys(sv) < 0 || save_head(sv) < 0 ||
	    saver_topology(sv) < 0 || save_duplicates(sv) < 0 ||
	    save_sms(sv) < 0 || save_failures(sv) < 0 || save_counters(sv) < 0)
		return -1;
	return 0;
}

/* Keys that were given in a transaction that did not happen. */
static void forget_keys(struct snapshot *s)
{
	size_t i;
	int p;

	s->id = 0;
	for (i = 0; i < s->n_nodes; i++) {
		s->nodes[i]->key = 0;
		for (p = 0; p <= s->nodes[i]->nports; p++)
			s->nodes[i]->ports[p].key = 0;
	}
}

int store_save(struct store *st, struct snapshot *s,
	       const struct snapshot *prev, struct err *err)
{
	struct saver sv = { .st = st, .s = s, .prev = prev, .err = err };
	int is_ours = sqlite3_get_autocommit(st->db), rc = -1;

	sv.fresh = xcalloc(s->n_nodes, 1);
	if (!saver_prepare(&sv) &&
	    (!is_ours || !store_exec(st, "BEGIN IMMEDIATE", SAVER_WHAT, err))) {
		rc = save_all(&sv);
		if (!rc && is_ours)
			rc = store_exec(st, "COMMIT", SAVER_WHAT, err);
		if (rc < 0) {
			store_rollback(st);
			store_forget_errors(st);
			forget_keys(s);
		}
	}
	saver_finalize(&sv);
	if (!rc && is_ours)
		sqlite3_wal_checkpoint_v2(st->db, NULL,
					  SQLITE_CHECKPOINT_PASSIVE, NULL,
					  NULL);
	return rc;
}
