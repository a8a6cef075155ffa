/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_FUZZ_KERNEL_H
#define IBAUDIT_TESTS_FUZZ_KERNEL_H

#include "fake.h"
#include "umad.h"

/* The state behind the made-up libibumad: umad.c's, and play.c's. */

#define CLASS_SMP 0x81
#define CLASS_PMA 0x04
#define GET 0x01
#define RESPONSE 0x80    /* of the method */
#define MAX_FLYING 5000  /* parked ones included */

#define ASKED 1024       /* requests that are remembered */

/* A query in flight. */
struct flight {
	uint8_t mad[MAD_LEN];
	uint16_t lid; /* where it went */
	int64_t sent_us, ends_us;
	uint8_t is_lost, is_mute; /* never completes; nobody answers it */
	uint8_t counts; /* as in flight, in the checks */
};

struct kernel {
	struct input *in;
	enum host host;
	struct limits limits;
	struct umad_story story;
	int64_t now_us;
	int64_t cost_us; /* of a MAD */
	int run;         /* answers to come before the next operation */
	int send_fails;  /* umad_send() to come that fail */
	uint8_t agent[2]; /* class of each */
	struct flight *flying[MAX_FLYING]; /* oldest first */
	int n_flying;
	struct {
		uint64_t hash; /* of a request; 0: none */
		int times;
	} asked[ASKED];
};
extern struct kernel kernel;

/* What umad_recv() gives. */
struct arrival {
	uint8_t mad[MAD_LEN];
	int len, status;
};

/* Query i is no more. */
void kernel_land(int i);

/* Let time pass. */
void kernel_pass(int64_t us);

/* The oldest query whose time is over, as the kernel gives it back.  Returns
 * 0 when there is none. */
int play_overdue(struct arrival *a);

/* What the input says comes next, within wait_ms.  Returns 1, 0 when that is
 * nothing, or a negative errno. */
int play(struct arrival *a, int wait_ms);

/* Forget the replies that it could repeat. */
void play_reset(void);

#endif
