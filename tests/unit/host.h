/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_HOST_H
#define IBAUDIT_TESTS_HOST_H

#include "pair.h"

/*
 * A host with a few devices, and a libibumad that is made up: a handle takes
 * the classes of its device only, and the fabric of tests/fuzz/fake.h answers
 * at once.
 */
#define MAX_DEVICES 4
#define MAX_PORTS 4
#define MAX_HANDLES 4

struct device {
	const char *name;
	int smp, gmp;         /* the classes that it takes */
	uint64_t prefix;
	int state[MAX_PORTS]; /* of ports 1 and up; 0: no such port */
	int unread, forbidden;
};

struct handle {
	const struct device *device;
	int port, is_open;
	int smp, gmp;         /* registered */
	int n_smp, n_gmp;     /* sent */
	int first, n;         /* replies that wait */
};

struct host {
	struct device devices[MAX_DEVICES];
	struct umad_ca_pair pairs[MAX_DEVICES]; /* an empty one ends them */
	struct handle handles[MAX_HANDLES];     /* all that were opened */
	int n_handles;
	int strays;     /* MADs and registrations of the wrong kind */
	int unreleased; /* by umad_release_ca() */
	char ibnd[64];  /* what libibnetdisc was given */
};
extern struct host host;

/* Start afresh with the one or two devices, and the pair if there is one. */
void set_host(const struct device *a, const struct device *b,
	      const struct umad_ca_pair *pair);

#endif
