/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_ENGINE_H
#define IBAUDIT_FABRIC_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "fabric/mad.h"

/*
 * Inside the MAD engine; only mad*.c include this.
 *
 * A query waits in `pool`, chained by index behind its destination;
 * destinations that may send stand in a ring per class (`lane`), so that the
 * engine goes round among nodes (mad_queue.c).  In flight it owns a slot
 * (mad_flight.c).  The transaction id is generation and slot, so that a late
 * reply to an earlier owner of a slot is recognised and counted, not
 * believed.  mad_guest.c decides how much is sent, and to whom no more.
 */

#define MAD_LEN 256
#define SLOT_BITS 13 /* of the transaction id; the rest is the generation */
#define NO_SLOT UINT16_MAX

struct waiting {
	struct mad_query q;
	uint32_t next;
};

struct later {
	struct mad_query q;
	int64_t due_us;
};

enum slot_state { SLOT_FREE, SLOT_FLYING, SLOT_PARKED };

struct slot {
	struct mad_query q;
	int64_t sent_us;
	uint32_t generation;
	uint16_t older, newer; /* of the same lane, in the order of sending */
	uint8_t state;
};

/* One management class: its device, window, rate, ready destinations, and
 * what is in flight. */
struct lane {
	uint8_t mgmt_class;
	int fd, agent;
	int window, window_max;
	int in_flight; /* in the window */
	int parked;    /* in flight, and outside of it */
	int unproven;  /* parked since something was answered */
	int rate;
	double tokens;
	int64_t srtt_us;       /* smoothed round trip */
	int64_t overtaken_us;  /* the latest send that was answered */
	struct mad_dest *first, *last;  /* ring */
	uint16_t oldest, newest;        /* in flight */
	uint16_t first_flying; /* what is older is parked */
};

enum { LANE_SMP, LANE_GMP, LANES };

/* A while in which destinations are counted, each once. */
struct period {
	int64_t started_us;
	uint16_t number; /* never 0 */
	int all, all_before, lost;
	int at_floor; /* periods in which no window could be narrowed more */
};

struct mad_engine {
	struct mad_options opt;
	struct lane lanes[LANES];
	struct waiting *pool; /* [0] is unused: index 0 ends a chain */
	size_t n_pool, cap_pool;
	uint32_t free_waiting;
	size_t n_waiting;
	struct later *later;
	size_t n_later, cap_later;
	int64_t later_due_us; /* none of them before that */
	struct slot *slots;
	uint16_t *free_slots;
	int n_slots, n_free_slots;
	struct period period;
	int64_t now_us; /* when something was last received, or waited for */
	int64_t last_tick_us, last_refill_us;
	const char *stopped; /* why nothing is sent any more, or NULL */
	char stopped_text[80];
	struct mad_stats stats;
	uint8_t *buf; /* one umad */
};

struct lane *lane_of(struct mad_engine *e, const struct mad_query *q);

/* --- mad_queue.c --- */

/* Put d at the end of its ring when it has something that it may send. */
void queue_make_ready(struct lane *lane, struct mad_dest *d);

/* Queue q before all that waits for the same destination. */
void queue_first(struct mad_engine *e, const struct mad_query *q);

/* The next query of the ring's first destination; 0: the ring is empty. */
int queue_next(struct mad_engine *e, struct lane *lane, struct mad_query *q);

/* Put what was answered "busy" aside; 0: it was asked often enough. */
int queue_later(struct mad_engine *e, const struct mad_query *q);

/* Queue again what is due, or all of it. */
void queue_take_later(struct mad_engine *e, int64_t now, int all);

/* --- mad_flight.c --- */

/* A slot for q, which is sent at now_us; NO_SLOT when all are taken. */
uint16_t flight_take(struct mad_engine *e, const struct mad_query *q,
		     int64_t now_us);

/* Give slot i back; its destination may send again. */
void flight_release(struct mad_engine *e, uint16_t i);

/* The slot that a received MAD belongs to, or NO_SLOT. */
uint16_t flight_match(const struct mad_engine *e, const uint8_t *mad);
uint32_t flight_tid(const struct mad_engine *e, uint16_t i);

/* Slot i was answered: learn the round trip. */
void flight_answered(struct mad_engine *e, uint16_t i, int64_t now_us);

/* Take what is overdue out of the windows. */
void flight_park(struct mad_engine *e, int64_t now_us);

/* A slot that the kernel forgot, or NO_SLOT. */
uint16_t flight_expired(const struct mad_engine *e, int64_t now_us);

/* Milliseconds until something might be parked, at most max. */
int flight_wait_ms(const struct mad_engine *e, int64_t now_us, int max);

int flight_any(const struct mad_engine *e);

/* --- mad_guest.c --- */

/* Let the rates' tokens grow with the time. */
void guest_refill(struct mad_engine *e, int64_t now_us);

/* Has q's destination stopped answering? */
int guest_is_given_up(const struct mad_query *q);

/* What an answer, or a time-out, says about a destination and the fabric. */
void guest_note(struct mad_engine *e, const struct mad_query *q, int answered,
		int64_t now_us);

/* q was answered "busy" as often as it was asked: lost, but not silent. */
void guest_note_busy(const struct mad_query *q);

/* --- mad_wire.c --- */

/* Send q under that transaction id.  Returns what umad_send() does. */
int wire_send(struct mad_engine *e, const struct lane *lane,
	      const struct mad_query *q, uint32_t tid);

/* Is that MAD a response to a Get? */
int wire_is_response(const uint8_t *mad);

/* The transaction id of a MAD; class, attribute and modifier. */
uint32_t wire_tid(const uint8_t *mad);
int wire_answers(const uint8_t *mad, const struct mad_query *q);

/* What a response says. */
void wire_read(const uint8_t *mad, const struct mad_query *q,
	       struct mad_reply *r);

#endif
