/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_DIFF_DIFF_H
#define IBAUDIT_DIFF_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "store/store.h"

/* What can change between two snapshots; a list of changes has this order. */
enum change_kind {
	CHANGE_NODE_NEW,
	CHANGE_NODE_GONE,
	CHANGE_NODE_REPLACED,
	CHANGE_NODE_RENAMED,
	CHANGE_NODE_MOVED,
	CHANGE_NODE_CHANGED,
	CHANGE_NODE_UNREAD,
	CHANGE_LINK_NEW,
	CHANGE_LINK_GONE,
	CHANGE_LINK_MOVED,
	CHANGE_LINK_SWAPPED,
	CHANGE_LINK_RATE,
	CHANGE_LINK_STATE,
	CHANGE_LINK_MTU,
	CHANGE_LINK_UNREAD,
	CHANGE_PORT_STATE,
	CHANGE_PORT_ENABLED,
	CHANGE_PORT_LID,
	CHANGE_PORT_SM_LID,
	CHANGE_PORT_UNREAD,
	CHANGE_SM_MASTER,
	CHANGE_SM_NEW,
	CHANGE_SM_GONE,
	CHANGE_SM_PRIORITY,
	CHANGE_SM_STATE,
	CHANGE_SM_RESTARTED,
	CHANGE_SM_UNANSWERED,
	CHANGE_COUNTER_ROSE,
	CHANGE_COUNTER_RESET,
	CHANGE_COUNTER_SATURATED,
	CHANGE_END
};

struct change_row {
	const char *name;  /* "node-new" */
	const char *group; /* "nodes", "links", "ports", "sms" or "counters" */
	const char *doc;
};

extern const struct change_row change_table[CHANGE_END];

/* A node or port that a change is about. */
struct change_end {
	uint64_t node_guid;
	int32_t instance;
	int32_t port; /* VAL_NONE: the node as a whole */
	char *node;   /* its name, safe to show; owned */
	int32_t lid;  /* VAL_NONE: not known */
};

/* What a counter did: of the counter changes. */
struct change_counter {
	int counter; /* index of counter_table */
	int64_t value, before, delta; /* COUNTER_UNREAD: not known */
	int64_t interval_ms; /* not above 0: there is no rate */
};

/*
 * One change, of one physical event.  Where a cable has two ends, a switch
 * comes before others.  Strings are one line, safe to show, and owned.
 */
struct change {
	enum change_kind kind;
	char *text;
	struct change_end *where; /* owned */
	size_t n_where, cap_where;
	char *before, *after; /* NULL where there is none */
	struct change_counter *counters; /* owned */
	size_t n_counters, cap_counters;
	uint64_t order;       /* its place in the list; diff_snapshots()'s */
};

struct changes {
	struct change *list;
	size_t n, cap;
};

/*
 * What changed from a to b; out is filled anew, and released by
 * changes_free().  The list does not depend on the order of nodes in a or b.
 *
 * Nodes are matched by (NodeGUID, instance), ports by number.  The snapshots
 * may leave nodes out that are the same in both, if they hold
 * - the nodes at the other ends of all links of those that differ,
 * - the adapters of a host of which one came or went (same system image GUID,
 *   or same description but for its last word),
 * - the nodes of all subnet managers;
 * a node that is in one and not in the other is new or gone.  What b did not
 * read (SEEN_UNREAD) is told as unread, and never as gone, moved or changed.
 */
void diff_snapshots(const struct snapshot *a, const struct snapshot *b,
		    struct changes *out);

/*
 * Make what a topology file told (model/topology_file.h) one side of a
 * comparison with b: its ports without a cable are down, and its descriptions
 * b's where they differ only by how the file writes them.  Of subnet managers,
 * states and counters it tells nothing.
 */
void diff_complete_file(struct snapshot *file, const struct snapshot *b);

/*
 * Append what error counters did between snapshots a and b (a before b) of the
 * store to out: one change a port and kind.  b is what diff_snapshots() got.
 * Told is a rise of threshold at least, or, when that is 0, of one event (such
 * as a link that went down), or of ten errors or packets; less than that is
 * what a link that comes up or goes down makes by itself.  Returns 0, or -1
 * with err set.
 */
int diff_counters(struct store *st, int64_t a_id, const struct snapshot *b,
		  int64_t threshold, struct changes *out, struct err *err);

/* True when a counter's rise is told without a threshold given. */
int diff_is_rise(int counter, int64_t delta, int64_t threshold);

/* Release what it owns; it is empty afterwards. */
void changes_free(struct changes *c);

#endif
