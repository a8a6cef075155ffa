/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/changes.h"

#include <string.h>

#include "report/doc.h"
#include "report/summary.h"
#include "util/clock.h"
#include "util/strbuf.h"

static int is_word_of(const char *words, const char *s)
{
	size_t n = strlen(s);
	const char *at;

	for (at = words; (at = strstr(at, s)); at += n)
		if ((at == words || at[-1] == ' ') &&
		    (at[n] == ' ' || !at[n]))
			return 1;
	return 0;
}

int change_is_in(const struct change *c, const char *groups)
{
	return !groups || is_word_of(groups, change_table[c->kind].group);
}

size_t changes_count(const struct changes *changes, const char *groups)
{
	size_t i, n = 0;

	for (i = 0; i < changes->n; i++)
		n += (size_t)change_is_in(&changes->list[i], groups);
	return n;
}

static json_t *end_object(const struct change_end *e)
{
	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:n, s:n}",
			 "node_guid", doc_guid(e->node_guid),
			 "instance", (int)e->instance,
			 "port", doc_int32(e->port),
			 "node", doc_string(e->node),
			 "lid", doc_int32(e->lid),
			 "label", "place");
}

static json_t *counter_object(const struct change_counter *v)
{
	double hours = (double)v->interval_ms / 3600000;

	return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}",
			 "counter", counter_table[v->counter].column,
			 "value", (json_int_t)v->value,
			 "before", doc_int64(v->before),
			 "delta", doc_int64(v->delta),
			 "per_hour", v->interval_ms > 0 &&
					     v->delta != COUNTER_UNREAD ?
				     json_real((double)v->delta / hours) :
				     json_null(),
			 "interval_s", v->interval_ms > 0 ?
				     doc_rate((double)v->interval_ms / 1000) :
				     json_null());
}

static json_t *change_row(const struct change *c)
{
	json_t *where = json_array(), *counters = json_array();
	size_t i;

	for (i = 0; i < c->n_where; i++)
		json_array_append_new(where, end_object(&c->where[i]));
	for (i = 0; i < c->n_counters; i++)
		json_array_append_new(counters,
				      counter_object(&c->counters[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}",
			 "kind", change_table[c->kind].name,
			 "group", change_table[c->kind].group,
			 "text", doc_string(c->text),
			 "where", where,
			 "before", doc_string(c->before),
			 "after", doc_string(c->after),
			 "counters", counters);
}

static json_t *summary(const struct changes *changes, const char *groups)
{
	json_t *counts = json_object();
	size_t i;

	for (i = 0; i < CHANGE_END; i++)
		json_object_set_new(counts, change_table[i].group,
				    json_integer(0));
	for (i = 0; i < changes->n; i++) {
		const char *group = change_table[changes->list[i].kind].group;
		json_t *was = json_object_get(counts, group);

		if (change_is_in(&changes->list[i], groups))
			json_integer_set(was, json_integer_value(was) + 1);
	}
	return counts;
}

static void add_side(struct strbuf *b, const struct store_snapshot *row,
		     const char *file)
{
	char at[CLOCK_STRLEN + 1];

	if (row)
		strbuf_addf(b, "snapshot %lld (%s)", (long long)row->id,
			    clock_format(row->started_ms, at));
	else
		strbuf_add(b, file ? file : "");
}

static void say_head(struct report *r, const struct comparison *what, size_t n)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_add(&b, "From ");
	add_side(&b, what->a, what->file_a);
	strbuf_add(&b, " to ");
	add_side(&b, what->b, NULL);
	if (n)
		report_say(r, "%s: %zu %s.", b.s, n,
			   plural((int64_t)n, "change", "changes"));
	else
		report_say(r, "%s: nothing changed%s.", b.s,
			   what->b->complete && !what->b->counts.unread_nodes ?
				   "" : " in what was read");
	strbuf_free(&b);
}

/* What was not compared is not said to be the same. */
static void say_gaps(struct report *r, const struct comparison *what)
{
	const char *groups = what->groups;

	if (!what->b->complete || what->b->counts.unread_nodes)
		summary_say_gaps(r, what->b);
	if (!what->counters && (!groups || is_word_of(groups, "counters")))
		report_say(r, "Counters are not compared: %s has none.",
			   what->a ? "one of them" : "a topology file");
}

static const char *side_key(const struct comparison *what)
{
	return what->a ? "from" : "file";
}

void report_changes(struct report *r, const struct comparison *what,
		    const struct changes *changes)
{
	static const struct list list = { "changes", LIST_CHANGES, NULL, NULL,
					  0 };
	size_t n = changes_count(changes, what->groups), i;

	if (report_is_quiet(r) && n)
		report_speak(r);
	report_begin(r, json_pack("{s:o, s:o, s:o}", side_key(what),
				  what->a ? doc_snapshot(what->a) :
					    doc_string(what->file_a),
				  "to", doc_snapshot(what->b), "summary",
				  summary(changes, what->groups)));
	say_head(r, what, n);
	say_gaps(r, what);
	report_list_begin(r, &list);
	for (i = 0; i < changes->n; i++)
		if (change_is_in(&changes->list[i], what->groups) &&
		    report_row(r, change_row(&changes->list[i])) < 0)
			break;
	report_list_end(r);
}
