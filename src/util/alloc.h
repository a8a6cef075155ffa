/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_ALLOC_H
#define IBAUDIT_UTIL_ALLOC_H

#include <stddef.h>

/*
 * Allocation that cannot fail: on exhaustion each of these writes one line to
 * stderr and ends the process with status 3.  A sweep is one transaction, so
 * nothing that was stored is lost by that.  Memory is released with free().
 */

/* Zeroed memory for n elements of size bytes. */
void *xcalloc(size_t n, size_t size);

/* As reallocarray(3); new memory is not zeroed. */
void *xreallocarray(void *p, size_t n, size_t size);

/* As strdup(3); xstrdup(NULL) is NULL. */
char *xstrdup(const char *s);

/*
 * Make room for one more element: if *n == *cap, *cap grows to at least twice
 * its size.  Returns the (possibly moved) array.  Existing elements stay.
 */
void *xgrow(void *array, size_t n, size_t *cap, size_t size);

#endif
