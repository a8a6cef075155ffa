/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_SWEEPING_H
#define IBAUDIT_CMD_SWEEPING_H

#include "cmd/cmd.h"
#include "cmd/settings.h"
#include "model/snapshot.h"
#include "report/report.h"
#include "store/store.h"
#include "util/lock.h"

/* The options of all commands that ask the fabric. */
#define SWEEPING_OPTIONS                                                      \
	{ "timeout", 0, "S", "give up what is not read after S seconds" },    \
	{ "fast", 0, NULL, "no rate limit: for a fabric at rest" },           \
	{ "mkey-file", 0, "FILE", "M_Keys: one, or opensm's guid2mkey" },     \
	{ "discovery", 0, "HOW",                                              \
	  "engine (default), or libibnetdisc: a second opinion" }

/* And of those that store what they see. */
#define STORING_OPTIONS                                                       \
	SWEEPING_OPTIONS,                                                     \
	{ "no-counters", 0, NULL, "read the topology only" },                 \
	{ "note", 0, "TEXT", "keep TEXT with the snapshot" },                 \
	{ "require-complete", 0, NULL,                                        \
	  "status 3 when not every query was answered" }

/* Take those of the options above that were given over into the settings, load
 * the M_Keys, and look at the node name map: what is wrong is told before the
 * database is opened and the fabric is asked. */
int sweeping_settings(const struct invocation *inv, struct err *err);

/* Ask the fabric once, with progress on a terminal.  out is released with
 * snapshot_free(), also after a failure. */
int sweeping_ask(const struct settings *set, int counters,
		 const struct snapshot *prev, struct snapshot *out,
		 struct err *err);

/* The database, held against other sweeps. */
struct sweeper {
	struct store *st;
	struct lock lock;
};

/* Open, or make, the database and lock it.  sweeper_close() in any case. */
int sweeper_open(struct sweeper *w, const struct settings *set,
		 struct err *err);
void sweeper_close(struct sweeper *w);

/*
 * Sweep, carry over what was not read, store, and give the stored row back
 * (store_snapshot_free() it, also after a failure).  note may be NULL.
 */
int sweeper_run(struct sweeper *w, const struct settings *set,
		const char *note, struct store_snapshot *row, struct err *err);

/* With -v, and only then: the list of the queries that failed in snapshot id,
 * into an open document.  -1 with err set when it cannot be loaded. */
int sweeping_add_failures(const struct invocation *inv, struct report *r,
			  struct store *st, int64_t id, struct err *err);

/* 0, or -1 with err set when --require-complete was given and row is not. */
int sweeping_is_acceptable(const struct invocation *inv,
			   const struct store_snapshot *row, struct err *err);

#endif
