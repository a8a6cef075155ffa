/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/engine.h"
#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * A destination is in its lane's ring when it has a query waiting and none in
 * flight.  It leaves the ring with each query that it gives and comes back at
 * the end, so that no node waits for another's ports.
 */

#define BUSY_WAIT_US 20000
#define BUSY_MAX 5 /* IBA 13.4.7: a busy node may be asked again */

static uint32_t take_waiting(struct mad_engine *e)
{
	uint32_t i = e->free_waiting;

	e->n_waiting++;
	if (i) {
		e->free_waiting = e->pool[i].next;
		return i;
	}
	e->pool = xgrow(e->pool, e->n_pool, &e->cap_pool, sizeof(*e->pool));
	return (uint32_t)e->n_pool++;
}

void queue_make_ready(struct lane *lane, struct mad_dest *d)
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
	queue_make_ready(lane_of(e, q), d);
}

void queue_first(struct mad_engine *e, const struct mad_query *q)
{
	uint32_t i = take_waiting(e);
	struct mad_dest *d = q->dest;

	e->pool[i].q = *q;
	e->pool[i].next = d->first;
	if (!d->first)
		d->last = i;
	d->first = i;
	queue_make_ready(lane_of(e, q), d);
}

int queue_next(struct mad_engine *e, struct lane *lane, struct mad_query *q)
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

int queue_later(struct mad_engine *e, const struct mad_query *q)
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
	if (e->n_later == 1 || l->due_us < e->later_due_us)
		e->later_due_us = l->due_us;
	return 1;
}

void queue_take_later(struct mad_engine *e, int64_t now, int all)
{
	size_t i = 0;
	int64_t next = INT64_MAX;

	if (!all && e->later_due_us > now)
		return;
	while (i < e->n_later) {
		struct mad_query q = e->later[i].q;

		if (!all && e->later[i].due_us > now) {
			if (e->later[i].due_us < next)
				next = e->later[i].due_us;
			i++;
			continue;
		}
		e->later[i] = e->later[--e->n_later];
		mad_submit(e, &q);
	}
	e->later_due_us = next;
}
