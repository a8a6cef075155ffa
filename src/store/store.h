/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_STORE_H
#define IBAUDIT_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "model/expectation.h"
#include "model/snapshot.h"
#include "util/err.h"

/*
 * The database: snapshots of fabrics, topology as changes, counters as wide
 * rows (sql/0001-initial.sql tells the tables).  Only this module writes it.
 * Every function that returns int gives 0, or -1 with err set, unless it says
 * otherwise; nothing is changed in the database on failure.
 */
struct store;
struct sqlite3;

enum store_mode {
	STORE_READ,   /* must exist; opened read-only */
	STORE_COPY,   /* the same, of an older schema too: to copy it */
	STORE_WRITE,  /* must exist; migrated to this program's schema */
	STORE_CREATE, /* made, with its last directory, when it is not there */
	STORE_MEMORY  /* private and gone at close; path is not used */
};

/*
 * Open the database at path.  Refuses a file that is no SQLite database, one
 * of another program (application_id), one of a newer schema, and for
 * STORE_READ one of an older schema; each error says what to do.
 * The result is closed with store_close() (NULL is fine).
 */
struct store *store_open(const char *path, enum store_mode mode,
			 struct err *err);
void store_close(struct store *st);

/* The connection, for src/check and src/diff.  Owned by the store. */
struct sqlite3 *store_db(struct store *st);

/* Set err from SQLite's last error and what was being done.  Returns -1. */
int store_err(struct store *st, struct err *err, const char *what);

/* One snapshot's row, without its topology. */
struct store_snapshot {
	int64_t id;
	char fabric[64];
	uint64_t subnet_prefix;
	int64_t started_ms, finished_ms;
	int complete, with_counters;
	int64_t pma_asked, pma_answered, mads_sent;
	char discovery[16];
	char *note; /* owned, may be NULL: store_snapshot_free() */
	struct counts counts;
};

void store_snapshot_free(struct store_snapshot *row);

/*
 * Find a snapshot by what a person writes: "latest", "latest~N", digits only
 * (an id), else a time (the newest that started at or before it).  fabric
 * narrows "latest" and times to that fabric; with NULL there must be only one
 * in the database.  Order is by id.
 */
int store_find(struct store *st, const char *fabric, const char *name,
	       struct store_snapshot *out, struct err *err);

/*
 * The baseline of snapshot id: the newest one before it of the same fabric,
 * of those with counters if it has counters itself and there is such a one.
 * Returns 1 and fills out, 0 when there is none, -1 on error.
 */
int store_baseline(struct store *st, int64_t id, struct store_snapshot *out,
		   struct err *err);

/* All snapshots in the order of their ids; *rows is the caller's: free each
 * with store_snapshot_free(), then the array.  fabric may be NULL: all. */
int store_list(struct store *st, const char *fabric,
	       struct store_snapshot **rows, size_t *n, struct err *err);

/*
 * Load the topology, subnet managers and failures of a snapshot, as it was
 * saved, and what counters were read, of those ports that are wanted.  out is
 * initialised here; snapshot_free() releases it.
 */
enum store_counters {
	STORE_NO_COUNTERS,
	STORE_ALL_COUNTERS,
	STORE_PARENTS /* of the fabric's last snapshot, for the sweep that
			 follows it: the last known rcv_errors and xmit_discards
			 that are above 0, which tell where details are worth
			 asking; what it takes to save that sweep is kept */
};

int store_load(struct store *st, int64_t id, enum store_counters counters,
	       struct snapshot *out, struct err *err);

/*
 * Load two snapshots of one fabric to compare them: all nodes and managers, but
 * only ports that may differ, what they are linked to, and ports 0 of their
 * switches; without failures, counters, and the routes of duplicates.  The
 * others are blank in both.  Released as store_load()'s, or empty after a
 * failure.
 */
int store_load_pair(struct store *st, int64_t a, int64_t b,
		    struct snapshot *sa, struct snapshot *sb, struct err *err);

/* What one error counter of a port did since the baseline. */
struct store_move {
	int64_t port; /* its key */
	uint64_t node_guid;
	int32_t instance, num;
	uint64_t peer_guid; /* of what it is linked to now, as far as known; 0:
			       nothing */
	int32_t peer_instance, peer_num;
	int counter;  /* index of counter_table */
	int width;    /* bits */
	int64_t value;
	int64_t prev;  /* in the baseline, else the last reading before it */
	int64_t delta; /* the rise; after a reset, since the reset.  Both
			  COUNTER_UNREAD when not known */
	int64_t interval_ms; /* between the readings; not above 0: no rate */
	int reset; /* somebody cleared it, or the device began anew */
	int saturated, saturated_before; /* it stands at its maximum */
};

/*
 * Call each() for every error counter that snapshot id read and that moved
 * since the baseline (0: none), was reset, or stands at its maximum, in the
 * order of ports and counters.  each() returns 0, or -1 to stop with that.
 */
int store_moves(struct store *st, int64_t id, int64_t baseline,
		int (*each)(void *arg, const struct store_move *m), void *arg,
		struct err *err);

/*
 * Which fabric a sweep belongs to.  name may be NULL: the only fabric of the
 * database, or "default" in an empty one.  Refuses when the name is not given
 * and several fabrics are there, when the subnet prefix is not that of the
 * named fabric, and, unless name was given, when s and the fabric's last
 * snapshot share under half of the NodeGUIDs of either.  Sets s->fabric, and
 * *prev_id to the id of the fabric's last snapshot, 0 when it has none.
 */
int store_fabric(struct store *st, const char *name, struct snapshot *s,
		 int64_t *prev_id, struct err *err);

/* The newest snapshot's id of the fabric with that name (NULL: the only one),
 * without a sweep at hand; *id 0 when there is none. */
int store_latest(struct store *st, const char *name, int64_t *id,
		 struct err *err);

/*
 * Store s in one transaction and set s->id.  s->fabric must be set
 * (store_fabric).  prev is the fabric's last snapshot as store_load() gave it
 * and snapshot_carry() used it; NULL for the first.  Within a transaction that
 * is open it is part of that, and a failure ends that.
 */
int store_save(struct store *st, struct snapshot *s,
	       const struct snapshot *prev, struct err *err);

/*
 * Store what a fabric (NULL: the only one) should be, in place of what was set
 * before; x NULL: clear that.  *had: something was set before.
 */
int store_set_expectation(struct store *st, const char *fabric,
			  const struct expectation *x, int *had,
			  struct err *err);

/*
 * Load it: 1 and x is filled, to be released with expectation_free(); 0 when
 * none is set, -1 with err set, and x empty.  Begins no transaction.
 */
int store_load_expectation(struct store *st, const char *fabric,
			   struct expectation *x, struct err *err);

/* A finding as `run` keeps it: one episode per rule and place. */
struct store_finding {
	const char *rule;
	const char *severity;
	const char *message;
	uint64_t node_guid; /* 0: the fabric as a whole */
	int32_t instance;
	int32_t port; /* VAL_NONE: the node as a whole */
	uint64_t peer_guid;
	int32_t peer_instance, peer_port;
};

/* One check of a snapshot: what it found, and which rules it ran. */
struct store_check {
	int64_t snapshot;
	const struct store_finding *found;
	size_t n_found;
	const char *const *ran; /* ids of the rules that ran to their end */
	size_t n_ran;
};

/*
 * Record it, in one transaction: an open episode that was found again goes
 * on, others begin.  One that was not found is missed when its rule ran and its
 * place was read, and ends as cleared when three checks and an hour have
 * missed it, or as superseded when its node was replaced.  Once for each
 * snapshot.
 */
int store_save_findings(struct store *st, const struct store_check *check,
			struct err *err);

/* Since when a finding stands. */
struct store_since {
	int64_t snapshot; /* 0: it was never recorded */
	int64_t ms;
};

/*
 * The beginning of the episode of (rule, place) that snapshot id, with that
 * finding or without, lies in.
 */
int store_find_since(struct store *st, int64_t id,
		     const struct store_finding *f, struct store_since *out,
		     struct err *err);

/* What pruning keeps, besides the last 48 and what is pinned: all that is not
 * older than all_ms, and one snapshot of each of the newest hours, days and
 * weeks, the one that tells most.  Ages count from the newest snapshot. */
struct store_keep {
	int64_t all_ms;
	int64_t hourly, daily, weekly;
};

/* A fabric's snapshots, and which of them stay. */
struct store_pruned {
	struct store_snapshot *rows; /* in the order of their ids */
	uint8_t *keep;
	size_t n, kept;
};

/*
 * Drop what a fabric's history can do without, each snapshot in a transaction
 * of its own; dry: only tell.  Every snapshot that stays reads as before.
 * store_pruned_free() after success.
 */
int store_prune(struct store *st, const char *fabric,
		const struct store_keep *k, int dry, struct store_pruned *out,
		struct err *err);
void store_pruned_free(struct store_pruned *p);

/* The names of the fabrics, in order; the caller frees each and the array. */
int store_fabrics(struct store *st, char ***names, size_t *n,
		  struct err *err);

/* Sizes of a database's file, in octets. */
struct store_vacuumed {
	int64_t before, after;
	int held; /* a reader kept the file from shrinking: the next sweep that
		     nobody reads beside shrinks it */
};

/*
 * Give the space that is free in the database's file back to the file system.
 * Refused where the file system has not twice the room that the rest takes.
 */
int store_vacuum(struct store *st, struct store_vacuumed *out,
		 struct err *err);

/*
 * Copy the database at path to file, which must not be there, beside a sweep
 * and readers; *size is what it takes, in octets.  The copy is whole and on the
 * disk before it has its name.  It has a rollback journal, since a file that
 * stands alone opens for whoever may read it; a sweep into it makes that a WAL.
 * making() gets the name that it has until then, and NULL when it has gone: for
 * a signal's handler.  It may be NULL.
 */
int store_backup(const char *path, const char *file,
		 void (*making)(const char *name), int64_t *size,
		 struct err *err);

/* What store_merge() takes from another database. */
struct store_merging {
	const char *fabric; /* only that one; NULL: all */
	const char *as;     /* what it is called here; NULL: as there */
	int renumber;       /* snapshots may go before ours */
};

/* A snapshot's id, and the one it had before. */
struct store_moved {
	int64_t was, id;
};

/* What became of one fabric of the other database. */
struct store_merged {
	char *from, *fabric; /* its name there and here */
	struct store_moved *added; /* was: there */
	struct store_moved *renumbered; /* of ours */
	size_t n_added, n_renumbered;
	size_t skipped; /* were here already */
};

/*
 * Add the history in the database at path to ours.  Each of its snapshots that
 * we have not is stored, and loads as it does there but for ids.  What was read
 * last in a snapshot that is not there any more has last_read 0.  Its episodes
 * of findings come along; ids of snapshots that are not there any more become
 * those of the next ones.  An episode that began within one of ours with the
 * same rule and place is the same, and so are two that are open.
 *
 * Snapshots go behind ours, each in a transaction of its own.  Where some of
 * them were made before some of ours this is refused, or, to renumber, all
 * happens in one transaction: each history keeps its own order, and where both
 * could go on, the snapshot that was started first is the next one.
 *
 * Everything is checked before anything is stored.  store_merged_free() after
 * success.
 */
int store_merge(struct store *st, const char *path,
		const struct store_merging *how, struct store_merged **out,
		size_t *n, struct err *err);
void store_merged_free(struct store_merged *m, size_t n);

/*
 * SQLite's integrity check and our own: every snapshot can be rebuilt, every
 * reference leads somewhere.  problem() is called with one line for each
 * thing that is wrong; *n_problems counts them.
 */
int store_verify(struct store *st, void (*problem)(void *arg, const char *line),
		 void *arg, int64_t *n_problems, struct err *err);

#endif
