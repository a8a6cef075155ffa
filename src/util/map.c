/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/map.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* The finaliser of MurmurHash3: GUIDs differ in few, adjacent bits. */
static uint64_t mix(uint64_t k)
{
	k ^= k >> 33;
	k *= 0xff51afd7ed558ccdULL;
	k ^= k >> 33;
	k *= 0xc4ceb9fe1a85ec53ULL;
	return k ^ (k >> 33);
}

/* Index of key's place, or of the free one where it belongs. */
static size_t place(const struct map *m, uint64_t key)
{
	size_t i = mix(key) & (m->cap - 1);

	while (m->values[i] != MAP_NONE && m->keys[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

static void rehash(struct map *m, size_t cap)
{
	struct map old = *m;
	size_t i;

	m->cap = cap;
	m->keys = xcalloc(cap, sizeof(*m->keys));
	m->values = xcalloc(cap, sizeof(*m->values));
	memset(m->values, 0xff, cap * sizeof(*m->values));
	for (i = 0; i < old.cap; i++)
		if (old.values[i] != MAP_NONE) {
			size_t at = place(m, old.keys[i]);

			m->keys[at] = old.keys[i];
			m->values[at] = old.values[i];
		}
	free(old.keys);
	free(old.values);
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->cap ? m->values[place(m, key)] : MAP_NONE;
}

void map_set(struct map *m, uint64_t key, uint32_t value)
{
	size_t at;

	if ((m->n + 1) * 10 > m->cap * 7)
		rehash(m, m->cap ? m->cap * 2 : 64);
	at = place(m, key);
	if (m->values[at] == MAP_NONE) {
		m->keys[at] = key;
		m->n++;
	}
	m->values[at] = value;
}

void map_free(struct map *m)
{
	free(m->keys);
	free(m->values);
	memset(m, 0, sizeof(*m));
}
