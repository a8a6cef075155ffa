/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/merge.h"

#include <stdlib.h>

#include "store/errors.h"

/*
 * Notes
 *
 * A snapshot does not tell all that its rows in error_rev do.  Where others
 * were pruned before it, `reset` says what was cleared in those, and a port
 * that this one did not read has a row that was read in one of those.
 *
 * What its readings tell is told anew, and may be more: that a device began
 * anew is seen in its data counters from one reading to the next, whatever was
 * between them once.
 */

struct carrier {
	struct store *st;
	struct err *err;
	int64_t snapshot, fabric;
	sqlite3_stmt *rows, *insert;
	sqlite3_stmt *keys[3]; /* of a node and a port, and which that is */
};

/* ?1 fabric, ?2 NodeGUID, ?3 instance, ?4 port.  The port may be one of a node
 * that no snapshot has which is here. */
static const char *const keys_sql[] = {
	"INSERT OR IGNORE INTO node_key (fabric, guid, instance) "
	"VALUES (?1, ?2, ?3)",
	"INSERT OR IGNORE INTO port_key (node, num) SELECT id, ?4 "
	"FROM node_key WHERE fabric = ?1 AND guid = ?2 AND instance = ?3",
	"SELECT p.id FROM node_key k JOIN port_key p ON p.node = k.id "
	"WHERE k.fabric = ?1 AND k.guid = ?2 AND k.instance = ?3 "
	"AND p.num = ?4",
};

static char *rows_sql(void)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_add(&sql, "SELECT k.guid, k.instance, p.num");
	errors_add_columns(&sql, "e.");
	strbuf_add(&sql, " FROM error_rev e JOIN port_key p ON p.id = e.port "
		   "JOIN node_key k ON k.id = p.node WHERE e.snapshot = ?1 "
		   "AND (e.reset IS NOT NULL OR NOT EXISTS (SELECT 1 FROM "
		   "counter_row c WHERE c.snapshot = ?1 AND c.port = e.port "
		   "AND c.src & 5))");
	return strbuf_take(&sql);
}

static char *insert_sql(void)
{
	struct strbuf sql = STRBUF_INIT;
	int i;

	strbuf_add(&sql, "INSERT OR REPLACE INTO error_rev (port, snapshot");
	errors_add_columns(&sql, "");
	strbuf_add(&sql, ") VALUES (?1, ?2, ?, ?, ?");
	for (i = 0; i < COUNTER_ERRORS; i++)
		strbuf_add(&sql, ", ?");
	strbuf_add(&sql, ")");
	return strbuf_take(&sql);
}

static int carrier_open(struct carrier *c, const struct merge_item *item)
{
	char *rows = rows_sql(), *insert = insert_sql();
	int i;

	c->rows = store_prepare(item->side->st, rows, MERGE_WHAT, c->err);
	c->insert = store_prepare(c->st, insert, MERGE_WHAT, c->err);
	free(rows);
	free(insert);
	if (!c->rows || !c->insert)
		return -1;
	for (i = 0; i < 3; i++) {
		c->keys[i] = store_prepare(c->st, keys_sql[i], MERGE_WHAT,
					   c->err);
		if (!c->keys[i])
			return -1;
		sqlite3_bind_int64(c->keys[i], 1, c->fabric);
	}
	sqlite3_bind_int64(c->rows, 1, item->side->rows[item->row].id);
	sqlite3_bind_int64(c->insert, 2, c->snapshot);
	return 0;
}

static void carrier_close(struct carrier *c)
{
	int i;

	sqlite3_finalize(c->rows);
	sqlite3_finalize(c->insert);
	for (i = 0; i < 3; i++)
		sqlite3_finalize(c->keys[i]);
}

/* The key here of the port in the row. */
static int find_port(struct carrier *c, int64_t *port)
{
	int i, k, rc = 0;

	for (i = 0; rc >= 0 && i < 3; i++) {
		for (k = 0; k < (i ? 3 : 2); k++)
			sqlite3_bind_value(c->keys[i], k + 2,
					   sqlite3_column_value(c->rows, k));
		rc = store_step(c->st, c->keys[i], MERGE_WHAT, c->err);
		if (rc == 1)
			*port = sqlite3_column_int64(c->keys[i], 0);
		sqlite3_reset(c->keys[i]);
	}
	return rc < 0 ? -1 : 0;
}

static int carry_row(struct carrier *c)
{
	struct error_row row;
	int64_t port = 0;
	int i;

	if (find_port(c, &port) < 0)
		return -1;
	sqlite3_bind_int64(c->insert, 1, port);
	for (i = 3; i < sqlite3_column_count(c->rows); i++)
		sqlite3_bind_value(c->insert, i,
				   sqlite3_column_value(c->rows, i));
	if (store_run(c->st, c->insert, MERGE_WHAT, c->err) < 0)
		return -1;
	errors_read(c->rows, 3, &row);
	if (c->st->errors && c->st->errors_of == c->snapshot)
		errors_set(c->st->errors, port, &row);
	return 0;
}

int merge_errors(struct store *st, const struct merge_item *item, int64_t id,
		 struct err *err)
{
	struct carrier c = { .st = st, .err = err, .snapshot = id };
	int rc = store_int(st, "SELECT fabric FROM snapshot WHERE id = ?1", id,
			   0, &c.fabric, err);

	if (!rc)
		rc = carrier_open(&c, item);
	if (!rc)
		while ((rc = store_step(item->side->st, c.rows, MERGE_WHAT,
					err)) == 1)
			if (carry_row(&c) < 0) {
				rc = -1;
				break;
			}
	carrier_close(&c);
	return rc;
}
