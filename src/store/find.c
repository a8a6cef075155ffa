/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clock.h"

#define WHAT "looking the snapshot up"

#define COLUMNS \
	"SELECT s.id, f.name, s.subnet_prefix, s.started_ms, s.finished_ms, " \
	"s.complete, s.with_counters, s.pma_asked, s.pma_answered, " \
	"s.mads_sent, s.discovery, s.note, s.switches, s.cas, " \
	"s.aggregation_nodes, s.routers, s.ports, s.links, s.sms, " \
	"s.failures, s.unread_nodes " \
	"FROM snapshot s JOIN fabric f ON f.id = s.fabric "

/* Which snapshots: a fabric, or all of them when it is 0. */
#define OF_FABRIC "(?1 = 0 OR s.fabric = ?1) "

void store_snapshot_free(struct store_snapshot *row)
{
	free(row->note);
	memset(row, 0, sizeof(*row));
}

static void copy_text(char *to, size_t size, sqlite3_stmt *stmt, int i)
{
	const char *text = (const char *)sqlite3_column_text(stmt, i);

	snprintf(to, size, "%s", text ? text : "");
}

static void read_row(sqlite3_stmt *stmt, struct store_snapshot *row)
{
	int64_t *const at[] = {
		&row->counts.switches, &row->counts.cas,
		&row->counts.aggregation_nodes, &row->counts.routers,
		&row->counts.ports, &row->counts.links, &row->counts.sms,
		&row->counts.failures, &row->counts.unread_nodes,
	};
	int i;

	memset(row, 0, sizeof(*row));
	row->id = sqlite3_column_int64(stmt, 0);
	copy_text(row->fabric, sizeof(row->fabric), stmt, 1);
	row->subnet_prefix = (uint64_t)sqlite3_column_int64(stmt, 2);
	row->started_ms = sqlite3_column_int64(stmt, 3);
	row->finished_ms = sqlite3_column_int64(stmt, 4);
	row->complete = sqlite3_column_int(stmt, 5);
	row->with_counters = sqlite3_column_int(stmt, 6);
	row->pma_asked = sqlite3_column_int64(stmt, 7);
	row->pma_answered = sqlite3_column_int64(stmt, 8);
	row->mads_sent = sqlite3_column_int64(stmt, 9);
	copy_text(row->discovery, sizeof(row->discovery), stmt, 10);
	row->note = xstrdup((const char *)sqlite3_column_text(stmt, 11));
	for (i = 0; i < (int)(sizeof(at) / sizeof(at[0])); i++)
		*at[i] = sqlite3_column_int64(stmt, 12 + i);
}

/* One snapshot by a condition on ?1, ?2: 1 and out is filled, 0, -1. */
static int find_one(struct store *st, const char *where, int64_t a, int64_t b,
		    struct store_snapshot *out, struct err *err)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int rc;

	strbuf_addf(&sql, COLUMNS "WHERE %s", where);
	stmt = store_prepare(st, sql.s, WHAT, err);
	strbuf_free(&sql);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, a);
	sqlite3_bind_int64(stmt, 2, b);
	rc = store_step(st, stmt, WHAT, err);
	if (rc == 1)
		read_row(stmt, out);
	sqlite3_finalize(stmt);
	return rc;
}

/* Digits only: their value, INT64_MAX beyond it.  -1: something else. */
static int64_t parse_digits(const char *s)
{
	int64_t v;

	if (!*s || s[strspn(s, "0123456789")])
		return -1;
	errno = 0;
	v = strtoll(s, NULL, 10);
	return errno ? INT64_MAX : v;
}

/* "latest" is 0, "latest~3" is 3; -1: something else. */
static int64_t parse_latest(const char *s)
{
	if (strncmp(s, "latest", 6))
		return -1;
	if (!s[6])
		return 0;
	return s[6] == '~' ? parse_digits(s + 7) : -1;
}

/* The first snapshot is younger than a time. */
static int refuse_time(const char *name, const struct store_snapshot *first,
		       struct err *err)
{
	char at[CLOCK_STRLEN + 1];

	return err_set(err, "no snapshot at or before '%s': the first is %lld, "
		       "of %s", name, (long long)first->id,
		       clock_format(first->started_ms, at));
}

/* Nothing fits the name: say what there is. */
static int refuse(struct store *st, const char *name, int64_t fabric,
		  struct err *err)
{
	struct store_snapshot first, last;
	char at[CLOCK_STRLEN + 1];
	int64_t n = 0;
	int rc;

	if (store_int(st, "SELECT count(*) FROM snapshot s WHERE " OF_FABRIC,
		      fabric, 0, &n, err) < 0)
		return -1;
	if (!n)
		return err_set(err, "no snapshot '%s': there are none yet; run "
			       "'ibaudit sweep'", name);
	rc = find_one(st, OF_FABRIC "ORDER BY s.id LIMIT 1", fabric, 0, &first,
		      err);
	if (rc == 1)
		rc = find_one(st, OF_FABRIC "ORDER BY s.id DESC LIMIT 1",
			      fabric, 0, &last, err);
	if (!rc)
		err_set(err, "%s: damaged: a snapshot of no fabric; run "
			"'ibaudit db check'", st->path);
	if (rc != 1)
		return -1;
	if (parse_latest(name) < 0 && parse_digits(name) < 0)
		refuse_time(name, &first, err);
	else
		err_set(err, "no snapshot '%s': there %s %lld, from %lld (%s) to "
			"%lld; see 'ibaudit list'", name,
			n == 1 ? "is" : "are", (long long)n,
			(long long)first.id,
			clock_format(first.started_ms, at),
			(long long)last.id);
	store_snapshot_free(&first);
	store_snapshot_free(&last);
	return -1;
}

/* The fabric that "latest" and a time mean; 0 in an empty database. */
static int narrow(struct store *st, const char *fabric, int64_t *id,
		  struct err *err)
{
	int rc = store_find_fabric(st, fabric, id, err);
	char *names;

	if (rc || !fabric)
		return rc < 0 ? -1 : 0;
	names = store_fabric_names(st, err);
	if (!names)
		return -1;
	if (*names)
		err_set(err, "no fabric '%s': there is %s", fabric, names);
	else
		err_set(err, "no fabric '%s': there is none yet; run 'ibaudit "
			"sweep'", fabric);
	free(names);
	return -1;
}

static int find_in_fabric(struct store *st, const char *fabric,
			  const char *name, struct store_snapshot *out,
			  struct err *err)
{
	int64_t back = parse_latest(name), at, id = 0;
	int rc;

	if (back < 0 && clock_parse(name, &at) < 0)
		return err_set(err, "'%s': not a snapshot; write latest, "
			       "latest~N, the number of one, or a time such "
			       "as '2026-01-31 12:00'", name);
	if (narrow(st, fabric, &id, err) < 0)
		return -1;
	if (back >= 0)
		rc = find_one(st, OF_FABRIC "ORDER BY s.id DESC LIMIT 1 "
			      "OFFSET ?2", id, back, out, err);
	else
		rc = find_one(st, OF_FABRIC "AND s.started_ms <= ?2 "
			      "ORDER BY s.id DESC LIMIT 1", id, at, out, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	return refuse(st, name, id, err);
}

int store_find(struct store *st, const char *fabric, const char *name,
	       struct store_snapshot *out, struct err *err)
{
	int64_t id = parse_digits(name);
	int rc;

	if (id < 0)
		return find_in_fabric(st, fabric, name, out, err);
	rc = find_one(st, "s.id = ?1", id, 0, out, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	return refuse(st, name, 0, err);
}

int store_baseline(struct store *st, int64_t id, struct store_snapshot *out,
		   struct err *err)
{
	static const char before[] =
		"s.id < ?1 AND s.fabric = "
		"(SELECT fabric FROM snapshot WHERE id = ?1) "
		"ORDER BY s.with_counters AND "
		"(SELECT with_counters FROM snapshot WHERE id = ?1) DESC, "
		"s.id DESC LIMIT 1";

	return find_one(st, before, id, 0, out, err);
}

int store_list(struct store *st, const char *fabric,
	       struct store_snapshot **rows, size_t *n, struct err *err)
{
	int64_t id = 0;
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int rc;

	*rows = NULL;
	*n = 0;
	if (fabric && narrow(st, fabric, &id, err) < 0)
		return -1;
	stmt = store_prepare(st, COLUMNS "WHERE " OF_FABRIC "ORDER BY s.id",
			     WHAT, err);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		*rows = xgrow(*rows, *n, &cap, sizeof(**rows));
		read_row(stmt, &(*rows)[(*n)++]);
	}
	sqlite3_finalize(stmt);
	if (rc == 0)
		return 0;
	while (*n)
		store_snapshot_free(&(*rows)[--*n]);
	free(*rows);
	*rows = NULL;
	return -1;
}
