/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/guid.h"
#include "util/text.h"

/*
 * Notes
 *
 * A history is read from the tables of changes, which have few rows of a port
 * or node, and from the fabric's list of snapshots.  It is read from the first
 * snapshot on, whatever was asked for, since what holds when that begins was
 * told before; history_settle() drops it in the end.
 */

#define WHAT HISTORY_WHAT

static int load_marks(struct history *h, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st,
		"SELECT id, started_ms FROM snapshot WHERE fabric = ?1 "
		"ORDER BY id", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, h->fabric);
	while ((rc = store_step(h->st, stmt, WHAT, err)) == 1) {
		struct history_mark m = { sqlite3_column_int64(stmt, 0),
					  sqlite3_column_int64(stmt, 1) };

		h->marks = xgrow(h->marks, h->n_marks, &h->cap_marks,
				 sizeof(m));
		h->marks[h->n_marks++] = m;
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* The first mark at or behind a snapshot. */
static size_t find_mark(const struct history *h, int64_t snapshot)
{
	size_t low = 0, high = h->n_marks;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (h->marks[mid].snapshot < snapshot)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct history_mark history_mark(const struct history *h, int64_t snapshot)
{
	struct history_mark m = { snapshot, 0 };
	size_t i = find_mark(h, snapshot);

	if (i < h->n_marks && h->marks[i].snapshot == snapshot)
		m = h->marks[i];
	return m;
}

size_t history_index(const struct history *h, int64_t snapshot)
{
	size_t first = find_mark(h, h->since), i = find_mark(h, snapshot);

	return i < first || i == h->n_marks ? SIZE_MAX : i - first;
}

size_t history_span(const struct history *h)
{
	return h->n_marks - find_mark(h, h->since);
}

static int name_node(void *arg, uint64_t guid, const char *name)
{
	struct history *h = arg;

	h->names = xgrow(h->names, h->n_names, &h->cap_names,
			 sizeof(*h->names));
	h->names[h->n_names] = xstrdup(name);
	map_set(&h->by_guid, guid, (uint32_t)h->n_names++);
	return 0;
}

/* The first snapshot that was started at that time or later; beyond the last
 * one when there is none. */
static int64_t first_from(const struct history *h, int64_t ms)
{
	size_t i;

	for (i = 0; i < h->n_marks; i++)
		if (h->marks[i].ms >= ms)
			return h->marks[i].snapshot;
	return h->latest.id + 1;
}

/* A number needs not be there any more. */
static int take_number(struct history *h, const char *since, struct err *err)
{
	long long id;

	errno = 0;
	id = strtoll(since, NULL, 10);
	if (errno || id > h->latest.id)
		return err_set(err, "no snapshot '%s': the newest of fabric %s "
			       "is %lld; see 'ibaudit list'", since,
			       h->latest.fabric, (long long)h->latest.id);
	h->since = id;
	return 0;
}

static int take_since(struct history *h, const char *since, struct err *err)
{
	struct store_snapshot row;
	int64_t ms;

	if (!since)
		return 0;
	if (*since && !since[strspn(since, "0123456789")])
		return take_number(h, since, err);
	if (strncmp(since, "latest", 6) && !clock_parse(since, &ms)) {
		h->since = first_from(h, ms);
		return 0;
	}
	if (store_find(h->st, h->latest.fabric, since, &row, err) < 0)
		return -1;
	h->since = row.id;
	store_snapshot_free(&row);
	return 0;
}

static int load(struct history *h, const struct history_ask *ask,
		struct err *err)
{
	if (store_exec(h->st, "BEGIN", WHAT, err) < 0 ||
	    store_find(h->st, ask->fabric, "latest", &h->latest, err) < 0 ||
	    store_find_fabric(h->st, h->latest.fabric, &h->fabric, err) < 0 ||
	    load_marks(h, err) < 0 || take_since(h, ask->since, err) < 0)
		return -1;
	return names_read(ask->name_map, name_node, h, err);
}

struct history *history_open(struct store *st, const struct history_ask *ask,
			     struct err *err)
{
	struct history *h = xcalloc(1, sizeof(*h));

	h->st = st;
	if (load(h, ask, err) == 0)
		return h;
	history_close(h);
	return NULL;
}

void history_close(struct history *h)
{
	if (!h)
		return;
	sqlite3_finalize(h->end_stmt);
	store_rollback(h->st);
	store_snapshot_free(&h->latest);
	free(h->marks);
	while (h->n_names)
		free(h->names[--h->n_names]);
	free(h->names);
	map_free(&h->by_guid);
	free(h);
}

const struct store_snapshot *history_latest(const struct history *h)
{
	return &h->latest;
}

/* ?1 the node, ?2 the port or 0, ?3 the snapshot. */
static const char end_sql[] =
	"SELECT k.guid, k.instance, "
	"(SELECT num FROM port_key WHERE id = ?2), "
	"(SELECT name FROM node_rev WHERE node = k.id AND snapshot <= ?3 AND "
	" seen < 2 ORDER BY snapshot DESC LIMIT 1), "
	"(SELECT CASE WHEN r.seen < 2 THEN r.lid END FROM port_key q "
	" JOIN port_rev r ON r.port = q.id WHERE q.node = k.id AND q.num = "
	" CASE (SELECT type FROM node_rev WHERE node = k.id AND "
	"  snapshot <= ?3 AND seen < 2 ORDER BY snapshot DESC LIMIT 1) "
	"  WHEN 2 THEN 0 ELSE (SELECT num FROM port_key WHERE id = ?2) END "
	" AND r.snapshot <= ?3 ORDER BY r.snapshot DESC LIMIT 1) "
	"FROM node_key k WHERE k.id = "
	"coalesce((SELECT node FROM port_key WHERE id = ?2), ?1)";

/* Whatever somebody wrote into the database. */
static char *clean_copy(const char *s)
{
	struct strbuf b = STRBUF_INIT;

	text_clean(&b, s, strlen(s));
	return strbuf_take(&b);
}

static void read_end(const struct history *h, sqlite3_stmt *stmt,
		     struct history_end *out)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 3);
	char guid[GUID_STRLEN + 1];
	uint32_t mapped;

	out->node_guid = (uint64_t)sqlite3_column_int64(stmt, 0);
	out->instance = sqlite3_column_int(stmt, 1);
	out->port = (int32_t)store_column(stmt, 2, VAL_NONE);
	out->lid = (int32_t)store_column(stmt, 4, VAL_NONE);
	mapped = map_get(&h->by_guid, out->node_guid);
	if (mapped != MAP_NONE && !out->instance)
		name = h->names[mapped];
	if (!name || !*name)
		name = guid_format(out->node_guid, guid);
	out->node = clean_copy(name);
}

int history_end(struct history *h, int64_t node, int64_t port,
		int64_t snapshot, struct history_end *out, struct err *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	out->port = out->lid = VAL_NONE;
	if (!h->end_stmt)
		h->end_stmt = store_prepare(h->st, end_sql, WHAT, err);
	if (!h->end_stmt)
		return -1;
	sqlite3_bind_int64(h->end_stmt, 1, node);
	sqlite3_bind_int64(h->end_stmt, 2, port);
	sqlite3_bind_int64(h->end_stmt, 3, snapshot);
	rc = store_step(h->st, h->end_stmt, WHAT, err);
	if (rc == 1)
		read_end(h, h->end_stmt, out);
	sqlite3_reset(h->end_stmt);
	return rc < 0 ? -1 : 0;
}

void history_end_free(struct history_end *end)
{
	free(end->node);
	end->node = NULL;
}

void history_add_end(struct strbuf *b, const struct history_end *end)
{
	strbuf_add(b, end->node ? end->node : "nothing");
	if (end->instance)
		strbuf_addf(b, " #%d", (int)end->instance);
	if (end->port != VAL_NONE)
		strbuf_addf(b, " port %d", (int)end->port);
}
