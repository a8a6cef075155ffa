/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_FIXTURE_H
#define IBAUDIT_TESTS_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/*
 * Small fabrics in text, for testing rules.  A file holds cases; a case is a
 * story of one or more snapshots and what the rule must find in the last one,
 * against the one before:
 *
 *     case bad the title of the case
 *     switch NAME PORTS [KEY=VALUE...]    guid device lid smlid instance route
 *     ca NAME PORTS [KEY=VALUE...]        the same
 *     link A:PORT B:PORT [KEY=VALUE...]   a cable, NDR 4X and ACTIVE; keys of
 *                                         port, for both ends, or for one
 *                                         with a. or b. in front
 *     port A:PORT KEY=VALUE...            guid state phys speed code enabled
 *                                         supported width wenabled wsupported
 *                                         lid lmc smlid
 *     unlink A:PORT                       the cable goes down
 *     sm A:PORT STATE PRIORITY            STATE may be "silent"
 *     counters A:PORT [wide] [KEY=VALUE...]  wide: 64 bits
 *     counters A:PORT none                they were not read
 *     then MINUTES                        the next snapshot; all of the above
 *                                         stays but for what is said anew
 *     lost NAME                           not reached in this snapshot
 *     unread A:PORT                       PortInfo not answered in this one
 *     nopeer A:PORT                       up, and no probe was answered, from
 *                                         either end, in this snapshot
 *     fail smp|pma ATTRIBUTE [A[:PORT] [STATUS [TEXT...]]]   a failed query of
 *                                         this snapshot; STATUS is malformed or
 *                                         not-sent, else nobody answered
 *     sweep complete=0 pma=3/5            of this snapshot
 *     mark                                this snapshot is what the fabric
 *                                         should be
 *     plan A:PORT B:PORT [SPEED [WIDTH]]  a cable that should be there; A is a
 *                                         name, blanks as "_", or a GUID
 *     set PARAM=VALUE                     a parameter of the rule
 *     expect SEVERITY PLACE [PLACE] [| MESSAGE]   a finding; PLACE is A:PORT,
 *                                         A, or - for the fabric
 *
 * A speed or width in enabled and supported stands for itself and all below.
 * "bad" cases have at least one expect, "good" ones none above info.
 */

/* One statement: its words, and the snapshot it stands in (from 0). */
struct fixture_line {
	char **word;
	int n;
	int step;
	int number; /* in the file */
	char *text;
};

struct fixture_case {
	char *title;
	int bad;
	int steps; /* snapshots */
	struct fixture_line *lines;
	size_t n, cap;
};

struct fixture {
	char *path;
	struct fixture_case *cases;
	size_t n, cap;
};

/* Read a file.  Returns 0, or -1 with err set. */
int fixture_load(struct fixture *f, const char *path, struct err *err);
void fixture_free(struct fixture *f);

/*
 * Store all snapshots of a case in st, which is empty.  Sets *id to the last
 * one and *baseline to the one before, 0 without one.  -1 with err set.
 */
int fixture_store(const struct fixture *f, const struct fixture_case *c,
		  struct store *st, int64_t *id, int64_t *baseline,
		  struct err *err);

#endif
