/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <string.h>

/*
 * Notes
 *
 * An episode is open while `closed` is NULL.  Each finding touches its open
 * episode, or begins one.  What was open and not touched (touched is what has
 * this snapshot as its last one) was missed, but only where the check could
 * have found it: by a rule that ran, at a place that was read.  An episode ends
 * when it was missed by CLEAR_CHECKS checks, and for CLEAR_MS: a counter that
 * creeps, and a link that flaps, are one episode however often one sweeps.
 *
 * Where another node is at the port that a node had that is gone, it was
 * replaced, and all that was found of it is over.
 */

#define WHAT "storing the findings"
#define CLEAR_CHECKS "3"
#define CLEAR_MS "3600000" /* an hour */

/* ?1 fabric, ?2 snapshot, ?3 rule, ?4 to ?9 place, ?10 severity, ?11 message,
 * ?12 when the snapshot was started */
#define PLACE \
	"fabric = ?1 AND rule = ?3 AND node_guid IS ?4 AND instance IS ?5 " \
	"AND port IS ?6 AND peer_guid IS ?7 AND peer_instance IS ?8 " \
	"AND peer_port IS ?9"

static const char touch_sql[] =
	"UPDATE finding_row SET last_snapshot = ?2, last_ms = ?12, "
	"missed = 0, severity = ?10, message = ?11 WHERE " PLACE
	" AND closed IS NULL";
static const char begin_sql[] =
	"INSERT INTO finding_row (fabric, first_snapshot, last_snapshot, "
	"rule, node_guid, instance, port, peer_guid, peer_instance, "
	"peer_port, severity, message, first_ms, last_ms, missed) "
	"VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, "
	"0)";
static const char miss_sql[] =
	"UPDATE finding_row AS f SET missed = missed + 1 WHERE fabric = ?1 "
	"AND rule = ?3 AND closed IS NULL AND last_snapshot < ?2 "
	"AND NOT EXISTS (SELECT 1 FROM node n WHERE n.snapshot = ?2 "
	" AND n.node_guid = f.node_guid AND n.instance = f.instance "
	" AND n.seen = 'unread') "
	"AND NOT EXISTS (SELECT 1 FROM port p WHERE p.snapshot = ?2 "
	" AND p.node_guid = f.node_guid AND p.instance = f.instance "
	" AND p.port = f.port AND (p.seen = 'unread' OR "
	" p.peer_seen = 'unread')) "
	"AND NOT EXISTS (SELECT 1 FROM port p WHERE p.snapshot = ?2 "
	" AND p.node_guid = f.peer_guid AND p.instance = f.peer_instance "
	" AND p.port = f.peer_port AND p.seen = 'unread') "
	/* A rule of counters can not tell without them. */
	"AND (f.rule NOT GLOB 'counter-*' OR f.port IS NULL OR EXISTS "
	" (SELECT 1 FROM counter c WHERE c.snapshot = ?2 "
	" AND c.node_guid = f.node_guid AND c.instance = f.instance "
	" AND c.port = f.port) OR NOT EXISTS "
	" (SELECT 1 FROM port p WHERE p.snapshot = ?2 "
	" AND p.node_guid = f.node_guid AND p.instance = f.instance "
	" AND p.port = f.port AND p.phys = 5))";
static const char clear_sql[] =
	"UPDATE finding_row SET closed = ?2, closed_ms = ?12, "
	"ended = 'cleared' WHERE fabric = ?1 AND closed IS NULL AND "
	"missed >= " CLEAR_CHECKS " AND ?12 - last_ms >= " CLEAR_MS;
/* A node (k) that is gone, and whose last neighbour (r.peer) has another. */
static const char supersede_sql[] =
	"UPDATE finding_row AS f SET closed = ?2, closed_ms = ?12, "
	"ended = 'superseded' WHERE fabric = ?1 AND closed IS NULL AND "
	"last_snapshot < ?2 AND EXISTS (SELECT 1 FROM node_key k "
	" JOIN node_rev g ON g.node = k.id AND g.seen = 2 AND g.snapshot = "
	"  (SELECT max(snapshot) FROM node_rev "
	"   WHERE node = k.id AND snapshot <= ?2) "
	" JOIN port_key p ON p.node = k.id "
	" JOIN port_rev r ON r.port = p.id AND r.snapshot = "
	"  (SELECT max(snapshot) FROM port_rev "
	"   WHERE port = p.id AND snapshot <= ?2 AND seen < 2) "
	" JOIN port_rev n ON n.port = r.peer AND n.snapshot = "
	"  (SELECT max(snapshot) FROM port_rev "
	"   WHERE port = r.peer AND snapshot <= ?2) "
	" JOIN port_key q ON q.id = n.peer "
	" WHERE k.fabric = ?1 AND n.seen = 0 AND n.link_seen = 0 AND "
	" q.node <> k.id AND ((k.guid = f.node_guid AND "
	"  k.instance = f.instance) OR (k.guid = f.peer_guid AND "
	"  k.instance = f.peer_instance)))";

enum { TOUCH, BEGIN, MISS, CLEAR, SUPERSEDE, STMT_COUNT };

static const char *const statements[STMT_COUNT] = {
	touch_sql, begin_sql, miss_sql, clear_sql, supersede_sql,
};

static void bind_place(sqlite3_stmt *stmt, int i, uint64_t guid,
		       int32_t instance, int32_t port)
{
	store_bind(stmt, i, (int64_t)guid, 0);
	store_bind(stmt, i + 1, guid ? instance : VAL_NONE, VAL_NONE);
	store_bind(stmt, i + 2, guid ? port : VAL_NONE, VAL_NONE);
}

static int run_with(struct store *st, sqlite3_stmt *stmt,
		    const struct store_finding *f, struct err *err)
{
	sqlite3_bind_text(stmt, 3, f->rule, -1, SQLITE_STATIC);
	bind_place(stmt, 4, f->node_guid, f->instance, f->port);
	bind_place(stmt, 7, f->peer_guid, f->peer_instance, f->peer_port);
	sqlite3_bind_text(stmt, 10, f->severity, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 11, f->message, -1, SQLITE_STATIC);
	return store_run(st, stmt, WHAT, err);
}

static int save_each(struct store *st, sqlite3_stmt *touch,
		     sqlite3_stmt *begin, const struct store_finding *f,
		     size_t n, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (run_with(st, touch, &f[i], err) < 0)
			return -1;
		if (!sqlite3_changes(st->db) &&
		    run_with(st, begin, &f[i], err) < 0)
			return -1;
	}
	return 0;
}

static int miss_each(struct store *st, sqlite3_stmt *stmt,
		     const struct store_check *check, struct err *err)
{
	size_t i;

	for (i = 0; i < check->n_ran; i++) {
		sqlite3_bind_text(stmt, 3, check->ran[i], -1, SQLITE_STATIC);
		if (store_run(st, stmt, WHAT, err) < 0)
			return -1;
	}
	return 0;
}

static int save_all(struct store *st, sqlite3_stmt *const stmt[STMT_COUNT],
		    const struct store_check *check, struct err *err)
{
	if (save_each(st, stmt[TOUCH], stmt[BEGIN], check->found,
		      check->n_found, err) < 0 ||
	    store_run(st, stmt[SUPERSEDE], WHAT, err) < 0 ||
	    miss_each(st, stmt[MISS], check, err) < 0)
		return -1;
	return store_run(st, stmt[CLEAR], WHAT, err);
}

static int save_in_transaction(struct store *st, int64_t fabric,
			       int64_t started_ms,
			       const struct store_check *check,
			       struct err *err)
{
	sqlite3_stmt *stmt[STMT_COUNT] = { NULL };
	int i, rc = 0;

	for (i = 0; !rc && i < STMT_COUNT; i++) {
		stmt[i] = store_prepare(st, statements[i], WHAT, err);
		if (!stmt[i]) {
			rc = -1;
			break;
		}
		sqlite3_bind_int64(stmt[i], 1, fabric);
		sqlite3_bind_int64(stmt[i], 2, check->snapshot);
		sqlite3_bind_int64(stmt[i], 12, started_ms);
	}
	if (!rc)
		rc = save_all(st, stmt, check, err);
	for (i = 0; i < STMT_COUNT; i++)
		sqlite3_finalize(stmt[i]);
	return rc;
}

int store_save_findings(struct store *st, const struct store_check *check,
			struct err *err)
{
	int64_t fabric = 0, started_ms = 0;

	if (store_int(st, "SELECT fabric FROM snapshot WHERE id = ?1",
		      check->snapshot, 0, &fabric, err) < 0 ||
	    store_int(st, "SELECT started_ms FROM snapshot WHERE id = ?1",
		      check->snapshot, 0, &started_ms, err) < 0)
		return -1;
	if (!fabric)
		return err_set(err, "no snapshot %lld; see 'ibaudit list'",
			       (long long)check->snapshot);
	if (store_exec(st, "BEGIN IMMEDIATE", WHAT, err) < 0)
		return -1;
	if (save_in_transaction(st, fabric, started_ms, check, err) < 0 ||
	    store_exec(st, "COMMIT", WHAT, err) < 0) {
		store_rollback(st);
		return -1;
	}
	return 0;
}

static const char since_sql[] =
	"SELECT first_snapshot, first_ms FROM finding_row WHERE " PLACE
	" AND first_snapshot <= ?2 AND (closed IS NULL OR closed > ?2) "
	"ORDER BY first_snapshot DESC LIMIT 1";

int store_find_since(struct store *st, int64_t id,
		     const struct store_finding *f, struct store_since *out,
		     struct err *err)
{
	sqlite3_stmt *stmt;
	int64_t fabric = 0;
	int rc;

	memset(out, 0, sizeof(*out));
	if (store_int(st, "SELECT fabric FROM snapshot WHERE id = ?1", id, 0,
		      &fabric, err) < 0)
		return -1;
	stmt = store_prepare(st, since_sql, WHAT, err);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	sqlite3_bind_int64(stmt, 2, id);
	sqlite3_bind_text(stmt, 3, f->rule, -1, SQLITE_STATIC);
	bind_place(stmt, 4, f->node_guid, f->instance, f->port);
	bind_place(stmt, 7, f->peer_guid, f->peer_instance, f->peer_port);
	rc = store_step(st, stmt, WHAT, err);
	if (rc == 1) {
		out->snapshot = sqlite3_column_int64(stmt, 0);
		out->ms = sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return rc < 0 ? -1 : 0;
}
