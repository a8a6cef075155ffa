/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * A rule file is front matter and one statement.  The front matter is the
 * comment lines on top:
 *
 *     -- key: value
 *     --     a value goes on where a line is indented
 *
 * and ends at the first line that is no comment.  The parser collects a key
 * with its whole value, then hands both to take_key().  It stops at the first
 * fault: one precise reason beats a list.  Texts are cleaned before they are
 * kept, as they end on a terminal; the statement is kept as it is.
 */

struct parser {
	struct rule *r;
	char key[32];
	struct strbuf value;
	int line;
	int id_seen, severity_seen;
};

/* Keys whose value is text. */
static const struct text_key {
	const char *name;
	size_t offset; /* in struct rule */
	int mandatory;
} text_keys[] = {
	{ "title", offsetof(struct rule, title), 1 },
	{ "why", offsetof(struct rule, why), 1 },
	{ "remedy", offsetof(struct rule, remedy), 1 },
	{ "false-positives", offsetof(struct rule, false_positives), 0 },
};

#define N_TEXT_KEYS (sizeof(text_keys) / sizeof(text_keys[0]))

static char **text_of(struct rule *r, const struct text_key *key)
{
	return (char **)(void *)((char *)r + key->offset);
}

static char *clean(const char *s)
{
	struct strbuf b = STRBUF_INIT;

	text_clean(&b, s, strlen(s));
	return strbuf_take(&b);
}

int rule_break(struct rule *r, const char *fmt, ...)
{
	char text[512], *s;
	va_list ap;

	if (r->broken)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->broken = clean(text);
	for (s = r->broken; *s; s++)
		*s = *s == '\n' || *s == '\t' ? ' ' : *s;
	return -1;
}

void rule_free(struct rule *r)
{
	size_t i;

	for (i = 0; i < N_TEXT_KEYS; i++)
		free(*text_of(r, &text_keys[i]));
	for (i = 0; i < r->n_params; i++) {
		free(r->params[i].name);
		free(r->params[i].doc);
	}
	free(r->params);
	free(r->id);
	free(r->path);
	free(r->sql);
	free(r->broken);
	memset(r, 0, sizeof(*r));
}

struct rule_param *rule_find_param(const struct rule *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->n_params; i++)
		if (!strcmp(r->params[i].name, name))
			return &r->params[i];
	return NULL;
}

static int is_name(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!islower((unsigned char)s[i]) && s[i] != '_' &&
		    !(i && isdigit((unsigned char)s[i])))
			return 0;
	return n > 0;
}

/* "name = default -- doc" */
static int take_param(struct parser *p, const char *value)
{
	const char *equals = strchr(value, '='), *doc;
	struct rule_param *param;
	size_t n = equals ? (size_t)(equals - value) : 0;
	double number;
	char *end = NULL, *name;

	while (n && isspace((unsigned char)value[n - 1]))
		n--;
	if (!is_name(value, n))
		return rule_break(p->r, "line %d: a parameter is written "
				  "'param: name = default -- what it does'",
				  p->line);
	number = strtod(equals + 1, &end);
	doc = end + strspn(end, " ");
	if (end == equals + 1 || !isfinite(number) || strncmp(doc, "--", 2))
		return rule_break(p->r, "line %d: parameter %.*s needs a "
				  "number as default, and '-- what it does' "
				  "behind it",
				  p->line, (int)n, value);
	name = strndup(value, n);
	if (rule_find_param(p->r, name)) {
		free(name);
		return rule_break(p->r, "line %d: parameter %.*s is there "
				  "twice", p->line, (int)n, value);
	}
	p->r->params = xreallocarray(p->r->params, p->r->n_params + 1,
				     sizeof(*param));
	param = &p->r->params[p->r->n_params++];
	param->name = name;
	param->doc = clean(doc + 2 + strspn(doc + 2, " "));
	param->fallback = param->value = number;
	return 0;
}

static int take_id(struct parser *p, const char *value)
{
	p->id_seen = 1;
	if (!strcmp(value, p->r->id))
		return 0;
	return rule_break(p->r, "line %d: id '%s' differs from the file's "
			  "name; call the file %s.sql", p->line, value, value);
}

static int take_severity(struct parser *p, const char *value)
{
	p->severity_seen = 1;
	p->r->severity = severity_parse(value);
	if (p->r->severity != SEVERITY_END)
		return 0;
	p->r->severity = SEVERITY_INFO;
	return rule_break(p->r, "line %d: severity '%s' is none of info, "
			  "warning, error", p->line, value);
}

static int take_text(struct parser *p, const char *value)
{
	size_t i;

	for (i = 0; i < N_TEXT_KEYS; i++) {
		char **at = text_of(p->r, &text_keys[i]);

		if (strcmp(p->key, text_keys[i].name))
			continue;
		if (*at)
			return rule_break(p->r, "line %d: '%s' is there twice",
					  p->line, p->key);
		*at = clean(value);
		return 0;
	}
	return rule_break(p->r, "line %d: unknown key '%s'; see "
			  "ibaudit-rules(7)", p->line, p->key);
}

/* The key that was collected is whole. */
static int take_key(struct parser *p)
{
	const char *value;

	if (!p->key[0])
		return 0;
	strbuf_add(&p->value, "");
	value = p->value.s;
	if (!*value)
		return rule_break(p->r, "line %d: '%s' has no value", p->line,
				  p->key);
	if (!strcmp(p->key, "param"))
		return take_param(p, value);
	if (!strcmp(p->key, "id"))
		return take_id(p, value);
	if (!strcmp(p->key, "severity"))
		return take_severity(p, value);
	return take_text(p, value);
}

static void add_value(struct parser *p, const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n && p->value.len)
		strbuf_add(&p->value, " ");
	strbuf_addn(&p->value, s, n);
}

/* s is a comment line behind its "--". */
static int take_line(struct parser *p, const char *s, size_t n)
{
	size_t skip = n && *s == ' ', len;

	if (strspn(s, " \t\r") >= n)
		return 0;
	if (n > skip && isspace((unsigned char)s[skip]) && p->key[0]) {
		add_value(p, s, n);
		return 0;
	}
	if (take_key(p) < 0)
		return -1;
	s += skip;
	n -= skip;
	len = strspn(s, "abcdefghijklmnopqrstuvwxyz-");
	if (!len || len >= n || len >= sizeof(p->key) || s[len] != ':')
		return rule_break(p->r, "line %d: '%.*s' is neither 'key: "
				  "value' nor an indented continuation",
				  p->line + 1, (int)(n > 40 ? 40 : n), s);
	memcpy(p->key, s, len);
	p->key[len] = '\0';
	strbuf_reset(&p->value);
	add_value(p, s + len + 1, n - len - 1);
	return 0;
}

static int check_mandatory(struct parser *p)
{
	size_t i;

	if (!p->id_seen)
		return rule_break(p->r, "the front matter has no 'id:'");
	if (!p->severity_seen)
		return rule_break(p->r, "the front matter has no 'severity:'");
	for (i = 0; i < N_TEXT_KEYS; i++)
		if (text_keys[i].mandatory && !*text_of(p->r, &text_keys[i]))
			return rule_break(p->r, "the front matter has no '%s:'",
					  text_keys[i].name);
	return 0;
}

static int parse(struct parser *p, const char *text)
{
	while (!strncmp(text, "--", 2)) {
		size_t n = strcspn(text, "\n");

		if (take_line(p, text + 2, n - 2) < 0)
			return -1;
		p->line++;
		text += n + (text[n] == '\n');
	}
	if (take_key(p) < 0 || check_mandatory(p) < 0)
		return -1;
	if (!text[strspn(text, " \t\r\n;")])
		return rule_break(p->r, "there is no statement behind the "
				  "front matter");
	p->r->sql = xstrdup(text);
	return 0;
}

void rule_parse(struct rule *r, const char *text)
{
	struct parser p = { .r = r, .value = STRBUF_INIT };
	size_t i;

	r->enabled = 1;
	parse(&p, text);
	strbuf_free(&p.value);
	for (i = 0; i < N_TEXT_KEYS; i++)
		if (!*text_of(r, &text_keys[i]))
			*text_of(r, &text_keys[i]) = xstrdup("");
}
