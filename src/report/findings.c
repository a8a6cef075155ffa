/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/findings.h"

#include "report/doc.h"
#include "report/rows.h"
#include "report/summary.h"
#include "util/clock.h"
#include "util/strbuf.h"

static int did_not_run(const struct rule *rule)
{
	return rule->enabled && rule->broken;
}

size_t verdict_broken(const struct verdict *v)
{
	size_t i, n = 0;

	for (i = 0; i < v->rules->n; i++)
		n += did_not_run(&v->rules->rules[i]);
	return n;
}

enum severity verdict_severity(const struct verdict *v)
{
	if (v->findings->count[SEVERITY_ERROR])
		return SEVERITY_ERROR;
	if (v->findings->count[SEVERITY_WARNING] || verdict_broken(v))
		return SEVERITY_WARNING;
	return SEVERITY_INFO;
}

static json_t *summary(const struct findings *f)
{
	return json_pack("{s:I, s:I, s:I}",
			 "error", (json_int_t)f->count[SEVERITY_ERROR],
			 "warning", (json_int_t)f->count[SEVERITY_WARNING],
			 "info", (json_int_t)f->count[SEVERITY_INFO]);
}

static json_t *end_object(const struct finding_end *e)
{
	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:n, s:n}",
			 "node_guid", doc_guid(e->node_guid),
			 "instance", (int)e->instance,
			 "port", doc_int32(e->port),
			 "node", doc_string(e->node),
			 "lid", doc_int32(e->lid),
			 "label", "place");
}

/* Since when it stands, and how long that is as of this snapshot. */
static json_t *since_object(const struct finding *f,
			    const struct store_snapshot *now)
{
	double s = now ? (double)(now->started_ms - f->since_ms) / 1000 : 0;

	if (!f->since_snapshot)
		return json_null();
	return json_pack("{s:I, s:o, s:f}",
			 "snapshot", (json_int_t)f->since_snapshot,
			 "time", doc_time(f->since_ms),
			 "seconds", s > 0 ? s : 0.0);
}

static json_t *finding_row(const struct finding *f,
			   const struct store_snapshot *now)
{
	json_t *where = json_array();
	int i;

	for (i = 0; i < f->n_where; i++)
		json_array_append_new(where, end_object(&f->where[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "rule", f->rule->id,
			 "severity", severity_name(f->severity),
			 "title", doc_string(f->rule->title),
			 "message", doc_string(f->message),
			 "remedy", doc_string(f->rule->remedy),
			 "where", where,
			 "since", since_object(f, now),
			 "values", f->values ? json_incref(f->values) :
					       json_object());
}

static void walk_findings(struct report *r, const struct verdict *v,
			  enum severity least)
{
	static const struct list list = { "findings", LIST_FINDINGS, NULL,
					  NULL, 0 };
	const struct findings *f = v->findings;
	size_t i;

	report_list_begin(r, &list);
	for (i = 0; i < f->n; i++)
		if (f->list[i].severity >= least &&
		    report_row(r, finding_row(&f->list[i], v->snapshot)) < 0)
			break;
	report_list_end(r);
}

static void walk_broken(struct report *r, const struct ruleset *rs)
{
	static const struct list list = { "broken", LIST_BROKEN, NULL, NULL,
					  0 };
	size_t i;

	report_list_begin(r, &list);
	for (i = 0; i < rs->n; i++)
		if (did_not_run(&rs->rules[i]))
			report_row(r, json_pack(
				"{s:o, s:o, s:o}",
				"rule", doc_string(rs->rules[i].id),
				"path", doc_string(rs->rules[i].path),
				"reason", doc_string(rs->rules[i].broken)));
	report_list_end(r);
}

/* Nothing that a rule could have looked at is missing. */
static int saw_all(const struct store_snapshot *row)
{
	return row->complete && !row->counts.failures &&
	       !row->counts.unread_nodes && row->with_counters &&
	       row->pma_answered >= row->pma_asked;
}

/* "2 errors, 1 warning", or "nothing found".  What is not wrong is so in what
 * was read only, unless that was all. */
static void add_found(struct strbuf *b, const struct verdict *v, int all)
{
	static const char *const many[] = { "infos", "warnings", "errors" };
	size_t broken = verdict_broken(v);
	int s;

	for (s = SEVERITY_ERROR; s >= SEVERITY_INFO; s--) {
		size_t n = v->findings->count[s];

		if (n)
			strbuf_addf(b, "%s%zu %s", b->len ? ", " : "", n,
				    plural((int64_t)n, severity_name(s),
					   many[s]));
	}
	if (!b->len)
		strbuf_add(b, "nothing found");
	if (!all && verdict_severity(v) == SEVERITY_INFO)
		strbuf_add(b, " in what was read");
	if (broken)
		strbuf_addf(b, "; %zu %s did not run", broken,
			    plural((int64_t)broken, "rule", "rules"));
}

static const char *verdict_word(const struct verdict *v)
{
	static const char *const words[] = { "OK", "WARNING", "ERROR" };

	return words[verdict_severity(v)];
}

static void say_verdict(struct report *r, const struct verdict *v, int all)
{
	struct strbuf b = STRBUF_INIT;

	add_found(&b, v, all);
	report_say(r, "%s: %s", verdict_word(v), b.s);
	strbuf_free(&b);
}

static void say_basis(struct report *r, const struct verdict *v)
{
	char at[CLOCK_STRLEN + 1], before[CLOCK_STRLEN + 1];

	clock_format(v->snapshot->started_ms, at);
	if (v->baseline)
		report_say(r, "Snapshot %lld of fabric %s (%s), compared with "
			   "%lld (%s).", (long long)v->snapshot->id,
			   v->snapshot->fabric, at,
			   (long long)v->baseline->id,
			   clock_format(v->baseline->started_ms, before));
	else
		report_say(r, "Snapshot %lld of fabric %s (%s). None before "
			   "it: nothing is said about change.",
			   (long long)v->snapshot->id, v->snapshot->fabric,
			   at);
}

/* Quiet: nothing at all while nothing is wrong, and no infos beside what is.
 * Returns the least severity that is told. */
static enum severity settle_quiet(struct report *r, const struct verdict *v)
{
	if (!report_is_quiet(r))
		return SEVERITY_INFO;
	if (verdict_severity(v) > SEVERITY_INFO)
		report_speak(r);
	return SEVERITY_WARNING;
}

static void walk(struct report *r, const struct verdict *v, int with_counts)
{
	enum severity least = settle_quiet(r, v);
	json_t *head = json_pack("{s:o, s:o}",
				 "snapshot", doc_snapshot(v->snapshot),
				 "baseline", v->baseline ?
					     doc_snapshot(v->baseline) :
					     json_null());

	if (with_counts)
		json_object_set_new(head, "counts",
				    doc_counts(&v->snapshot->counts));
	json_object_set_new(head, "summary", summary(v->findings));
	report_begin(r, head);
	say_verdict(r, v, saw_all(v->snapshot));
	say_basis(r, v);
	summary_say_counts(r, &v->snapshot->counts);
	summary_say_gaps(r, v->snapshot);
	walk_findings(r, v, least);
	walk_broken(r, v->rules);
}

void report_check(struct report *r, const struct verdict *v)
{
	walk(r, v, 0);
}

void report_run(struct report *r, const struct verdict *v)
{
	walk(r, v, 1);
}

void report_sm(struct report *r, const struct verdict *v,
	       const struct snapshot *s)
{
	static const char *const words[] = { "ok", "warning", "error" };
	enum severity least = settle_quiet(r, v);

	report_begin(r, json_pack("{s:s}", "verdict",
				  words[verdict_severity(v)]));
	say_verdict(r, v, v->snapshot->complete);
	if (!report_is_quiet(r))
		report_rows(r, row_list_find("sms"), s);
	walk_findings(r, v, least);
	walk_broken(r, v->rules);
}
