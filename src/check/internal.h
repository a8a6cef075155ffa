/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CHECK_INTERNAL_H
#define IBAUDIT_CHECK_INTERNAL_H

#include <sqlite3.h>
#include <stdint.h>

#include "check/check.h"
#include "store/sql.h"

/* What the files of this module share; nobody else includes it but its test. */

/* sql/check-*.sql, by sql/embed.sh.  Ends with a NULL name. */
extern const struct sql_file check_sql[];

/* Longest time that one rule may run, in milliseconds. */
#define RULE_LIMIT_MS 10000

/* Most rows that one rule may give: nobody reads more, and a rule that joins
 * too much gives millions. */
#define RULE_ROWS_MAX 100000

/* One check under way. */
struct check {
	struct store *st;
	sqlite3 *db;
	int64_t id;
	int64_t baseline;  /* 0: none */
	unsigned needs;    /* views_need() */
	int limit_ms;      /* for one rule */
	int length_max;    /* SQLITE_LIMIT_LENGTH while no rule runs */
	sqlite3_stmt *end; /* sql/check-end.sql */
	int expect_is_filled;
	struct findings *out;
};

/* check_run() with another limit than RULE_LIMIT_MS. */
int check_run_limited(struct store *st, struct ruleset *rs, int64_t id,
		      int64_t baseline, const char *name_map, int limit_ms,
		      struct findings *out, struct err *err);

/* ---- rule files (rule.c) ---- */

/*
 * Parse the text of a rule file into r, whose id and path are set: front
 * matter and statement.  What is wrong goes to r->broken.
 */
void rule_parse(struct rule *r, const char *text);

/* Set r->broken, unless it is set.  Always returns -1. */
int rule_break(struct rule *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void rule_free(struct rule *r);

/* The parameter of that name, or NULL. */
struct rule_param *rule_find_param(const struct rule *r, const char *name);

/* ---- SQL functions of the views (functions.c) ---- */

/* Define ib_*() on the connection, and take them away again. */
int functions_add(struct check *c, struct err *err);
void functions_remove(sqlite3 *db);

/* ---- views (views.c, counters.c, names.c) ---- */

/* The text of one of sql/check-*.sql; static. */
const char *check_sql_find(const char *name);

/* Prepare the one statement of that file.  NULL with err set. */
sqlite3_stmt *check_prepare(struct check *c, const char *name,
			    struct err *err);

/* Bind v to :name, where the statement has it. */
void bind_int(sqlite3_stmt *stmt, const char *name, int64_t v);

/* Make the empty tables and views. */
int views_create(struct check *c, struct err *err);

/* Note that the table of that name will be read. */
void views_need(struct check *c, const char *table);

/* Fill all that is needed. */
int views_fill(struct check *c, struct err *err);

/* Fill stored_counter from the counters of both snapshots. */
int counters_fill(struct check *c, struct err *err);

/* Fill expected_* and the like from the expectation of the fabric. */
int expect_fill(struct check *c, struct err *err);

/* Fill stored_name from a node name map; one that is not there is empty. */
int names_fill(struct check *c, const char *path, struct err *err);

/* ---- what a rule may do (guard.c) ---- */

/*
 * Compile a rule's statement with nothing allowed but to read the views.
 * NULL, and r->broken says why, when it is anything else.
 */
sqlite3_stmt *guard_prepare(struct check *c, struct rule *r);

/* Run it for at most c->limit_ms until its next row: SQLITE_ROW,
 * SQLITE_DONE, or another code with r->broken set.  guard_start() sets the
 * clock of a rule and limits the length of its texts, until guard_stop(). */
void guard_start(struct check *c, int64_t *deadline_us);
int guard_step(struct check *c, sqlite3_stmt *stmt, struct rule *r);
void guard_stop(struct check *c);

/* ---- findings (finding.c) ---- */

/* Which column of a rule's result is what. */
enum result_column {
	COL_NODE_GUID,
	COL_INSTANCE,
	COL_PORT,
	COL_MESSAGE,
	COL_MANDATORY, /* those before are */
	COL_PEER_GUID = COL_MANDATORY,
	COL_PEER_INSTANCE,
	COL_PEER_PORT,
	COL_SEVERITY,
	COL_END
};

/* Find them; -1 with r->broken set when a mandatory one is missing. */
int columns_find(sqlite3_stmt *stmt, struct rule *r, int col[COL_END]);

/* Add the finding of the statement's row; -1 with r->broken set when the row
 * makes none. */
int finding_add(struct check *c, sqlite3_stmt *stmt, struct rule *r,
		const int col[COL_END]);

/* Forget all but the first n. */
void findings_cut(struct findings *f, size_t n);

/* Into the order that check.h promises, and counted. */
void findings_sort(struct findings *f);

#endif
