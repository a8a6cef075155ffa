/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_FUZZ_UMAD_H
#define IBAUDIT_TESTS_FUZZ_UMAD_H

#include "fuzz.h"

/*
 * libibumad and the clock, made up: the fuzzer's bytes decide what each
 * umad_recv() brings, and time passes only there and in usleep().
 */

/* What the local host looks like. */
enum host {
	HOST_GOOD,
	HOST_NO_UMAD,
	HOST_NO_DEVICE,
	HOST_ETHERNET,
	HOST_DOWN,
	HOST_FORBIDDEN,   /* umad_open_port() */
	HOST_UNREGISTERED, /* umad_register() */
	HOST_MANY,        /* the good one comes last */
	HOSTS
};

/* What may be in flight, for the check of each umad_send(). */
struct limits {
	int smp_window, gmp_window;
};

/* Start afresh; in must live as long as the sweep. */
void umad_reset(struct input *in, enum host host, const struct limits *limits);

/* What the input did to the sweep. */
struct umad_story {
	int lies;     /* replies that told something else than the fabric */
	int troubles; /* queries without an answer, or that failed */
	int gone;     /* the device went away */
	int64_t jumped_us; /* by which the clock ran ahead */
	int64_t sent;
	int open;     /* ports and agents still open */
};
const struct umad_story *umad_story(void);

/* Microseconds on the made-up clock. */
int64_t umad_now(void);

/* What an umad_recv() can bring: the first byte of an operation. */
enum op {
	OP_ANSWER,       /* the oldest that somebody answers */
	OP_ANSWER_RUN,   /* N: so many */
	OP_ANSWER_ANY,   /* N: not the oldest */
	OP_MUTATE,       /* OFFSET VALUE: one byte of the MAD */
	OP_REPLACE,      /* OFFSET N, N bytes: of the attribute */
	OP_EDGE,         /* WHICH: ports and LIDs at the edge of their range */
	OP_KNOWN,        /* NODE PORT: NodeInfo of that one */
	OP_STATUS,       /* HIGH LOW: of the MAD */
	OP_WRONG_TID,    /* XOR */
	OP_WRONG_CLASS,  /* CLASS */
	OP_WRONG_METHOD, /* METHOD */
	OP_SHORT,        /* LENGTH */
	OP_REPEAT,       /* N: one of the last replies again */
	OP_TIMEOUT,      /* HOW: whole, short, with the response bit */
	OP_LOSE,         /* N: never completes */
	OP_TOO_LONG,     /* -ENOSPC */
	OP_INTERRUPTED,
	OP_QUIET,        /* nothing comes for the whole wait */
	OP_JUMP,         /* N: the clock, by N * N milliseconds */
	OP_GONE,
	OP_SEND_FAILS,   /* N: so many to come */
	OP_SILENCE,      /* NODE */
	OP_BUSY,         /* NODE */
	OP_TWIN,         /* NODE OTHER */
	OP_LIE,          /* NODE ATTRIBUTE OFFSET VALUE */
	OP_CABLE,        /* A PORT B PORT */
	OP_ENDLESS,      /* SIZE BITS */
	OPS
};

#endif
