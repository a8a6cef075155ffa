/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_ROWS_H
#define IBAUDIT_REPORT_ROWS_H

#include "model/snapshot.h"
#include "report/report.h"

/*
 * The lists of one snapshot: nodes, ports, links, sms, counters, failures.
 * Each is walked row by row from the loaded snapshot.
 */
struct row_list {
	struct list list;
	const char *doc; /* one line: what it lists */
	int with_counters; /* needs the counters loaded */
	void (*walk)(struct report *r, const struct snapshot *s);
	/* In place of the list's, where nodes or ports share GUIDs; or NULL. */
	const struct column *columns_for_duplicates;
};

/* Ends with a NULL list.key. */
extern const struct row_list row_lists[];

/* The list of that name, or NULL. */
const struct row_list *row_list_find(const char *name);

/* Walk one list of s into an open document. */
void report_rows(struct report *r, const struct row_list *rows,
		 const struct snapshot *s);

#endif
