/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Notes
 *
 * A scenario is lines of a verb and words; "#" begins a comment, double quotes
 * keep blanks.  Rules act in the order of the file.
 *
 * Which replies a rule concerns (all of them, by default):
 *   node=0xGUID, node="description", node=* who answers
 *   type=switch|ca|router                   what it is
 *   port=N, port=N-M, port=*    PortSelect of a PMA query, the modifier's port
 *                               of an SMP; else the port that was reached, 0
 *                               for a switch
 *   class=smp|pma|sa
 *   attr=NAME, attr=0xID, attr=*            field.c has the names
 *   up=1                        only where PortInfo said that the link is up
 *   share=P       P percent of all nodes, chosen by a hash of the GUID: the
 *                 same ones in each run, and a larger share has them too
 *   rate=P        with probability P, by a generator that is always seeded
 *                 the same
 *   after=N, count=N            let N pass first; act on N only
 *
 * A rule that names a node or a share acts once the traffic told who is where: NodeInfo
 * by that route, PortInfo for a LID, NodeDescription for a description.
 *
 * Verbs:
 *   set FIELD=V FIELD|=V FIELD+=V   change the reply (attr= comes first);
 *       byte[OFF]=HEX writes raw bytes from the attribute's first byte on;
 *       FIELD=@route writes a number that no other directed route has
 *   answer FIELD=V...   reply with zeros and these; ibsim never sees it
 *   status value=V      reply with that MAD status
 *   drop [fast=1]       no reply: it times out as in the kernel, after timeout
 *                       x (retries + 1); fast: at once
 *   lose                no reply and no time-out, ever
 *   delay us=N          not before N us after the request was sent
 *   reorder [us=N]      held N us (1000) longer, so that others overtake it
 *   duplicate           the reply comes twice
 *   stray               a reply that nobody asked for comes before it
 *   corrupt [header=1]  one byte of the attribute (of the MAD's header) is
 *                       changed
 *   short [len=N]       the MAD is cut to N (64) bytes
 *   protect key=0xKEY [fast=1]      M_Key protection, of SMPs: with any other
 *       M_Key no reply, as for drop, and a violation in the report.  The own
 *       adapter is exempt: the drivers ask it to ignore the M_Key of SMPs that
 *       did not come in by the wire.
 *   kill at=send|write after=N [half=1]     the process itself, with SIGKILL,
 *       when it has sent N MADs and is about to send one more; or before one
 *       more call that writes, truncates or syncs a database (the report has
 *       their number), half=1: when half of it was written
 *   host none|ethernet|ethernet-first|forbidden|down    the local adapter:
 *       none at all; one whose port is Ethernet; such a one before the real
 *       one; opening it fails with EACCES; its link is down
 */

struct rule *rules;
size_t n_rules;
enum host host;

static const char *const verbs[] = {
	[VERB_SET] = "set",	    [VERB_ANSWER] = "answer",
	[VERB_DROP] = "drop",	    [VERB_LOSE] = "lose",
	[VERB_DELAY] = "delay",	    [VERB_DUPLICATE] = "duplicate",
	[VERB_REORDER] = "reorder", [VERB_CORRUPT] = "corrupt",
	[VERB_STRAY] = "stray",	    [VERB_SHORT] = "short",
	[VERB_STATUS] = "status",   [VERB_PROTECT] = "protect",
};

static const char *const hosts[] = {
	[HOST_NONE] = "none",
	[HOST_ETHERNET] = "ethernet",
	[HOST_ETHERNET_FIRST] = "ethernet-first",
	[HOST_FORBIDDEN] = "forbidden",
	[HOST_DOWN] = "down",
};

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static int index_of(const char *const *names, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (names[i] && !strcmp(names[i], s))
			return i;
	return -1;
}

/* Cut the next word off *s, quotes removed; NULL when there is none. */
static char *next_word(char **s)
{
	char *from = *s + strspn(*s, " \t\n"), *to = from, *word = from;
	bool quoted = false;

	if (!*from || *from == '#')
		return NULL;
	for (; *from && (quoted || !strchr(" \t\n", *from)); from++) {
		if (*from == '"')
			quoted = !quoted;
		else
			*to++ = *from;
	}
	*s = *from ? from + 1 : from;
	*to = 0;
	return word;
}

static uint64_t number(const struct rule *r, const char *s)
{
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(s, &end, 0);
	if (errno || end == s || *end)
		layer_die("scenario line %u: \"%s\" is no number", r->line, s);
	return v;
}

static void parse_node(struct rule *r, char *s)
{
	r->any_node = !strcmp(s, "*");
	if (!strncmp(s, "0x", 2))
		r->guid = number(r, s);
	else if (!r->any_node)
		r->desc = strdup(s);
}

static void parse_port(struct rule *r, char *s)
{
	char *dash = strchr(s, '-');

	if (!strcmp(s, "*"))
		return;
	if (dash)
		*dash = 0;
	r->port_low = number(r, s);
	r->port_high = dash ? (int)number(r, dash + 1) : r->port_low;
}

static void parse_class(struct rule *r, char *s)
{
	static const char *const names[] = { "smp", "pma", "sa" };
	static const uint8_t classes[] = { CLASS_DR, CLASS_PMA, CLASS_SA };
	int i = index_of(names, LEN(names), s);

	if (i < 0)
		layer_die("scenario line %u: no class \"%s\"", r->line, s);
	r->mgmt_class = classes[i];
}

static void parse_attr(struct rule *r, char *s)
{
	if (strcmp(s, "*") && !field_attr(s, &r->mgmt_class, &r->attr))
		r->attr = number(r, s);
}

static void parse_type(struct rule *r, char *s)
{
	static const char *const names[] = { NULL, "ca", "switch", "router" };
	int i = index_of(names, LEN(names), s);

	if (i < 0)
		layer_die("scenario line %u: no type \"%s\"", r->line, s);
	r->type = i;
}

static double real_number(const struct rule *r, const char *s, int most)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !(v >= 0 && v <= most))
		layer_die("scenario line %u: \"%s\" is not from 0 to %d",
			  r->line, s, most);
	return v;
}

static void parse_rate(struct rule *r, char *s)
{
	r->rate = real_number(r, s, 1);
}

static void parse_share(struct rule *r, char *s)
{
	r->share = real_number(r, s, 100);
}

/* The words that every verb knows.  Returns false when key is none of them. */
static bool parse_key(struct rule *r, const char *key, char *value)
{
	static const struct {
		const char *key;
		void (*parse)(struct rule *r, char *s);
	} text[] = {
		{ "node", parse_node }, { "port", parse_port },
		{ "class", parse_class }, { "attr", parse_attr },
		{ "type", parse_type }, { "rate", parse_rate },
		{ "share", parse_share },
	};

	for (size_t i = 0; i < LEN(text); i++)
		if (!strcmp(key, text[i].key)) {
			text[i].parse(r, value);
			return true;
		}
	if (!strcmp(key, "after"))
		r->after = number(r, value);
	else if (!strcmp(key, "count"))
		r->count = number(r, value);
	else if (!strcmp(key, "up"))
		r->only_up = number(r, value);
	else
		return false;
	return true;
}

/* The words of one verb or another. */
static bool parse_option(struct rule *r, const char *key, const char *value)
{
	bool delays = r->verb == VERB_DELAY || r->verb == VERB_REORDER;
	bool drops = r->verb == VERB_DROP || r->verb == VERB_PROTECT;

	if (delays && !strcmp(key, "us"))
		r->us = number(r, value);
	else if (r->verb == VERB_STATUS && !strcmp(key, "value"))
		r->value = number(r, value);
	else if (r->verb == VERB_SHORT && !strcmp(key, "len"))
		r->len = number(r, value);
	else if (r->verb == VERB_PROTECT && !strcmp(key, "key"))
		r->mkey = number(r, value);
	else if (drops && !strcmp(key, "fast"))
		r->fast = number(r, value);
	else if (r->verb == VERB_CORRUPT && !strcmp(key, "header"))
		r->header = number(r, value);
	else
		return false;
	return true;
}

static void parse_hex(const struct rule *r, struct edit *e, const char *hex)
{
	size_t n = strlen(hex) / 2;

	e->bytes = layer_alloc(n + 1, 1);
	e->width = n * 8;
	for (size_t i = 0; i < n; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &e->bytes[i]) != 1)
			n = 0;
	if (!n || strlen(hex) % 2 || e->bit + e->width > MAD_SIZE * 8)
		layer_die("scenario line %u: \"%s\" is not right as bytes",
			  r->line, hex);
}

static void parse_edit(struct rule *r, char *key, enum edit_op op,
		       const char *value)
{
	struct edit *e;

	if (r->verb != VERB_SET && r->verb != VERB_ANSWER)
		layer_die("scenario line %u: \"%s\" knows no \"%s\"", r->line,
			  verbs[r->verb], key);
	r->edits = layer_resize(r->edits, r->n_edits + 1, sizeof(*r->edits));
	e = &r->edits[r->n_edits++];
	*e = (struct edit){ .op = op };
	if (sscanf(key, "byte[%u", &e->bit) == 1) {
		e->bit *= 8;
		parse_hex(r, e, value);
		return;
	}
	if (!field_find(r->mgmt_class, r->attr, key, &e->bit, &e->width))
		layer_die("scenario line %u: attribute 0x%x has no field \"%s\""
			  " (attr= comes first)", r->line, r->attr, key);
	if (op == EDIT_ASSIGN && !strcmp(value, "@route")) {
		e->op = EDIT_ROUTE;
		return;
	}
	if (e->width <= 64) {
		e->value = number(r, value);
		return;
	}
	e->bytes = layer_alloc(e->width / 8, 1);
	for (size_t i = 0; i < e->width / 8 && value[i]; i++)
		e->bytes[i] = value[i];
}

static void parse_word(struct rule *r, char *word)
{
	char *eq = strchr(word, '=');
	enum edit_op op = EDIT_ASSIGN;

	if (!eq)
		layer_die("scenario line %u: \"%s\" is no key=value", r->line,
			  word);
	*eq = 0;
	if (eq > word && eq[-1] == '|')
		op = EDIT_OR;
	else if (eq > word && eq[-1] == '+')
		op = EDIT_ADD;
	if (op != EDIT_ASSIGN)
		eq[-1] = 0;
	if (!parse_key(r, word, eq + 1) && !parse_option(r, word, eq + 1))
		parse_edit(r, word, op, eq + 1);
}

static void parse_host(unsigned line, const char *name)
{
	int i = name ? index_of(hosts, LEN(hosts), name) : -1;

	if (i < 0)
		layer_die("scenario line %u: no such host", line);
	host = i;
}

static void parse_kill(unsigned line, char *s)
{
	static const char *const at[] = { NULL, "send", "write" };
	struct rule r = { .line = line };
	int what = -1;
	char *word, *eq;

	while ((word = next_word(&s))) {
		eq = strchr(word, '=');
		if (eq)
			*eq++ = 0;
		if (eq && !strcmp(word, "at"))
			what = index_of(at, LEN(at), eq);
		else if (eq && !strcmp(word, "after"))
			kill_at.after = number(&r, eq);
		else if (eq && !strcmp(word, "half"))
			kill_at.half = number(&r, eq);
		else
			layer_die("scenario line %u: kill knows no \"%s\"",
				  line, word);
	}
	if (what < 0)
		layer_die("scenario line %u: kill at=send or at=write", line);
	kill_at.what = what;
}

static void parse_line(unsigned line, char *s)
{
	char *word = next_word(&s);
	struct rule *r;
	int verb;

	if (!word)
		return;
	if (!strcmp(word, "host")) {
		parse_host(line, next_word(&s));
		return;
	}
	if (!strcmp(word, "kill")) {
		parse_kill(line, s);
		return;
	}
	verb = index_of(verbs, LEN(verbs), word);
	if (verb < 0)
		layer_die("scenario line %u: no verb \"%s\"", line, word);
	rules = layer_resize(rules, n_rules + 1, sizeof(*rules));
	r = &rules[n_rules++];
	*r = (struct rule){
		.verb = verb, .line = line, .any_node = true, .port_low = -1,
		.attr = -1, .share = 100, .rate = 1, .count = ULONG_MAX, .us = 1000,
		.len = 64, /* an SMP's header */
	};
	if (verb == VERB_PROTECT)
		r->mgmt_class = CLASS_DR;
	while ((word = next_word(&s)))
		parse_word(r, word);
}

void scenario_load(const char *path)
{
	char *line = NULL;
	size_t cap = 0;
	unsigned n = 0;
	FILE *f = fopen(path, "re");

	if (!f)
		layer_die("%s: %s", path, strerror(errno));
	while (getline(&line, &cap, f) > 0)
		parse_line(++n, line);
	free(line);
	fclose(f);
}

/* The GUID, made even over 0 to 100 (MurmurHash3's finaliser). */
static bool is_in_share(const struct node *n, double share)
{
	uint64_t h = n->guid;

	h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
	h ^= h >> 33;
	return (h >> 11) * 0x1p-53 * 100 < share;
}

static bool concerns(const struct rule *r, const struct node *n)
{
	if (r->type && (!n || n->type != r->type))
		return false;
	if (r->share < 100 && (!n || !is_in_share(n, r->share)))
		return false;
	if (r->any_node)
		return true;
	if (!n)
		return false;
	return r->desc ? !strcmp(r->desc, n->desc) : r->guid == n->guid;
}

const struct rule **scenario_rules(struct node *n)
{
	static const struct rule **unknown;
	const struct rule ***list = n ? &n->rules : &unknown;
	size_t k = 0;

	if (*list)
		return *list;
	*list = layer_alloc(n_rules + 1, sizeof(**list));
	for (size_t i = 0; i < n_rules; i++)
		if (concerns(&rules[i], n))
			(*list)[k++] = &rules[i];
	return *list;
}

struct census {
	const struct rule *rule;
	unsigned long count;
};

static void count_node(const struct node *n, void *arg)
{
	struct census *c = arg;

	c->count += concerns(c->rule, n);
}

unsigned long scenario_nodes(const struct rule *r)
{
	struct census c = { .rule = r };

	known_each(count_node, &c);
	return c.count;
}

void scenario_refresh(struct node *n)
{
	free(n->rules);
	n->rules = NULL;
}
