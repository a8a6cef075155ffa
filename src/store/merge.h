/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_MERGE_H
#define IBAUDIT_STORE_MERGE_H

#include "store/internal.h"

/* What the files that merge two histories share (merge.c tells how). */

#define MERGE_WHAT "merging"

/* The other database, sound and in one transaction; NULL with err set.  Refuses
 * ours, and one of another schema. */
struct store *merge_open(struct store *ours, const char *path,
			 struct err *err);

/* A snapshot of one of the two histories.  Its times, MADs and local port tell
 * which one it is. */
struct merge_row {
	int64_t id;   /* in its own database as that was */
	int64_t here; /* in the merged history; 0 while it is not there */
	int64_t same; /* of theirs: the one of ours that is the same, or 0 */
	int64_t started_ms, finished_ms, mads_sent;
	int64_t local_guid, local_port; /* NodeGUID and number */
};

/* One of them, in the order of ids. */
struct merge_side {
	struct store *st;
	int64_t fabric; /* 0: there is none of the name yet */
	struct merge_row *rows;
	size_t n;
};

/* A snapshot that is to be stored. */
struct merge_item {
	struct merge_side *side;
	size_t row;
};

/* A fabric's two histories, and what becomes of them. */
struct merge_plan {
	char *from, *to; /* its name there and here */
	struct merge_side ours, theirs;
	struct merge_item *items; /* to be stored, in that order */
	size_t n_items, cap_items;
	size_t n_kept; /* of ours: the first ones, which are left alone */
	size_t n_added, n_before; /* of theirs; those that were started before
				     the last of ours that moves behind them */
};

/*
 * Plan for the fabric from of the store theirs to go into the fabric to of
 * ours.  named: somebody said that it is that fabric.  Refuses two that are
 * not the same.  merge_plan_free() in any case.
 */
int merge_plan_make(struct merge_plan *p, struct store *ours,
		    struct store *theirs, int named, struct err *err);
void merge_plan_free(struct merge_plan *p);

/* The id in the merged history of a side's row, 0 while it is not there. */
int64_t merge_here(const struct merge_plan *p, const struct merge_side *side,
		   size_t row);

/* The same of the snapshot id of that side; none where there is no such one any
 * more. */
int64_t merge_id(const struct merge_plan *p, const struct merge_side *side,
		 int64_t id, int64_t none);

/* The same; of one that is not there any more, of the next one that is. */
int64_t merge_next_id(const struct merge_plan *p, const struct merge_side *side,
		      int64_t id);

/* The item was stored as snapshot id, behind the one that it is behind on its
 * own side too: what error counters did between the two comes along, as far
 * as readings do not tell (merge_errors.c). */
int merge_errors(struct store *st, const struct merge_item *item, int64_t id,
		 struct err *err);

/* The episodes of findings, and what is expected; snapshots are all stored
 * (merge_findings.c). */
int merge_findings(const struct merge_plan *p, struct store *st,
		   struct err *err);

#endif
