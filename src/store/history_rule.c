/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <string.h>

#include "util/alloc.h"

/* The episodes of what one rule found. */

#define WHAT HISTORY_WHAT

static const char sql[] =
	"SELECT first_snapshot, first_ms, last_snapshot, last_ms, closed, "
	"closed_ms, ended, severity, message, node_guid, instance, port, "
	"peer_guid, peer_instance, peer_port FROM finding_row "
	"WHERE fabric = ?1 AND rule = ?2 ORDER BY first_snapshot, id";

static char *text_of(sqlite3_stmt *stmt, int i)
{
	return xstrdup((const char *)sqlite3_column_text(stmt, i));
}

static int64_t node_key(struct history *h, int64_t guid, int64_t instance)
{
	struct history_place p;
	struct strbuf b = STRBUF_INIT;
	struct err none;

	strbuf_addf(&b, "0x%016llx#%lld", (unsigned long long)guid,
		    (long long)instance);
	if (history_find_node(h, b.s, &p, &none) < 0)
		p.node = 0;
	strbuf_free(&b);
	return p.node;
}

/* The end in columns i to i + 2, with its name as of that snapshot. */
static int read_end(struct history *h, sqlite3_stmt *stmt, int i,
		    struct history_episode *e, struct err *err)
{
	int64_t guid = sqlite3_column_int64(stmt, i), port = 0, node;
	struct history_end *end = &e->where[e->n_where];
	int32_t num = (int32_t)store_column(stmt, i + 2, VAL_NONE);

	if (!guid)
		return 0;
	node = node_key(h, guid, sqlite3_column_int64(stmt, i + 1));
	if (num != VAL_NONE &&
	    store_int(h->st, "SELECT id FROM port_key WHERE node = ?1 AND "
		      "num = ?2", node, num, &port, err) < 0)
		return -1;
	e->n_where++;
	if (history_end(h, node, port, e->last.snapshot, end, err) < 0)
		return -1;
	end->node_guid = (uint64_t)guid;
	end->instance = sqlite3_column_int(stmt, i + 1);
	end->port = num;
	return 0;
}

static int read_episode(struct history *h, sqlite3_stmt *stmt,
			struct history_episode *e, struct err *err)
{
	memset(e, 0, sizeof(*e));
	e->first.snapshot = sqlite3_column_int64(stmt, 0);
	e->first.ms = sqlite3_column_int64(stmt, 1);
	e->last.snapshot = sqlite3_column_int64(stmt, 2);
	e->last.ms = sqlite3_column_int64(stmt, 3);
	e->closed.snapshot = sqlite3_column_int64(stmt, 4);
	e->closed.ms = sqlite3_column_int64(stmt, 5);
	e->ended = text_of(stmt, 6);
	e->severity = text_of(stmt, 7);
	e->message = text_of(stmt, 8);
	if (read_end(h, stmt, 9, e, err) < 0)
		return -1;
	return read_end(h, stmt, 12, e, err);
}

/* An episode that was over before counts no more. */
static int is_asked_for(const struct history *h,
			const struct history_episode *e)
{
	return !e->closed.snapshot || e->closed.snapshot >= h->since;
}

static int read_all(struct history *h, sqlite3_stmt *stmt,
		    struct history_episodes *out, struct err *err)
{
	int rc;

	while ((rc = store_step(h->st, stmt, WHAT, err)) == 1) {
		out->known = 1;
		out->list = xgrow(out->list, out->n, &out->cap,
				  sizeof(*out->list));
		if (read_episode(h, stmt, &out->list[out->n++], err) < 0)
			return -1;
		if (!is_asked_for(h, &out->list[out->n - 1]))
			history_episode_free(&out->list[--out->n]);
	}
	return rc;
}

int history_rule(struct history *h, const char *rule,
		 struct history_episodes *out, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st, sql, WHAT, err);
	int rc;

	memset(out, 0, sizeof(*out));
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, h->fabric);
	sqlite3_bind_text(stmt, 2, rule, -1, SQLITE_STATIC);
	rc = read_all(h, stmt, out, err);
	sqlite3_finalize(stmt);
	if (rc < 0)
		history_episodes_free(out);
	return rc;
}
