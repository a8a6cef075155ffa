/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/speed.h"
#include "store/errors.h"
#include "store/sql.h"

/*
 * Notes
 *
 * A migration is one numbered file and one transaction, with user_version set
 * inside it: it happened whole, or not at all.
 *
 * What derives from the program's own tables is not a migration: the columns
 * of counters (added, never dropped), the names of speeds and widths, and the
 * views.  All of it is one script; its hash is kept in the table setting, and
 * the script runs when that differs.  A migration that needs those columns
 * gets them first.
 */

#define WHAT "bringing the database up to date"
#define COUNTERS_MARK "@COUNTERS@" /* in views.sql */

/* 1 for "0001-initial.sql", 0 for a file that is no migration. */
static int migration_number(const char *name)
{
	return strspn(name, "0123456789") == 4 ? atoi(name) : 0;
}

int store_schema(void)
{
	const struct sql_file *f;
	int last = 0;

	for (f = store_sql; f->name; f++)
		if (migration_number(f->name) > last)
			last = migration_number(f->name);
	return last;
}

static int add_counter_columns(struct store *st, struct err *err);

/* What SQL alone does not do, since it would have to name the counters. */
static int run_code(struct store *st, int number, struct err *err)
{
	if (number != 4)
		return 0;
	if (add_counter_columns(st, err) < 0)
		return -1;
	return store_split_counters(st, err);
}

static int run_migration(struct store *st, const struct sql_file *f,
			 struct err *err)
{
	char pragmas[96];

	snprintf(pragmas, sizeof(pragmas),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 STORE_APPLICATION_ID, migration_number(f->name));
	if (store_exec(st, f->text, WHAT, err) < 0 ||
	    run_code(st, migration_number(f->name), err) < 0)
		return -1;
	return store_exec(st, pragmas, WHAT, err);
}

/* Another process may have been faster: the number counts that is read under
 * the write lock. */
static int run_in_turn(struct store *st, const struct sql_file *f,
		       struct err *err)
{
	int64_t version = 0;

	if (store_exec(st, "BEGIN IMMEDIATE", WHAT, err) < 0)
		return -1;
	if (store_int(st, "PRAGMA user_version", 0, 0, &version, err) < 0 ||
	    (version < migration_number(f->name) &&
	     run_migration(st, f, err) < 0) ||
	    store_exec(st, "COMMIT", WHAT, err) < 0) {
		store_rollback(st);
		return -1;
	}
	return 0;
}

const char *store_counter_table(int i)
{
	if (i < COUNTER_ERRORS)
		return "error_rev";
	return i < COUNTER_MAIN ? "counter_row" : "detail_row";
}

int store_counter_columns(struct store *st, uint8_t has[COUNTER_COUNT],
			  struct err *err)
{
	sqlite3_stmt *stmt;
	int rc, i;

	memset(has, 0, COUNTER_COUNT);
	stmt = store_prepare(st, "SELECT name FROM "
			     "pragma_table_info('error_rev') UNION ALL "
			     "SELECT name FROM pragma_table_info('counter_row') "
			     "UNION ALL "
			     "SELECT name FROM pragma_table_info('detail_row')",
			     "reading", err);
	if (!stmt)
		return -1;
	while ((rc = store_step(st, stmt, "reading", err)) == 1) {
		i = counter_find((const char *)sqlite3_column_text(stmt, 0));
		if (i >= 0)
			has[i] = 1;
	}
	sqlite3_finalize(stmt);
	return rc;
}

static void add_names(struct strbuf *b)
{
	int i;

	strbuf_add(b, "DELETE FROM speed_name; DELETE FROM width_name;\n");
	for (i = 1; i < SPEED_END; i++)
		strbuf_addf(b, "INSERT INTO speed_name VALUES "
			    "(%d, '%s', %.10g, %.10g);\n", i,
			    speed_table[i].name, speed_table[i].lane_gbps,
			    speed_table[i].sold_gbps);
	for (i = 1; i < WIDTH_END; i++)
		strbuf_addf(b, "INSERT INTO width_name VALUES "
			    "(%d, '%s', %d);\n", i, width_table[i].name,
			    width_table[i].lanes);
}

/* views.sql, with one documented line for each counter at its mark. */
static void add_views(struct strbuf *b, const char *views)
{
	const char *mark = strstr(views, COUNTERS_MARK);
	int i;

	if (!mark) {
		strbuf_add(b, views);
		return;
	}
	strbuf_addn(b, views, (size_t)(mark - views));
	for (i = 0; i < COUNTER_COUNT; i++)
		strbuf_addf(b, "%s%c.%s, -- %s: %s", i ? "\n    " : "",
			    *store_counter_table(i), counter_table[i].column,
			    counter_table[i].unit, counter_table[i].doc);
	strbuf_add(b, mark + strlen(COUNTERS_MARK));
}

static char *derived_script(void)
{
	struct strbuf b = STRBUF_INIT;
	const struct sql_file *f;

	add_names(&b);
	for (f = store_sql; f->name; f++)
		if (!migration_number(f->name))
			add_views(&b, f->text);
	return strbuf_take(&b);
}

/* FNV-1a, 64 bits: it has to notice a change, not to withstand anyone. */
static int64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return (int64_t)h;
}

static int add_counter_columns(struct store *st, struct err *err)
{
	uint8_t has[COUNTER_COUNT];
	char sql[128];
	int i;

	if (store_counter_columns(st, has, err) < 0)
		return -1;
	for (i = 0; i < COUNTER_COUNT; i++) {
		if (has[i])
			continue;
		snprintf(sql, sizeof(sql),
			 "ALTER TABLE %s ADD COLUMN %s INTEGER",
			 store_counter_table(i), counter_table[i].column);
		if (store_exec(st, sql, WHAT, err) < 0)
			return -1;
	}
	return 0;
}

static int run_derived(struct store *st, const char *script, struct err *err)
{
	char sql[128];

	snprintf(sql, sizeof(sql),
		 "INSERT OR REPLACE INTO setting VALUES ('derived', %" PRId64
		 ")", hash(script));
	if (store_exec(st, "BEGIN IMMEDIATE", WHAT, err) < 0)
		return -1;
	if (add_counter_columns(st, err) < 0 ||
	    store_exec(st, script, WHAT, err) < 0 ||
	    store_exec(st, sql, WHAT, err) < 0 ||
	    store_exec(st, "COMMIT", WHAT, err) < 0) {
		store_rollback(st);
		return -1;
	}
	return 0;
}

static int derive(struct store *st, struct err *err)
{
	char *script = derived_script();
	int64_t had = 0;
	int rc;

	rc = store_int(st, "SELECT CAST(value AS INTEGER) FROM setting "
		       "WHERE name = 'derived'", 0, 0, &had, err);
	if (!rc && had != hash(script))
		rc = run_derived(st, script, err);
	free(script);
	return rc;
}

int store_migrate(struct store *st, int schema, struct err *err)
{
	const struct sql_file *f;

	for (f = store_sql; f->name; f++)
		if (migration_number(f->name) > schema &&
		    run_in_turn(st, f, err) < 0)
			return -1;
	return derive(st, err);
}
