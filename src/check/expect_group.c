/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "check/expect.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * A switch without power hides all that hangs behind it.  So what cannot be
 * seen is gathered from the rim inwards: those next to something that is seen
 * are roots, and a search in breadth gives each of the others to the root that
 * is nearest.  What no rim leads to is gathered around its busiest member.
 */

void edges_add(struct edges *g, uint32_t a, uint32_t b)
{
	g->ends = xgrow(g->ends, g->n, &g->cap, sizeof(*g->ends));
	g->ends[g->n][0] = a;
	g->ends[g->n++][1] = b;
}

struct grouping {
	size_t n;
	uint32_t *first; /* where the neighbours of each begin, n + 1 of them */
	uint32_t *far;   /* the neighbours */
	uint32_t *queue;
	size_t head, tail;
	const uint8_t *in;
	uint32_t *root;
};

static void list_neighbors(struct grouping *t, const struct edges *g)
{
	uint32_t *at;
	size_t i;

	t->first = xcalloc(t->n + 1, sizeof(*t->first));
	t->far = xcalloc(g->n ? 2 * g->n : 1, sizeof(*t->far));
	for (i = 0; i < 2 * g->n; i++)
		t->first[g->ends[i / 2][i % 2] + 1]++;
	for (i = 0; i < t->n; i++)
		t->first[i + 1] += t->first[i];
	at = xcalloc(t->n + 1, sizeof(*at));
	memcpy(at, t->first, t->n * sizeof(*at));
	for (i = 0; i < 2 * g->n; i++)
		t->far[at[g->ends[i / 2][i % 2]]++] =
			g->ends[i / 2][1 - i % 2];
	free(at);
}

struct candidate {
	uint32_t i, degree;
	int is_edge;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->is_edge != y->is_edge)
		return y->is_edge - x->is_edge;
	if (x->degree != y->degree)
		return x->degree > y->degree ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

static void begin(struct grouping *t, uint32_t i)
{
	t->root[i] = i;
	t->queue[t->tail++] = i;
}

static void spread(struct grouping *t, uint32_t *behind)
{
	uint32_t i, k;

	while (t->head < t->tail) {
		i = t->queue[t->head++];
		for (k = t->first[i]; k < t->first[i + 1]; k++) {
			uint32_t far = t->far[k];

			if (!t->in[far] || t->root[far] != NONE)
				continue;
			t->root[far] = t->root[i];
			behind[t->root[i]]++;
			t->queue[t->tail++] = far;
		}
	}
}

static size_t sort_candidates(const struct grouping *t, const uint8_t *edge,
			      struct candidate *all)
{
	size_t n = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		if (!t->in[i])
			continue;
		all[n].i = i;
		all[n].degree = t->first[i + 1] - t->first[i];
		all[n++].is_edge = edge[i];
	}
	if (n)
		qsort(all, n, sizeof(*all), compare_candidates);
	return n;
}

void expect_group(const struct edges *g, size_t n, const uint8_t *in,
		  const uint8_t *edge, uint32_t *root, uint32_t *behind)
{
	struct grouping t = { .n = n, .in = in, .root = root };
	struct candidate *all = xcalloc(n ? n : 1, sizeof(*all));
	size_t i, count;

	list_neighbors(&t, g);
	t.queue = xcalloc(n ? n : 1, sizeof(*t.queue));
	for (i = 0; i < n; i++) {
		root[i] = NONE;
		behind[i] = 0;
	}
	count = sort_candidates(&t, edge, all);
	for (i = 0; i < count && all[i].is_edge; i++)
		begin(&t, all[i].i);
	spread(&t, behind);
	for (; i < count; i++) {
		if (root[all[i].i] != NONE)
			continue;
		begin(&t, all[i].i);
		spread(&t, behind);
	}
	free(all);
	free(t.first);
	free(t.far);
	free(t.queue);
}
