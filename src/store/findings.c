/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

/*
 * Notes
 *
 * An episode is open while `closed` is NULL.  Each finding touches its open
 * episode, or begins one.  What was open and not touched (touched is what has
 * this snapshot as its last one) is closed, but only where the check could
 * have found it: by a rule that ran, at a place that was read.
 */

#define WHAT "storing the findings"

/* ?1 fabric, ?2 snapshot, ?3 rule, ?4 to ?9 place, ?10 severity, ?11 message */
#define PLACE \
	"fabric = ?1 AND rule = ?3 AND node_guid IS ?4 AND instance IS ?5 " \
	"AND port IS ?6 AND peer_guid IS ?7 AND peer_instance IS ?8 " \
	"AND peer_port IS ?9 AND closed IS NULL"

static const char touch_sql[] =
	"UPDATE finding_row SET last_snapshot = ?2, severity = ?10, "
	"message = ?11 WHERE " PLACE;
static const char begin_sql[] =
	"INSERT INTO finding_row (fabric, first_snapshot, last_snapshot, "
	"rule, node_guid, instance, port, peer_guid, peer_instance, "
	"peer_port, severity, message) "
	"VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
static const char close_sql[] =
	"UPDATE finding_row AS f SET closed = ?2 WHERE fabric = ?1 "
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

static int close_each(struct store *st, sqlite3_stmt *stmt,
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

static int save_in_transaction(struct store *st, int64_t fabric,
			       const struct store_check *check,
			       struct err *err)
{
	const char *const sql[] = { touch_sql, begin_sql, close_sql };
	sqlite3_stmt *stmt[3] = { NULL, NULL, NULL };
	int i, rc = 0;

	for (i = 0; i < 3; i++) {
		stmt[i] = store_prepare(st, sql[i], WHAT, err);
		if (!stmt[i]) {
			rc = -1;
			break;
		}
		sqlite3_bind_int64(stmt[i], 1, fabric);
		sqlite3_bind_int64(stmt[i], 2, check->snapshot);
	}
	if (!rc)
		rc = save_each(st, stmt[0], stmt[1], check->found,
			       check->n_found, err);
	if (!rc)
		rc = close_each(st, stmt[2], check, err);
	for (i = 0; i < 3; i++)
		sqlite3_finalize(stmt[i]);
	return rc;
}

int store_save_findings(struct store *st, const struct store_check *check,
			struct err *err)
{
	int64_t fabric = 0;

	if (store_int(st, "SELECT fabric FROM snapshot WHERE id = ?1",
		      check->snapshot, 0, &fabric, err) < 0)
		return -1;
	if (!fabric)
		return err_set(err, "no snapshot %lld; see 'ibaudit list'",
			       (long long)check->snapshot);
	if (store_exec(st, "BEGIN IMMEDIATE", WHAT, err) < 0)
		return -1;
	if (save_in_transaction(st, fabric, check, err) < 0 ||
	    store_exec(st, "COMMIT", WHAT, err) < 0) {
		store_rollback(st);
		return -1;
	}
	return 0;
}
