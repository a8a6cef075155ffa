/* SPDX-License-Identifier: BSD-2-Clause */
/* Two histories of one fabric become one. */
#include <unistd.h>

#include "db.h"
#include "random.h"

#define MINUTE_MS INT64_C(60000)

static char dir[] = "/tmp/ibaudit-merge.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[2][64];
	static int i;

	i = !i;
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static void remove_file(const char *name)
{
	static const char *const tails[] = { "", "-wal", "-shm" };
	char path[80];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", dir, name, tails[i]);
		unlink(path);
	}
}

static struct store *open_db(const char *name)
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

static int64_t at(const struct ids *ids, int64_t id)
{
	return id > 0 && id < 1000 ? ids->at[id] : 0;
}

static void take_ids(struct ids *ids, const struct store_merged *m)
{
	size_t i;

	for (i = 0; i < m->n_added; i++)
		ids->at[m->added[i].was] = m->added[i].id;
}

static void take_own(struct ids *ids, const struct store_merged *m,
		     size_t n_before)
{
	size_t i;

	for (i = 1; i <= n_before; i++)
		ids->at[i] = (int64_t)i;
	for (i = 0; i < m->n_renumbered; i++)
		ids->at[m->renumbered[i].was] = m->renumbered[i].id;
}

/* As it would load with the ids of the merged history. */
static void translate(struct snapshot *s, const struct ids *ids,
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
static int count_same(struct store *st, struct store *from,
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

static int tell_move(void *arg, const struct store_move *m)
{
	strbuf_addf(arg, "%llx/%d %d %d %lld %lld %lld %lld %d %d %d\n",
		    (unsigned long long)m->node_guid, m->num, m->counter,
		    m->width, (long long)m->value, (long long)m->prev,
		    (long long)m->delta, (long long)m->interval_ms,
		    tells_resets && m->reset, m->saturated, m->saturated_before);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ports have other keys in another database, and so another order. */
static void sort_lines(struct strbuf *b)
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
static char *all_moves(struct store *st, size_t most)
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

static void first_difference(const char *a, const char *b)
{
	size_t i = 0, line = 0;

	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	printf("# %.*s | %.*s\n", (int)strcspn(a + line, "\n"), a + line,
	       (int)strcspn(b + line, "\n"), b + line);
}

static void same_moves(struct store *a, struct store *b, size_t n,
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
static int merges(struct store *st, const char *file,
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

static void refuses(struct store *st, const char *file,
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
static char *dump(struct store *st)
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

static void is_as_before(struct store *st, char *before, const char *name)
{
	char *after = dump(st);

	if (!ok(!strcmp(before, after), "%s: all is as before", name))
		first_difference(before, after);
	free(before);
	free(after);
}

/* A life's sweeps as they were, one behind the other, nothing carried over:
 * what each database is fed from. */
static struct store *live(int n)
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
static int feed(struct store *st, struct store *raw, int i)
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

static struct store *fed(const char *name, struct store *raw, int first,
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

/* One head has the first half, the other one all. */
static void halves(struct store *raw)
{
	struct store *half = fed("half.db", raw, 1, 30, 1);
	struct store *whole = fed("whole.db", raw, 1, 60, 1);
	struct store_merged *m;
	struct ids ids = { { 0 } };

	if (merges(half, "whole.db", &plain, 30, 30, 0, &m, "halves")) {
		take_own(&ids, m, 30);
		take_ids(&ids, m);
		is_int(at(&ids, 31), 31, "halves: behind ours");
		is_int(count_same(half, whole, &ids, "default"), 60,
		       "halves: all load as in the whole");
		same_moves(half, whole, 60, "halves");
		store_merged_free(m, 1);
	}
	store_close(whole);
	store_close(half);
	remove_file("half.db");
	remove_file("whole.db");
}

/* The other head took over. */
static void behind(struct store *raw)
{
	struct store *st = fed("a.db", raw, 1, 25, 1);
	struct store *b = fed("b.db", raw, 26, 60, 1);
	struct store_merged *m;
	struct ids ids = { { 0 } };
	char *before;

	if (merges(st, "b.db", &plain, 35, 0, 0, &m, "behind")) {
		take_ids(&ids, m);
		is_int(count_same(st, b, &ids, "default"), 35,
		       "behind: all load as there");
		same_moves(st, raw, 60, "behind");
		store_merged_free(m, 1);
	}
	before = dump(st);
	if (merges(st, "b.db", &plain, 0, 35, 0, &m, "behind, twice"))
		store_merged_free(m, 1);
	is_as_before(st, before, "behind, twice");
	before = dump(st);
	if (merges(st, "b.db", &renumber, 0, 35, 0, &m, "behind, thrice"))
		store_merged_free(m, 1);
	is_as_before(st, before, "behind, thrice");
	ok(!feed(st, raw, 60), "a sweep goes on behind it");
	is_sound(st, "a sweep behind a merge");
	store_close(b);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

/* Each second sweep was the other head's. */
static void interleaved(struct store *raw)
{
	struct store *st = fed("odd.db", raw, 1, 60, 2), *even, *odd;
	struct store_merged *m;
	struct ids theirs = { { 0 } }, ours = { { 0 } };
	char *before;

	store_close(fed("was.db", raw, 1, 60, 2));
	odd = open_db("was.db");
	even = fed("even.db", raw, 2, 60, 2);
	exec_sql(st, "INSERT INTO expect_set VALUES (1, 0, 'snapshot', "
		 "'snapshot 7', 7)");
	refuses(st, "even.db", &plain,
		"29 of 30 snapshots to be added were started before our last "
		"one; give --renumber to put them in order (29 of ours get "
		"new ids), or --fabric 'default' --as NAME", "interleaved");
	if (merges(st, "even.db", &renumber, 30, 0, 29, &m, "interleaved")) {
		take_own(&ours, m, 1);
		take_ids(&theirs, m);
		is_int(count_same(st, even, &theirs, "default"), 30,
		       "interleaved: theirs load as there");
		is_int(count_same(st, odd, &ours, "default"), 30,
		       "interleaved: ours load as before");
		is_int(number(st, "SELECT count(*) FROM snapshot a JOIN "
			      "snapshot b ON a.id < b.id AND a.started_ms > "
			      "b.started_ms"), 0, "interleaved: in order");
		is_int(number(st, "SELECT snapshot FROM expect_set"),
		       at(&ours, 7), "interleaved: what is pinned still is");
		same_moves(st, raw, 60, "interleaved");
		store_merged_free(m, 1);
	}
	before = dump(st);
	if (merges(st, "even.db", &plain, 0, 30, 0, &m, "interleaved, twice"))
		store_merged_free(m, 1);
	is_as_before(st, before, "interleaved, twice");
	/* And now what is new in both. */
	ok(!feed(even, raw, 60) && !exec_sql(even,
		"UPDATE snapshot SET started_ms = started_ms + 400000 "
		"WHERE id = 31"), "the other one swept");
	if (merges(st, "even.db", &plain, 1, 30, 0, &m, "one more"))
		store_merged_free(m, 1);
	store_close(odd);
	store_close(even);
	store_close(st);
	remove_file("odd.db");
	remove_file("was.db");
	remove_file("even.db");
}

/* Snapshots that went left their marks in those that stay. */
static void pruned(struct store *raw)
{
	const struct store_keep k = { 0, 12, 2, 0 };
	struct store *old = fed("old.db", raw, 1, 200, 1);
	struct store *st = open_db("new.db"), *odd, *was;
	struct store_merged *m;
	struct store_pruned p;
	struct ids ids = { { 0 } };
	struct err err = { "" };
	int64_t size;

	ok(!store_prune(old, "default", &k, 0, &p, &err), "pruned %s",
	   err.text);
	ok(p.kept > 48 && p.kept < 100, "pruned: %zu stay", p.kept);
	ok(number(old, "SELECT count(*) FROM error_rev WHERE reset IS NOT "
		  "NULL") > 20, "pruned: resets");
	if (merges(st, "old.db", &plain, p.kept, 0, 0, &m, "pruned")) {
		take_ids(&ids, m);
		is_int(count_same(st, old, &ids, "default"),
		       (long long)p.kept, "pruned: all load as there");
		tells_resets = 0;
		same_moves(st, old, p.kept, "pruned");
		tells_resets = 1;
		store_merged_free(m, 1);
	}
	store_close(st);
	remove_file("new.db");
	/* One snapshot goes before all, and one behind. */
	ok(!store_backup(path_of("old.db"), path_of("was.db"), &size, &err),
	   "a copy %s", err.text);
	was = open_db("was.db");
	odd = fed("odd.db", raw, 200, 201, 1);
	exec_sql(odd, "UPDATE snapshot SET started_ms = 5 WHERE id = 1");
	if (merges(old, "odd.db", &renumber, 2, 0, p.kept, &m,
		   "pruned ones move")) {
		take_own(&ids, m, 200);
		is_int(count_same(old, was, &ids, "default"),
		       (long long)p.kept, "pruned ones load as before");
		store_merged_free(m, 1);
	}
	store_close(was);
	store_close(odd);
	store_close(old);
	store_pruned_free(&p);
	remove_file("was.db");
	remove_file("old.db");
	remove_file("odd.db");
}

int main(void)
{
	struct store *raw;

	if (!mkdtemp(dir))
		return 1;
	raw = live(210);
	halves(raw);
	behind(raw);
	interleaved(raw);
	pruned(raw);
	store_close(raw);
	rmdir(dir);
	return done_testing();
}
