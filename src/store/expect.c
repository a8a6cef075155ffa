/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"
#include "util/alloc.h"
#include "util/map.h"

#define WHAT "storing the expectation"
#define READING "reading the expectation"

static int clear(struct store *st, int64_t fabric, int64_t *had,
		 struct err *err)
{
	static const char *const sql[] = {
		"DELETE FROM expect_link WHERE fabric = ?1",
		"DELETE FROM expect_node WHERE fabric = ?1",
		"DELETE FROM expect_set WHERE fabric = ?1",
	};
	size_t i;

	for (i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
		sqlite3_stmt *stmt = store_prepare(st, sql[i], WHAT, err);
		int rc;

		if (!stmt)
			return -1;
		sqlite3_bind_int64(stmt, 1, fabric);
		rc = store_run(st, stmt, WHAT, err);
		sqlite3_finalize(stmt);
		if (rc < 0)
			return -1;
	}
	*had = sqlite3_changes(st->db);
	return 0;
}

static int save_set(struct store *st, int64_t fabric,
		    const struct expectation *x, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "INSERT INTO expect_set "
		"(fabric, set_ms, kind, source, snapshot) "
		"VALUES (?1, ?2, ?3, ?4, ?5)", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	sqlite3_bind_int64(stmt, 2, x->set_ms);
	sqlite3_bind_text(stmt, 3, x->kind, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 4, x->source, -1, SQLITE_STATIC);
	store_bind(stmt, 5, x->snapshot, 0);
	rc = store_run(st, stmt, WHAT, err);
	sqlite3_finalize(stmt);
	return rc;
}

/* ids: of the rows, by node. */
static int save_nodes(struct store *st, int64_t fabric,
		      const struct expectation *x, int64_t *ids,
		      struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "INSERT INTO expect_node "
		"(fabric, guid, instance, type, name) "
		"VALUES (?1, ?2, ?3, ?4, ?5)", WHAT, err);
	size_t i;
	int rc = stmt ? 0 : -1;

	for (i = 0; !rc && i < x->n_nodes; i++) {
		const struct expect_node *n = &x->nodes[i];

		sqlite3_bind_int64(stmt, 1, fabric);
		store_bind(stmt, 2, (int64_t)n->guid, 0);
		sqlite3_bind_int64(stmt, 3, n->instance);
		store_bind(stmt, 4, n->type, VAL_NONE);
		sqlite3_bind_text(stmt, 5, n->name, -1, SQLITE_STATIC);
		rc = store_run(st, stmt, WHAT, err);
		ids[i] = sqlite3_last_insert_rowid(st->db);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int save_links(struct store *st, int64_t fabric,
		      const struct expectation *x, const int64_t *ids,
		      struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "INSERT INTO expect_link "
		"(fabric, a_node, a_port, b_node, b_port, speed, width) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", WHAT, err);
	size_t i;
	int rc = stmt ? 0 : -1;

	for (i = 0; !rc && i < x->n_links; i++) {
		const struct expect_link *l = &x->links[i];

		sqlite3_bind_int64(stmt, 1, fabric);
		sqlite3_bind_int64(stmt, 2, ids[l->node[0]]);
		sqlite3_bind_int64(stmt, 3, l->port[0]);
		sqlite3_bind_int64(stmt, 4, ids[l->node[1]]);
		sqlite3_bind_int64(stmt, 5, l->port[1]);
		store_bind(stmt, 6, l->speed, VAL_NONE);
		store_bind(stmt, 7, l->width, VAL_NONE);
		rc = store_run(st, stmt, WHAT, err);
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* Within a transaction. */
static int replace(struct store *st, const char *fabric,
		   const struct expectation *x, int64_t *had, struct err *err)
{
	int64_t id = 0;
	int64_t *ids;
	int rc = store_find_fabric(st, fabric, &id, err);

	if (rc <= 0)
		return rc < 0 ? -1 : err_set(err, "there is no such fabric "
					     "yet; run 'ibaudit sweep'");
	if (clear(st, id, had, err) < 0)
		return -1;
	if (!x)
		return 0;
	ids = xcalloc(x->n_nodes ? x->n_nodes : 1, sizeof(*ids));
	rc = save_set(st, id, x, err);
	if (!rc)
		rc = save_nodes(st, id, x, ids, err);
	if (!rc)
		rc = save_links(st, id, x, ids, err);
	free(ids);
	return rc;
}

int store_set_expectation(struct store *st, const char *fabric,
			  const struct expectation *x, int *had,
			  struct err *err)
{
	int64_t n = 0;

	if (store_exec(st, "BEGIN IMMEDIATE", WHAT, err) < 0)
		return -1;
	if (replace(st, fabric, x, &n, err) < 0 ||
	    store_exec(st, "COMMIT", WHAT, err) < 0) {
		store_rollback(st);
		return -1;
	}
	*had = n > 0;
	return 0;
}

static const char *kind_of(const char *text)
{
	static const char *const kinds[] = { "snapshot", "topology", "plan" };
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (text && !strcmp(text, kinds[i]))
			return kinds[i];
	return "unknown";
}

/* 1, 0 when there is none, -1. */
static int load_set(struct store *st, int64_t fabric, struct expectation *x,
		    struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "SELECT set_ms, kind, source, "
		"snapshot FROM main.expect_set WHERE fabric = ?1", READING,
		err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	rc = store_step(st, stmt, READING, err);
	if (rc == 1) {
		x->set_ms = sqlite3_column_int64(stmt, 0);
		x->kind = kind_of((const char *)sqlite3_column_text(stmt, 1));
		x->source = xstrdup((const char *)sqlite3_column_text(stmt, 2));
		x->snapshot = sqlite3_column_int64(stmt, 3);
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* index: of the nodes, by the ids of their rows. */
static int load_nodes(struct store *st, int64_t fabric, struct expectation *x,
		      struct map *index, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "SELECT id, guid, instance, "
		"type, name FROM main.expect_node WHERE fabric = ?1 "
		"ORDER BY id", READING, err);
	int rc = -1;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	while ((rc = store_step(st, stmt, READING, err)) == 1) {
		struct expect_node *n = expectation_add_node(
			x, (uint64_t)sqlite3_column_int64(stmt, 1),
			(const char *)sqlite3_column_text(stmt, 4));

		n->instance = sqlite3_column_int(stmt, 2);
		n->type = (int32_t)store_column(stmt, 3, VAL_NONE);
		map_set(index, (uint64_t)sqlite3_column_int64(stmt, 0),
			(uint32_t)x->n_nodes - 1);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int load_links(struct store *st, int64_t fabric, struct expectation *x,
		      const struct map *index, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, "SELECT a_node, b_node, "
		"a_port, b_port, speed, width FROM main.expect_link "
		"WHERE fabric = ?1 ORDER BY id", READING, err);
	int rc = -1, i;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	while ((rc = store_step(st, stmt, READING, err)) == 1) {
		struct expect_link *l = expectation_add_link(x);

		for (i = 0; i < 2; i++) {
			l->node[i] = map_get(index, (uint64_t)
					     sqlite3_column_int64(stmt, i));
			l->port[i] = (uint8_t)sqlite3_column_int(stmt, 2 + i);
		}
		l->speed = (int16_t)store_column(stmt, 4, VAL_NONE);
		l->width = (int16_t)store_column(stmt, 5, VAL_NONE);
		if (l->node[0] == MAP_NONE || l->node[1] == MAP_NONE)
			x->n_links--; /* damage; `db check` tells */
	}
	sqlite3_finalize(stmt);
	return rc;
}

int store_load_expectation(struct store *st, const char *fabric,
			   struct expectation *x, struct err *err)
{
	struct map index = { 0 };
	int64_t id = 0;
	int rc = store_find_fabric(st, fabric, &id, err);

	memset(x, 0, sizeof(*x));
	if (rc == 1)
		rc = load_set(st, id, x, err);
	if (rc != 1)
		return rc;
	rc = load_nodes(st, id, x, &index, err);
	if (!rc)
		rc = load_links(st, id, x, &index, err);
	map_free(&index);
	if (!rc)
		return 1;
	expectation_free(x);
	return -1;
}
