/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
	if (!p) {
		fputs("ibaudit: out of memory\n", stderr);
		exit(3);
	}
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	return must(calloc(n ? n : 1, size ? size : 1));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	return must(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return s ? must(strdup(s)) : NULL;
}

void *xgrow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 16;
	return xreallocarray(array, *cap, size);
}
