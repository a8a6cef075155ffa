/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_SUMMARY_H
#define IBAUDIT_REPORT_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "report/report.h"
#include "store/store.h"

/* "1 switch", "2 switches": the word for n things. */
const char *plural(int64_t n, const char *one, const char *many);

/* Begin a document with {"snapshot", "counts"} and tell humans the same:
 * what the sweep read, and what it could not. */
void summary_begin(struct report *r, const struct store_snapshot *row);

/* Say what was read: "6 switches, 40 channel adapters, ...". */
void summary_say_counts(struct report *r, const struct counts *c);

/* Say what a snapshot does not know; nothing when it is complete. */
void summary_say_gaps(struct report *r, const struct store_snapshot *row);

/* The document of `ibaudit list`. */
void summary_list(struct report *r, const struct store_snapshot *rows,
		  size_t n);

#endif
