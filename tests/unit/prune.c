/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/store.h"

#include "db.h"
#include "random.h"

/* Thinning a history: what stays, and that it reads as before. */

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

/* All that is told of counters between each two of the snapshots. */
struct told {
	struct store *st;
	int64_t baseline;
	struct strbuf text;
};

/* When a port that the baseline did not read was read last may be forgotten. */
static int was_read(const struct told *t, int64_t port)
{
	char sql[128];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM counter_row WHERE "
		 "snapshot = %lld AND port = %lld AND src & 5",
		 (long long)t->baseline, (long long)port);
	return number(t->st, sql) > 0;
}

static int tell(void *arg, const struct store_move *m)
{
	struct told *t = arg;

	strbuf_addf(&t->text, "%lld %d %d %lld %lld %lld %lld %d %d %d\n",
		    (long long)m->port, m->counter, m->width,
		    (long long)m->value, (long long)m->prev,
		    (long long)m->delta,
		    was_read(t, m->port) ? (long long)m->interval_ms : 0,
		    m->reset,
		    m->saturated, m->saturated_before);
	return 0;
}

static void tell_moves(struct store *st, const struct store_pruned *p,
		       struct told *t)
{
	struct err err = { "" };
	size_t i, k;

	t->st = st;
	for (i = 0; i < p->n; i++)
		for (k = 0; k < i; k++) {
			t->baseline = p->rows[k].id;
			if (p->keep[i] && p->keep[k] &&
			    store_moves(st, p->rows[i].id, t->baseline, tell,
					t, &err) < 0)
				printf("# %s\n", err.text);
		}
}

/* Load those that stay. */
static struct snapshot *load_kept(struct store *st,
				  const struct store_pruned *p)
{
	struct snapshot *s = xcalloc(p->n, sizeof(*s));
	struct err err = { "" };
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->keep[i] && store_load(st, p->rows[i].id,
					     STORE_ALL_COUNTERS, &s[i],
					     &err) < 0)
			printf("# %s\n", err.text);
	return s;
}

static size_t count_same(const struct store_pruned *p,
			 const struct snapshot *a, const struct snapshot *b)
{
	struct strbuf why = STRBUF_INIT;
	size_t i, n = 0;

	for (i = 0; i < p->n; i++) {
		if (!p->keep[i])
			continue;
		n += (size_t)same_snapshot(&a[i], &b[i], &why);
		if (why.len)
			printf("# %lld: %s", (long long)p->rows[i].id, why.s);
	}
	strbuf_free(&why);
	return n;
}

static void free_all(struct snapshot *s, size_t n)
{
	while (n)
		snapshot_free(&s[--n]);
	free(s);
}

/* Prune: each snapshot that stays, and what counters did between each two of
 * them, must be told as before. */
static void prunes(struct store *st, const struct store_keep *k,
		   const char *name)
{
	struct err err = { "" };
	struct store_pruned dry, p;
	struct told before, after;
	struct snapshot *a, *b;

	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	ok(!store_prune(st, "default", k, 1, &dry, &err), "%s: would %s",
	   name, err.text);
	is_int(number(st, "SELECT count(*) FROM snapshot"), (long long)dry.n,
	       "%s: a dry run drops nothing", name);
	a = load_kept(st, &dry);
	tell_moves(st, &dry, &before);
	ok(!store_prune(st, "default", k, 0, &p, &err), "%s: pruned %s", name,
	   err.text);
	ok(p.n == dry.n && p.kept == dry.kept &&
		   !memcmp(p.keep, dry.keep, p.n),
	   "%s: %zu of %zu stay, as told before", name, p.kept, p.n);
	is_int(number(st, "SELECT count(*) FROM snapshot"), (long long)p.kept,
	       "%s: the others are gone", name);
	b = load_kept(st, &p);
	is_int((long long)count_same(&p, a, b), (long long)p.kept,
	       "%s: what stays reads as before", name);
	tell_moves(st, &p, &after);
	ok(after.text.len == before.text.len &&
		   (!after.text.len || !strcmp(before.text.s, after.text.s)),
	   "%s: and so does what counters did (%zu octets)", name,
	   before.text.len);
	is_sound(st, name);
	free_all(a, p.n);
	free_all(b, p.n);
	strbuf_free(&before.text);
	strbuf_free(&after.text);
	store_pruned_free(&dry);
	store_pruned_free(&p);
}

static void live(struct store *st, struct life *l, int n, int64_t step_ms)
{
	struct err err = { "" };
	int saved = 0, i;

	for (i = 0; i < n; i++) {
		struct snapshot s;

		build_life(l, &s, step_ms);
		saved += !save(st, &s, &err);
		snapshot_free(&s);
	}
	is_int(saved, n, "a life of %d sweeps %s", n, err.text);
}

/* Over and over, each time with some more behind. */
static void random_histories(void)
{
	struct store_keep k = { 20 * MINUTE_MS, 3, 2, 2 };
	struct store *st = open_new();
	struct life l;

	memset(&l, 0, sizeof(l));
	live(st, &l, 150, 5 * MINUTE_MS);
	prunes(st, &k, "first");
	prunes(st, &k, "again at once");
	live(st, &l, 60, 50 * MINUTE_MS);
	prunes(st, &k, "second");
	k.daily = 30;
	k.hourly = 0;
	live(st, &l, 70, 5 * HOUR_MS);
	prunes(st, &k, "third");
	store_close(st);
}

/* A sweep each quarter of an hour, 1, 2, ... of them without counters. */
static void sweep(struct store *st, int64_t at_ms, int with_counters)
{
	struct err err = { "" };
	struct snapshot s;

	build_fabric(&s);
	s.started_ms = at_ms;
	s.with_counters = with_counters;
	if (save(st, &s, &err) < 0)
		printf("# %s\n", err.text);
	snapshot_free(&s);
}

/* 2023-11-14T00:00Z, a Tuesday. */
#define MIDNIGHT INT64_C(1699920000000)

static char *kept_ids(struct store *st, const struct store_keep *k)
{
	struct err err = { "" };
	struct strbuf b = STRBUF_INIT;
	struct store_pruned p;
	size_t i;

	strbuf_add(&b, "");
	if (store_prune(st, "default", k, 1, &p, &err) < 0)
		printf("# %s\n", err.text);
	for (i = 0; i < p.n; i++)
		if (p.keep[i])
			strbuf_addf(&b, "%s%lld", b.len ? " " : "",
				    (long long)p.rows[i].id);
	store_pruned_free(&p);
	return strbuf_take(&b);
}

/* Those that stay besides the last 48. */
static void keeps(struct store *st, struct store_keep k, const char *want,
		  const char *name)
{
	char *got = kept_ids(st, &k), *end = strstr(got, "201 202");

	if (end)
		*end = '\0';
	is_str(got, want, "%s", name);
	free(got);
}

/* Snapshots 1 to 200: one every six hours up to MIDNIGHT + 50 days; then 48
 * more within an hour, which always stay. */
static void policy(void)
{
	struct store *st = open_new();
	int64_t end = MIDNIGHT + 50 * DAY_MS;
	int i;

	for (i = 0; i < 200; i++)
		sweep(st, MIDNIGHT + i * 6 * HOUR_MS, i % 4 != 3);
	for (i = 0; i < 48; i++)
		sweep(st, end + i * MINUTE_MS, 1);
	keeps(st, (struct store_keep){ 0, 0, 0, 0 }, "", "the last 48");
	keeps(st, (struct store_keep){ 13 * HOUR_MS, 0, 0, 0 }, "199 200 ",
	      "the last hours");
	keeps(st, (struct store_keep){ 0, 13, 0, 0 }, "199 200 ",
	      "one an hour");
	keeps(st, (struct store_keep){ 0, 0, 4, 0 }, "191 195 199 ",
	      "one a day: the newest one with counters");
	keeps(st, (struct store_keep){ 0, 0, 0, 3 }, "163 191 ",
	      "one a week, from Monday on");
	keeps(st, (struct store_keep){ INT64_MAX, 0, 0, 0 },
	      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 "
	      "24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 "
	      "44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 "
	      "64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 "
	      "84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 "
	      "103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 "
	      "118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 "
	      "133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 "
	      "148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 "
	      "163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 "
	      "178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 "
	      "193 194 195 196 197 198 199 200 ", "all");
	exec_sql(st, "INSERT INTO expect_set VALUES (1, 0, 'snapshot', "
		 "'snapshot 17', 17)");
	keeps(st, (struct store_keep){ 0, 0, 0, 0 }, "17 ",
	      "and what is pinned");
	store_close(st);
}

/* Another fabric's snapshots are another history. */
static void two_fabrics(void)
{
	struct store_keep k = { 0, 0, 0, 0 };
	struct store *st = open_new();
	struct err err = { "" };
	struct store_pruned p;
	struct snapshot s;
	int i;

	for (i = 0; i < 60; i++)
		sweep(st, MIDNIGHT + i * HOUR_MS, 1);
	build_fabric(&s);
	free(s.fabric);
	s.fabric = xstrdup("other");
	ok(!store_save(st, &s, NULL, &err), "another fabric %s", err.text);
	snapshot_free(&s);
	ok(!store_prune(st, "other", &k, 0, &p, &err), "pruned %s", err.text);
	is_int((long long)p.n, 1, "one snapshot");
	store_pruned_free(&p);
	ok(!store_prune(st, "default", &k, 0, &p, &err), "pruned %s",
	   err.text);
	is_int((long long)p.n, 60, "that many of the first");
	store_pruned_free(&p);
	is_int(number(st, "SELECT count(*) FROM snapshot"), 49, "49 stay");
	ok(store_prune(st, "third", &k, 0, &p, &err) < 0 &&
		   strstr(err.text, "no fabric 'third': there is default, "
				    "other"), "no such fabric");
	store_close(st);
}

int main(void)
{
	policy();
	two_fabrics();
	random_histories();
	return done_testing();
}
