/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/table.h"
#include "report/wrap.h"
#include "report/writer.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * Text for a terminal, a mail or a ticket.  Findings come sorted, so that
 * those of one rule stand together: its title is written once above them and
 * its remedy once below.  Names are safe to show by the time they get here.
 */

struct state {
	struct table *table; /* of an open LIST_TABLE */
	char *group;         /* severity and rule of the open block, or NULL */
	char *remedy;        /* of the open block */
	int written;         /* something stands above */
	int gap;             /* a blank line is due before the next part */
};

static void part(struct report *r)
{
	struct state *st = r->state;

	if (st->gap && st->written)
		putc('\n', r->opt.out);
	st->gap = 0;
	st->written = 1;
}

static void begin(struct report *r, const json_t *head)
{
	(void)head;
	if (!r->state)
		r->state = xcalloc(1, sizeof(struct state));
}

static void say(struct report *r, const char *sentence)
{
	part(r);
	wrap(r->opt.out, "", "  ", sentence);
}

static void field(struct report *r, const char *label, const char *value)
{
	char first[32], rest[32];

	part(r);
	snprintf(first, sizeof(first), "  %-10s ", label);
	snprintf(rest, sizeof(rest), "%*s", (int)strlen(first), "");
	wrap(r->opt.out, first, rest, value);
}

static void verbatim(struct report *r, const char *text)
{
	struct state *st = r->state;

	st->gap = 1;
	part(r);
	text += strspn(text, "\n");
	fputs(text, r->opt.out);
	if (*text && text[strlen(text) - 1] != '\n')
		putc('\n', r->opt.out);
}

static void list_begin(struct report *r, const struct list *list)
{
	struct state *st = r->state;

	if (list->kind == LIST_TABLE)
		st->table = table_create(r->opt.out, list, r->opt.terminal);
	st->gap = 1;
}

static const char *str(const json_t *row, const char *path)
{
	const char *s = json_string_value(table_member(row, path));

	return s ? s : "";
}

/* The severity in capitals; red or yellow where there are colours. */
static void add_severity(struct report *r, struct strbuf *b,
			 const char *severity)
{
	const char *color = !strcmp(severity, "error")	 ? "31;1" :
			    !strcmp(severity, "warning") ? "33;1" :
							   "36";

	if (r->opt.color)
		strbuf_addf(b, "\033[%sm", color);
	for (; *severity; severity++)
		strbuf_addf(b, "%c", toupper((unsigned char)*severity));
	strbuf_add(b, r->opt.color ? "\033[0m " : " ");
}

static void close_group(struct report *r)
{
	struct state *st = r->state;

	if (st->group && st->remedy && *st->remedy)
		wrap(r->opt.out, "  Do: ", "      ", st->remedy);
	free(st->group);
	free(st->remedy);
	st->group = st->remedy = NULL;
}

/* "ERROR link-speed: Link runs slower than both ends have enabled" */
static void open_group(struct report *r, const json_t *row, char *group)
{
	struct state *st = r->state;
	struct strbuf word = STRBUF_INIT, title = STRBUF_INIT;

	close_group(r);
	if (r->n_rows)
		st->gap = 1;
	part(r);
	st->group = group;
	st->remedy = xstrdup(str(row, "remedy"));
	add_severity(r, &word, str(row, "severity"));
	strbuf_addf(&title, "%s: %s", str(row, "rule"), str(row, "title"));
	wrap(r->opt.out, word.s, "  ", title.s);
	strbuf_free(&word);
	strbuf_free(&title);
}

static void add_end(struct report *r, const json_t *end, const char *lead)
{
	struct strbuf b = STRBUF_INIT;
	const json_t *port = json_object_get(end, "port");
	const json_t *lid = json_object_get(end, "lid");

	strbuf_add(&b, lead);
	strbuf_add(&b, *str(end, "node") ? str(end, "node") : "(no name)");
	if (json_is_integer(port))
		strbuf_addf(&b, ", port %d", (int)json_integer_value(port));
	strbuf_addf(&b, " (%s", str(end, "node_guid"));
	if (json_integer_value(json_object_get(end, "instance")))
		strbuf_addf(&b, ", duplicate %d",
			    (int)json_integer_value(
				    json_object_get(end, "instance")));
	if (json_is_integer(lid))
		strbuf_addf(&b, ", LID %d", (int)json_integer_value(lid));
	strbuf_add(&b, ")");
	wrap(r->opt.out, "    ", "      ", b.s);
	strbuf_free(&b);
}

static void add_values(struct report *r, const json_t *values)
{
	struct strbuf b = STRBUF_INIT;
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)values, key, v) {
		if (json_is_null(v))
			continue;
		strbuf_addf(&b, "%s%s ", b.len ? ", " : "", key);
		table_cell(&b, v);
	}
	if (b.len)
		wrap(r->opt.out, "      ", "      ", b.s);
	strbuf_free(&b);
}

/* What stands before the second place.  A cable leads there, unless the finding
 * is about nodes, or about two of which none need hang at the other: subnet
 * managers, what shares a GUID, and plugs to exchange. */
static const char *second_lead(const json_t *row, const json_t *where)
{
	const json_t *first = json_array_get(where, 0);
	const char *rule = str(row, "rule");

	if (!json_is_integer(json_object_get(first, "port")) ||
	    !strncmp(rule, "sm-", 3) || !strncmp(rule, "dup-", 4) ||
	    !strcmp(rule, "link-miscabled"))
		return "and ";
	return "to ";
}

/* "since 2026-01-31T12:00:00.000Z, 5 h (snapshot 12)": not of what is new. */
static void add_since(struct report *r, const json_t *since)
{
	double s = json_number_value(json_object_get(since, "seconds"));
	char span[CLOCK_SPAN_LEN + 1];
	struct strbuf b = STRBUF_INIT;

	if (s <= 0)
		return;
	strbuf_addf(&b, "since %s, %s (snapshot %lld)", str(since, "time"),
		    clock_span(s, span),
		    (long long)json_integer_value(
			    json_object_get(since, "snapshot")));
	wrap(r->opt.out, "      ", "      ", b.s);
	strbuf_free(&b);
}

static void write_finding(struct report *r, const json_t *row)
{
	struct state *st = r->state;
	struct strbuf group = STRBUF_INIT;
	const json_t *where = json_object_get(row, "where");
	size_t i;

	strbuf_addf(&group, "%s %s", str(row, "severity"), str(row, "rule"));
	if (!st->group || strcmp(st->group, group.s))
		open_group(r, row, strbuf_take(&group));
	strbuf_free(&group);
	for (i = 0; i < json_array_size(where); i++)
		add_end(r, json_array_get(where, i),
			i ? second_lead(row, where) : "");
	wrap(r->opt.out, i ? "      " : "    ", "      ", str(row, "message"));
	add_values(r, json_object_get(row, "values"));
	add_since(r, json_object_get(row, "since"));
}

static void write_broken(struct report *r, const json_t *row)
{
	struct strbuf b = STRBUF_INIT;

	part(r);
	strbuf_addf(&b, "Rule %s did not run, so nothing is known of what it "
		    "looks for: %s (%s)", str(row, "rule"),
		    str(row, "reason"), str(row, "path"));
	wrap(r->opt.out, "", "  ", b.s);
	strbuf_free(&b);
}

/* A heading for each group, and a paragraph for each change. */
static void write_change(struct report *r, const json_t *row)
{
	struct state *st = r->state;
	const char *group = str(row, "group");

	if (!st->group || strcmp(st->group, group)) {
		st->gap = 1;
		part(r);
		free(st->group);
		st->group = xstrdup(group);
		fprintf(r->opt.out, "%s\n",
			!strcmp(group, "sms") ? "subnet managers" : group);
	}
	part(r);
	wrap(r->opt.out, "  ", "    ", str(row, "text"));
}

static void row(struct report *r, const json_t *value)
{
	struct state *st = r->state;

	switch (r->list->kind) {
	case LIST_TABLE:
		part(r);
		table_row(st->table, value);
		break;
	case LIST_FINDINGS:
		write_finding(r, value);
		break;
	case LIST_BROKEN:
		write_broken(r, value);
		break;
	case LIST_CHANGES:
		write_change(r, value);
		break;
	}
}

static void list_end(struct report *r)
{
	struct state *st = r->state;

	close_group(r);
	table_destroy(st->table);
	st->table = NULL;
	if (!r->n_rows && r->list->empty && !r->opt.quiet) {
		part(r);
		wrap(r->opt.out, "", "  ", r->list->empty);
	}
	st->gap = st->gap || r->n_rows;
}

static void destroy(struct report *r)
{
	struct state *st = r->state;

	if (!st)
		return;
	table_destroy(st->table);
	free(st->group);
	free(st->remedy);
	free(st);
}

const struct writer write_text = {
	.name = "text",
	.begin = begin,
	.say = say,
	.field = field,
	.verbatim = verbatim,
	.list_begin = list_begin,
	.row = row,
	.list_end = list_end,
	.destroy = destroy,
};
