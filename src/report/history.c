/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/history.h"

#include "report/doc.h"
#include "report/spark.h"
#include "util/clock.h"
#include "util/strbuf.h"

#define SPARK_WIDTH 40 /* columns, beside the name of a counter */

static json_t *time_of(const struct history_mark *m)
{
	return m->ms ? doc_time(m->ms) : json_null();
}

static json_t *mark_object(const struct history_mark *m)
{
	if (!m->snapshot)
		return json_null();
	return json_pack("{s:I, s:o}", "snapshot", (json_int_t)m->snapshot,
			 "time", time_of(m));
}

static json_t *end_object(const struct history_end *e)
{
	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:n, s:n}",
			 "node_guid", doc_guid(e->node_guid),
			 "instance", (int)e->instance,
			 "port", doc_int32(e->port),
			 "node", doc_string(e->node),
			 "lid", doc_int32(e->lid),
			 "label", "place");
}

static void say_now(struct report *r, const struct history_now *now)
{
	struct strbuf b = STRBUF_INIT;
	json_t *guid = doc_guid(now->end.node_guid);

	history_add_end(&b, &now->end);
	report_say(r, "%s (%s): %s", b.s, json_string_value(guid), now->state);
	json_decref(guid);
	strbuf_free(&b);
}

static json_t *event_row(const struct history_event *e)
{
	return json_pack("{s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o}",
			 "snapshot", (json_int_t)e->at.snapshot,
			 "time", time_of(&e->at),
			 "kind", e->kind,
			 "text", doc_string(e->text),
			 "counter", e->counter < 0 ? json_null() :
				 json_string(counter_table[e->counter].column),
			 "value", doc_int64(e->value),
			 "before", doc_int64(e->before),
			 "delta", doc_int64(e->delta));
}

static void walk_events(struct report *r, const struct history_events *e)
{
	static const struct column columns[] = {
		{ "SNAPSHOT", "snapshot", 1 },
		{ "TIME", "time", 0 },
		{ "WHAT", "text", 0 },
		{ NULL, NULL, 0 },
	};
	static const struct list list = { "changes", LIST_TABLE, columns,
					  "Nothing changed.", 0 };
	size_t i;

	report_list_begin(r, &list);
	for (i = 0; i < e->n; i++)
		if (report_row(r, event_row(&e->list[i])) < 0)
			break;
	report_list_end(r);
}

static void say_spark(struct report *r, int counter,
		      const struct history_rises *rises)
{
	struct strbuf b = STRBUF_INIT;

	if (!report_is_terminal(r) || !rises->n)
		return;
	spark_add(&b, rises->rise, rises->n, SPARK_WIDTH, spark_has_utf8());
	report_say(r, "%-*s %s %lld", 31, counter_table[counter].name, b.s,
		   (long long)rises->last);
	strbuf_free(&b);
}

static void begin_place(struct report *r, const char *fabric, const char *key,
			const struct history_now *now)
{
	report_begin(r, json_pack("{s:o, s:o, s:o}", "fabric",
				  doc_string(fabric), key,
				  end_object(&now->end), "now",
				  doc_string(now->state)));
	say_now(r, now);
}

void report_history_port(struct report *r, const char *fabric,
			 const struct history_port *p)
{
	int i;

	begin_place(r, fabric, "port", &p->now);
	for (i = 0; i < COUNTER_ERRORS; i++)
		if (p->counters[i].moved)
			say_spark(r, i, &p->counters[i]);
	walk_events(r, &p->events);
}

void report_history_node(struct report *r, const char *fabric,
			 const struct history_now *now,
			 const struct history_events *e)
{
	begin_place(r, fabric, "node", now);
	walk_events(r, e);
}

static const char *note_of(const struct store_move *m)
{
	if (m->reset)
		return "cleared";
	return m->saturated ? "at its maximum" : NULL;
}

static json_t *reading_row(const struct history_reading *v)
{
	const struct store_move *m = &v->move;
	double hours = (double)m->interval_ms / 3600000;
	int has_rate = m->interval_ms > 0 && m->delta != COUNTER_UNREAD;

	return json_pack("{s:I, s:o, s:I, s:o, s:o, s:b, s:b, s:o}",
			 "snapshot", (json_int_t)v->at.snapshot,
			 "time", time_of(&v->at),
			 "value", (json_int_t)m->value,
			 "delta", doc_int64(m->delta),
			 "per_hour", has_rate ?
				 json_integer((json_int_t)((double)m->delta /
							   hours)) :
				 json_null(),
			 "reset", m->reset, "saturated", m->saturated,
			 "note", doc_string(note_of(m)));
}

void report_history_readings(struct report *r, const char *fabric, int counter,
			     const struct history_readings *p)
{
	static const struct column columns[] = {
		{ "SNAPSHOT", "snapshot", 1 }, { "TIME", "time", 0 },
		{ "VALUE", "value", 1 },       { "DELTA", "delta", 1 },
		{ "PER HOUR", "per_hour", 1 }, { "NOTE", "note", 0 },
		{ NULL, NULL, 0 },
	};
	static const struct list list = { "readings", LIST_TABLE, columns,
					  "It was never read.", 0 };
	size_t i;

	report_begin(r, json_pack("{s:o, s:o, s:o, s:s}", "fabric",
				  doc_string(fabric), "port",
				  end_object(&p->now.end), "now",
				  doc_string(p->now.state), "counter",
				  counter_table[counter].column));
	say_now(r, &p->now);
	report_say(r, "%s, %s", counter_table[counter].name,
		   counter_table[counter].unit);
	say_spark(r, counter, &p->rises);
	report_list_begin(r, &list);
	for (i = 0; i < p->n; i++)
		if (report_row(r, reading_row(&p->list[i])) < 0)
			break;
	report_list_end(r);
}

static json_t *reign_row(const struct history_reign *g)
{
	double s = (double)(g->last.ms - g->from.ms) / 1000;
	char span[CLOCK_SPAN_LEN + 1];
	struct strbuf b = STRBUF_INIT;
	json_t *row;

	history_add_end(&b, &g->end);
	row = json_pack("{s:o, s:o, s:o, s:b, s:o, s:s}",
			"manager", end_object(&g->end),
			"from", mark_object(&g->from),
			"last", mark_object(&g->last),
			"stands", g->open,
			"name", doc_string(b.s),
			"for", s > 0 ? clock_span(s, span) : "one sweep");
	strbuf_free(&b);
	return row;
}

void report_history_sms(struct report *r, const char *fabric,
			const struct history_sms *s)
{
	static const struct column columns[] = {
		{ "MASTER SINCE", "from.time", 0 },
		{ "LAST SEEN", "last.time", 0 },
		{ "FOR", "for", 0 },
		{ "STANDS", "stands", 0 },
		{ "MASTER", "name", 0 },
		{ NULL, NULL, 0 },
	};
	static const struct list list = { "masters", LIST_TABLE, columns,
					  "No master was seen.", 0 };
	size_t i;

	report_begin(r, json_pack("{s:o}", "fabric", doc_string(fabric)));
	report_list_begin(r, &list);
	for (i = 0; i < s->n; i++)
		if (report_row(r, reign_row(&s->reigns[i])) < 0)
			break;
	report_list_end(r);
	walk_events(r, &s->events);
}

/* "leaf1 port 5 to h1 port 1: went down 3 times" */
static json_t *text_of(const struct history_episode *e)
{
	struct strbuf b = STRBUF_INIT;
	json_t *text;
	size_t i;

	for (i = 0; i < e->n_where; i++) {
		strbuf_add(&b, i ? " to " : "");
		history_add_end(&b, &e->where[i]);
	}
	strbuf_addf(&b, "%s%s", b.len ? ": " : "",
		    e->message ? e->message : "");
	text = doc_string(b.s);
	strbuf_free(&b);
	return text;
}

static json_t *episode_row(const struct history_episode *e)
{
	double s = (double)(e->last.ms - e->first.ms) / 1000;
	char span[CLOCK_SPAN_LEN + 1];
	json_t *where = json_array();
	size_t i;

	for (i = 0; i < e->n_where; i++)
		json_array_append_new(where, end_object(&e->where[i]));
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:s}",
			 "first", mark_object(&e->first),
			 "last", mark_object(&e->last),
			 "closed", mark_object(&e->closed),
			 "ended", e->ended ? e->ended : "open",
			 "severity", doc_string(e->severity),
			 "message", doc_string(e->message),
			 "where", where,
			 "text", text_of(e),
			 "for", s > 0 ? clock_span(s, span) : "one sweep");
}

void report_history_rule(struct report *r, const char *fabric, const char *rule,
			 const struct history_episodes *e)
{
	static const struct column columns[] = {
		{ "SINCE", "first.time", 0 },
		{ "FOR", "for", 0 },
		{ "ENDED", "ended", 0 },
		{ "WHAT", "text", 0 },
		{ NULL, NULL, 0 },
	};
	static const struct list list = { "episodes", LIST_TABLE, columns,
					  "It found nothing, in any run.", 0 };
	size_t i;

	report_begin(r, json_pack("{s:o, s:o}", "fabric", doc_string(fabric),
				  "rule", doc_string(rule)));
	report_list_begin(r, &list);
	for (i = 0; i < e->n; i++)
		if (report_row(r, episode_row(&e->list[i])) < 0)
			break;
	report_list_end(r);
}
