/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_HISTORY_INTERNAL_H
#define IBAUDIT_STORE_HISTORY_INTERNAL_H

#include "store/errors.h"
#include "store/history.h"
#include "store/internal.h"
#include "util/map.h"

/* What the files of the history share. */

struct history {
	struct store *st;
	struct store_snapshot latest;
	int64_t fabric;
	int64_t since; /* the first snapshot that is asked for */
	struct history_mark *marks; /* the fabric's snapshots, by id */
	size_t n_marks, cap_marks;
	struct map by_guid; /* of the node name map: GUID -> names */
	char **names;
	size_t n_names, cap_names;
	sqlite3_stmt *end_stmt; /* history_end(); NULL until it is needed */
};

#define HISTORY_WHAT "reading the history"

/* The snapshot with its time; the time is 0 when it is not there. */
struct history_mark history_mark(const struct history *h, int64_t snapshot);

/* The place of a snapshot among those that are asked for, or SIZE_MAX. */
size_t history_index(const struct history *h, int64_t snapshot);
/* How many those are. */
size_t history_span(const struct history *h);

/* The end at a port, or at a node as a whole (port 0), in a snapshot.  -1 with
 * err set; a key that leads nowhere gives an end without GUID. */
int history_end(struct history *h, int64_t node, int64_t port,
		int64_t snapshot, struct history_end *out, struct err *err);

/* Append an event.  The result lives until the next one. */
struct history_event *history_tell(const struct history *h,
				   struct history_events *e, int64_t snapshot,
				   const char *kind, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Sort by snapshot, and drop what was not asked for. */
void history_settle(const struct history *h, struct history_events *e);

void history_episode_free(struct history_episode *e);

/* One row of error_rev. */
struct error_step {
	int64_t snapshot;
	struct error_row row;
	char *reset; /* " symbol_error * "; owned, never NULL */
};

struct error_steps {
	struct error_step *list;
	size_t n, cap;
};

/* All rows of a port, oldest first.  errors_steps_free() in any case. */
int error_steps_load(struct store *st, int64_t port, struct error_steps *out,
		     struct err *err);
void error_steps_free(struct error_steps *s);

/* What a port was like from a snapshot on. */
struct link_state {
	int64_t snapshot;
	struct port port; /* without counters */
	int64_t peer;     /* key of the port at the other end; 0: none */
};

struct link_states {
	struct link_state *list;
	size_t n, cap;
};

/* All rows of port_rev of a port, oldest first. */
int link_states_load(struct store *st, int64_t port, struct link_states *out,
		     struct err *err);

/* "up at 400 Gb/s (4X NDR), ACTIVE, to leaf1 port 5", "Polling", "gone". */
int history_add_link(struct history *h, const struct link_state *l,
		     struct strbuf *b, struct err *err);

/* What a node, or one of its ports, is in the newest snapshot. */
int history_now(struct history *h, const struct history_place *p,
		struct history_now *out, struct err *err);

#endif
