/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/errors.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * Most ports of a fabric have the same error counters, none, so that equal rows
 * are held once: by_hash finds them, and `at` has 1 + the place of each port's,
 * 0 for none, in an array by the port's key, since keys have few gaps; those
 * that have many stand in a map.
 */

#define WHAT "loading the error counters"
#define KEYS_MAX (INT64_C(1) << 24) /* of the array */

struct errors {
	struct error_row *rows;
	size_t n, cap;
	struct map by_hash; /* of a row -> its place */
	uint32_t *at;
	int64_t n_keys;
	struct map far; /* the same of keys beyond the array */
};

struct errors *errors_create(void)
{
	return xcalloc(1, sizeof(struct errors));
}

void errors_destroy(struct errors *e)
{
	if (!e)
		return;
	free(e->rows);
	free(e->at);
	map_free(&e->by_hash);
	map_free(&e->far);
	free(e);
}

static int is_far(int64_t port)
{
	return port < 0 || port >= KEYS_MAX;
}

const struct error_row *errors_get(const struct errors *e, int64_t port)
{
	uint32_t at = 0;

	if (is_far(port))
		at = map_get(&e->far, (uint64_t)port);
	else if (port < e->n_keys)
		at = e->at[port];
	return at && at != MAP_NONE ? &e->rows[at - 1] : NULL;
}

static int same_row(const struct error_row *a, const struct error_row *b)
{
	return a->src == b->src && !memcmp(a->value, b->value,
					   sizeof(a->value));
}

/* FNV-1a over words; who collides is held again. */
static uint64_t hash_row(const struct error_row *row)
{
	uint64_t h = 0xcbf29ce484222325u ^ row->src;
	int i;

	for (i = 0; i < COUNTER_ERRORS; i++)
		h = (h ^ (uint64_t)row->value[i]) * 0x100000001b3u;
	return h;
}

/* The place of a row that is equal. */
static uint32_t place_row(struct errors *e, const struct error_row *row)
{
	uint64_t h = hash_row(row);
	uint32_t at = map_get(&e->by_hash, h);

	if (at != MAP_NONE && same_row(&e->rows[at], row))
		return at;
	e->rows = xgrow(e->rows, e->n, &e->cap, sizeof(*e->rows));
	at = (uint32_t)e->n++;
	e->rows[at] = *row;
	map_set(&e->by_hash, h, at);
	return at;
}

static void reach_key(struct errors *e, int64_t port)
{
	int64_t n = e->n_keys ? e->n_keys : 64;

	if (port < e->n_keys)
		return;
	while (n <= port)
		n *= 2;
	e->at = xreallocarray(e->at, (size_t)n, sizeof(*e->at));
	memset(e->at + e->n_keys, 0,
	       (size_t)(n - e->n_keys) * sizeof(*e->at));
	e->n_keys = n;
}

void errors_set(struct errors *e, int64_t port, const struct error_row *row)
{
	uint32_t at = 1 + place_row(e, row);

	if (is_far(port)) {
		map_set(&e->far, (uint64_t)port, at);
		return;
	}
	reach_key(e, port);
	e->at[port] = at;
}

void errors_add_columns(struct strbuf *sql, const char *prefix)
{
	int i;

	strbuf_addf(sql, ", %ssrc, %sfull, %sreset", prefix, prefix, prefix);
	for (i = 0; i < COUNTER_ERRORS; i++)
		strbuf_addf(sql, ", %s%s", prefix, counter_table[i].column);
}

void errors_read(sqlite3_stmt *stmt, int i, struct error_row *row)
{
	int k;

	row->src = (uint8_t)(sqlite3_column_int(stmt, i) & SRC_ERRORS);
	for (k = 0; k < COUNTER_ERRORS; k++) {
		int64_t v = sqlite3_column_int64(stmt, i + 3 + k);

		/* NULL reads as 0. */
		if (!v && sqlite3_column_type(stmt, i + 3 + k) == SQLITE_NULL)
			v = COUNTER_UNREAD;
		row->value[k] = v;
	}
}

int error_width(int i, unsigned src)
{
	return counter_width(i, src & SRC_EXT_ERR ? src | SRC_EXT : src);
}

/* The newest row of each port: in one walk over all rows while they are few,
 * since a later row of a port replaces an earlier one. */
static char *newest_rows(int walk)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_add(&sql, "SELECT e.port");
	errors_add_columns(&sql, "e.");
	strbuf_add(&sql, walk ? " FROM error_rev e WHERE ?1 "
				"ORDER BY e.port, e.snapshot" :
		" FROM node_key k JOIN port_key p ON p.node = k.id "
		"JOIN error_rev e ON e.port = p.id AND e.snapshot = "
		"(SELECT max(x.snapshot) FROM error_rev x "
		"WHERE x.port = p.id) WHERE k.fabric = ?1");
	return strbuf_take(&sql);
}

static int load(struct store *st, int64_t fabric, struct errors *e,
		struct err *err)
{
	int64_t few = 0;
	struct error_row row;
	sqlite3_stmt *stmt;
	char *sql;
	int rc;

	if (store_int(st, "SELECT (SELECT count(*) FROM error_rev) <= "
		      "4 * (SELECT count(*) FROM port_key)", 0, 0, &few,
		      err) < 0)
		return -1;
	sql = newest_rows((int)few);
	stmt = store_prepare(st, sql, WHAT, err);
	free(sql);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		errors_read(stmt, 1, &row);
		errors_set(e, sqlite3_column_int64(stmt, 0), &row);
	}
	sqlite3_finalize(stmt);
	return rc;
}

struct errors *store_errors(struct store *st, int64_t fabric, int64_t snapshot,
			    struct err *err)
{
	struct errors *e;

	if (st->errors && st->errors_of == snapshot)
		return st->errors;
	store_forget_errors(st);
	e = errors_create();
	if (snapshot && load(st, fabric, e, err) < 0) {
		errors_destroy(e);
		return NULL;
	}
	st->errors = e;
	st->errors_of = snapshot;
	return e;
}

void store_forget_errors(struct store *st)
{
	errors_destroy(st->errors);
	st->errors = NULL;
}
