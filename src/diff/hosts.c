/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "util/alloc.h"
#include "util/map.h"
#include "util/text.h"

/*
 * Notes
 *
 * Adapters are of one host when they share a system image GUID, or a
 * description of two words but for the second, as rdma-ndd writes it ("dgx-04
 * mlx5_5"); what a device has as description of its own has more words.  Both
 * chains join: root[] is a forest whose trees are the hosts.  A host all of
 * whose adapters came, or went, is one line.
 */

#define ADAPTERS_SHOWN 8 /* whose places are told; all are in where */

/* Adapters of one host, counted; those that were replaced are not gone. */
struct tally {
	uint32_t first;
	uint32_t in_a, in_b, gone, new;
};

struct hosts {
	uint32_t *root; /* by node: another one of its host, or itself */
	uint32_t *next; /* by node: the next one of its host, NONE */
	struct tally *tally; /* by node: of a root, its host's */
	struct map by_image, by_name; /* to a node */
};

/* Length of the host's name in the description; 0 when it names none. */
static size_t host_length(const struct node *n)
{
	const char *blank = memchr(n->desc, ' ', n->desc_len);
	size_t len = blank ? (size_t)(blank - n->desc) : 0;

	if (!len || len + 1 == n->desc_len ||
	    memchr(blank + 1, ' ', n->desc_len - len - 1))
		return 0;
	return len;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	while (n--)
		h = (h ^ (unsigned char)*s++) * 0x100000001b3u;
	return h;
}

static uint32_t find_root(struct hosts *h, uint32_t i)
{
	while (h->root[i] != i) {
		h->root[i] = h->root[h->root[i]];
		i = h->root[i];
	}
	return i;
}

static void join(struct hosts *h, uint32_t i, struct map *m, uint64_t key)
{
	uint32_t other = map_get(m, key);

	if (other == MAP_NONE)
		map_set(m, key, i);
	else
		h->root[find_root(h, i)] = find_root(h, other);
}

static int same_host_name(const struct node *n, const struct node *m)
{
	size_t len = host_length(n);

	return len == host_length(m) && !memcmp(n->desc, m->desc, len);
}

/* Two names can share a hash: then the second stays alone. */
static void join_by_name(const struct diff *d, struct hosts *h, uint32_t i)
{
	const struct node *n = node_in(&d->nodes[i]);
	uint64_t key = hash(n->desc, host_length(n));
	uint32_t other = map_get(&h->by_name, key);

	if (other == MAP_NONE || same_host_name(n, node_in(&d->nodes[other])))
		join(h, i, &h->by_name, key);
}

static int is_adapter(const struct node *n)
{
	return n->type == NODE_CA && !node_is_aggregation(n);
}

static void find_hosts(const struct diff *d, struct hosts *h)
{
	uint32_t i;

	for (i = 0; i < d->n_nodes; i++)
		h->root[i] = i;
	for (i = 0; i < d->n_nodes; i++) {
		const struct node *n = node_in(&d->nodes[i]);

		if (!is_adapter(n))
			continue;
		if (n->system_image_guid)
			join(h, i, &h->by_image, n->system_image_guid);
		if (host_length(n))
			join_by_name(d, h, i);
	}
}

static void count_host(struct hosts *h, const struct diff_node *n, uint32_t i)
{
	struct tally *t = &h->tally[find_root(h, i)];

	h->next[i] = t->in_a || t->in_b ? t->first : NONE;
	t->first = i;
	t->in_a += n->a != NULL;
	t->in_b += n->b != NULL;
	t->gone += !n->b && n->heir == NONE;
	t->new += !n->a && n->heir == NONE;
}

static void add_host_name(struct strbuf *b, const struct diff_node *n)
{
	const struct node *node = node_in(n);
	size_t len = host_length(node);

	if (len)
		text_safe(b, node->desc, len);
	else
		strbuf_add(b, n->label);
}

static void add_host_places(struct strbuf *b, const struct diff *d,
			    const struct hosts *h, uint32_t node, int in_a)
{
	int shown;

	for (shown = 0; node != NONE && shown < ADAPTERS_SHOWN; shown++) {
		add_places(b, d, node, in_a);
		node = h->next[node];
	}
	if (node != NONE)
		strbuf_add(b, ", and others");
}

static void tell_host(struct diff *d, const struct hosts *h,
		      const struct tally *t, enum change_kind kind)
{
	int gone = kind == CHANGE_NODE_GONE;
	struct change *c;
	uint32_t i;

	strbuf_add(&d->line, "host ");
	add_host_name(&d->line, &d->nodes[t->first]);
	strbuf_addf(&d->line, " %s: %u adapters", gone ? "gone" : "new",
		    gone ? t->gone : t->new);
	add_host_places(gone ? &d->before : &d->after, d, h, t->first, gone);
	c = tell(d, kind);
	for (i = t->first; i != NONE; i = h->next[i]) {
		d->nodes[i].told = 1;
		tell_node(d, c, i);
	}
}

void diff_hosts(struct diff *d)
{
	struct hosts h = { 0 };
	uint32_t i;

	h.root = xcalloc(d->n_nodes + 1, sizeof(*h.root));
	h.next = xcalloc(d->n_nodes + 1, sizeof(*h.next));
	h.tally = xcalloc(d->n_nodes + 1, sizeof(*h.tally));
	find_hosts(d, &h);
	for (i = d->n_nodes; i-- > 0;)
		count_host(&h, &d->nodes[i], i);
	for (i = 0; i < d->n_nodes; i++) {
		const struct tally *t = &h.tally[i];

		if (t->gone > 1 && t->gone == t->in_a && !t->in_b)
			tell_host(d, &h, t, CHANGE_NODE_GONE);
		if (t->new > 1 && t->new == t->in_b && !t->in_a)
			tell_host(d, &h, t, CHANGE_NODE_NEW);
	}
	map_free(&h.by_image);
	map_free(&h.by_name);
	free(h.root);
	free(h.next);
	free(h.tally);
}
