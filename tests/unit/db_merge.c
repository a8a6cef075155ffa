/* SPDX-License-Identifier: BSD-2-Clause */
/* Two histories of one fabric become one. */
#include "merge.h"

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
	ok(!store_backup(path_of("old.db"), path_of("was.db"), NULL, &size,
			 &err),
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
