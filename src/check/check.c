/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * One check is one transaction that is rolled back at its end: it sees one
 * state of the database though a sweep may commit meanwhile, and takes the
 * temporary tables away again.  Order: make the empty views, compile the
 * rules, fill the views that they read, run them.
 */

/* Statements of the rules, by their index; NULL for those that do not run. */
struct plan {
	struct ruleset *rs;
	sqlite3_stmt **stmts;
};

static int exec(struct check *c, const char *sql, struct err *err)
{
	if (sqlite3_exec(c->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_err(c->st, err, "preparing the check");
	return 0;
}

/* The fabric's id of a snapshot; 0 when there is no such snapshot. */
static int64_t fabric_of(struct check *c, int64_t snapshot)
{
	sqlite3_stmt *stmt;
	int64_t fabric = 0;

	if (sqlite3_prepare_v2(c->db, "SELECT fabric FROM main.snapshot "
			       "WHERE id = ?", -1, &stmt, NULL) != SQLITE_OK)
		return 0;
	sqlite3_bind_int64(stmt, 1, snapshot);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		fabric = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return fabric;
}

static int verify_snapshots(struct check *c, struct err *err)
{
	int64_t fabric = fabric_of(c, c->id);

	if (!fabric)
		return err_set(err, "there is no snapshot %lld; `ibaudit list` "
			       "shows those that are there", (long long)c->id);
	if (!c->baseline)
		return 0;
	if (c->baseline >= c->id)
		return err_set(err, "snapshot %lld is not older than snapshot "
			       "%lld; compare with an older one",
			       (long long)c->baseline, (long long)c->id);
	if (fabric_of(c, c->baseline) != fabric)
		return err_set(err, "snapshots %lld and %lld are not of one "
			       "fabric; `ibaudit list` shows the fabrics",
			       (long long)c->baseline, (long long)c->id);
	return 0;
}

static void compile(struct check *c, struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->rs->n; i++) {
		struct rule *r = &plan->rs->rules[i];

		if (!r->enabled || !r->sql)
			continue;
		/* Broken in an earlier check; this one tries again. */
		free(r->broken);
		r->broken = NULL;
		plan->stmts[i] = guard_prepare(c, r);
	}
}

/* before: findings that were there before the rule. */
static int add_row(struct check *c, sqlite3_stmt *stmt, struct rule *r,
		   const int col[COL_END], size_t before)
{
	if (c->out->n - before >= RULE_ROWS_MAX)
		return rule_break(r, "gives more than %d rows", RULE_ROWS_MAX);
	return finding_add(c, stmt, r, col);
}

static void run_rule(struct check *c, struct rule *r, sqlite3_stmt *stmt)
{
	size_t before = c->out->n;
	int64_t deadline_us;
	int col[COL_END];

	if (columns_find(stmt, r, col) < 0)
		return;
	guard_start(c, &deadline_us);
	while (guard_step(c, stmt, r) == SQLITE_ROW)
		if (add_row(c, stmt, r, col, before) < 0)
			break;
	guard_stop(c);
	if (r->broken)
		findings_cut(c->out, before);
}

static void run_rules(struct check *c, struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->rs->n; i++) {
		struct rule *r = &plan->rs->rules[i];

		if (plan->stmts[i])
			run_rule(c, r, plan->stmts[i]);
		c->out->n_broken += r->enabled && r->broken;
	}
	findings_sort(c->out);
}

/* Within the transaction. */
static int run(struct check *c, struct plan *plan, const char *name_map,
	       struct err *err)
{
	if (verify_snapshots(c, err) < 0 || views_create(c, err) < 0)
		return -1;
	c->end = check_prepare(c, "check-end.sql", err);
	if (!c->end || names_fill(c, name_map, err) < 0)
		return -1;
	compile(c, plan);
	if (views_fill(c, err) < 0)
		return -1;
	run_rules(c, plan);
	return 0;
}

static void finish(struct check *c, struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->rs->n; i++)
		sqlite3_finalize(plan->stmts[i]);
	free(plan->stmts);
	sqlite3_finalize(c->end);
	sqlite3_exec(c->db, "ROLLBACK", NULL, NULL, NULL);
	functions_remove(c->db);
}

int check_run_limited(struct store *st, struct ruleset *rs, int64_t id,
		      int64_t baseline, const char *name_map, int limit_ms,
		      struct findings *out, struct err *err)
{
	struct check c = { .st = st, .db = store_db(st), .id = id,
			   .baseline = baseline, .limit_ms = limit_ms,
			   .out = out };
	struct plan plan = { rs, NULL };
	int rc;

	memset(out, 0, sizeof(*out));
	if (exec(&c, "BEGIN", err) < 0)
		return -1;
	plan.stmts = xcalloc(rs->n, sizeof(*plan.stmts));
	rc = functions_add(&c, err);
	if (rc == 0)
		rc = run(&c, &plan, name_map, err);
	finish(&c, &plan);
	return rc;
}

int check_run(struct store *st, struct ruleset *rs, int64_t id,
	      int64_t baseline, const char *name_map, struct findings *out,
	      struct err *err)
{
	return check_run_limited(st, rs, id, baseline, name_map, RULE_LIMIT_MS,
				 out, err);
}
