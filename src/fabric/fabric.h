/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_FABRIC_H
#define IBAUDIT_FABRIC_FABRIC_H

#include <stdint.h>

#include "model/snapshot.h"
#include "util/err.h"

/* How far a sweep has come; all counts only grow. */
struct sweep_progress {
	int64_t nodes;       /* found */
	int64_t ports_known; /* ports of the found nodes */
	int64_t ports_read;  /* PortInfo answered or given up */
	int64_t pma_known, pma_read;
	int64_t mads_sent;
	double seconds; /* since the start */
};

struct mkeys;

enum sweep_discovery { DISCOVER_ENGINE, DISCOVER_LIBIBNETDISC };

struct sweep_options {
	const char *ca; /* NULL: the first with an InfiniBand port that is up */
	int port;       /* 0: the first such port */
	enum sweep_discovery discovery;
	int counters;      /* ask PMA */
	int smp_window, gmp_window; /* MADs in flight; 0: the default */
	int timeout_ms;    /* of one MAD; 0: the default */
	int retries;       /* by the kernel; -1: the default */
	int limit_s;       /* of the whole sweep; 0: none */
	int sl;            /* service level of GMPs */
	int fast;          /* no rate limit, and the widest windows */
	const struct mkeys *mkeys; /* fabric/mkey.h; NULL: none */
	/* The fabric's last snapshot, or NULL: a port that was up there has
	 * its counters read even when it is down now; where PortRcvErrors or
	 * PortXmitDiscards differ from what it has, details are asked. */
	const struct snapshot *prev;
	/* Called at most ten times a second; may be NULL. */
	void (*progress)(void *arg, const struct sweep_progress *p);
	void *arg;
};

/*
 * Can the local port be used at all?  Opens and closes it, sends nothing.
 * Returns 0, or -1 with err set as fabric_sweep() does.
 */
int fabric_probe(const char *ca, int port, struct err *err);

/*
 * Read the fabric behind the local port into out, which is initialised here
 * and released with snapshot_free(), also after a failure.
 *
 * Only Get leaves the program.  A query that failed is a row in
 * out->failures, and never ends the sweep.  Returns 0, or -1 with err set
 * when the local port cannot be used: absent, Ethernet, forbidden, down.
 */
int fabric_sweep(const struct sweep_options *opt, struct snapshot *out,
		 struct err *err);

#endif
