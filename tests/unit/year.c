/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/store.h"

#include "db.h"
#include "random.h"

/*
 * A year of sweeps, one a quarter of an hour, of a small fabric in which things
 * come and go, pruned each night with the defaults: what stays reads at its end
 * as on its day, and the database does not grow.
 */

#define SWEEPS 35040
#define STEP_MS (15 * INT64_C(60000))
#define A_DAY 96   /* sweeps */
#define FULL 11520 /* from day 120 on only one a week is added */

/* The digest of each snapshot as it was saved, by its id. */
static uint64_t digests[SWEEPS + 1];

static uint64_t mix(uint64_t h, int64_t v)
{
	return (h ^ (uint64_t)v) * 0x100000001b3u;
}

static uint64_t mix_attrs(uint64_t h, const struct attr_row *rows, size_t n,
			  const void *base)
{
	size_t i;
	int null;

	for (i = 0; i < n; i++) {
		int64_t v = attr_get(&rows[i], base, &null);

		h = mix(h, null ? -77 : v);
	}
	return h;
}

static uint64_t mix_port(uint64_t h, const struct snapshot *s,
			 const struct port *p)
{
	int i, known = p->present || p->peer_node != NO_NODE;

	h = mix_attrs(mix(h, p->present), port_attrs, n_port_attrs, p);
	if (known)
		h = mix(mix(h, p->seen), p->seen ? p->last_read : 0);
	if (p->peer_node != NO_NODE) {
		h = mix(h, (int64_t)s->nodes[p->peer_node]->guid);
		h = mix(mix(h, p->peer_port), p->link_seen);
	}
	if (p->counters)
		h = mix(h, p->counters->at_ms);
	for (i = 0; p->counters && i < COUNTER_COUNT; i++)
		h = mix(h, counters_get(p->counters, i));
	return h;
}

/* A sum over nodes, which come in another order when loaded. */
static uint64_t digest(const struct snapshot *s)
{
	uint64_t sum = mix(mix(7, s->started_ms), s->complete);
	size_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];
		uint64_t h = mix((uint64_t)n->seen, (int64_t)n->guid);

		h = mix(mix(h, n->seen ? n->last_read : 0), n->desc_len);
		h = mix_attrs(h, node_attrs, n_node_attrs, n);
		for (p = 0; p <= n->nports; p++)
			h = mix_port(h, s, &n->ports[p]);
		sum += h;
	}
	return sum;
}

static int sweep(struct store *st, struct life *l)
{
	struct err err = { "" };
	struct snapshot s;
	int rc;

	build_life(l, &s, STEP_MS);
	rc = save(st, &s, &err);
	if (rc < 0)
		printf("# %s\n", err.text);
	else
		digests[s.id] = digest(&s);
	snapshot_free(&s);
	return rc;
}

static int prune(struct store *st)
{
	static const struct store_keep k = { 72 * 3600 * INT64_C(1000), 168,
					     90, 104 };
	struct err err = { "" };
	struct store_pruned p;

	if (store_prune(st, "default", &k, 0, &p, &err) < 0) {
		printf("# %s\n", err.text);
		return -1;
	}
	store_pruned_free(&p);
	return 0;
}

static void all_read_as_before(struct store *st)
{
	struct store_snapshot *rows;
	struct err err = { "" };
	struct snapshot s;
	size_t i, n, same = 0;

	if (store_list(st, NULL, &rows, &n, &err) < 0)
		printf("# %s\n", err.text);
	for (i = 0; i < n; i++) {
		if (!store_load(st, rows[i].id, STORE_ALL_COUNTERS, &s, &err)) {
			same += digest(&s) == digests[rows[i].id];
			snapshot_free(&s);
		}
		store_snapshot_free(&rows[i]);
	}
	free(rows);
	is_int((long long)same, (long long)n, "each that stays reads as then");
	/* 96 since the night, 288 of three days, 7 days hourly, 90 daily,
	 * 52 weeks, with some in two of these. */
	ok(n > 480 && n < 700, "%zu stay", n);
}

int main(void)
{
	struct store *st = open_new();
	long long full = 0, end;
	struct life l;
	int i, failed = 0;

	memset(&l, 0, sizeof(l));
	for (i = 1; i <= SWEEPS && !failed; i++) {
		failed = sweep(st, &l) < 0;
		if (!failed && i % A_DAY == 0)
			failed = prune(st) < 0;
		if (i == FULL)
			full = number(st, "PRAGMA page_count");
	}
	ok(!failed, "a year of %d sweeps", SWEEPS);
	end = number(st, "PRAGMA page_count");
	ok(end * 4 < full * 5, "%lld pages in summer, %lld at its end", full,
	   end);
	all_read_as_before(st);
	is_sound(st, "after a year");
	store_close(st);
	return done_testing();
}
