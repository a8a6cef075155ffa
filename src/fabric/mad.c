/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/mad.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * A waiting query stands in `pool`, chained by index behind its destination;
 * destinations that may send stand in a ring per class (`lane`), so that the
 * engine goes round among nodes.  A query in flight owns a slot.  The
 * transaction id is generation and slot, so that a late reply to an earlier
 * owner of a slot is recognised and counted, not believed.
 *
 * The kernel retries and reports a time-out as a MAD with a status; some of
 * its send failures it drops silently, so each slot has a deadline of its own
 * as well.  Slots expire in the order of sending, since all have the same
 * time to live: `oldest` .. `newest` is that order.
 *
 * A node that dies in the middle of a sweep would cost a time-out for each of
 * its ports.  After GIVE_UP_OWN time-outs in a row of queries that end at the
 * node itself, the rest of those fails at once.  Probes through its ports are
 * answered by others, and their silence is no evidence against it: after
 * PROBES_SILENT of them in a row the node itself is asked whether it lives, and
 * only when it does not answer that either are the other probes given up.
 *
 * A query that was answered "busy" waits in `later`.
 *
 * umad_recv() waits in short slices: a reply that was lost gives no event.
 */

#define MAD_LEN 256
#define SMP_MKEY 24      /* M_Key, IBA 14.2.1.2 */
#define SMP_DATA 64      /* offset of the data, and its length: IBA 14.2.1.2 */
#define SMP_DATA_LEN 64
#define SMP_PATH 128     /* InitialPath */
#define PMA_DATA 64      /* IBA 16.1.1 */
#define PMA_DATA_LEN 192
#define METHOD_GET 0x01  /* IBA 13.4.5 */
#define METHOD_GET_RESP 0x81
#define STATUS_DIRECTION 0x8000 /* D bit of a directed-route SMP's status */
#define STATUS_BUSY 0x0001      /* IBA 13.4.7 */
#define PERMISSIVE_LID 0xffff
#define QKEY_GSI 0x80010000u /* IBA 10.2.5: well-known Q_Key of QP1 */
#define SLICE_MS 100
#define GIVE_UP_OWN 3
#define PROBES_SILENT 8
#define BUSY_WAIT_US 20000
#define BUSY_MAX 5 /* IBA 13.4.7: a busy node may be asked again */
#define SLACK_US 1000000     /* beyond the kernel's own time-outs */
#define TICK_US 100000
#define SLOT_BITS 8
#define SLOTS (2 * MAD_WINDOW_MAX)
#define NO_SLOT UINT16_MAX

struct waiting {
	struct mad_query q;
	uint32_t next;
};

struct slot {
	struct mad_query q;
	int64_t expires_us;
	uint32_t generation;
	uint16_t older, newer; /* in flight: send order */
	uint8_t used;
};

struct later {
	struct mad_query q;
	int64_t due_us;
};

/* One management class: its agent, window, rate and ready destinations. */
struct lane {
	uint8_t mgmt_class;
	int agent;
	int window, in_flight, peak;
	int rate;
	double tokens;
	struct mad_dest *first, *last;
};

enum { LANE_SMP, LANE_GMP, LANES };

struct mad_engine {
	struct mad_options opt;
	int fd;
	struct lane lanes[LANES];
	struct waiting *pool; /* [0] is unused: index 0 ends a chain */
	size_t n_pool, cap_pool;
	uint32_t free_waiting;
	size_t n_waiting;
	struct later *later;
	size_t n_later, cap_later;
	struct slot slots[SLOTS];
	uint16_t free_slots[SLOTS];
	int n_free_slots, n_in_flight;
	uint16_t oldest, newest;
	int64_t last_tick_us, last_refill_us;
	const char *stopped; /* why nothing is sent any more, or NULL */
	struct mad_stats stats;
	uint8_t *buf; /* one umad */
};

/* --- opening ---------------------------------------------------------- */

static int open_lane(struct mad_engine *e, int i, int mgmt_class, int window,
		     int rate, struct err *err)
{
	struct lane *lane = &e->lanes[i];

	lane->mgmt_class = (uint8_t)mgmt_class;
	lane->window = window;
	lane->rate = rate;
	lane->tokens = window;
	/* Version 1 of both classes, no RMPP, no unsolicited methods. */
	lane->agent = umad_register(e->fd, mgmt_class, 1, 0, NULL);
	if (lane->agent < 0)
		return err_set(err, "%s port %d: cannot register for "
			       "management class 0x%02x: is ib_umad loaded and "
			       "the port InfiniBand?", e->opt.ca, e->opt.port,
			       mgmt_class);
	return 0;
}

static int open_port(struct mad_engine *e, struct err *err)
{
	int why;

	errno = 0;
	e->fd = umad_open_port(e->opt.ca, e->opt.port);
	if (e->fd >= 0)
		return 0;
	why = errno ? errno : -e->fd;
	if (why == EACCES || why == EPERM)
		return err_set(err, "%s port %d: no permission to open its "
			       "umad device: run as root, or give yourself "
			       "/dev/infiniband/umad*", e->opt.ca, e->opt.port);
	return err_set(err, "%s port %d: cannot open its umad device (%s): is "
		       "the kernel module ib_umad loaded?", e->opt.ca,
		       e->opt.port, strerror(why));
}

struct mad_engine *mad_open(const struct mad_options *opt, struct err *err)
{
	struct mad_engine *e = xcalloc(1, sizeof(*e));
	int i;

	e->opt = *opt;
	e->oldest = e->newest = NO_SLOT;
	e->n_pool = 1;
	for (i = 0; i < SLOTS; i++)
		e->free_slots[e->n_free_slots++] = (uint16_t)(SLOTS - 1 - i);
	e->buf = xcalloc(1, sizeof(struct ib_user_mad) + MAD_LEN);
	e->last_refill_us = clock_mono_us();
	e->pool = xgrow(NULL, 0, &e->cap_pool, sizeof(*e->pool));
	if (open_port(e, err) < 0 ||
	    open_lane(e, LANE_SMP, CLASS_SMP, opt->smp_window, opt->smp_rate,
		      err) < 0 ||
	    open_lane(e, LANE_GMP, CLASS_PMA, opt->gmp_window, opt->gmp_rate,
		      err) < 0) {
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
	for (i = 0; i < LANES && e->fd >= 0; i++)
		if (e->lanes[i].mgmt_class && e->lanes[i].agent >= 0)
			umad_unregister(e->fd, e->lanes[i].agent);
	if (e->fd >= 0)
		umad_close_port(e->fd);
	free(e->pool);
	free(e->later);
	free(e->buf);
	free(e);
}

/* --- queues ----------------------------------------------------------- */

static struct lane *lane_of(struct mad_engine *e, const struct mad_query *q)
{
	return &e->lanes[q->mgmt_class == CLASS_SMP ? LANE_SMP : LANE_GMP];
}

static uint32_t take_waiting(struct mad_engine *e)
{
	uint32_t i = e->free_waiting;

	if (i) {
		e->free_waiting = e->pool[i].next;
		return i;
	}
	e->pool = xgrow(e->pool, e->n_pool, &e->cap_pool, sizeof(*e->pool));
	return (uint32_t)e->n_pool++;
}

/* Put d at the end of the ring when it has something it may send. */
static void make_ready(struct lane *lane, struct mad_dest *d)
{
	if (d->is_ready || d->in_flight || !d->first)
		return;
	d->is_ready = 1;
	d->next_ready = NULL;
	if (lane->last)
		lane->last->next_ready = d;
	else
		lane->first = d;
	lane->last = d;
}

void mad_submit(struct mad_engine *e, const struct mad_query *q)
{
	uint32_t i = take_waiting(e);
	struct mad_dest *d = q->dest;

	e->pool[i].q = *q;
	e->pool[i].next = 0;
	if (d->first)
		e->pool[d->last].next = i;
	else
		d->first = i;
	d->last = i;
	e->n_waiting++;
	make_ready(lane_of(e, q), d);
}

/* The next query of the ring's first destination.  Returns 0 when the ring
 * is empty. */
static int next_query(struct mad_engine *e, struct lane *lane,
		      struct mad_query *q)
{
	struct mad_dest *d = lane->first;
	uint32_t i;

	if (!d)
		return 0;
	lane->first = d->next_ready;
	if (!lane->first)
		lane->last = NULL;
	d->is_ready = 0;
	i = d->first;
	*q = e->pool[i].q;
	d->first = e->pool[i].next;
	e->pool[i].next = e->free_waiting;
	e->free_waiting = i;
	e->n_waiting--;
	return 1;
}

/* --- sending ---------------------------------------------------------- */

static void put16(uint8_t *at, uint16_t v)
{
	v = htons(v);
	memcpy(at, &v, sizeof(v));
}

static void put32(uint8_t *at, uint32_t v)
{
	v = htonl(v);
	memcpy(at, &v, sizeof(v));
}

static uint16_t get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t get32(const uint8_t *at)
{
	return (uint32_t)get16(at) << 16 | get16(at + 2);
}

/* The header that all MADs share, IBA 13.4.3. */
static void build_header(uint8_t *mad, const struct mad_query *q, uint32_t tid)
{
	memset(mad, 0, MAD_LEN);
	mad[0] = 1; /* BaseVersion */
	mad[1] = q->mgmt_class;
	mad[2] = 1; /* ClassVersion */
	mad[3] = METHOD_GET;
	put32(mad + 12, tid); /* the kernel owns the upper half */
	put16(mad + 16, q->attribute);
	put32(mad + 20, q->modifier);
}

/* IBA 14.2.1.2; 14.2.2 for the permissive addresses. */
static void build_smp(uint8_t *mad, const struct mad_query *q)
{
	const struct route *r = &q->dest->route;

	memcpy(mad + SMP_PATH, r->hop, (size_t)r->hops + 1);
	mad[7] = r->hops;
	if (q->exit)
		mad[SMP_PATH + ++mad[7]] = q->exit;
	put32(mad + SMP_MKEY, (uint32_t)(q->mkey >> 32));
	put32(mad + SMP_MKEY + 4, (uint32_t)q->mkey);
	put16(mad + 32, PERMISSIVE_LID);
	put16(mad + 34, PERMISSIVE_LID);
}

static int send_one(struct mad_engine *e, struct lane *lane,
		    const struct mad_query *q, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(e->buf);

	memset(e->buf, 0, umad_size());
	build_header(mad, q, tid);
	if (q->mgmt_class == CLASS_SMP) {
		build_smp(mad, q);
		umad_set_addr(e->buf, PERMISSIVE_LID, 0, 0, 0);
	} else {
		mad[PMA_DATA + 1] = q->select;
		umad_set_addr(e->buf, q->lid, 1, e->opt.sl, (int)QKEY_GSI);
	}
	umad_set_grh(e->buf, NULL);
	umad_set_pkey(e->buf, 0);
	return umad_send(e->fd, lane->agent, e->buf, MAD_LEN,
			 e->opt.timeout_ms, e->opt.retries);
}

static void fail(const struct mad_query *q, int status, uint16_t mad_status,
		 const char *text)
{
	struct mad_reply r = { .failed = 1 + status, .mad_status = mad_status,
			       .text = text };

	q->done(q->arg, q, &r);
}

static uint16_t take_slot(struct mad_engine *e, const struct mad_query *q)
{
	uint16_t i = e->free_slots[--e->n_free_slots];
	struct slot *s = &e->slots[i];

	s->q = *q;
	s->used = 1;
	s->generation++;
	s->expires_us = clock_mono_us() + SLACK_US +
			(int64_t)e->opt.timeout_ms * 1000 *
				(e->opt.retries + 1);
	s->newer = NO_SLOT;
	s->older = e->newest;
	if (e->newest != NO_SLOT)
		e->slots[e->newest].newer = i;
	else
		e->oldest = i;
	e->newest = i;
	e->n_in_flight++;
	return i;
}

/* Give slot i back; its destination may send again. */
static void release_slot(struct mad_engine *e, uint16_t i)
{
	struct slot *s = &e->slots[i];
	struct lane *lane = lane_of(e, &s->q);

	if (s->older != NO_SLOT)
		e->slots[s->older].newer = s->newer;
	else
		e->oldest = s->newer;
	if (s->newer != NO_SLOT)
		e->slots[s->newer].older = s->older;
	else
		e->newest = s->older;
	s->used = 0;
	e->free_slots[e->n_free_slots++] = i;
	e->n_in_flight--;
	lane->in_flight--;
	s->q.dest->in_flight--;
	make_ready(lane, s->q.dest);
}

static void note_peak(struct mad_engine *e, struct lane *lane)
{
	if (lane->in_flight > lane->peak)
		lane->peak = lane->in_flight;
	e->stats.sent++;
}

static void start(struct mad_engine *e, struct lane *lane,
		  const struct mad_query *q)
{
	uint16_t i = take_slot(e, q);
	uint32_t tid = e->slots[i].generation << SLOT_BITS | i;
	char text[80];

	lane->in_flight++;
	q->dest->in_flight++;
	if (send_one(e, lane, q, tid) < 0) {
		snprintf(text, sizeof(text), "could not be sent: %s",
			 strerror(errno));
		release_slot(e, i);
		fail(q, FAIL_NOT_SENT, 0, text);
		return;
	}
	lane->tokens -= 1;
	note_peak(e, lane);
}

/* Let the rate's tokens grow with the time; at most a window's worth, so
 * that a pause is not made up for by a burst. */
static void refill(struct mad_engine *e)
{
	int64_t now = clock_mono_us();
	double passed = (double)(now - e->last_refill_us) / 1e6;
	int i;

	e->last_refill_us = now;
	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		lane->tokens += passed * lane->rate;
		if (!lane->rate || lane->tokens > lane->window)
			lane->tokens = lane->window;
	}
}

static int is_given_up(const struct mad_query *q)
{
	const struct mad_dest *d = q->dest;

	if (d->silent_own < GIVE_UP_OWN)
		return 0;
	return !q->exit || d->silent >= PROBES_SILENT;
}

void mad_dest_forgive(struct mad_dest *d)
{
	d->silent = d->silent_own = d->is_tested = 0;
}

/* The node was asked whether it lives: its own silence is final. */
static void on_test(void *arg, const struct mad_query *q,
		    const struct mad_reply *r)
{
	(void)arg;
	q->dest->is_tested = 0;
	if (r->failed == 1 + FAIL_NO_ANSWER)
		q->dest->silent_own = GIVE_UP_OWN;
	else
		mad_dest_forgive(q->dest);
}

/* Ask it, before all that waits for it. */
static void test_dest(struct mad_engine *e, const struct mad_query *probe)
{
	struct mad_dest *d = probe->dest;
	struct mad_query q = {
		.dest = d, .done = on_test, .node = probe->node,
		.attribute = ATTR_NODE_INFO, .mgmt_class = CLASS_SMP,
	};
	uint32_t i = take_waiting(e);

	d->is_tested = 1;
	e->pool[i].q = q;
	e->pool[i].next = d->first;
	if (!d->first)
		d->last = i;
	d->first = i;
	e->n_waiting++;
	make_ready(lane_of(e, &q), d);
}

/* What a time-out, or any answer, says about a destination. */
static void note_answer(struct mad_engine *e, const struct mad_query *q,
			int answered)
{
	struct mad_dest *d = q->dest;

	if (answered) {
		d->silent = 0;
		if (!q->exit)
			d->silent_own = 0;
		return;
	}
	if (d->silent < UINT8_MAX)
		d->silent++;
	if (!q->exit && d->silent_own < UINT8_MAX)
		d->silent_own++;
	if (q->exit && !d->is_tested && d->silent_own < GIVE_UP_OWN &&
	    d->silent % PROBES_SILENT == 0 && d->first)
		test_dest(e, q);
}

/* Fail what may be sent, instead of sending it; what waits behind a query in
 * flight follows when that one is back. */
static void drop_ready(struct mad_engine *e)
{
	struct mad_query q;
	int i;

	for (i = 0; i < LANES; i++)
		while (next_query(e, &e->lanes[i], &q)) {
			make_ready(&e->lanes[i], q.dest);
			fail(&q, FAIL_NOT_SENT, 0, e->stopped);
		}
}

/* Fill the windows.  Returns 1 when only the rate limit holds some back. */
static int send_all(struct mad_engine *e)
{
	struct mad_query q;
	int i, held = 0;

	if (e->stopped) {
		drop_ready(e);
		return 0;
	}
	refill(e);
	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		while (lane->in_flight < lane->window && lane->first &&
		       (!lane->rate || lane->tokens >= 1) &&
		       next_query(e, lane, &q))
			if (is_given_up(&q)) {
				make_ready(lane, q.dest);
				fail(&q, FAIL_GIVEN_UP, 0,
				     "the node stopped answering");
			} else {
				start(e, lane, &q);
			}
		held |= lane->first && lane->in_flight < lane->window;
	}
	return held;
}

/* --- receiving -------------------------------------------------------- */

/* The slot that this MAD belongs to, or NO_SLOT. */
static uint16_t match(const struct mad_engine *e, const uint8_t *mad)
{
	uint32_t tid = get32(mad + 12);
	uint16_t i = tid & ((1u << SLOT_BITS) - 1);
	const struct slot *s;

	if (i >= SLOTS)
		return NO_SLOT;
	s = &e->slots[i];
	if (!s->used || (s->generation << SLOT_BITS | i) != tid ||
	    mad[1] != s->q.mgmt_class || get16(mad + 16) != s->q.attribute)
		return NO_SLOT;
	return i;
}

static const char *status_words(uint16_t status)
{
	/* IBA 13.4.7: bit 0 busy, bits 2-4 why the request was refused. */
	static const char *const why[] = {
		"refused", "bad class or version", "method not supported",
		"method or attribute not supported", "refused", "refused",
		"refused", "invalid attribute or modifier",
	};

	return status & STATUS_BUSY ? "busy" : why[status >> 2 & 7];
}

/* Put what was answered "busy" aside.  Returns 0 when it was often enough. */
static int ask_later(struct mad_engine *e, const struct mad_query *q)
{
	struct later *l;

	if (q->busy >= BUSY_MAX)
		return 0;
	e->later = xgrow(e->later, e->n_later, &e->cap_later,
			 sizeof(*e->later));
	l = &e->later[e->n_later++];
	l->q = *q;
	l->q.busy++;
	l->due_us = clock_mono_us() + BUSY_WAIT_US * l->q.busy;
	return 1;
}

/* Queue again what is due, or all of it. */
static void take_later(struct mad_engine *e, int64_t now, int all)
{
	size_t i = 0;

	while (i < e->n_later) {
		struct mad_query q = e->later[i].q;

		if (!all && e->later[i].due_us > now) {
			i++;
			continue;
		}
		e->later[i] = e->later[--e->n_later];
		mad_submit(e, &q);
	}
}

int mad_reply_is_refusal(const struct mad_reply *r)
{
	int why = r->mad_status >> 2 & 7;

	return r->failed == 1 + FAIL_MAD_STATUS &&
	       !(r->mad_status & STATUS_BUSY) &&
	       (why == 2 || why == 3 || why == 7);
}

static void deliver(struct mad_engine *e, const struct mad_query *q,
		    const uint8_t *mad)
{
	int is_smp = q->mgmt_class == CLASS_SMP;
	uint16_t status = get16(mad + 4);
	struct mad_reply r = {
		.data = mad + (is_smp ? SMP_DATA : PMA_DATA),
		.len = is_smp ? SMP_DATA_LEN : PMA_DATA_LEN,
	};

	if (is_smp)
		status &= (uint16_t)~STATUS_DIRECTION;
	if ((status & STATUS_BUSY) && ask_later(e, q))
		return;
	if (status) {
		fail(q, FAIL_MAD_STATUS, status, status_words(status));
		return;
	}
	q->done(q->arg, q, &r);
}

/* One received MAD of len bytes.  The status comes first: a time-out is a MAD
 * that was ours, cut short or whole, and never has the response bit. */
static void take_mad(struct mad_engine *e, int len)
{
	uint8_t *mad = umad_get_mad(e->buf);
	int status = umad_status(e->buf);
	struct mad_query q;
	uint16_t i;

	i = len >= 24 ? match(e, mad) : NO_SLOT;
	if (i == NO_SLOT ||
	    (!status && (len < MAD_LEN || mad[3] != METHOD_GET_RESP))) {
		e->stats.unmatched++;
		return;
	}
	q = e->slots[i].q;
	release_slot(e, i);
	note_answer(e, &q, !status);
	if (status)
		fail(&q, FAIL_NO_ANSWER, 0, "no answer");
	else
		deliver(e, &q, mad);
}

/* Give up on slots whose answer is overdue although the kernel said nothing. */
static void expire(struct mad_engine *e, int64_t now)
{
	while (e->oldest != NO_SLOT &&
	       e->slots[e->oldest].expires_us <= now) {
		struct mad_query q = e->slots[e->oldest].q;

		release_slot(e, e->oldest);
		note_answer(e, &q, 0);
		fail(&q, FAIL_NO_ANSWER, 0, "no answer");
	}
}

/* Wait at most wait_ms for one MAD and take it.  Returns -1 when the device is
 * gone. */
static int receive(struct mad_engine *e, int wait_ms)
{
	int len = MAD_LEN;
	int rc = umad_recv(e->fd, e->buf, &len, wait_ms);

	if (rc >= 0)
		take_mad(e, len);
	else if (rc == -ENOSPC)
		e->stats.unmatched++; /* longer than a MAD: not for us */
	else if (rc != -ETIMEDOUT && rc != -EWOULDBLOCK && rc != -EINTR)
		return -1;
	return 0;
}

/* The device is gone: call everything back. */
static void drop_all(struct mad_engine *e)
{
	e->stopped = "the device went away";
	while (e->oldest != NO_SLOT) {
		struct mad_query q = e->slots[e->oldest].q;

		release_slot(e, e->oldest);
		fail(&q, FAIL_NO_ANSWER, 0, e->stopped);
	}
	take_later(e, 0, 1);
	while (e->n_waiting)
		drop_ready(e);
}

static void tick(struct mad_engine *e, int64_t now)
{
	if (now - e->last_tick_us < TICK_US || !e->opt.tick)
		return;
	e->last_tick_us = now;
	e->opt.tick(e->opt.arg);
}

int mad_run(struct mad_engine *e, int64_t deadline_us, struct err *err)
{
	while (e->n_waiting || e->n_in_flight || e->n_later) {
		int64_t now = clock_mono_us();
		int held;

		if (deadline_us && now >= deadline_us)
			e->stopped = "the sweep's time limit was reached";
		tick(e, now);
		expire(e, now);
		take_later(e, now, !!e->stopped);
		held = send_all(e) || e->n_later;
		if (e->n_in_flight && receive(e, held ? 1 : SLICE_MS) < 0) {
			drop_all(e);
			return err_set(err, "%s port %d went away during the "
				       "sweep", e->opt.ca, e->opt.port);
		}
		if (held && !e->n_in_flight)
			usleep(1000);
	}
	return 0;
}

void mad_stats(const struct mad_engine *e, struct mad_stats *out)
{
	*out = e->stats;
	out->peak_smp = e->lanes[LANE_SMP].peak;
	out->peak_gmp = e->lanes[LANE_GMP].peak;
}
