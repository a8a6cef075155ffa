/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_MERGE_H
#define IBAUDIT_TESTS_MERGE_H

#include <unistd.h>

#include "db.h"
#include "random.h"

/* What the tests of merging share: databases in a directory of their own, fed
 * from one life of a fabric, and what two histories say. */

#define MINUTE_MS INT64_C(60000)

static char dir[] = "/tmp/ibaudit-merge.XXXXXX";

static inline const char *path_of(const char *name)
{
	static char path[2][64];
	static int i;

	i = !i;
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static inline void remove_file(const char *name)
{
	static const char *const tails[] = { "", "-wal", "-shm" };
	char path[80];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", dir, name, tails[i]);
		unlink(path);
	}
}

static inline struct store *open_db(const char *name)
{
	struct err err = { "" };
	struct store *st = store_open(path_of(name), STORE_CREATE, &err);

	if (!st)
		printf("# %s\n", err.text);
	return st;
}

/* --- what a history says ---------------------------------------------- */

/* The ids of the other database's snapshots here, by those there. */
struct ids {
	int64_t at[1000];
};

static inline int64_t at(const struct ids *ids, int64_t id)
{
	return id > 0 && id < 1000 ? ids->at[id] : 0;
}

static inline void take_ids(struct ids *ids, const struct store_merged *m)
{
	size_t i;

	for (i = 0; i < m->n_added; i++)
		ids->at[m->added[i].was] = m->added[i].id;
}

static inline void take_own(struct ids *ids, const struct store_merged *m,
		     size_t n_before)
{
	size_t i;

	for (i = 1; i <= n_before; i++)
		ids->at[i] = (int64_t)i;
	for (i = 0; i < m->n_renumbered; i++)
		ids->at[m->renumbered[i].was] = m->renumbered[i].id;
}

/* As it would load with the ids of the merged history. */
static inline void translate(struct snapshot *s, const struct ids *ids,
		      const char *fabric)
{
	size_t i;
	int p;

	s->id = at(ids, s->id);
	free(s->fabric);
	s->fabric = xstrdup(fabric);
	for (i = 0; i < s->n_nodes; i++) {
		s->nodes[i]->last_read = at(ids, s->nodes[i]->last_read);
		for (p = 0; p <= s->nodes[i]->nports; p++)
			s->nodes[i]->ports[p].last_read = (uint32_t)at(
				ids, s->nodes[i]->ports[p].last_read);
	}
}

/* How many snapshots of `from` load in st as they do there. */
static inline int count_same(struct store *st, struct store *from,
		      const struct ids *ids, const char *fabric)
{
	struct strbuf why = STRBUF_INIT;
	struct err err = { "" };
	struct store_snapshot *rows;
	size_t i, n;
	int same = 0;

	if (store_list(from, NULL, &rows, &n, &err) < 0)
		printf("# %s\n", err.text);
	for (i = 0; i < n; i++) {
		struct snapshot a, b;

		if (store_load(from, rows[i].id, STORE_ALL_COUNTERS, &a,
			       &err) < 0 ||
		    store_load(st, at(ids, rows[i].id), STORE_ALL_COUNTERS, &b,
			       &err) < 0) {
			printf("# %s\n", err.text);
			continue;
		}
		translate(&a, ids, fabric);
		same += same_snapshot(&a, &b, &why);
		if (why.len)
			printf("# %lld: %s", (long long)rows[i].id, why.s);
		snapshot_free(&a);
		snapshot_free(&b);
		store_snapshot_free(&rows[i]);
	}
	free(rows);
	strbuf_free(&why);
	return same;
}

/* A device that began anew unnoticed, since its error counters stood at 0, may
 * be noticed when what was between is gone. */
static int tells_resets = 1;

static inline int tell_move(void *arg, const struct store_move *m)
{
	strbuf_addf(arg, "%llx/%d %d %d %lld %lld %lld %lld %d %d %d\n",
		    (unsigned long long)m->node_guid, m->num, m->counter,
		    m->width, (long long)m->value, (long long)m->prev,
		    (long long)m->delta, (long long)m->interval_ms,
		    tells_resets && m->reset, m->saturated,
		    m->saturated_before);
	return 0;
}

static inline int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ports have other keys in another database, and so another order. */
static inline void sort_lines(struct strbuf *b)
{
	struct strbuf sorted = STRBUF_INIT;
	char **lines = NULL, *save = NULL, *line;
	size_t n = 0, cap = 0, i;

	strbuf_add(&sorted, "");
	for (line = b->s ? strtok_r(b->s, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		lines = xgrow(lines, n, &cap, sizeof(*lines));
		lines[n++] = line;
	}
	if (n)
		qsort(lines, n, sizeof(*lines), by_text);
	for (i = 0; i < n; i++)
		strbuf_addf(&sorted, "%s\n", lines[i]);
	free(lines);
	strbuf_free(b);
	*b = sorted;
}

/* What counters did from each of the first snapshots to those before it. */
static inline char *all_moves(struct store *st, size_t most)
{
	struct strbuf all = STRBUF_INIT;
	struct err err = { "" };
	struct store_snapshot *rows;
	size_t i, k, n;

	strbuf_add(&all, "");
	if (store_list(st, NULL, &rows, &n, &err) < 0)
		printf("# %s\n", err.text);
	for (i = 0; i < n && i < most; i++)
		for (k = i > 12 ? i - 12 : 0; k < i; k++) {
			struct strbuf one = STRBUF_INIT;

			if (store_moves(st, rows[i].id, rows[k].id, tell_move,
					&one, &err) < 0)
				printf("# %s\n", err.text);
			sort_lines(&one);
			strbuf_addf(&all, "%zu %zu:\n%s", k, i, one.s);
			strbuf_free(&one);
		}
	for (i = 0; i < n; i++)
		store_snapshot_free(&rows[i]);
	free(rows);
	return strbuf_take(&all);
}

static inline void first_difference(const char *a, const char *b)
{
	size_t i = 0, line = 0;

	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	printf("# %.*s | %.*s\n", (int)strcspn(a + line, "\n"), a + line,
	       (int)strcspn(b + line, "\n"), b + line);
}

static inline void same_moves(struct store *a, struct store *b, size_t n,
		       const char *name)
{
	char *x = all_moves(a, n), *y = all_moves(b, n);

	if (!ok(!strcmp(x, y), "%s: counters did the same (%zu octets)", name,
		strlen(x)))
		first_difference(x, y);
	free(x);
	free(y);
}

/* --- merging ---------------------------------------------------------- */

/* Merge and check the numbers; *m is the caller's when there is one fabric. */
static inline int merges(struct store *st, const char *file,
		  const struct store_merging *how, size_t added,
		  size_t skipped, size_t renumbered, struct store_merged **m,
		  const char *name)
{
	struct err err = { "" };
	size_t n = 0;

	if (!ok(!store_merge(st, path_of(file), how, m, &n, &err),
		"%s: merged %s", name, err.text))
		return 0;
	is_int((long long)n, 1, "%s: one fabric", name);
	is_int((long long)(*m)->n_added, (long long)added, "%s: added", name);
	is_int((long long)(*m)->skipped, (long long)skipped, "%s: skipped",
	       name);
	is_int((long long)(*m)->n_renumbered, (long long)renumbered,
	       "%s: renumbered", name);
	is_sound(st, name);
	return 1;
}

static inline void refuses(struct store *st, const char *file,
		    const struct store_merging *how, const char *why,
		    const char *name)
{
	struct err err = { "" };
	struct store_merged *m;
	long long before = number(st, "SELECT total_changes()");
	size_t n;

	ok(store_merge(st, path_of(file), how, &m, &n, &err) < 0 &&
		   strstr(err.text, why), "%s: %s", name, err.text);
	ok(!strchr(err.text, '\n'), "%s: one line", name);
	is_int(number(st, "SELECT total_changes()"), before,
	       "%s: nothing is changed", name);
}

/* All of the database but ids, as text. */
static inline char *dump(struct store *st)
{
	static const char *const tables[] = {
		"fabric", "snapshot", "node_key", "port_key", "node_rev",
		"port_rev", "error_rev", "sm_row", "failure_row",
		"duplicate_row", "detail_row", "counter_row", "finding_row",
		"expect_set",
	};
	struct strbuf b = STRBUF_INIT;
	size_t i;
	int c;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char sql[64];
		sqlite3_stmt *stmt;

		snprintf(sql, sizeof(sql), "SELECT * FROM %s ORDER BY 1, 2",
			 tables[i]);
		sqlite3_prepare_v2(store_db(st), sql, -1, &stmt, NULL);
		while (sqlite3_step(stmt) == SQLITE_ROW) {
			strbuf_add(&b, tables[i]);
			for (c = 0; c < sqlite3_column_count(stmt); c++) {
				const char *text = (const char *)
					sqlite3_column_text(stmt, c);

				strbuf_addf(&b, "|%s", text ? text : "");
			}
			strbuf_add(&b, "\n");
		}
		sqlite3_finalize(stmt);
	}
	return strbuf_take(&b);
}

static inline void is_as_before(struct store *st, char *before,
				const char *name)
{
	char *after = dump(st);

	if (!ok(!strcmp(before, after), "%s: all is as before", name))
		first_difference(before, after);
	free(before);
	free(after);
}

/* A life's sweeps as they were, one behind the other, nothing carried over:
 * what each database is fed from. */
static inline struct store *live(int n)
{
	struct store *raw = open_new();
	struct err err = { "" };
	struct snapshot prev, s;
	struct life l;
	int i, saved = 0;

	memset(&l, 0, sizeof(l));
	snapshot_init(&prev);
	for (i = 0; i < n; i++) {
		build_life(&l, &s, 5 * MINUTE_MS);
		s.mads_sent = i;
		saved += !store_save(raw, &s, i ? &prev : NULL, &err);
		snapshot_free(&prev);
		prev = s;
	}
	snapshot_free(&prev);
	is_int(saved, n, "a life of %d sweeps %s", n, err.text);
	return raw;
}

/* Sweep number i of it, from 1, as a database of its own stores it. */
static inline int feed(struct store *st, struct store *raw, int i)
{
	struct err err = { "" };
	struct snapshot s;
	size_t k;
	int p, rc;

	if (store_load(raw, i, STORE_ALL_COUNTERS, &s, &err) < 0) {
		printf("# %s\n", err.text);
		return -1;
	}
	s.id = 0;
	for (k = 0; k < s.n_nodes; k++) {
		s.nodes[k]->key = 0;
		for (p = 0; p <= s.nodes[k]->nports; p++)
			s.nodes[k]->ports[p].key = 0;
	}
	rc = save(st, &s, &err);
	if (rc < 0)
		printf("# %s\n", err.text);
	snapshot_free(&s);
	return rc;
}

static inline struct store *fed(const char *name, struct store *raw, int first,
			 int last, int step)
{
	struct store *st = open_db(name);
	int i, bad = 0;

	for (i = first; i <= last; i += step)
		bad += feed(st, raw, i) < 0;
	is_int(bad, 0, "%s is fed", name);
	return st;
}

static const struct store_merging plain = { NULL, NULL, 0 };
static const struct store_merging renumber = { NULL, NULL, 1 };

#endif
