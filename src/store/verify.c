/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Notes
 *
 * Three looks, from the file up: SQLite's own checks, rows that belong to
 * another fabric's snapshots, and each snapshot rebuilt and counted, since the
 * counts of the sweep stand in its row.
 */

#define WHAT "checking"

struct verifier {
	struct store *st;
	void (*problem)(void *arg, const char *line);
	void *arg;
	int64_t n;
};

static void tell(struct verifier *v, const char *line)
{
	v->problem(v->arg, line);
	v->n++;
}

/* A file so damaged that it cannot be read on is what was looked for. */
static int tell_damage(struct verifier *v, const struct err *err)
{
	if (sqlite3_errcode(v->st->db) != SQLITE_CORRUPT)
		return -1;
	tell(v, err->text);
	return 0;
}

/* Each row of sql is one line, its first column; those that say ok are not. */
static int tell_rows(struct verifier *v, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(v->st, sql, WHAT, err);
	int rc;

	if (!stmt)
		return tell_damage(v, err);
	while ((rc = store_step(v->st, stmt, WHAT, err)) == 1) {
		const char *line = (const char *)sqlite3_column_text(stmt, 0);

		if (line && strcmp(line, "ok"))
			tell(v, line);
	}
	if (rc < 0)
		rc = tell_damage(v, err);
	sqlite3_finalize(stmt);
	return rc;
}

static const char *const own_checks[] = {
	"SELECT printf('%s: row %s leads to no row of %s', \"table\", "
	"ifnull(rowid, '?'), parent) FROM pragma_foreign_key_check",

	"SELECT printf('node_rev: node %d has a row in snapshot %d of another "
	"fabric', r.node, r.snapshot) FROM node_rev r "
	"JOIN node_key k ON k.id = r.node JOIN snapshot s ON s.id = r.snapshot "
	"WHERE k.fabric <> s.fabric",

	"SELECT printf('port_rev: port %d has a row in snapshot %d of another "
	"fabric', r.port, r.snapshot) FROM port_rev r "
	"JOIN port_key p ON p.id = r.port JOIN node_key k ON k.id = p.node "
	"JOIN snapshot s ON s.id = r.snapshot WHERE k.fabric <> s.fabric",

	"SELECT printf('error_rev: port %d has a row in snapshot %d of another "
	"fabric', r.port, r.snapshot) FROM error_rev r "
	"JOIN port_key p ON p.id = r.port JOIN node_key k ON k.id = p.node "
	"JOIN snapshot s ON s.id = r.snapshot WHERE k.fabric <> s.fabric",

	"SELECT printf('snapshot %d: has the counters of %d ports, and %d were "
	"read', id, rows, pma_answered) FROM (SELECT s.id, s.pma_answered, "
	"(SELECT count(*) FROM counter_row c WHERE c.snapshot = s.id) AS rows "
	"FROM snapshot s) WHERE rows < pma_answered",

	"SELECT printf('finding %d: ends before it begins', id) "
	"FROM finding_row WHERE last_snapshot < first_snapshot "
	"OR closed < last_snapshot",
};

static int same_counts(const struct counts *a, const struct counts *b)
{
	return a->switches == b->switches && a->cas == b->cas &&
	       a->aggregation_nodes == b->aggregation_nodes &&
	       a->routers == b->routers && a->ports == b->ports &&
	       a->links == b->links && a->sms == b->sms &&
	       a->failures == b->failures &&
	       a->unread_nodes == b->unread_nodes;
}

static void rebuild(struct verifier *v, const struct store_snapshot *row)
{
	struct snapshot s;
	struct counts c;
	struct err err;
	char line[128];

	if (store_load(v->st, row->id, STORE_ALL_COUNTERS, &s, &err) < 0) {
		tell(v, err.text);
		return;
	}
	snapshot_count(&s, &c);
	if (!same_counts(&c, &row->counts)) {
		snprintf(line, sizeof(line), "snapshot %lld: holds other "
			 "counts than its sweep had", (long long)row->id);
		tell(v, line);
	}
	snapshot_free(&s);
}

static int rebuild_all(struct verifier *v, struct err *err)
{
	struct store_snapshot *rows;
	size_t i, n;

	if (store_list(v->st, NULL, &rows, &n, err) < 0)
		return tell_damage(v, err);
	for (i = 0; i < n; i++) {
		rebuild(v, &rows[i]);
		store_snapshot_free(&rows[i]);
	}
	free(rows);
	return 0;
}

int store_verify(struct store *st, void (*problem)(void *arg, const char *line),
		 void *arg, int64_t *n_problems, struct err *err)
{
	struct verifier v = { .st = st, .problem = problem, .arg = arg };
	size_t i;
	int rc;

	rc = tell_rows(&v, "PRAGMA integrity_check", err);
	for (i = 0; !rc && i < sizeof(own_checks) / sizeof(own_checks[0]); i++)
		rc = tell_rows(&v, own_checks[i], err);
	if (!rc)
		rc = rebuild_all(&v, err);
	*n_problems = v.n;
	return rc;
}
