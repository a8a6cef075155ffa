/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_CHANGES_H
#define IBAUDIT_REPORT_CHANGES_H

#include "diff/diff.h"
#include "report/report.h"
#include "store/store.h"

/* The two sides of a comparison, for the document's head. */
struct comparison {
	const struct store_snapshot *a; /* NULL: a file, which is file_a */
	const struct store_snapshot *b;
	const char *file_a;
	const char *groups; /* words, or NULL: all of them */
	int counters;       /* they were compared */
};

/* True when the change is of one of these groups. */
int change_is_in(const struct change *c, const char *groups);

/* How many changes of the groups there are. */
size_t changes_count(const struct changes *changes, const char *groups);

/* Walk a comparison: `ibaudit diff`. */
void report_changes(struct report *r, const struct comparison *what,
		    const struct changes *changes);

#endif
