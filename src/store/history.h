/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_HISTORY_H
#define IBAUDIT_STORE_HISTORY_H

#include "store/store.h"
#include "util/strbuf.h"

/*
 * What became of one port, one node, the subnet managers, or of what one rule
 * found, over the snapshots of a fabric.  Only snapshots that are still there
 * are told of: what pruning dropped is told by the next one that stayed.
 *
 * Functions give 0, or -1 with err set, unless they say otherwise; a result is
 * released with its own function, and outlives the history.
 */
struct history;

struct history_ask {
	const char *fabric;   /* NULL: the only one */
	const char *since;    /* a snapshot or a time; NULL: from the first on */
	const char *name_map; /* path (model/names.h); NULL: none */
};

/* One read transaction until history_close() (NULL is fine).  NULL on error,
 * also when the fabric has no snapshot. */
struct history *history_open(struct store *st, const struct history_ask *ask,
			     struct err *err);
void history_close(struct history *h);

/* The fabric's newest snapshot; lives as long as h. */
const struct store_snapshot *history_latest(const struct history *h);

/* A snapshot, which may have been dropped since. */
struct history_mark {
	int64_t snapshot; /* 0: none */
	int64_t ms;
};

/* A node or port, with the name and LID that it had. */
struct history_end {
	uint64_t node_guid; /* 0: there is none */
	int32_t instance;
	int32_t port; /* VAL_NONE: the node as a whole */
	int32_t lid;  /* VAL_NONE: not known */
	char *node;   /* its name, safe to show; else its GUID; owned */
};

void history_end_free(struct history_end *end);

/* "leaf1 #1 port 5": the end as it stands in a text. */
void history_add_end(struct strbuf *b, const struct history_end *end);

struct history_event {
	struct history_mark at;
	const char *kind; /* static: "link", "counter", "cleared", "restarted";
			     "new", "renamed", "changed", "moved", "unread",
			     "read", "gone"; "master", "manager" */
	char *text;       /* owned */
	/* Of "counter" and "cleared": index of counter_table, or -1; the others
	 * COUNTER_UNREAD where they are not known. */
	int counter;
	int64_t value, before, delta;
};

/* In the order of snapshots, all of one snapshot side by side. */
struct history_events {
	struct history_event *list;
	size_t n, cap;
};

void history_events_free(struct history_events *e);

/* Which node or port is meant: its key in the database. */
struct history_place {
	int64_t node, port; /* port 0: the node as a whole */
};

/*
 * Find a node by its GUID ("0x...", with "#1" behind it a duplicate), or by its
 * name of the node name map or its last NodeDescription; a port by that and
 * "/NUMBER".  Refuses a name that several nodes have, and lists them.
 */
int history_find_node(struct history *h, const char *name,
		      struct history_place *out, struct err *err);
int history_find_port(struct history *h, const char *name,
		      struct history_place *out, struct err *err);

/* A place as it is in the newest snapshot, or was when it was there last. */
struct history_now {
	struct history_end end;
	char *state; /* in words; owned */
};

void history_now_free(struct history_now *now);

/* The rises of one counter, one an interval; COUNTER_UNREAD where it is not
 * known. */
struct history_rises {
	int64_t *rise; /* owned */
	size_t n;
	int64_t last; /* value */
	int moved;
};

/* A port: its link and its error counters. */
struct history_port {
	struct history_now now;
	struct history_events events;
	struct history_rises counters[COUNTER_ERRORS];
};

int history_port(struct history *h, const struct history_place *p,
		 struct history_port *out, struct err *err);
void history_port_free(struct history_port *p);

/* One reading of a counter. */
struct history_reading {
	struct history_mark at; /* ms: when it was read */
	struct store_move move; /* against the reading before */
};

struct history_readings {
	struct history_now now;
	struct history_reading *list;
	size_t n, cap;
	struct history_rises rises; /* by reading */
};

/* Every reading of counter i (of counter_table) of a port. */
int history_readings(struct history *h, const struct history_place *p, int i,
		     struct history_readings *out, struct err *err);
void history_readings_free(struct history_readings *r);

/* A node: what it is, where its ports lead, when it began anew. */
int history_node(struct history *h, const struct history_place *p,
		 struct history_now *now, struct history_events *out,
		 struct err *err);

/* A subnet manager that was seen as master, from one sweep to another. */
struct history_reign {
	struct history_end end;
	int64_t port; /* its key */
	struct history_mark from, last;
	int open; /* the newest snapshot has it as master, too, or could not
		     tell */
};

struct history_sms {
	struct history_reign *reigns; /* in the order of their beginning */
	size_t n, cap;
	struct history_events events;
};

int history_sms(struct history *h, struct history_sms *out, struct err *err);
void history_sms_free(struct history_sms *s);

/* An episode of a finding (store_save_findings()). */
struct history_episode {
	struct history_mark first, last; /* snapshots that had it */
	struct history_mark closed;      /* the one that ended it */
	char *ended, *severity, *message; /* owned; ended NULL: it stands */
	struct history_end where[2];
	size_t n_where;
};

struct history_episodes {
	struct history_episode *list; /* in the order of their beginning */
	size_t n, cap;
	int known; /* the fabric has episodes of the rule, whenever */
};

int history_rule(struct history *h, const char *rule,
		 struct history_episodes *out, struct err *err);
void history_episodes_free(struct history_episodes *e);

#endif
