/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/engine.h"

/*
 * Notes
 *
 * The slots of a lane are chained in the order of sending, which is the order
 * in which they expire, since all live equally long.  The kernel retries and
 * reports a time-out as a MAD with a status; some of its send failures it
 * drops silently, so that a slot expires by itself SLACK_US later.
 *
 * A silent node would hold its place in the window for the whole of
 * timeout x (retries + 1).  So a query that is overdue is parked: it leaves
 * the window, its destination still waits for it.  Overdue means that it took
 * PARK_ROUND_TRIPS times as long as others do, and that something which was
 * sent after it has been answered: where nothing at all comes back, it is not
 * the node that is slow, and sending more would not help.  UNPROVEN_MAX
 * queries of a lane may be parked without that proof, so that a window full of
 * dead nodes does not stand still.  Parked queries are the oldest ones.
 */

#define PARK_MIN_US 20000
#define PARK_ROUND_TRIPS 8
#define UNPROVEN_MAX MAD_WINDOW_MAX
#define SLACK_US 1000000 /* beyond the kernel's own time-outs */

uint32_t flight_tid(const struct mad_engine *e, uint16_t i)
{
	return e->slots[i].generation << SLOT_BITS | i;
}

uint16_t flight_match(const struct mad_engine *e, const uint8_t *mad)
{
	uint32_t tid = wire_tid(mad);
	uint16_t i = tid & ((1u << SLOT_BITS) - 1);

	if (i >= e->n_slots || e->slots[i].state == SLOT_FREE ||
	    flight_tid(e, i) != tid || !wire_answers(mad, &e->slots[i].q))
		return NO_SLOT;
	return i;
}

static void link_newest(struct mad_engine *e, struct lane *lane, uint16_t i)
{
	struct slot *s = &e->slots[i];

	s->newer = NO_SLOT;
	s->older = lane->newest;
	if (lane->newest != NO_SLOT)
		e->slots[lane->newest].newer = i;
	else
		lane->oldest = i;
	lane->newest = i;
	if (lane->first_flying == NO_SLOT)
		lane->first_flying = i;
}

static void unlink_slot(struct mad_engine *e, struct lane *lane, uint16_t i)
{
	const struct slot *s = &e->slots[i];

	if (lane->first_flying == i)
		lane->first_flying = s->newer;
	if (s->older != NO_SLOT)
		e->slots[s->older].newer = s->newer;
	else
		lane->oldest = s->newer;
	if (s->newer != NO_SLOT)
		e->slots[s->newer].older = s->older;
	else
		lane->newest = s->older;
}

uint16_t flight_take(struct mad_engine *e, const struct mad_query *q,
		     int64_t now_us)
{
	struct lane *lane = lane_of(e, q);
	struct slot *s;
	uint16_t i;

	if (!e->n_free_slots)
		return NO_SLOT;
	i = e->free_slots[--e->n_free_slots];
	s = &e->slots[i];
	s->q = *q;
	s->state = SLOT_FLYING;
	s->generation++;
	s->sent_us = now_us;
	link_newest(e, lane, i);
	lane->in_flight++;
	q->dest->in_flight++;
	return i;
}

void flight_release(struct mad_engine *e, uint16_t i)
{
	struct slot *s = &e->slots[i];
	struct lane *lane = lane_of(e, &s->q);

	unlink_slot(e, lane, i);
	if (s->state == SLOT_PARKED)
		lane->parked--;
	else
		lane->in_flight--;
	s->state = SLOT_FREE;
	e->free_slots[e->n_free_slots++] = i;
	s->q.dest->in_flight--;
	queue_make_ready(lane, s->q.dest);
}

void flight_answered(struct mad_engine *e, uint16_t i, int64_t now_us)
{
	const struct slot *s = &e->slots[i];
	struct lane *lane = lane_of(e, &s->q);

	/* Later it is not known which of the kernel's tries was answered. */
	if (now_us - s->sent_us < (int64_t)e->opt.timeout_ms * 1000)
		lane->srtt_us += (now_us - s->sent_us - lane->srtt_us) / 8;
	if (s->sent_us > lane->overtaken_us)
		lane->overtaken_us = s->sent_us;
	lane->unproven = 0;
}

static int64_t park_after(const struct lane *lane)
{
	int64_t us = lane->srtt_us * PARK_ROUND_TRIPS;

	return us > PARK_MIN_US ? us : PARK_MIN_US;
}

static int n_parked(const struct mad_engine *e)
{
	return e->lanes[LANE_SMP].parked + e->lanes[LANE_GMP].parked;
}

/* Park the lane's first that is not; 0 when there is no reason to. */
static int park_one(struct mad_engine *e, struct lane *lane, int64_t now_us)
{
	struct slot *s;

	if (lane->first_flying == NO_SLOT ||
	    n_parked(e) >= e->opt.park_max)
		return 0;
	s = &e->slots[lane->first_flying];
	if (now_us - s->sent_us < park_after(lane))
		return 0;
	if (s->sent_us >= lane->overtaken_us) {
		if (lane->unproven >= UNPROVEN_MAX)
			return 0;
		lane->unproven++;
	}
	s->state = SLOT_PARKED;
	lane->first_flying = s->newer;
	lane->in_flight--;
	lane->parked++;
	return 1;
}

void flight_park(struct mad_engine *e, int64_t now_us)
{
	int i;

	for (i = 0; i < LANES; i++)
		while (park_one(e, &e->lanes[i], now_us))
			;
}

uint16_t flight_expired(const struct mad_engine *e, int64_t now_us)
{
	int64_t live_us = SLACK_US + (int64_t)e->opt.timeout_ms * 1000 *
				     (e->opt.retries + 1);
	int i;

	for (i = 0; i < LANES; i++) {
		uint16_t oldest = e->lanes[i].oldest;

		if (oldest != NO_SLOT &&
		    e->slots[oldest].sent_us + live_us <= now_us)
			return oldest;
	}
	return NO_SLOT;
}

int flight_wait_ms(const struct mad_engine *e, int64_t now_us, int max)
{
	int i, ms = max;

	for (i = 0; i < LANES; i++) {
		const struct lane *lane = &e->lanes[i];
		int64_t us;

		if (lane->first_flying == NO_SLOT || !lane->first)
			continue;
		us = e->slots[lane->first_flying].sent_us + park_after(lane) -
		     now_us;
		if (us < (int64_t)ms * 1000)
			ms = us < 1000 ? 1 : (int)(us / 1000) + 1;
	}
	return ms;
}

int flight_any(const struct mad_engine *e)
{
	return e->lanes[LANE_SMP].oldest != NO_SLOT ||
	       e->lanes[LANE_GMP].oldest != NO_SLOT;
}
