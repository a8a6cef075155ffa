/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "kernel.h"
#include "model/snapshot.h"

/*
 * Notes
 *
 * Noise is what the engine must not care about: replies that belong to
 * nothing, in any order, and waiting.  What is not noise is counted as a lie
 * or as trouble.
 *
 * A changed reply with the transaction id of a query in flight may settle that
 * for the engine, whatever else it says: from then on the query does not count
 * as in flight, so that the checks never accuse wrongly.
 */

#define TIMED_OUT_LEN 24 /* what the kernel returns of a MAD */
#define HISTORY 16

static uint8_t history[HISTORY][MAD_LEN];
static int n_history;

void play_reset(void)
{
	memset(history, 0, sizeof(history));
	n_history = 0;
}

static uint32_t tid_of(const uint8_t *mad)
{
	return (uint32_t)mad[12] << 24 | mad[13] << 16 | mad[14] << 8 | mad[15];
}

/* The engine may take it for the answer to whatever has its id. */
static int settle(const uint8_t *mad)
{
	int i, n = 0;

	for (i = 0; i < kernel.n_flying; i++)
		if (tid_of(kernel.flying[i]->mad) == tid_of(mad)) {
			kernel.flying[i]->counts = 0;
			n++;
		}
	return n;
}

/* Answer the n-th oldest that somebody answers.  Returns 0 when there is
 * none. */
static int answer(int n, struct arrival *a)
{
	int i;

	a->len = MAD_LEN;
	a->status = 0;
	for (i = 0; i < kernel.n_flying; i++) {
		struct flight *f = kernel.flying[i];

		if (f->is_lost || f->is_mute)
			continue;
		f->is_mute = !fabric_answer(f->mad, f->lid, a->mad);
		if (f->is_mute || n-- > 0)
			continue;
		kernel_land(i);
		memcpy(history[n_history++ % HISTORY], a->mad, MAD_LEN);
		return 1;
	}
	return 0;
}

/* A copy of what was sent, which a liar answers. */
static int oldest(struct arrival *a)
{
	a->len = MAD_LEN;
	a->status = 0;
	if (!kernel.n_flying)
		return 0;
	memcpy(a->mad, kernel.flying[0]->mad, MAD_LEN);
	return 1;
}

static void time_out(int i, int how, struct arrival *a)
{
	memcpy(a->mad, kernel.flying[i]->mad, MAD_LEN);
	a->len = how & 1 ? TIMED_OUT_LEN : MAD_LEN;
	a->status = how & 4 ? EIO : ETIMEDOUT;
	if (how & 2)
		a->mad[3] |= RESPONSE;
	kernel_land(i);
	kernel.story.troubles++;
}

/* What the kernel gives up.  Returns 0 when there is nothing. */
int play_overdue(struct arrival *a)
{
	int i;

	for (i = 0; i < kernel.n_flying; i++)
		if (kernel.flying[i]->ends_us <= kernel.now_us) {
			time_out(i, 1, a);
			return 1;
		}
	return 0;
}

/* Ports and LIDs at the edges of what their fields can hold. */
static void put_edge(int which, struct arrival *a)
{
	static const struct {
		uint8_t at, n, value;
	} edges[] = {
		{ 36, 1, 0 },	{ 36, 1, 255 }, { 3, 1, 0 },	{ 3, 1, 255 },
		{ 3, 1, 254 },	{ 12, 8, 0 },	{ 12, 8, 255 }, { 16, 2, 0 },
		{ 16, 2, 255 }, { 18, 2, 255 }, { 2, 1, 2 },	{ 2, 1, 1 },
		{ 1, 1, 255 },	{ 4, 180, 255 },
	};
	size_t i = (size_t)which % (sizeof(edges) / sizeof(edges[0]));

	memset(a->mad + MAD_DATA + edges[i].at, edges[i].value, edges[i].n);
}

/* Change the answer that is on its way.  Returns 0 when the operation is not
 * one of these. */
static int lie(enum op op, struct arrival *a)
{
	struct input *in = kernel.in;
	int n, at;

	switch (op) {
	case OP_MUTATE:
		at = take(in);
		a->mad[at] = take(in);
		break;
	case OP_REPLACE:
		at = take(in) % 192;
		for (n = take(in); n > 0 && at < 192 && in->left; n--)
			a->mad[MAD_DATA + at++] = take(in);
		break;
	case OP_EDGE:
		put_edge(take(in), a);
		break;
	case OP_KNOWN:
		n = take(in);
		fabric_node_info(n % FAKE_NODES, take(in), a->mad + MAD_DATA);
		break;
	case OP_STATUS:
		a->mad[4] = take(in);
		a->mad[5] = take(in);
		break;
	default:
		return 0;
	}
	settle(a->mad);
	kernel.story.lies++;
	return 1;
}

/* Spoil the answer so that it belongs to nothing, and leave the query in
 * flight. */
static void spoil(enum op op, struct arrival *a)
{
	uint8_t v = take(kernel.in);

	switch (op) {
	case OP_WRONG_TID:
		a->mad[12 + v % 4] ^= v | 1;
		kernel.story.lies += settle(a->mad);
		break;
	case OP_WRONG_CLASS:
		a->mad[1] = v == a->mad[1] ? v ^ 1 : v;
		break;
	case OP_WRONG_METHOD:
		a->mad[3] = v == (GET | RESPONSE) ? GET : v;
		break;
	case OP_SHORT:
		a->len = v;
		break;
	default: /* OP_REPEAT */
		if (n_history)
			memcpy(a->mad, history[v % HISTORY], MAD_LEN);
		else
			a->len = 0;
	}
}

/* The world changes. */
static void change(enum op op)
{
	static const uint16_t attributes[] = { 0x01, 0x10, 0x11, 0x12,
					       0x15, 0x1d, 0x20, 0xff90 };
	static const uint8_t sizes[] = { 1, 2, 3, 5, 8, 36, 64, 254 };
	static const uint8_t ports[FAKE_NODES] = { 1, 5, 1, 4, 2 };
	struct input *in = kernel.in;
	uint8_t a = take(in), b, c, d;

	kernel.story.lies++;
	switch (op) {
	case OP_SILENCE:
		fabric_silence(a % FAKE_NODES);
		break;
	case OP_BUSY:
		fabric_busy(a % FAKE_NODES);
		break;
	case OP_TWIN:
		fabric_twin(a % FAKE_NODES, take(in) % FAKE_NODES);
		break;
	case OP_LIE:
		b = take(in), c = take(in), d = take(in);
		fabric_lie(a % FAKE_NODES, attributes[b % 8], c % 64, d);
		break;
	case OP_CABLE:
		b = take(in), c = take(in), d = take(in);
		fabric_cable(a % FAKE_NODES,
			     (uint8_t)(1 + b % ports[a % FAKE_NODES]),
			     c % FAKE_NODES,
			     (uint8_t)(1 + d % ports[c % FAKE_NODES]));
		break;
	default: /* OP_ENDLESS: a millisecond each, so that time bounds it */
		fabric_endless(sizes[a % 8], 1 + take(in) % 32);
		kernel.cost_us = 1000;
	}
}

static int is_change(enum op op)
{
	return op >= OP_SILENCE && op <= OP_ENDLESS;
}

static enum op next_op(void)
{
	if (kernel.run) {
		kernel.run--;
		return OP_ANSWER;
	}
	return (enum op)(take(kernel.in) % OPS);
}

/* Nothing comes for a while: until the kernel gives something up, at most. */
static int wait_for_it(int wait_ms, struct arrival *a)
{
	int64_t until = kernel.now_us + (int64_t)wait_ms * 1000;
	int i;

	for (i = 0; i < kernel.n_flying; i++)
		if (!kernel.flying[i]->is_lost && kernel.flying[i]->ends_us < until)
			until = kernel.flying[i]->ends_us;
	if (until > kernel.now_us)
		kernel_pass(until - kernel.now_us);
	return play_overdue(a);
}

static int answered(enum op op, struct arrival *a, int wait_ms)
{
	int n = 0;

	if (op == OP_ANSWER_RUN)
		kernel.run = take(kernel.in);
	else if (op == OP_ANSWER_ANY)
		n = take(kernel.in);
	if (answer(n, a) || (n && answer(0, a))) {
		lie(op, a);
		return 1;
	}
	return wait_for_it(wait_ms, a);
}

/* What ends a query without an answer, or delays everything. */
static int harm(enum op op, struct arrival *a)
{
	uint8_t v = take(kernel.in);
	int i;

	switch (op) {
	case OP_TIMEOUT:
		if (!kernel.n_flying)
			return 0;
		time_out(0, v, a);
		return 1;
	case OP_LOSE:
		i = kernel.n_flying ? v % kernel.n_flying : 0;
		if (kernel.n_flying)
			kernel.flying[i]->is_lost = 1;
		kernel.story.troubles++;
		return 0;
	case OP_JUMP:
		kernel.story.jumped_us += (int64_t)v * v * 1000;
		kernel.story.troubles++;
		kernel_pass((int64_t)v * v * 1000);
		return 0;
	case OP_SEND_FAILS:
		kernel.send_fails = v;
		return 0;
	default: /* OP_GONE */
		kernel.story.gone = 1;
		return 0;
	}
}

/* Returns 1 with an arrival, 0 without, or a negative errno. */
static int operate(enum op op, struct arrival *a, int wait_ms)
{
	switch (op) {
	case OP_TOO_LONG:
		return -ENOSPC;
	case OP_INTERRUPTED:
		return -EINTR;
	case OP_QUIET:
		return wait_for_it(wait_ms, a);
	case OP_TIMEOUT:
	case OP_LOSE:
	case OP_JUMP:
	case OP_SEND_FAILS:
	case OP_GONE:
		return harm(op, a);
	case OP_WRONG_TID:
	case OP_WRONG_CLASS:
	case OP_WRONG_METHOD:
	case OP_SHORT:
	case OP_REPEAT:
		if (!oldest(a))
			return 0;
		a->mad[3] |= RESPONSE;
		spoil(op, a);
		return 1;
	default:
		return answered(op, a, wait_ms);
	}
}

int play(struct arrival *a, int wait_ms)
{
	enum op op;

	while (is_change(op = next_op()))
		change(op);
	return operate(op, a, wait_ms);
}
