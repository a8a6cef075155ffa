/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/counter.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * The tables under the views stand empty while the rules are compiled; the
 * authorizer reports what they read, and only that is filled.  So a check
 * whose rules look at links alone never copies the baseline's ports.
 *
 * The text of the SQL files serves both snapshots: "@" becomes "" or "prev_".
 */

#define EVENTS_MARK "@EVENTS@"

#define NODE_BIT 1u
#define PORT_BIT 2u
#define PREV_NODE_BIT 4u
#define PREV_PORT_BIT 8u

/* In the order of filling: a table needs only those above it. */
static const struct table_row {
	const char *name;
	const char *file; /* NULL: fill() makes it */
	int is_prev;
	unsigned needs; /* bits of other rows */
	int (*fill)(struct check *c, struct err *err);
} tables[] = {
	{ "stored_node", "check-fill-node.sql", 0, 0, NULL },
	{ "stored_port", "check-fill-port.sql", 0, NODE_BIT, NULL },
	{ "prev_stored_node", "check-fill-node.sql", 1, 0, NULL },
	{ "prev_stored_port", "check-fill-port.sql", 1, PREV_NODE_BIT, NULL },
	{ "stored_link", "check-fill-link.sql", 0, NODE_BIT | PORT_BIT, NULL },
	{ "prev_stored_link", "check-fill-link.sql", 1,
	  PREV_NODE_BIT | PREV_PORT_BIT, NULL },
	{ "sm", "check-fill-sm.sql", 0, 0, NULL },
	{ "prev_sm", "check-fill-sm.sql", 1, 0, NULL },
	{ "failure", "check-fill-failure.sql", 0, NODE_BIT, NULL },
	{ "snapshot_info", "check-fill-info.sql", 0, 0, NULL },
	{ "stored_counter", NULL, 0, NODE_BIT | PORT_BIT, counters_fill },
	/* The first of these fills all of them. */
	{ "expected_node", NULL, 0, NODE_BIT | PORT_BIT, expect_fill },
	{ "expected_link", NULL, 0, NODE_BIT | PORT_BIT, expect_fill },
	{ "unexpected_node", NULL, 0, NODE_BIT | PORT_BIT, expect_fill },
	{ "unexpected_link", NULL, 0, NODE_BIT | PORT_BIT, expect_fill },
	{ "miscabled", NULL, 0, NODE_BIT | PORT_BIT, expect_fill },
};

#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

const char *check_sql_find(const char *name)
{
	const struct sql_file *f = check_sql;

	while (f->name && strcmp(f->name, name))
		f++;
	return f->text;
}

/* The caller frees it. */
static char *expand(const char *text, const char *prefix)
{
	struct strbuf b = STRBUF_INIT;

	while (*text) {
		size_t n = strcspn(text, "@");

		strbuf_addn(&b, text, n);
		text += n;
		if (*text) {
			strbuf_add(&b, prefix);
			text++;
		}
	}
	return strbuf_take(&b);
}

/* The arms of the view event, one an error counter. */
static char *event_arms(void)
{
	const char *text = check_sql_find("check-view-event.sql");
	struct strbuf b = STRBUF_INIT;
	int i;

	for (i = 0; i < COUNTER_ERRORS; i++) {
		char *arm = expand(text, counter_table[i].column);

		strbuf_addf(&b, "%s%s", i ? "UNION ALL\n" : "", arm);
		free(arm);
	}
	return strbuf_take(&b);
}

/* check-views-once.sql, with the arms at their mark. */
static char *views_once(void)
{
	const char *text = check_sql_find("check-views-once.sql");
	const char *mark = strstr(text, EVENTS_MARK);
	struct strbuf b = STRBUF_INIT;
	char *arms = event_arms();

	strbuf_addn(&b, text, (size_t)(mark - text));
	strbuf_add(&b, arms);
	strbuf_add(&b, mark + strlen(EVENTS_MARK));
	free(arms);
	return strbuf_take(&b);
}

/* Run sql, which is released. */
static int create(struct check *c, char *sql, struct err *err)
{
	int rc = sqlite3_exec(c->db, sql, NULL, NULL, NULL);

	free(sql);
	if (rc != SQLITE_OK)
		return store_err(c->st, err, "preparing the rules' views");
	return 0;
}

int views_create(struct check *c, struct err *err)
{
	const char *text = check_sql_find("check-views.sql");

	if (create(c, expand(text, ""), err) < 0 ||
	    create(c, expand(text, "prev_"), err) < 0)
		return -1;
	return create(c, views_once(), err);
}

void views_need(struct check *c, const char *table)
{
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		if (!strcmp(tables[i].name, table))
			c->needs |= 1u << i | tables[i].needs;
}

void bind_int(sqlite3_stmt *stmt, const char *name, int64_t v)
{
	int i = sqlite3_bind_parameter_index(stmt, name);

	if (i)
		sqlite3_bind_int64(stmt, i, v);
}

sqlite3_stmt *check_prepare(struct check *c, const char *name, struct err *err)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(c->db, check_sql_find(name), -1, &stmt, NULL) ==
	    SQLITE_OK)
		return stmt;
	store_err(c->st, err, "preparing the rules' views");
	return NULL;
}

/* Run each statement of sql. */
static int run_all(struct check *c, const char *sql, int64_t snapshot,
		   struct err *err)
{
	sqlite3_stmt *stmt;

	while (*sql) {
		int rc = sqlite3_prepare_v2(c->db, sql, -1, &stmt, &sql);

		if (rc == SQLITE_OK && stmt) {
			bind_int(stmt, ":snapshot", snapshot);
			bind_int(stmt, ":baseline", c->baseline);
			sqlite3_step(stmt);
			rc = sqlite3_finalize(stmt);
		}
		if (rc != SQLITE_OK)
			return store_err(c->st, err, "reading the snapshot");
	}
	return 0;
}

static int fill(struct check *c, const struct table_row *t, struct err *err)
{
	char *sql;
	int rc;

	if (!t->file)
		return t->fill(c, err);
	sql = expand(check_sql_find(t->file), t->is_prev ? "prev_" : "");
	rc = run_all(c, sql, t->is_prev ? c->baseline : c->id, err);
	free(sql);
	return rc;
}

int views_fill(struct check *c, struct err *err)
{
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		if ((c->needs & 1u << i) && (c->baseline || !tables[i].is_prev))
			if (fill(c, &tables[i], err) < 0)
				return -1;
	return 0;
}
