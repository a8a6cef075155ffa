/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "db.h"
#include "dump.h"

/*
 * Stored databases of each schema that there was, brought up to date: what was
 * in them must read as before.
 */

static char dir[] = "/tmp/ibaudit-migrate.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* How many rows of one query are not rows of the other. */
static long long differing(struct store *st, const char *a, const char *b)
{
	struct strbuf sql = STRBUF_INIT;
	long long n;

	strbuf_addf(&sql, "SELECT (SELECT count(*) FROM (%s EXCEPT %s)) + "
		    "(SELECT count(*) FROM (%s EXCEPT %s))", a, b, b, a);
	n = number(st, sql.s);
	strbuf_free(&sql);
	return n;
}

/* A table of the same columns, but for those that it has gained. */
static void same_table(struct store *st, const char *table, int schema)
{
	struct strbuf columns = STRBUF_INIT, a = STRBUF_INIT, b = STRBUF_INIT;
	sqlite3_stmt *stmt;

	strbuf_addf(&a, "SELECT name FROM pragma_table_info('%s', 'old')",
		    table);
	sqlite3_prepare_v2(store_db(st), a.s, -1, &stmt, NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		strbuf_addf(&columns, "%s%s", columns.len ? ", " : "",
			    (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	strbuf_reset(&a);
	strbuf_addf(&a, "SELECT %s FROM main.%s", columns.s, table);
	strbuf_addf(&b, "SELECT %s FROM old.%s", columns.s, table);
	is_int(differing(st, a.s, b.s), 0, "schema %d: %s", schema, table);
	strbuf_free(&columns);
	strbuf_free(&a);
	strbuf_free(&b);
}

/* Each value of each counter, before in one table. */
static void same_counters_as(struct store *st, int schema)
{
	static const char from[] = "SELECT snapshot, port_key, at, src, %s "
				   "FROM main.counter",
			  was[] = "SELECT snapshot, port, at, src, %s "
				  "FROM old.counter_row";
	int i;

	is_int(number(st, "SELECT count(*) > 20 FROM old.counter_row"), 1,
	       "schema %d: has counters", schema);
	for (i = 0; i < COUNTER_MAIN; i++) {
		struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

		strbuf_addf(&a, from, counter_table[i].column);
		strbuf_addf(&b, was, counter_table[i].column);
		is_int(differing(st, a.s, b.s), 0, "schema %d: %s", schema,
		       counter_table[i].column);
		strbuf_free(&a);
		strbuf_free(&b);
	}
}

/* What a port's changes were: node2's SymbolErrorCounter went 7, 90, was not
 * asked for, stood still, was cleared. */
static void has_changes(struct store *st, int schema)
{
	static const char rows[] =
		"SELECT group_concat(e.snapshot || ':' || e.symbol_error || "
		"':' || ifnull(e.reset, '-'), ' ') = '%s' FROM error_rev e "
		"WHERE e.port IN (SELECT port_key FROM port WHERE snapshot = 1 "
		"AND node = '%s' AND port = 1)";
	char sql[512];

	snprintf(sql, sizeof(sql), rows,
		 "1:7:- 2:90:link_downed 5:0:symbol_error link_downed",
		 "node2");
	is_int(number(st, sql), 1, "schema %d: changes of a port", schema);
	snprintf(sql, sizeof(sql), rows, "1:0:- 2:0:- 4:0:xmit_discards",
		 "node3");
	is_int(number(st, sql), 1, "schema %d: of another", schema);
	is_int(number(st, "SELECT count(*) FROM error_rev WHERE full AND "
		      "xmit_discards = 65535 AND snapshot = 2"), 1,
	       "schema %d: and that it was full", schema);
}

static void brought_up(int schema)
{
	static const char *const tables[] = {
		"fabric", "snapshot", "node_key", "port_key", "node_rev",
		"port_rev", "sm_row", "failure_row",
	};
	struct err err = { "" };
	struct strbuf attach = STRBUF_INIT;
	struct store *st;
	size_t i;

	if (!ok(!dump_restore(schema, path_of("old.db")) &&
			!dump_restore(schema, path_of("new.db")),
		"schema %d: a stored database", schema))
		return;
	strbuf_addf(&attach, "ATTACH '%s' AS old", path_of("old.db"));
	st = store_open(path_of("new.db"), STORE_READ, &err);
	ok(!st && strstr(err.text, "made by an older ibaudit (schema "),
	   "schema %d: not for readers", schema);
	st = store_open(path_of("new.db"), STORE_WRITE, &err);
	if (ok(!!st, "schema %d: brought up to date %s", schema, err.text)) {
		exec_sql(st, attach.s);
		for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
			same_table(st, tables[i], schema);
		same_counters_as(st, schema);
		has_changes(st, schema);
		exec_sql(st, "DETACH old");
		is_sound(st, "once it is");
	}
	store_close(st);
	strbuf_free(&attach);
	unlink(path_of("old.db"));
	unlink(path_of("new.db"));
	unlink(path_of("new.db-wal"));
	unlink(path_of("new.db-shm"));
}

int main(void)
{
	int schema;

	if (!mkdtemp(dir))
		return 1;
	for (schema = 1; schema < store_schema(); schema++)
		brought_up(schema);
	rmdir(dir);
	return done_testing();
}
