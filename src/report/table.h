/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_TABLE_H
#define IBAUDIT_REPORT_TABLE_H

#include <jansson.h>
#include <stdio.h>

#include "report/report.h"
#include "util/strbuf.h"

/*
 * A table of aligned columns.  The first rows are held back until the widths
 * are known; then every row is written as it comes, and a longer cell shifts
 * its own line only.
 */
struct table;

/* list must outlive the table.  fold: break what stands in the last column
 * where a terminal ends (report/wrap.h), rather than to let it run on. */
struct table *table_create(FILE *out, const struct list *list, int fold);
void table_row(struct table *t, const json_t *row);
/* Write what is held back; a table without rows leaves no trace. */
void table_destroy(struct table *t);

/* Append a value as a cell shows it: null is "-", a list "a,b", an object
 * "k=v k=v" of what is neither null nor 0. */
void table_cell(struct strbuf *b, const json_t *value);

/* The member of row at "a.b" or "a.b#", or NULL. */
const json_t *table_member(const json_t *row, const char *path);

#endif
