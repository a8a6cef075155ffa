/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_WRITER_H
#define IBAUDIT_REPORT_WRITER_H

#include "report/report.h"

/*
 * A format: one file write_NAME.c with a struct writer write_NAME, whose
 * functions report.c calls in the order of the walk.  Each of say, field,
 * verbatim, end and destroy may be NULL.
 */
struct writer {
	const char *name;
	void (*begin)(struct report *r, const json_t *head);
	void (*say)(struct report *r, const char *sentence);
	void (*field)(struct report *r, const char *label, const char *value);
	void (*verbatim)(struct report *r, const char *text);
	void (*list_begin)(struct report *r, const struct list *list);
	void (*row)(struct report *r, const json_t *row);
	void (*list_end)(struct report *r);
	void (*end)(struct report *r);
	/* Release state, also after a walk that was broken off. */
	void (*destroy)(struct report *r);
};

struct report {
	const struct writer *writer;
	struct report_options opt;
	const struct list *list; /* the open one */
	size_t n_rows;           /* of it, so far */
	int failure; /* errno of the first write that failed */
	void *state; /* the writer's own */
};

/* The table, made from the files src/report/write_*.c; ends with NULL. */
extern const struct writer *const writer_table[];

#endif
