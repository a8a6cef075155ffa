/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * A snapshot goes in one transaction: what changed in it (the *_rev tables) is
 * folded into the next one, which reads the same then as before, and its own
 * rows go.  The newest goes first, so that what follows one that goes always
 * stays, and each row is moved once.
 *
 * Ages count from the fabric's newest snapshot, not from today: where nobody
 * sweeps, nothing is thinned.  Buckets are of UTC, and the same each time, so
 * that what is kept once is not dropped for another a day later.
 */

#define WHAT "pruning"
#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)
#define WEEK_MS (7 * DAY_MS)
#define MONDAY_MS (4 * DAY_MS) /* the first one after 1970-01-01 */
#define ALWAYS 48              /* the newest ones stay */
#define LOG_PAGES 65536        /* of the write-ahead log: more than enough */

/* How many of the newest buckets of that length hold one snapshot each. */
struct tier {
	int64_t length_ms;
	int64_t offset_ms;
	int64_t n;
};

static int64_t bucket_of(const struct tier *t, int64_t ms)
{
	int64_t at = ms - t->offset_ms;

	return at < 0 ? -((-at - 1) / t->length_ms) - 1 : at / t->length_ms;
}

/* How well it stands for its bucket. */
static int worth(const struct store_snapshot *row)
{
	return 2 * row->with_counters + row->complete;
}

/* Of each bucket that is young enough the best one, the newest of them. */
static void keep_tier(const struct tier *t, const struct store_snapshot *rows,
		      size_t n, uint8_t *keep)
{
	int64_t last = bucket_of(t, rows[n - 1].started_ms);
	size_t i = n;

	while (i) {
		int64_t bucket = bucket_of(t, rows[i - 1].started_ms);
		size_t best = --i;

		for (; i && bucket_of(t, rows[i - 1].started_ms) == bucket; i--)
			if (worth(&rows[i - 1]) > worth(&rows[best]))
				best = i - 1;
		if (last - bucket < t->n)
			keep[best] = 1;
	}
}

static int keep_pinned(struct store *st, const struct store_snapshot *rows,
		       size_t n, uint8_t *keep, struct err *err)
{
	int64_t pinned;
	size_t i;

	for (i = 0; i < n; i++) {
		pinned = 0;
		if (store_int(st, "SELECT count(*) FROM expect_set "
			      "WHERE snapshot = ?1", rows[i].id, 0, &pinned,
			      err) < 0)
			return -1;
		if (pinned)
			keep[i] = 1;
	}
	return 0;
}

/* One byte for each of the fabric's snapshots: does it stay? */
static uint8_t *choose(struct store *st, const struct store_keep *k,
		       const struct store_snapshot *rows, size_t n,
		       struct err *err)
{
	const struct tier tiers[] = {
		{ HOUR_MS, 0, k->hourly },
		{ DAY_MS, 0, k->daily },
		{ WEEK_MS, MONDAY_MS, k->weekly },
	};
	uint8_t *keep = xcalloc(n ? n : 1, 1);
	size_t i;

	for (i = 0; i < n; i++)
		keep[i] = n - i <= ALWAYS ||
			  rows[n - 1].started_ms - rows[i].started_ms <=
				  k->all_ms;
	for (i = 0; n && i < sizeof(tiers) / sizeof(tiers[0]); i++)
		keep_tier(&tiers[i], rows, n, keep);
	if (keep_pinned(st, rows, n, keep, err) == 0)
		return keep;
	free(keep);
	return NULL;
}

/* ?1 goes, ?2 is the one behind it. */
static const char *const fold_sql[] = {
	"UPDATE error_rev AS n SET reset = (SELECT ib_union(o.reset, n.reset) "
	"FROM error_rev o WHERE o.port = n.port AND o.snapshot = ?1) "
	"WHERE snapshot = ?2 AND EXISTS (SELECT 1 FROM error_rev o "
	"WHERE o.port = n.port AND o.snapshot = ?1)",
	"UPDATE OR IGNORE error_rev SET snapshot = ?2 WHERE snapshot = ?1",
	"UPDATE OR IGNORE node_rev SET snapshot = ?2 WHERE snapshot = ?1",
	"UPDATE OR IGNORE port_rev SET snapshot = ?2 WHERE snapshot = ?1",
	"DELETE FROM error_rev WHERE snapshot = ?1",
	"DELETE FROM node_rev WHERE snapshot = ?1",
	"DELETE FROM port_rev WHERE snapshot = ?1",
	"DELETE FROM sm_row WHERE snapshot = ?1",
	"DELETE FROM failure_row WHERE snapshot = ?1",
	"DELETE FROM duplicate_row WHERE snapshot = ?1",
	"DELETE FROM detail_row WHERE snapshot = ?1",
	"DELETE FROM counter_row WHERE snapshot = ?1",
	"DELETE FROM snapshot WHERE id = ?1",
};

#define N_FOLD (sizeof(fold_sql) / sizeof(fold_sql[0]))

struct pruner {
	struct store *st;
	struct err *err;
	sqlite3_stmt *stmt[N_FOLD];
};

/* Is the blank-separated list s without that word? */
static int lacks(const char *s, const char *word, size_t len)
{
	for (; s; s = strchr(s, ' ')) {
		s += *s == ' ';
		if (strcspn(s, " ") == len && !strncmp(s, word, len))
			return 0;
	}
	return 1;
}

/* ib_union(a, b): the words of both, each once; NULL where there is none; '*'
 * where one is that. */
static void unite(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const char *a = (const char *)sqlite3_value_text(v[0]);
	const char *b = (const char *)sqlite3_value_text(v[1]);
	struct strbuf out = STRBUF_INIT;
	size_t len;

	(void)n;
	if (!a || !b || !strcmp(b, "*") || !strcmp(a, "*")) {
		const char *one = !a || (b && !strcmp(b, "*")) ? b : a;

		sqlite3_result_text(ctx, one, -1, SQLITE_TRANSIENT);
		return;
	}
	strbuf_add(&out, a);
	for (; *b; b += len + (b[len] == ' ')) {
		len = strcspn(b, " ");
		if (!len || !lacks(out.s, b, len))
			continue;
		strbuf_add(&out, " ");
		strbuf_addn(&out, b, len);
	}
	sqlite3_result_text(ctx, out.s, (int)out.len, SQLITE_TRANSIENT);
	strbuf_free(&out);
}

static int pruner_open(struct pruner *p)
{
	size_t i;

	if (sqlite3_create_function_v2(p->st->db, "ib_union", 2,
				       SQLITE_UTF8 | SQLITE_DETERMINISTIC,
				       NULL, unite, NULL, NULL,
				       NULL) != SQLITE_OK)
		return store_err(p->st, p->err, WHAT);
	for (i = 0; i < N_FOLD; i++) {
		p->stmt[i] = store_prepare(p->st, fold_sql[i], WHAT, p->err);
		if (!p->stmt[i])
			return -1;
	}
	return 0;
}

static void pruner_close(struct pruner *p)
{
	size_t i;

	for (i = 0; i < N_FOLD; i++)
		sqlite3_finalize(p->stmt[i]);
	sqlite3_create_function_v2(p->st->db, "ib_union", 2, SQLITE_UTF8, NULL,
				   NULL, NULL, NULL, NULL);
}

/* Within a transaction.  The one behind is looked up there: another prune may
 * be at it too. */
static int fold(struct pruner *p, int64_t id)
{
	int64_t next = 0;
	size_t i;

	if (store_int(p->st, "SELECT ifnull(min(id), 0) FROM snapshot WHERE "
		      "id > ?1 AND fabric = (SELECT fabric FROM snapshot "
		      "WHERE id = ?1)", id, 0, &next, p->err) < 0)
		return -1;
	for (i = 0; next && i < N_FOLD; i++) {
		sqlite3_bind_int64(p->stmt[i], 1, id);
		if (sqlite3_bind_parameter_count(p->stmt[i]) > 1)
			sqlite3_bind_int64(p->stmt[i], 2, next);
		if (store_run(p->st, p->stmt[i], WHAT, p->err) < 0)
			return -1;
	}
	return 0;
}

static int drop(struct pruner *p, int64_t id)
{
	if (store_exec(p->st, "BEGIN IMMEDIATE", WHAT, p->err) < 0)
		return -1;
	if (fold(p, id) == 0 &&
	    store_exec(p->st, "COMMIT", WHAT, p->err) == 0)
		return 0;
	store_rollback(p->st);
	return -1;
}

/* A reader that stands still keeps the log from being emptied: it would grow by
 * all that goes. */
static int log_is_long(struct store *st)
{
	int pages = 0, done = 0;

	sqlite3_wal_checkpoint_v2(st->db, NULL, SQLITE_CHECKPOINT_PASSIVE,
				  &pages, &done);
	return pages - done > LOG_PAGES;
}

static int drop_all(struct store *st, const struct store_pruned *what,
		    struct err *err)
{
	struct pruner p = { .st = st, .err = err };
	long long dropped = 0;
	size_t i = what->n;
	int rc = pruner_open(&p);

	while (!rc && i--) {
		if (what->keep[i])
			continue;
		rc = drop(&p, what->rows[i].id);
		dropped++;
		if (!rc && log_is_long(st))
			rc = err_set(err, "%s: somebody has been reading since "
				     "before this began, and the log cannot be "
				     "emptied; %lld snapshots are dropped, run "
				     "this again for the others", st->path,
				     dropped);
	}
	pruner_close(&p);
	return rc;
}

int store_prune(struct store *st, const char *fabric,
		const struct store_keep *k, int dry, struct store_pruned *out,
		struct err *err)
{
	uint8_t *keep = NULL;
	size_t i;
	int rc = -1;

	memset(out, 0, sizeof(*out));
	if (store_list(st, fabric, &out->rows, &out->n, err) < 0)
		return -1;
	out->keep = keep = choose(st, k, out->rows, out->n, err);
	for (i = 0; keep && i < out->n; i++)
		out->kept += keep[i];
	if (keep && dry)
		rc = 0;
	else if (keep)
		rc = drop_all(st, out, err);
	if (rc < 0)
		store_pruned_free(out);
	return rc;
}

void store_pruned_free(struct store_pruned *p)
{
	while (p->n)
		store_snapshot_free(&p->rows[--p->n]);
	free(p->rows);
	free(p->keep);
	memset(p, 0, sizeof(*p));
}
