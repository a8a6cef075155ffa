/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* The events of a history, and what comes out of it. */

struct history_event *history_tell(const struct history *h,
				   struct history_events *e, int64_t snapshot,
				   const char *kind, const char *fmt, ...)
{
	struct history_event *event;
	va_list ap;

	e->list = xgrow(e->list, e->n, &e->cap, sizeof(*e->list));
	event = &e->list[e->n++];
	memset(event, 0, sizeof(*event));
	event->at = history_mark(h, snapshot);
	event->kind = kind;
	event->counter = -1;
	event->value = event->before = event->delta = COUNTER_UNREAD;
	va_start(ap, fmt);
	if (vasprintf(&event->text, fmt, ap) < 0)
		event->text = xstrdup(kind);
	va_end(ap);
	return event;
}

static void free_event(struct history_event *e)
{
	free(e->text);
}

void history_events_free(struct history_events *e)
{
	while (e->n)
		free_event(&e->list[--e->n]);
	free(e->list);
	memset(e, 0, sizeof(*e));
}

/* Merge the halves of a list that are sorted, the first one's equals first. */
static void merge(const struct history_event *a, size_t n,
		  const struct history_event *b, size_t m,
		  struct history_event *out)
{
	while (n || m)
		if (n && (!m || a->at.snapshot <= b->at.snapshot))
			*out++ = *a++, n--;
		else
			*out++ = *b++, m--;
}

/* By snapshot; what is equal stays in its order. */
static void sort(struct history_event *list, size_t n,
		 struct history_event *scratch)
{
	size_t half = n / 2;

	if (n < 2)
		return;
	sort(list, half, scratch);
	sort(list + half, n - half, scratch);
	merge(list, half, list + half, n - half, scratch);
	memcpy(list, scratch, n * sizeof(*list));
}

void history_settle(const struct history *h, struct history_events *e)
{
	struct history_event *scratch = xcalloc(e->n + 1, sizeof(*scratch));
	size_t i, kept = 0;

	sort(e->list, e->n, scratch);
	free(scratch);
	for (i = 0; i < e->n; i++)
		if (e->list[i].at.snapshot < h->since)
			free_event(&e->list[i]);
		else
			e->list[kept++] = e->list[i];
	e->n = kept;
}

void history_now_free(struct history_now *now)
{
	history_end_free(&now->end);
	free(now->state);
	now->state = NULL;
}

void history_port_free(struct history_port *p)
{
	int i;

	history_now_free(&p->now);
	history_events_free(&p->events);
	for (i = 0; i < COUNTER_ERRORS; i++)
		free(p->counters[i].rise);
	memset(p, 0, sizeof(*p));
}

void history_readings_free(struct history_readings *r)
{
	history_now_free(&r->now);
	free(r->list);
	free(r->rises.rise);
	memset(r, 0, sizeof(*r));
}

void history_sms_free(struct history_sms *s)
{
	while (s->n)
		history_end_free(&s->reigns[--s->n].end);
	free(s->reigns);
	history_events_free(&s->events);
	memset(s, 0, sizeof(*s));
}

void history_episode_free(struct history_episode *e)
{
	free(e->ended);
	free(e->severity);
	free(e->message);
	history_end_free(&e->where[0]);
	history_end_free(&e->where[1]);
}

void history_episodes_free(struct history_episodes *e)
{
	while (e->n)
		history_episode_free(&e->list[--e->n]);
	free(e->list);
	memset(e, 0, sizeof(*e));
}
