/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_DB_H
#define IBAUDIT_TESTS_DB_H

#include <sqlite3.h>

#include "model/carry.h"
#include "same.h"
#include "store/store.h"
#include "tap.h"

/* What the tests of the store share. */

static inline int exec_sql(struct store *st, const char *sql)
{
	return sqlite3_exec(store_db(st), sql, NULL, NULL, NULL);
}

static inline long long number(struct store *st, const char *sql)
{
	sqlite3_stmt *stmt;
	long long v = -1;

	if (sqlite3_prepare_v2(store_db(st), sql, -1, &stmt, NULL) ||
	    sqlite3_step(stmt) != SQLITE_ROW)
		printf("# %s: %s\n", sql, sqlite3_errmsg(store_db(st)));
	else
		v = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return v;
}

static inline struct store *open_new(void)
{
	struct err err;
	struct store *st = store_open(NULL, STORE_MEMORY, &err);

	if (!st)
		printf("# %s\n", err.text);
	return st;
}

/* Carry over from the last snapshot of that fabric, and save. */
static inline int save_as(struct store *st, const char *fabric,
			  struct snapshot *s, struct err *err)
{
	struct snapshot prev;
	int64_t prev_id;
	int rc;

	if (store_fabric(st, fabric, s, &prev_id, err) < 0)
		return -1;
	if (!prev_id)
		return store_save(st, s, NULL, err);
	if (store_load(st, prev_id, STORE_PARENTS, &prev, err) < 0)
		return -1;
	snapshot_carry(s, &prev);
	rc = store_save(st, s, &prev, err);
	snapshot_free(&prev);
	return rc;
}

/* The same of the only one. */
static inline int save(struct store *st, struct snapshot *s, struct err *err)
{
	return save_as(st, NULL, s, err);
}

static inline void save_ok(struct store *st, struct snapshot *s,
			   const char *name)
{
	struct err err = { "" };

	ok(!save(st, s, &err), "saved: %s %s", name, err.text);
}

static inline void loads_as(struct store *st, const struct snapshot *s,
			    const char *name)
{
	struct strbuf why = STRBUF_INIT;
	struct err err = { "" };
	struct snapshot got;

	if (!ok(!store_load(st, s->id, STORE_ALL_COUNTERS, &got, &err),
		"loaded: %s", name)) {
		printf("# %s\n", err.text);
		return;
	}
	if (!ok(same_snapshot(s, &got, &why), "as it was: %s", name))
		printf("# %s\n", why.s);
	strbuf_free(&why);
	snapshot_free(&got);
}

static inline void problem(void *arg, const char *line)
{
	if (arg)
		printf("# %s\n", line);
}

static inline void is_sound(struct store *st, const char *name)
{
	struct err err = { "" };
	int64_t n = -1;

	ok(!store_verify(st, problem, st, &n, &err) && !n, "sound: %s %s",
	   name, err.text);
}

#endif
