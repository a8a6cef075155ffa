/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "fabric/engine.h"
#include "tap.h"
#include "util/alloc.h"

/* The MAD engine's judgement, on a clock of the test's own: what is parked,
 * when windows shrink and grow, who is given up, when it stops. */

#define MS 1000
#define S 1000000
#define N_DESTS 400

static struct mad_dest dests[N_DESTS];

static void nothing(void *arg, const struct mad_query *q,
		    const struct mad_reply *r)
{
	(void)arg;
	(void)q;
	(void)r;
}

static struct mad_query query(int d, uint8_t mgmt_class)
{
	return (struct mad_query){
		.dest = &dests[d], .done = nothing, .mgmt_class = mgmt_class,
		.attribute = mgmt_class == CLASS_SMP ? ATTR_NODE_INFO :
						       ATTR_CLASS_PORT_INFO,
	};
}

static struct mad_engine *engine(int window, int park_max)
{
	struct mad_engine *e = xcalloc(1, sizeof(*e));
	int i;

	memset(dests, 0, sizeof(dests));
	e->opt = (struct mad_options){ .park_max = park_max,
				       .timeout_ms = 200, .retries = 3 };
	e->n_pool = 1;
	e->pool = xgrow(NULL, 0, &e->cap_pool, sizeof(*e->pool));
	e->period.number = 1;
	e->n_slots = 2 * MAD_WINDOW_MAX + park_max;
	e->slots = xcalloc((size_t)e->n_slots, sizeof(*e->slots));
	e->free_slots = xcalloc((size_t)e->n_slots, sizeof(*e->free_slots));
	for (i = e->n_slots - 1; i >= 0; i--)
		e->free_slots[e->n_free_slots++] = (uint16_t)i;
	for (i = 0; i < LANES; i++) {
		struct lane *lane = &e->lanes[i];

		lane->mgmt_class = i == LANE_SMP ? CLASS_SMP : CLASS_PMA;
		lane->window = lane->window_max = window;
		lane->oldest = lane->newest = lane->first_flying = NO_SLOT;
	}
	return e;
}

static void destroy(struct mad_engine *e)
{
	free(e->pool);
	free(e->slots);
	free(e->free_slots);
	free(e);
}

static uint16_t fly(struct mad_engine *e, int d, int64_t now)
{
	struct mad_query q = query(d, CLASS_PMA);

	return flight_take(e, &q, now);
}

static void answer(struct mad_engine *e, uint16_t i, int64_t now)
{
	flight_answered(e, i, now);
	flight_release(e, i);
}

static void parking(void)
{
	struct mad_engine *e = engine(64, 512);
	struct lane *gmp = &e->lanes[LANE_GMP];
	uint16_t silent = fly(e, 0, 0), other;

	other = fly(e, 1, 1 * MS);
	answer(e, other, 2 * MS);
	flight_park(e, 19 * MS);
	is_int(gmp->in_flight, 1, "20 ms are no silence");
	flight_park(e, 21 * MS);
	is_int(gmp->in_flight, 0, "a query that was overtaken is parked then");
	is_int(gmp->parked, 1, "and counted");
	is_int(gmp->unproven, 0, "with proof");
	is_int(dests[0].in_flight, 1, "its destination waits for it");
	is_int(flight_expired(e, 1799 * MS), NO_SLOT, "it lives on");
	is_int(flight_expired(e, 1801 * MS), silent,
	       "until the kernel must have forgotten it");
	answer(e, silent, 900 * MS);
	is_int(gmp->parked, 0, "a late answer gives its place back");
	is_int(gmp->srtt_us < 20 * MS, 1, "and is no round trip");
	destroy(e);
}

static void slow_path(void)
{
	struct mad_engine *e = engine(64, 512);
	struct lane *gmp = &e->lanes[LANE_GMP];
	uint16_t first = fly(e, N_DESTS - 1, 0);
	int i, round;

	for (i = 0; i < 350; i += 50) {
		for (round = 0; round < 50; round++)
			fly(e, i + round, 1 + i * 100);
		flight_park(e, 10 * S);
	}
	is_int(gmp->parked, 64, "where nothing comes back, a window is parked");
	flight_answered(e, first, 10 * S);
	flight_park(e, 11 * S);
	is_int(gmp->parked, 128, "an answer to one allows another window");
	destroy(e);
}

static void overtaking(void)
{
	struct mad_engine *e = engine(64, 100);
	struct lane *gmp = &e->lanes[LANE_GMP];
	int i;

	for (i = 0; i < 200; i++)
		fly(e, i, i);
	answer(e, fly(e, 300, 1 * MS), 2 * MS);
	flight_park(e, 1 * S);
	is_int(gmp->parked, 100, "no more than allowed");
	is_int(gmp->in_flight, 100, "the others hold their places");
	destroy(e);
}

static void round_trip(void)
{
	struct mad_engine *e = engine(64, 100);
	uint16_t i;
	int64_t at = 0;
	int n;

	for (n = 0; n < 200; n++, at += 10 * MS) {
		i = fly(e, 1, at);
		answer(e, i, at + 5 * MS);
	}
	is_int(e->lanes[LANE_GMP].srtt_us / 500, 9, "the round trip is learnt");
	i = fly(e, 0, at);
	answer(e, fly(e, 1, at + 1), at + 5 * MS);
	flight_park(e, at + 35 * MS);
	is_int(e->lanes[LANE_GMP].parked, 0, "on a slow path 35 ms are no silence");
	flight_park(e, at + 45 * MS);
	is_int(e->lanes[LANE_GMP].parked, 1, "eight round trips are");
	ok(flight_wait_ms(e, at, 100) == 100, "nothing waits: a whole slice");
	flight_release(e, i);
	destroy(e);
}

/* n destinations from `from` on answer, or do not. */
static void note(struct mad_engine *e, int from, int n, int answered,
		 int64_t now)
{
	int i;

	for (i = from; i < from + n; i++) {
		struct mad_query q = query(i, CLASS_PMA);

		guest_note(e, &q, answered, now);
	}
}

static void windows(void)
{
	struct mad_engine *e = engine(64, 100);
	struct lane *gmp = &e->lanes[LANE_GMP];
	int i;

	note(e, 0, 300, 1, 1);
	note(e, 300, 100, 0, 2);
	note(e, 0, 1, 1, 1 * S + 1);
	is_int(gmp->window, 64, "nodes that never answered say nothing");
	note(e, 0, 300, 1, 1 * S + 2);
	note(e, 0, 15, 0, 1 * S + 3);
	note(e, 0, 15, 0, 1 * S + 4);
	note(e, 0, 1, 1, 2 * S + 1);
	is_int(gmp->window, 64, "15 of 300: no more than 5 %%, each counted once");
	note(e, 0, 200, 1, 2 * S + 2);
	note(e, 0, 30, 0, 2 * S + 3);
	note(e, 0, 1, 1, 3 * S + 2);
	is_int(gmp->window, 32, "30 of 200 halve the window");
	is_int(e->lanes[LANE_SMP].window, 32, "and the other's");
	note(e, 0, 1, 1, 4 * S + 2);
	is_int(gmp->window, 41, "a quiet second widens it by an eighth");
	note(e, 0, 1, 1, 5 * S + 2);
	note(e, 0, 1, 1, 6 * S + 2);
	note(e, 0, 1, 1, 7 * S + 2);
	is_int(gmp->window, 64, "to where it was, and no further");
	note(e, 0, 300, 1, 8 * S);
	for (i = 300; i < 360; i++) {
		struct mad_query q = query(i, CLASS_PMA);

		dests[i].has_answered = 1;
		q.attribute = ATTR_PORT_COUNTERS_EXT;
		guest_note(e, &q, 0, 8 * S + 1);
	}
	note(e, 0, 1, 1, 9 * S + 2);
	is_int(gmp->window, 64, "an attribute that many do not answer is none");
	note(e, 300, 20, 0, 9 * S + 3);
	note(e, 0, 1, 1, 10 * S + 3);
	is_int(gmp->window, 32, "20 of the 300 active before are over 5 %%");
	ok(!mad_stopped(e), "it goes on, though few are active in the end");
	destroy(e);
}

static void collapse(void)
{
	struct mad_engine *e = engine(64, 100);
	int64_t at = 0;
	int i;

	note(e, 0, 60, 1, 1);
	note(e, 0, 15, 0, 2);
	note(e, 0, 60, 1, 1 * S);
	ok(!mad_stopped(e), "15 nodes are no collapse");
	note(e, 0, 30, 0, 1 * S + 1);
	note(e, 40, 1, 1, 2 * S + 1);
	ok(mad_stopped(e) && strstr(mad_stopped(e), "30 of 60"),
	   "30 of 60 are: %s", mad_stopped(e) ? mad_stopped(e) : "-");
	destroy(e);

	e = engine(8, 100);
	for (i = 0; i < 12 && !mad_stopped(e); i++, at += S + 1) {
		note(e, 0, 100, 1, at);
		note(e, 0, 10, 0, at);
	}
	ok(mad_stopped(e) != NULL, "no relief at windows of one stops it, too");
	is_int(i >= 6, 1, "after some seconds: %d", i);
	destroy(e);
}

static void smp(struct mad_engine *e, uint16_t attribute, uint8_t exit,
		int answered)
{
	struct mad_query q = query(0, CLASS_SMP);

	q.attribute = attribute;
	q.exit = exit;
	guest_note(e, &q, answered, 1);
}

/* The query that is queued first for destination 0. */
static int queued(const struct mad_engine *e)
{
	return dests[0].first ? e->pool[dests[0].first].q.attribute : 0;
}

static void giving_up(void)
{
	struct mad_engine *e = engine(8, 100);
	struct mad_query own = query(0, CLASS_SMP), probe = own, q;
	int i;

	own.attribute = ATTR_PORT_INFO;
	probe.exit = 3;
	mad_submit(e, &own);
	smp(e, ATTR_PORT_INFO, 0, 0);
	is_int(queued(e), ATTR_NODE_INFO, "a silent node is asked for NodeInfo");
	is_int(guest_is_given_up(&own), 0, "and not yet given up");
	smp(e, ATTR_NODE_INFO, 0, 0);
	is_int(guest_is_given_up(&own), 1, "silent again: given up");
	is_int(guest_is_given_up(&probe), 0, "what is behind it is not");
	for (i = 0; i < 6; i++)
		smp(e, ATTR_NODE_INFO, 3, 0);
	is_int(guest_is_given_up(&probe), 1, "until that is silent as well");
	mad_dest_forgive(&dests[0]);
	is_int(guest_is_given_up(&own), 0, "forgiven");
	for (i = 0; i < 8; i++) {
		smp(e, ATTR_PORT_INFO, 0, 0);
		smp(e, ATTR_NODE_INFO, 0, 1);
	}
	is_int(guest_is_given_up(&own), 1,
	       "NodeInfo and nothing else, eight times: given up");
	is_int(guest_is_given_up(&probe), 0, "and walked through");
	while (queue_next(e, &e->lanes[LANE_SMP], &q))
		queue_make_ready(&e->lanes[LANE_SMP], &dests[0]);
	is_int((int)e->n_waiting, 0, "the queue drains");
	destroy(e);
}

static void transaction_ids(void)
{
	struct mad_engine *e = engine(8, 100);
	uint8_t mad[256] = { 1, CLASS_PMA, 1, 0x81 };
	uint16_t i = fly(e, 0, 1);
	uint32_t tid = flight_tid(e, i);

	mad[12] = (uint8_t)(tid >> 24);
	mad[13] = (uint8_t)(tid >> 16);
	mad[14] = (uint8_t)(tid >> 8);
	mad[15] = (uint8_t)tid;
	mad[17] = ATTR_CLASS_PORT_INFO;
	is_int(flight_match(e, mad), i, "a reply finds its query");
	mad[17] = ATTR_PORT_COUNTERS;
	is_int(flight_match(e, mad), NO_SLOT, "not with another attribute");
	mad[17] = ATTR_CLASS_PORT_INFO;
	mad[23] = 1;
	is_int(flight_match(e, mad), NO_SLOT, "nor with another modifier");
	mad[23] = 0;
	mad[1] = CLASS_SMP;
	is_int(flight_match(e, mad), NO_SLOT, "nor of another class");
	mad[1] = CLASS_PMA;
	flight_release(e, i);
	is_int(flight_match(e, mad), NO_SLOT, "nor when it is over");
	is_int(fly(e, 1, 2), i, "the slot is taken again");
	is_int(flight_match(e, mad), NO_SLOT, "nor by its next owner");
	mad[14] = mad[15] = 0xff;
	is_int(flight_match(e, mad), NO_SLOT, "nor beyond the slots");
	destroy(e);
}

int main(void)
{
	parking();
	slow_path();
	overtaking();
	round_trip();
	windows();
	collapse();
	giving_up();
	transaction_ids();
	return done_testing();
}
