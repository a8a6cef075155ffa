/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "fabric/engine.h"

/*
 * Notes
 *
 * How a guest behaves: a rate, nobody asked who stopped answering, and less
 * of everything when the fabric suffers.
 *
 * Giving up.  One time-out may be the attribute's fault.  The node is asked
 * whether it lives, by NodeInfo, or its PMA by ClassPortInfo, and silence to
 * that is final.  One that answers this and stays silent otherwise, or is busy
 * for ever, is given up after OWN_LOST_MAX queries.  Probes through a node's
 * ports are answered by others, and their silence is no evidence against it:
 * PROBES_SILENT of them in a row are.
 *
 * Distress.  In each period of a second the destinations are counted that
 * were active, and those that had answered before and are silent now; a node
 * that never answered says nothing about the way to it, and one that is busy is
 * not silent.  Where more than one
 * in SPREAD fell silent, of those active in this period or the one before, the
 * windows are halved; a quiet period widens them by an eighth.  Where one
 * in COLLAPSE did, or windows of one do not help, the engine stops.
 */

#define OWN_SILENT_MAX 2
#define OWN_LOST_MAX 8
#define PROBES_SILENT 8
#define PERIOD_US 1000000
#define SPREAD 20 /* 5 % */
#define SPREAD_MIN 4
#define COLLAPSE 4 /* 25 % */
#define COLLAPSE_MIN 16
#define AT_FLOOR_MAX 3

/* At most a window's worth, so that a pause is not made up for by a burst. */
void guest_refill(struct mad_engine *e, int64_t now_us)
{
	double passed = (double)(now_us - e->last_refill_us) / 1e6;
	int i;

	e->last_refill_us = now_us;
	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		lane->tokens += passed * lane->rate;
		if (!lane->rate || lane->tokens > lane->window)
			lane->tokens = lane->window;
	}
}

/* --- destinations ----------------------------------------------------- */

int guest_is_given_up(const struct mad_query *q)
{
	const struct mad_dest *d = q->dest;

	if (q->exit)
		return d->silent_own >= OWN_SILENT_MAX &&
		       d->silent >= PROBES_SILENT;
	return d->silent_own >= OWN_SILENT_MAX ||
	       d->lost_own >= OWN_LOST_MAX;
}

void mad_dest_forgive(struct mad_dest *d)
{
	d->silent = d->silent_own = d->lost_own = d->is_tested = 0;
}

static int has_spoken(const struct mad_reply *r)
{
	return !r->failed || r->failed == 1 + FAIL_MAD_STATUS;
}

/* The node was asked whether it lives: its own silence is final. */
static void on_test(void *arg, const struct mad_query *q,
		    const struct mad_reply *r)
{
	(void)arg;
	q->dest->is_tested = 0;
	if (r->failed == 1 + FAIL_NO_ANSWER)
		q->dest->silent_own = OWN_SILENT_MAX;
	else if (has_spoken(r))
		q->dest->silent = q->dest->silent_own = 0;
}

static uint16_t test_attribute(const struct mad_query *q)
{
	return q->mgmt_class == CLASS_SMP ? ATTR_NODE_INFO :
					    ATTR_CLASS_PORT_INFO;
}

/* Is q the very question whether its destination lives? */
static int is_test(const struct mad_query *q)
{
	return !q->exit && q->attribute == test_attribute(q);
}

/* Ask it, before all that waits for it. */
static void test_dest(struct mad_engine *e, const struct mad_query *lost)
{
	struct mad_query q = {
		.dest = lost->dest, .done = on_test, .node = lost->node,
		.attribute = test_attribute(lost), .lid = lost->lid,
		.mgmt_class = lost->mgmt_class, .mkey = lost->dest->mkey,
	};

	q.dest->is_tested = 1;
	queue_first(e, &q);
}

static void bump(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

static void note_silence(struct mad_engine *e, const struct mad_query *q)
{
	struct mad_dest *d = q->dest;

	bump(&d->silent);
	if (!q->exit) {
		bump(&d->silent_own);
		bump(&d->lost_own);
	}
	if (d->is_tested || is_test(q) || d->silent_own >= OWN_SILENT_MAX ||
	    (q->exit && d->silent % PROBES_SILENT))
		return;
	test_dest(e, q);
}

/* --- the fabric ------------------------------------------------------- */

static void begin_period(struct period *p, int64_t now_us)
{
	p->started_us = now_us;
	p->all_before = p->all;
	p->all = p->lost = 0;
	if (!++p->number)
		p->number = 1;
}

static void widen(struct mad_engine *e)
{
	int i;

	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		lane->window += lane->window_max / 8 + 1;
		if (lane->window > lane->window_max)
			lane->window = lane->window_max;
	}
	e->period.at_floor = 0;
}

int mad_narrow(struct mad_engine *e)
{
	int i, narrowed = 0;

	for (i = 0; i < LANES; i++) {
		narrowed |= e->lanes[i].window > 1;
		e->lanes[i].window = (e->lanes[i].window + 1) / 2;
	}
	return narrowed;
}

void mad_stop(struct mad_engine *e, const char *why)
{
	if (e->stopped)
		return;
	snprintf(e->stopped_text, sizeof(e->stopped_text), "%s", why);
	e->stopped = e->stopped_text;
}

const char *mad_stopped(const struct mad_engine *e)
{
	return e->stopped;
}

/* A sweep's last second has few who are active. */
static int n_active(const struct period *p)
{
	return p->all > p->all_before ? p->all : p->all_before;
}

static void stop(struct mad_engine *e)
{
	char why[80];

	snprintf(why, sizeof(why), "stopped: the fabric is in distress, %d of "
		 "%d nodes fell silent", e->period.lost, n_active(&e->period));
	mad_stop(e, why);
}

static void judge(struct mad_engine *e, int64_t now_us)
{
	struct period *p = &e->period;
	int all = n_active(p);

	if (p->lost >= COLLAPSE_MIN && p->lost * COLLAPSE > all) {
		stop(e);
	} else if (p->lost >= SPREAD_MIN && p->lost * SPREAD > all) {
		if (!mad_narrow(e) && ++p->at_floor >= AT_FLOOR_MAX)
			stop(e);
		begin_period(p, now_us);
	} else {
		widen(e);
		begin_period(p, now_us);
	}
}

/* Each destination counts once a period, and may be lost in it once: when it
 * is silent to the question whether it lives. */
static void note_dest(struct period *p, struct mad_dest *d)
{
	if (d->seen_in == p->number)
		return;
	d->seen_in = p->number;
	p->all++;
}

static void note_lost(struct period *p, struct mad_dest *d)
{
	if (!d->has_answered || d->lost_in == p->number)
		return;
	d->lost_in = p->number;
	p->lost++;
	note_dest(p, d);
}

void guest_note_busy(const struct mad_query *q)
{
	if (!q->exit)
		bump(&q->dest->lost_own);
}

void guest_note(struct mad_engine *e, const struct mad_query *q, int answered,
		int64_t now_us)
{
	struct mad_dest *d = q->dest;

	if (now_us - e->period.started_us >= PERIOD_US)
		judge(e, now_us);
	if (!answered) {
		if (is_test(q))
			note_lost(&e->period, d);
		note_silence(e, q);
		return;
	}
	d->silent = 0;
	if (q->exit)
		return;
	d->silent_own = 0;
	d->has_answered = 1;
	note_dest(&e->period, d);
}
