/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_MAP_H
#define IBAUDIT_UTIL_MAP_H

#include <stddef.h>
#include <stdint.h>

/*
 * A map from 64-bit keys to 32-bit values: open addressing, linear probing,
 * at most 70 % full.  Zero-initialised it is empty; map_free() releases it.
 */
struct map {
	uint64_t *keys;
	uint32_t *values; /* MAP_NONE marks a free place */
	size_t n;
	size_t cap; /* a power of two */
};

#define MAP_NONE UINT32_MAX

/* The value at key, or MAP_NONE. */
uint32_t map_get(const struct map *m, uint64_t key);

/* Set the value at key; value must not be MAP_NONE. */
void map_set(struct map *m, uint64_t key, uint32_t value);

void map_free(struct map *m);

#endif
