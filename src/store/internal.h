/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_INTERNAL_H
#define IBAUDIT_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdint.h>

#include "model/attr.h"
#include "store/store.h"
#include "util/strbuf.h"

/* What the files of this module share; nobody else includes it. */

struct store {
	sqlite3 *db;
	char *path; /* as it is named in errors */
	enum store_mode mode;
	struct errors *errors; /* errors.h; NULL while not loaded */
	int64_t errors_of;     /* the snapshot that they are as of */
};

/* PRAGMA application_id of our databases: "ibau". */
#define STORE_APPLICATION_ID 0x69626175

/* The directory of path, for the caller to free (open.c). */
char *store_directory(const char *path);

/* ---- statements (stmt.c); what: "storing the snapshot", for errors ---- */

/* Run statements that give no rows. */
int store_exec(struct store *st, const char *sql, const char *what,
	       struct err *err);

/* Compile one statement; NULL with err set.  sqlite3_finalize() it. */
sqlite3_stmt *store_prepare(struct store *st, const char *sql,
			    const char *what, struct err *err);

/* 1: a row is there, 0: no more, -1 with err set. */
int store_step(struct store *st, sqlite3_stmt *stmt, const char *what,
	       struct err *err);

/* Run a statement that gives no row, and make it ready to run again. */
int store_run(struct store *st, sqlite3_stmt *stmt, const char *what,
	      struct err *err);

/* The first column of the first row; *value is left alone without a row.
 * Parameters ?1, ?2 are bound to a and b where the statement has them. */
int store_int(struct store *st, const char *sql, int64_t a, int64_t b,
	      int64_t *value, struct err *err);

/* Bind v, or NULL when v is none. */
void store_bind(sqlite3_stmt *stmt, int i, int64_t v, int64_t none);

/* The column's value, or none when it is NULL. */
int64_t store_column(sqlite3_stmt *stmt, int i, int64_t none);

/* End the transaction that is open, if one is. */
void store_rollback(struct store *st);

/* Add ", prefix.column" for each row of an attribute table, and bind or read
 * their values from parameter or column i on.  Both return the next i. */
void store_add_columns(struct strbuf *b, const char *prefix,
		       const struct attr_row *rows, size_t n);
int store_bind_attrs(sqlite3_stmt *stmt, int i, const struct attr_row *rows,
		     size_t n, const void *base);
int store_column_attrs(sqlite3_stmt *stmt, int i, const struct attr_row *rows,
		       size_t n, void *base);

/* ---- schema (migrate.c) ---- */

/* The schema that this program writes: the number of its last migration. */
int store_schema(void);

/* Bring the database from that schema to this program's, then its views,
 * counter columns and names. */
int store_migrate(struct store *st, int schema, struct err *err);

/* The table that has the column of counter i; static. */
const char *store_counter_table(int i);

/* Set has[i] for each counter whose column the database has. */
int store_counter_columns(struct store *st, uint8_t has[COUNTER_COUNT],
			  struct err *err);

/* ---- snapshots (load.c) ---- */

/* store_load() without a transaction; with picked only ports whose key is in
 * the table temp.picked, and without what store_load_pair() leaves out. */
int store_load_part(struct store *st, int64_t id, enum store_counters counters,
		    int picked, struct snapshot *out, struct err *err);

/* ---- error counters (errors.c) ---- */

/* Release those that are loaded. */
void store_forget_errors(struct store *st);

/* ---- fabrics (fabric.c) ---- */

/*
 * The fabric of that name, or with NULL the only one: 1 with *id set, 0 when
 * there is none, -1 with err set (also when NULL could mean several).
 */
int store_find_fabric(struct store *st, const char *name, int64_t *id,
		      struct err *err);

/* The names of all fabrics, "a, b".  The caller frees it; NULL on error. */
char *store_fabric_names(struct store *st, struct err *err);

/* 0 when a fabric can have that name, else -1 with err set. */
int store_check_name(const char *name, struct err *err);

/* The nodes of a sweep beside those of the fabric's last snapshot. */
struct store_overlap {
	size_t shared, last;
	int half; /* they share half of either side, or more */
};

int store_find_overlap(struct store *st, int64_t fabric,
		       const struct snapshot *s, struct store_overlap *o,
		       struct err *err);

#endif
