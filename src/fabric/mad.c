/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/mad.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/engine.h"
#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * The loop: send what windows, rates and destinations allow, wait for one
 * MAD, call back.  umad_recv() waits in short slices: a reply that was lost
 * gives no event.  Where SMPs and GMPs have a device each, both are looked at
 * in turn, since a slice can be waited for at one of them only.
 */

#define SLICE_MS 100
#define TURN_MS 1 /* with two devices */
#define TICK_US 100000

/* --- opening ---------------------------------------------------------- */

static int open_port(const char *ca, int port, struct err *err)
{
	int fd, why;

	errno = 0;
	fd = umad_open_port(ca, port);
	if (fd >= 0)
		return fd;
	why = errno ? errno : -fd;
	if (why == EACCES || why == EPERM)
		return err_set(err, "%s port %d: no permission to open its "
			       "umad device: run as root, or give yourself "
			       "/dev/infiniband/umad*", ca, port);
	return err_set(err, "%s port %d: cannot open its umad device (%s): is "
		       "the kernel module ib_umad loaded?", ca, port,
		       strerror(why));
}

static int open_lane(struct lane *lane, const char *ca, int port,
		     struct err *err)
{
	/* Version 1 of both classes, no RMPP, no unsolicited methods. */
	lane->agent = umad_register(lane->fd, lane->mgmt_class, 1, 0, NULL);
	if (lane->agent < 0)
		return err_set(err, "%s port %d: cannot register for "
			       "management class 0x%02x: is ib_umad loaded and "
			       "the port InfiniBand?", ca, port,
			       lane->mgmt_class);
	return 0;
}

static int open_lanes(struct mad_engine *e, struct err *err)
{
	struct lane *smp = &e->lanes[LANE_SMP], *gmp = &e->lanes[LANE_GMP];
	const struct mad_options *opt = &e->opt;
	const char *gmp_ca = opt->gmp_ca ? opt->gmp_ca : opt->ca;
	int gmp_port = opt->gmp_ca ? opt->gmp_port : opt->port;

	smp->fd = gmp->fd = open_port(opt->ca, opt->port, err);
	if (smp->fd < 0)
		return -1;
	if (opt->gmp_ca)
		gmp->fd = open_port(gmp_ca, gmp_port, err);
	if (gmp->fd < 0 || open_lane(smp, opt->ca, opt->port, err) < 0)
		return -1;
	return open_lane(gmp, gmp_ca, gmp_port, err);
}

static void init_lane(struct lane *lane, int mgmt_class, int window, int rate)
{
	lane->mgmt_class = (uint8_t)mgmt_class;
	lane->fd = lane->agent = -1;
	lane->window = lane->window_max = window;
	lane->rate = rate;
	lane->tokens = window;
	lane->oldest = lane->newest = lane->first_flying = NO_SLOT;
}

static void init_slots(struct mad_engine *e)
{
	int i;

	e->n_slots = 2 * MAD_WINDOW_MAX + e->opt.park_max;
	e->slots = xcalloc((size_t)e->n_slots, sizeof(*e->slots));
	e->free_slots = xcalloc((size_t)e->n_slots, sizeof(*e->free_slots));
	for (i = e->n_slots - 1; i >= 0; i--)
		e->free_slots[e->n_free_slots++] = (uint16_t)i;
}

struct mad_engine *mad_open(const struct mad_options *opt, struct err *err)
{
	struct mad_engine *e = xcalloc(1, sizeof(*e));

	e->opt = *opt;
	e->n_pool = 1;
	e->pool = xgrow(NULL, 0, &e->cap_pool, sizeof(*e->pool));
	e->buf = xcalloc(1, sizeof(struct ib_user_mad) + MAD_LEN);
	e->period.number = 1;
	e->last_refill_us = e->period.started_us = clock_mono_us();
	init_slots(e);
	init_lane(&e->lanes[LANE_SMP], CLASS_SMP, opt->smp_window,
		  opt->smp_rate);
	init_lane(&e->lanes[LANE_GMP], CLASS_PMA, opt->gmp_window,
		  opt->gmp_rate);
	if (open_lanes(e, err) < 0) {
		mad_close(e);
		return NULL;
	}
	return e;
}

void mad_close(struct mad_engine *e)
{
	int i;

	if (!e)
		return;
	for (i = 0; i < LANES; i++)
		if (e->lanes[i].agent >= 0)
			umad_unregister(e->lanes[i].fd, e->lanes[i].agent);
	for (i = 0; i < LANES; i++)
		if (e->lanes[i].fd >= 0 &&
		    (!i || e->lanes[i].fd != e->lanes[0].fd))
			umad_close_port(e->lanes[i].fd);
	free(e->pool);
	free(e->later);
	free(e->slots);
	free(e->free_slots);
	free(e->buf);
	free(e);
}

struct lane *lane_of(struct mad_engine *e, const struct mad_query *q)
{
	return &e->lanes[q->mgmt_class == CLASS_SMP ? LANE_SMP : LANE_GMP];
}

/* --- sending ---------------------------------------------------------- */

static void fail(const struct mad_query *q, int status, const char *text)
{
	struct mad_reply r = { .failed = 1 + status, .text = text };

	q->done(q->arg, q, &r);
}

/* Is it worth another try in a while?  The kernel's queue or memory is full. */
static int is_passing(int why)
{
	return why == EAGAIN || why == ENOMEM || why == ENOBUFS || why == EINTR;
}

static void start(struct mad_engine *e, struct lane *lane,
		  const struct mad_query *q, int64_t now)
{
	uint16_t i = flight_take(e, q, now);
	char text[80];

	if (wire_send(e, lane, q, flight_tid(e, i)) < 0) {
		int why = errno;

		flight_release(e, i);
		if (is_passing(why) && queue_later(e, q))
			return;
		snprintf(text, sizeof(text), "could not be sent: %s",
			 strerror(why));
		fail(q, FAIL_NOT_SENT, text);
		return;
	}
	lane->tokens -= 1;
	e->stats.sent++;
}

/* Fail what may be sent, instead of sending it; what waits behind a query in
 * flight follows when that one is back. */
static void drop_ready(struct mad_engine *e)
{
	struct mad_query q;
	int i;

	for (i = 0; i < LANES; i++)
		while (queue_next(e, &e->lanes[i], &q)) {
			queue_make_ready(&e->lanes[i], q.dest);
			fail(&q, FAIL_NOT_SENT, e->stopped);
		}
}

static int has_room(const struct mad_engine *e, const struct lane *lane)
{
	return lane->in_flight < lane->window && e->n_free_slots;
}

static void fill_window(struct mad_engine *e, struct lane *lane, int64_t now)
{
	struct mad_query q;

	while (has_room(e, lane) && (!lane->rate || lane->tokens >= 1) &&
	       queue_next(e, lane, &q))
		if (guest_is_given_up(&q)) {
			queue_make_ready(lane, q.dest);
			fail(&q, FAIL_GIVEN_UP, "the node stopped answering");
		} else {
			start(e, lane, &q, now);
		}
}

/* Fill the windows.  Returns 1 when only the rate limit holds some back. */
static int send_all(struct mad_engine *e, int64_t now)
{
	int i, held = 0;

	if (e->stopped) {
		drop_ready(e);
		return 0;
	}
	guest_refill(e, now);
	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		fill_window(e, lane, now);
		held |= lane->first && has_room(e, lane);
		/* The next one is far away, and needed in a moment. */
		__builtin_prefetch(lane->first);
	}
	return held;
}

/* --- receiving -------------------------------------------------------- */

static void deliver(struct mad_engine *e, const struct mad_query *q,
		    const uint8_t *mad)
{
	struct mad_reply r;

	wire_read(mad, q, &r);
	if (mad_reply_is_busy(&r)) {
		if (queue_later(e, q))
			return;
		guest_note_busy(q);
	}
	q->done(q->arg, q, &r);
}

/* One received MAD of len bytes.  The status comes first: a time-out is a MAD
 * that was ours, cut short or whole, and never has the response bit. */
static void take_mad(struct mad_engine *e, int len)
{
	uint8_t *mad = umad_get_mad(e->buf);
	int status = umad_status(e->buf);
	int64_t now = e->now_us;
	struct mad_query q;
	uint16_t i;

	i = len >= 24 ? flight_match(e, mad) : NO_SLOT;
	if (i == NO_SLOT ||
	    (!status && (len < MAD_LEN || !wire_is_response(mad)))) {
		e->stats.unmatched++;
		return;
	}
	q = e->slots[i].q;
	if (!status)
		flight_answered(e, i, now);
	flight_release(e, i);
	guest_note(e, &q, !status, now);
	if (status)
		fail(&q, FAIL_NO_ANSWER, "no answer");
	else
		deliver(e, &q, mad);
}

/* Give up on slots whose answer is overdue although the kernel said nothing. */
static void expire(struct mad_engine *e, int64_t now)
{
	uint16_t i;

	while ((i = flight_expired(e, now)) != NO_SLOT) {
		struct mad_query q = e->slots[i].q;

		flight_release(e, i);
		guest_note(e, &q, 0, now);
		fail(&q, FAIL_NO_ANSWER, "no answer");
	}
}

/* Wait at most wait_ms for one MAD of that device and take it.  Returns 1, 0
 * when there was none, or -1 when the device is gone. */
static int receive_from(struct mad_engine *e, int fd, int wait_ms)
{
	int len = MAD_LEN;
	int rc = umad_recv(fd, e->buf, &len, wait_ms);

	e->now_us = clock_mono_us();
	if (rc >= 0)
		take_mad(e, len);
	else if (rc == -ENOSPC)
		e->stats.unmatched++; /* longer than a MAD: only with RMPP */
	else if (rc == -ETIMEDOUT || rc == -EWOULDBLOCK || rc == -EINTR)
		return 0;
	else
		return -1;
	return 1;
}

static int receive(struct mad_engine *e, int wait_ms)
{
	int smp = e->lanes[LANE_SMP].fd, gmp = e->lanes[LANE_GMP].fd, rc;

	if (smp == gmp)
		return receive_from(e, smp, wait_ms);
	rc = receive_from(e, smp, 0);
	if (!rc)
		rc = receive_from(e, gmp, TURN_MS);
	return rc;
}

/* The device is gone: call everything back. */
static void drop_all(struct mad_engine *e)
{
	int i;

	e->stopped = "the device went away";
	for (i = 0; i < LANES; i++)
		while (e->lanes[i].oldest != NO_SLOT) {
			uint16_t slot = e->lanes[i].oldest;
			struct mad_query q = e->slots[slot].q;

			flight_release(e, slot);
			fail(&q, FAIL_NO_ANSWER, e->stopped);
		}
	queue_take_later(e, 0, 1);
	while (e->n_waiting)
		drop_ready(e);
}

static void tick(struct mad_engine *e, int64_t now)
{
	if (now - e->last_tick_us < TICK_US || !e->opt.tick)
		return;
	e->last_tick_us = clock_mono_us(); /* now may be a while ago */
	e->opt.tick(e->opt.arg);
}

/* One round of the loop.  -1 when the device is gone. */
static int turn(struct mad_engine *e)
{
	int64_t now = e->now_us;
	int held;

	tick(e, now);
	expire(e, now);
	flight_park(e, now);
	queue_take_later(e, now, !!e->stopped);
	held = send_all(e, now) || e->n_later;
	if (!flight_any(e)) {
		if (held)
			usleep(1000);
		e->now_us = clock_mono_us();
		return 0;
	}
	return receive(e, held ? 1 : flight_wait_ms(e, now, SLICE_MS));
}

int mad_run(struct mad_engine *e, int64_t deadline_us, struct err *err)
{
	e->now_us = clock_mono_us();
	while (e->n_waiting || e->n_later || flight_any(e)) {
		if (deadline_us && e->now_us >= deadline_us)
			mad_stop(e, "the sweep's time limit was reached");
		if (turn(e) < 0) {
			drop_all(e);
			return err_set(err, "%s port %d went away during the "
				       "sweep", e->opt.ca, e->opt.port);
		}
	}
	return 0;
}

void mad_stats(const struct mad_engine *e, struct mad_stats *out)
{
	*out = e->stats;
}
