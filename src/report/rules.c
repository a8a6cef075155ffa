/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/rules.h"

#include <string.h>

#include "model/counter.h"
#include "report/doc.h"
#include "report/summary.h"
#include "util/strbuf.h"
#include "util/text.h"

static json_t *params(const struct rule *rule)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < rule->n_params; i++) {
		const struct rule_param *p = &rule->params[i];

		json_array_append_new(
			a, json_pack("{s:o, s:f, s:f, s:o}",
				     "name", doc_string(p->name),
				     "default", p->fallback,
				     "value", p->value,
				     "doc", doc_string(p->doc)));
	}
	return a;
}

static json_t *rule_row(const struct rule *rule)
{
	return json_pack("{s:o, s:o, s:s, s:b, s:o, s:o, s:o}",
			 "id", doc_string(rule->id),
			 "title", doc_string(rule->title),
			 "severity", severity_name(rule->severity),
			 "enabled", rule->enabled,
			 "broken", doc_string(rule->broken),
			 "path", doc_string(rule->path),
			 "params", params(rule));
}

static const struct column rule_columns[] = {
	{ "RULE", "id", 0 },	   { "SEVERITY", "severity", 0 },
	{ "ENABLED", "enabled", 0 }, { "TITLE", "title", 0 },
	{ NULL, NULL, 0 },
};

void report_rule_list(struct report *r, const struct ruleset *rs)
{
	static const struct list list = { "rules", LIST_TABLE, rule_columns,
					  "No rules.", 0 };
	size_t i;

	report_begin(r, json_object());
	report_list_begin(r, &list);
	for (i = 0; i < rs->n; i++)
		report_row(r, rule_row(&rs->rules[i]));
	report_list_end(r);
	for (i = 0; i < rs->n; i++)
		if (rs->rules[i].broken)
			report_say(r, "Rule %s cannot run: %s (%s)",
				   rs->rules[i].id, rs->rules[i].broken,
				   rs->rules[i].path);
}

static void say_params(struct report *r, const struct rule *rule)
{
	size_t i;

	for (i = 0; i < rule->n_params; i++) {
		const struct rule_param *p = &rule->params[i];

		report_field(r, "parameter", "%s = %g (default %g): %s",
			     p->name, p->value, p->fallback,
			     p->doc ? p->doc : "");
	}
}

static void say_text(struct report *r, const char *label, const char *text)
{
	if (text && *text)
		report_field(r, label, "%s", text);
}

static void show_sql(struct report *r, const char *sql)
{
	struct strbuf b = STRBUF_INIT;

	text_clean(&b, sql, strlen(sql));
	report_verbatim(r, b.s);
	strbuf_free(&b);
}

void report_rule(struct report *r, const struct rule *rule)
{
	json_t *doc = rule_row(rule);

	json_object_set_new(doc, "why", doc_string(rule->why));
	json_object_set_new(doc, "remedy", doc_string(rule->remedy));
	json_object_set_new(doc, "false_positives",
			    doc_string(rule->false_positives));
	json_object_set_new(doc, "sql", doc_string(rule->sql));
	report_begin(r, json_pack("{s:o}", "rule", doc));
	report_say(r, "%s: %s", rule->id, rule->title ? rule->title : "");
	say_text(r, "severity", severity_name(rule->severity));
	say_text(r, "file", rule->path);
	say_text(r, "cannot run", rule->broken);
	say_text(r, "why", rule->why);
	say_text(r, "remedy", rule->remedy);
	say_text(r, "unless", rule->false_positives);
	say_params(r, rule);
	if (rule->sql)
		show_sql(r, rule->sql);
}

static const struct column test_columns[] = {
	{ "RULE", "rule", 0 },
	{ "RUNS", "ok", 0 },
	{ "REASON", "reason", 0 },
	{ NULL, NULL, 0 },
};

void report_rule_test(struct report *r, const struct ruleset *rs)
{
	static const struct list list = { "rules", LIST_TABLE, test_columns,
					  "No rule file there.", 0 };
	size_t i;

	report_begin(r, json_object());
	report_list_begin(r, &list);
	for (i = 0; i < rs->n; i++) {
		const struct rule *rule = &rs->rules[i];

		report_row(r, json_pack("{s:o, s:o, s:b, s:o}",
					"rule", doc_string(rule->id),
					"path", doc_string(rule->path),
					"ok", !rule->broken,
					"reason", doc_string(rule->broken)));
	}
	report_list_end(r);
}

/* What ClassPortInfo must announce, or when it is asked, in words. */
static const char *needs(const struct counter_row *row)
{
	static const char *const words[] = {
		[CAP_NONE] = "always there",
		[CAP_XMIT_WAIT] = "CapabilityMask bit 12",
		[CAP_QP1_DROP] = "CapabilityMask bit 15",
		[CAP_EXT_SPLIT] = "CapabilityMask bit 9",
	};

	if (row->kind == COUNTER_RCV_DETAIL)
		return "PortRcvErrors rose";
	if (row->kind == COUNTER_XMIT_DETAIL)
		return "PortXmitDiscards rose";
	return words[row->cap];
}

static json_t *counter_object(const struct counter_row *row)
{
	static const char *const kinds[] = { "error", "congestion", "data",
					     "detail", "detail" };

	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i}",
			 "column", row->column,
			 "name", row->name,
			 "kind", kinds[row->kind],
			 "unit", row->unit,
			 "needs", needs(row),
			 "doc", row->doc,
			 "bits", (int)row->pc.width,
			 "extended_bits", (int)row->ext.width);
}

static const struct column counter_columns[] = {
	{ "COLUMN", "column", 0 }, { "BITS", "bits", 1 },
	{ "EXT", "extended_bits", 1 }, { "KIND", "kind", 0 },
	{ "MEANING", "doc", 0 },   { NULL, NULL, 0 },
};

void report_counter_table(struct report *r)
{
	static const struct list list = { "counters", LIST_TABLE,
					  counter_columns, NULL, 0 };
	int i;

	report_begin(r, json_object());
	report_list_begin(r, &list);
	for (i = 0; i < COUNTER_COUNT; i++)
		report_row(r, counter_object(&counter_table[i]));
	report_list_end(r);
}
