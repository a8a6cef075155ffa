/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_ATTR_H
#define IBAUDIT_MODEL_ATTR_H

#include <stddef.h>
#include <stdint.h>

/*
 * The attributes of a node and of a port that are stored, one row each:
 * saving, loading and comparing walk these tables.  A column of that name
 * stands in node_rev or port_rev (sql/0001-initial.sql; a unit test compares).
 */
enum attr_type {
	ATTR_INT16, /* VAL_NONE is NULL */
	ATTR_INT32, /* the same */
	ATTR_INT64, /* VAL_NONE64 is NULL */
	ATTR_GUID   /* 64 bits, 0 is NULL */
};

struct attr_row {
	const char *column;
	enum attr_type type;
	size_t offset; /* in struct node or struct port */
	const char *doc;
};

extern const struct attr_row node_attrs[];
extern const size_t n_node_attrs;
extern const struct attr_row port_attrs[];
extern const size_t n_port_attrs;

/* The value in the struct at base; *null says that there is none. */
int64_t attr_get(const struct attr_row *row, const void *base, int *null);

/* Set it, or with null "not read". */
void attr_set(const struct attr_row *row, void *base, int64_t value, int null);

/* Copy all rows' values from one struct to another of its kind. */
void attr_copy(const struct attr_row *rows, size_t n, void *to,
	       const void *from);

/* True when every row's value is the same in both. */
int attr_same(const struct attr_row *rows, size_t n, const void *a,
	      const void *b);

#endif
