/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"
#include "real.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/*
 * Notes
 *
 * libumad2sim is brought nearer to the kernel:
 * - ibsim answers a request it cannot deliver at once, whole and without the
 *   response bit, and some it never answers: here both end as the kernel ends
 *   them, with ETIMEDOUT and 24 bytes (the former at once, so that tests are
 *   quick);
 * - a reply that comes after that is swallowed;
 * - bytes 224-255 of a reply are rubbish there: they become zeros;
 * - attributes that ibsim does not know get "unsupported" from the layer, for
 *   ibsim would hand them to a subnet manager that sits there, which dies.
 */

/* The longest wait inside libumad2sim, which hears no signal. */
enum { SLICE_MS = 200 };

static struct request *add_request(struct handle *h, int agent, void *umad,
				   int length, int timeout_ms, int retries)
{
	uint64_t tries = 1 + (retries > 0 ? retries : 0), due = NEVER;
	struct request *req;

	if (timeout_ms > 0)
		due = now_us() + 1000 * timeout_ms * tries;
	req = request_add(h, umad, length, due);
	((struct ib_user_mad *)req->umad)->agent_id = agent;
	/* the upper half of the transaction id is the agent's, not the
	 * client's; libumad2sim, which reads it back, puts the agent there */
	put16(req->umad + UMAD_HEAD + 10, agent);
	return req;
}

/* What ibsim 0.10 answers by itself (tried, one by one), or hands to an SM
 * that understands it (SMInfo, SA). */
static bool ibsim_knows(const struct request *req)
{
	static const uint16_t smp[] = { 0x10, 0x11, 0x12, 0x14, 0x15,
					0x16, 0x17, 0x18, 0x19, 0x1b,
					0x20, 0xff90, 0 };
	static const uint16_t pma[] = { 0x01, 0x12, 0x15, 0x16, 0x17, 0x18,
					0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0 };
	const uint16_t *known = req->mgmt_class == CLASS_PMA ? pma : smp;

	if (req->mgmt_class == CLASS_SA)
		return true;
	while (*known && *known != req->attr)
		known++;
	return *known;
}

/* Make the request's own copy the reply of a node that knows nothing of it. */
static void make_reply(struct request *req, uint16_t status)
{
	struct ib_user_mad *umad = (struct ib_user_mad *)req->umad;
	uint8_t *mad = umad->data, port_select = mad[65];

	umad->status = 0;
	umad->length = UMAD_MAX;
	mad[3] |= 0x80; /* GetResp, IBA 13.4.5 */
	put16(mad + 4, status | (req->mgmt_class == CLASS_DR ? 0x8000 : 0));
	if (req->mgmt_class == CLASS_PMA) {
		memset(mad + 64, 0, MAD_SIZE - 64);
		mad[65] = port_select;
	} else {
		memset(mad + 64, 0, 64);
	}
}

static void answer(struct request *req, uint16_t status)
{
	uint8_t umad[UMAD_MAX] __attribute__((aligned(8)));
	int length = MAD_SIZE;

	tally.answered++;
	make_reply(req, status);
	memcpy(umad, req->umad, sizeof(umad));
	if (apply_rules(req, umad, &length) == FATE_PASS)
		request_hold(req, umad, length, now_us());
}

static bool is_get(const uint8_t *mad)
{
	switch (mad[1]) {
	case CLASS_LID:
	case CLASS_DR:
	case CLASS_PMA:
		return mad[3] == 0x01;
	case CLASS_SA:
		return mad[3] == 0x01 || mad[3] == 0x12; /* GetTable */
	default:
		return false;
	}
}

/* True when a port that is down would let it through: a route of no hops. */
static bool stays_local(const uint8_t *mad)
{
	return mad[1] == CLASS_DR && !mad[7];
}

LAYER_EXPORT int umad_send(int fd, int agent, void *umad, int length,
			   int timeout_ms, int retries)
{
	struct handle *h = (real_load(), handle_get(fd));
	const uint8_t *mad = (uint8_t *)umad + UMAD_HEAD;
	struct request *req;
	int r = 0;

	if (!is_get(mad)) {
		report_violation("class=0x%02x method=0x%02x attr=0x%04x",
				 mad[1], mad[3], get16(mad + 16));
		errno = EPERM;
		return -EPERM;
	}
	kill_at_send();
	req = add_request(h, agent, umad, length, timeout_ms, retries);
	report_sent(req);
	if (host == HOST_DOWN && !stays_local(mad))
		req->state = REQ_SILENT;
	else if (apply_answers(req))
		answer(req, 0);
	else if (!ibsim_knows(req))
		answer(req, STATUS_UNSUPPORTED);
	else
		r = real.umad_send(fd, agent, umad, length, timeout_ms,
				   retries);
	if (r < 0)
		request_drop(req);
	return r;
}

/* A reply of ibsim's in umad: true when it is to be given out now. */
static bool incoming(struct handle *h, uint8_t *umad, int *length)
{
	struct ib_user_mad *head = (struct ib_user_mad *)umad;
	uint8_t *mad = umad + UMAD_HEAD;
	struct request *req = request_find(h, get32(mad + 12));

	if (!req) {
		tally.late++;
		return false;
	}
	if (head->status) {
		request_set_due(req, now_us());
		return false;
	}
	memset(mad + 224, 0, MAD_SIZE - 224);
	known_learn(req, mad);
	request_find_port(req);
	if (apply_rules(req, umad, length) == FATE_KEPT)
		return false;
	request_drop(req);
	return true;
}

static int give(const void *from, int from_length, void *umad, int *length)
{
	if (from_length > *length) {
		*length = from_length;
		errno = ENOSPC;
		return -ENOSPC;
	}
	memcpy(umad, from, UMAD_HEAD + from_length);
	*length = from_length;
	return ((const struct ib_user_mad *)from)->agent_id;
}

/* As the kernel's send_handler(): the head of what was sent, and a status. */
static void make_timeout(struct request *req)
{
	struct ib_user_mad *umad = (struct ib_user_mad *)req->umad;

	tally.timed_out++;
	umad->status = ETIMEDOUT;
	req->length = MAD_HEAD;
	req->state = REQ_HELD;
}

/* The request whose reply or time-out is due, or NULL. */
static struct request *due_now(struct handle *h, uint64_t now)
{
	struct request *req;

	while ((req = request_next(h)) && req->due <= now) {
		if (req->state != REQ_LOST) {
			if (req->state != REQ_HELD)
				make_timeout(req);
			return req;
		}
		request_drop(req);
	}
	return NULL;
}

/* A few microseconds' sleep, where poll() is too coarse; the kernel would make
 * 50 more of it. */
static void nap(uint64_t us)
{
	static bool is_exact;
	struct timespec t = { 0, (us < 50 ? us : 50) * 1000 };

	if (!is_exact)
		is_exact = !prctl(PR_SET_TIMERSLACK, 1);
	nanosleep(&t, NULL);
}

/* Wait for ibsim, at most until the given time.  As umad_recv(). */
static int wait_ibsim(int fd, uint8_t *umad, int *length, uint64_t now,
		      uint64_t until)
{
	uint64_t us = until > now ? until - now : 0;
	int r;

	*length = MAD_SIZE;
	r = real.umad_recv(fd, umad, length,
			   us / 1000 < SLICE_MS ? us / 1000 : SLICE_MS);
	if (r == -EWOULDBLOCK && us)
		nap(us);
	return r;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Until something is there for the client, or the time is over: 1 and *req,
 * 2 and a MAD in umad, or libumad's error.
 */
static int wait_any(int fd, struct request **req, uint8_t *umad, int *length,
		    int timeout_ms)
{
	struct handle *h = handle_get(fd);
	uint64_t now = now_us(), until = NEVER;
	struct request *next;
	int r;

	if (timeout_ms >= 0)
		until = now + 1000ull * timeout_ms;
	for (;; now = now_us()) {
		*req = due_now(h, now);
		if (*req)
			return 1;
		next = request_next(h);
		r = wait_ibsim(fd, umad, length, now,
			       earlier(until, next ? next->due : NEVER));
		if (r >= 0 && incoming(h, umad, length))
			return 2;
		if (r >= 0)
			continue;
		if (r != -EWOULDBLOCK && r != -ETIMEDOUT)
			return r;
		if (now_us() >= until && !due_now(h, until)) {
			r = timeout_ms ? -ETIMEDOUT : -EWOULDBLOCK;
			errno = -r;
			return r;
		}
	}
}

LAYER_EXPORT int umad_recv(int fd, void *umad, int *length, int timeout_ms)
{
	static uint8_t buf[UMAD_MAX] __attribute__((aligned(8)));
	struct request *req;
	int n, r = (real_load(), wait_any(fd, &req, buf, &n, timeout_ms));

	if (r == 2)
		return give(buf, n, umad, length);
	if (r != 1)
		return r;
	r = give(req->umad, req->length, umad, length);
	if (r >= 0)
		request_drop(req);
	return r;
}

LAYER_EXPORT int umad_poll(int fd, int timeout_ms)
{
	uint8_t buf[UMAD_MAX] __attribute__((aligned(8)));
	struct request *req;
	int n, r = (real_load(), wait_any(fd, &req, buf, &n, timeout_ms));

	if (r == 2)
		request_extra(handle_get(fd), buf, n);
	else if (r == 1)
		request_hold(req, req->umad, req->length, 0);
	return r > 0 ? 0 : r;
}
