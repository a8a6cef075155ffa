/* SPDX-License-Identifier: BSD-2-Clause */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/strbuf.h"

/*
 * bench-store DB SWEEPS: store so many sweeps behind the last one of DB, each
 * as that one, with every data counter moved, as on a busy fabric of NDR links:
 * octets of 2^55, packets of 2^45.  In turn with a bare insert of as many rows
 * of all counters into DB-bare.  Prints the medians, in ms, of storing and of
 * the bare insert, octets that a sweep added, and the file's size.
 */

#define MINUTE_MS 60000
#define COLUMNS 30 /* counters of the bare table */

static struct err err;

static void stop(const char *what)
{
	fprintf(stderr, "bench-store: %s: %s\n", what, err.text);
	exit(3);
}

/* Moves all counters but those of errors; in place of what ibsim, which has no
 * traffic, says. */
static void move(struct snapshot *s, int nth)
{
	size_t i;
	int p, k;

	s->started_ms += 5 * MINUTE_MS;
	s->finished_ms = s->started_ms + 2000;
	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++) {
			struct counters *c = s->nodes[i]->ports[p].counters;

			if (!c)
				continue;
			c->src = SRC_PC | SRC_EXT;
			c->at_ms = s->started_ms + (int64_t)(i * 64 + (size_t)p) % 2000;
			for (k = COUNTER_ERRORS; k < COUNTER_MAIN; k++) {
				int octets = strstr(counter_table[k].column,
						    "data") != NULL;
				int wait = counter_table[k].kind ==
					   COUNTER_CONGESTION;

				c->value[k] = (INT64_C(1)
					       << (octets ? 55 :
						   wait   ? 31 :
							    45)) +
					      (int64_t)i * 1000003 +
					      p * 7919 +
					      (int64_t)nth * 1000000007;
			}
		}
}

static int64_t file_size(const char *path)
{
	struct stat sb;

	return stat(path, &sb) < 0 ? 0 : sb.st_size;
}

static double save(struct store *st, struct snapshot *s)
{
	struct snapshot prev;
	int64_t prev_id, at;

	if (store_fabric(st, s->fabric, s, &prev_id, &err) < 0 ||
	    store_load(st, prev_id, STORE_PARENTS, &prev, &err) < 0)
		stop("loading");
	at = clock_mono_us();
	if (store_save(st, s, &prev, &err) < 0)
		stop("saving");
	at = clock_mono_us() - at;
	snapshot_free(&prev);
	return (double)at / 1000;
}

static sqlite3_stmt *bare_table(sqlite3 *db)
{
	struct strbuf table = STRBUF_INIT, insert = STRBUF_INIT;
	sqlite3_stmt *stmt = NULL;
	int i;

	strbuf_add(&table, "PRAGMA journal_mode = WAL; PRAGMA synchronous = "
		   "FULL; DROP TABLE IF EXISTS row; CREATE TABLE row "
		   "(snapshot INTEGER, port INTEGER, at INTEGER, src INTEGER");
	strbuf_add(&insert, "INSERT INTO row VALUES (?, ?, ?, ?");
	for (i = 0; i < COLUMNS; i++) {
		strbuf_addf(&table, ", c%d INTEGER", i);
		strbuf_add(&insert, ", ?");
	}
	strbuf_add(&table, ", PRIMARY KEY (snapshot, port)) WITHOUT ROWID");
	strbuf_add(&insert, ")");
	if (sqlite3_exec(db, table.s, NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(db, insert.s, -1, &stmt, NULL))
		stop(sqlite3_errmsg(db));
	strbuf_free(&table);
	strbuf_free(&insert);
	return stmt;
}

static void bare_row(sqlite3_stmt *stmt, int64_t port, const struct counters *c)
{
	int k;

	sqlite3_bind_int64(stmt, 1, 1);
	sqlite3_bind_int64(stmt, 2, port);
	sqlite3_bind_int64(stmt, 3, 1000);
	sqlite3_bind_int64(stmt, 4, c->src);
	for (k = 0; k < COUNTER_MAIN; k++)
		sqlite3_bind_int64(stmt, 5 + k, c->value[k]);
	for (; k < COLUMNS; k++)
		sqlite3_bind_int64(stmt, 5 + k, 0);
	sqlite3_step(stmt);
	sqlite3_reset(stmt);
}

static double bare(const char *path, const struct snapshot *s)
{
	sqlite3_stmt *stmt;
	sqlite3 *db;
	int64_t at, port = 0;
	size_t i;
	int p;

	if (sqlite3_open(path, &db))
		stop(sqlite3_errmsg(db));
	stmt = bare_table(db);
	at = clock_mono_us();
	sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++)
			if (s->nodes[i]->ports[p].counters)
				bare_row(stmt, ++port,
					 s->nodes[i]->ports[p].counters);
	if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL))
		stop(sqlite3_errmsg(db));
	at = clock_mono_us() - at;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return (double)at / 1000;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0, i;
	char bare_path[512];
	double *saves, *bares;
	struct snapshot s;
	struct store *st;
	int64_t id, before;

	if (n < 1 || n > 100000) {
		fprintf(stderr, "usage: bench-store DB SWEEPS\n");
		return 3;
	}
	snprintf(bare_path, sizeof(bare_path), "%s-bare", argv[1]);
	st = store_open(argv[1], STORE_WRITE, &err);
	if (!st || store_latest(st, NULL, &id, &err) < 0 ||
	    store_load(st, id, STORE_ALL_COUNTERS, &s, &err) < 0)
		stop(argv[1]);
	saves = xcalloc((size_t)n, sizeof(*saves));
	bares = xcalloc((size_t)n, sizeof(*bares));
	move(&s, 0);
	save(st, &s);
	before = file_size(argv[1]);
	for (i = 0; i < n; i++) {
		move(&s, i + 1);
		saves[i] = save(st, &s);
		bares[i] = bare(bare_path, &s);
	}
	printf("%.1f %.1f %lld %lld\n", median(saves, n), median(bares, n),
	       (long long)(file_size(argv[1]) - before) / n,
	       (long long)file_size(argv[1]));
	snapshot_free(&s);
	store_close(st);
	unlink(bare_path);
	free(saves);
	free(bares);
	return 0;
}
