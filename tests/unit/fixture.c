/* SPDX-License-Identifier: BSD-2-Clause */
#include "fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/carry.h"
#include "model/expect_file.h"
#include "model/expectation.h"
#include "model/snapshot.h"
#include "model/speed.h"
#include "util/alloc.h"
#include "util/guid.h"

/*
 * Notes
 *
 * Each snapshot is built anew from the case's lines up to its step, in their
 * order; those that are of one snapshot only (lost, unread, fail, sweep) are
 * left out elsewhere.  Then it goes the way of a sweep: carry over from the
 * snapshot before, as the store gives it, and save.
 */

#define START_MS 1700000000000 /* of the first snapshot */
#define FIRST_GUID 0x0002c90300000000ull

struct build {
	const struct fixture *f;
	const struct fixture_case *c;
	int step;
	struct snapshot s;
	struct err *err;
};

struct at {
	struct node *node;
	struct port *port;
	uint32_t index;
	uint8_t num;
};

/* ---- the file ---- */

static void split(struct fixture_line *l, char *text)
{
	char *save = NULL, *w;

	for (w = strtok_r(text, " \t\n", &save); w;
	     w = strtok_r(NULL, " \t\n", &save)) {
		l->word = xreallocarray(l->word, (size_t)l->n + 1,
					sizeof(*l->word));
		l->word[l->n++] = w;
	}
}

static void add_case(struct fixture *f, int bad, const char *title)
{
	struct fixture_case *c;

	f->cases = xgrow(f->cases, f->n, &f->cap, sizeof(*c));
	c = &f->cases[f->n++];
	memset(c, 0, sizeof(*c));
	c->title = xstrdup(title);
	c->bad = bad;
	c->steps = 1;
}

static int add_line(struct fixture *f, const char *text, int number,
		    struct err *err)
{
	struct fixture_case *c;
	struct fixture_line *l;

	if (!strncmp(text, "case bad ", 9) ||
	    !strncmp(text, "case good ", 10)) {
		add_case(f, text[5] == 'b', strchr(text + 5, ' ') + 1);
		return 0;
	}
	if (!f->n)
		return err_set(err, "%s:%d: a file begins with a case",
			       f->path, number);
	c = &f->cases[f->n - 1];
	c->lines = xgrow(c->lines, c->n, &c->cap, sizeof(*l));
	l = &c->lines[c->n++];
	memset(l, 0, sizeof(*l));
	l->number = number;
	l->text = xstrdup(text);
	split(l, l->text);
	if (!strcmp(l->word[0], "then"))
		c->steps++;
	l->step = c->steps - 1;
	return 0;
}

int fixture_load(struct fixture *f, const char *path, struct err *err)
{
	char text[512];
	FILE *in = fopen(path, "re");
	int number = 0, rc = 0;

	memset(f, 0, sizeof(*f));
	if (!in)
		return err_errno(err, "%s", path);
	f->path = xstrdup(path);
	while (rc == 0 && fgets(text, sizeof(text), in)) {
		text[strcspn(text, "\n")] = '\0';
		number++;
		if (text[strspn(text, " \t")] && text[0] != '#')
			rc = add_line(f, text, number, err);
	}
	fclose(in);
	return rc;
}

void fixture_free(struct fixture *f)
{
	size_t i, j;

	for (i = 0; i < f->n; i++) {
		for (j = 0; j < f->cases[i].n; j++) {
			free(f->cases[i].lines[j].word);
			free(f->cases[i].lines[j].text);
		}
		free(f->cases[i].lines);
		free(f->cases[i].title);
	}
	free(f->cases);
	free(f->path);
}

/* ---- words ---- */

static int fail_line(struct build *b, const struct fixture_line *l,
		     const char *what)
{
	return err_set(b->err, "%s:%d: %s", b->f->path, l->number, what);
}

/* VALUE of KEY=VALUE among the words, or NULL. */
static const char *key(const struct fixture_line *l, const char *name)
{
	size_t n = strlen(name);
	int i;

	for (i = 1; i < l->n; i++)
		if (!strncmp(l->word[i], name, n) && l->word[i][n] == '=')
			return l->word[i] + n + 1;
	return NULL;
}

static int64_t number_or(const char *text, int64_t other)
{
	return text ? strtoll(text, NULL, 0) : other;
}

static int rank_of(const char *name, const char *(*rank_name)(int), int end)
{
	int rank;

	for (rank = 1; rank < end; rank++)
		if (!strcmp(rank_name(rank), name))
			return rank;
	return 0;
}

/* The rank and all below; FDR10 and 2X only when they are named. */
static int up_to(int rank, int odd_one)
{
	int mask = (2 << rank) - 2;

	return rank == odd_one ? mask : mask & ~(1 << odd_one);
}

static int code_of(const char *name, const char *(*code_name)(int), int end)
{
	int code;

	for (code = 0; code < end; code++)
		if (!strcmp(code_name(code), name))
			return code;
	return VAL_NONE;
}

/* ---- nodes and ports ---- */

/* The node of that name in the snapshot.  The part behind ":" is a port. */
static int find(struct build *b, const char *place, struct at *at)
{
	size_t n = strcspn(place, ":"), i;

	for (i = 0; i < b->s.n_nodes; i++) {
		struct node *node = b->s.nodes[i];

		if (node->desc_len != n || memcmp(node->desc, place, n))
			continue;
		at->node = node;
		at->index = (uint32_t)i;
		at->num = place[n] ? (uint8_t)atoi(place + n + 1) : NO_PORT;
		at->port = at->num <= node->nports ? &node->ports[at->num] :
						     NULL;
		return 1;
	}
	return 0;
}

static void set_ranks(struct port *p, const char *name, const char *value)
{
	int speed = rank_of(value, speed_name, SPEED_END);
	int width = rank_of(value, width_name, WIDTH_END);

	if (!strcmp(name, "speed"))
		p->speed = speed ? speed : VAL_NONE;
	else if (!strcmp(name, "enabled"))
		p->speed_enabled = up_to(speed, SPEED_FDR10);
	else if (!strcmp(name, "supported"))
		p->speed_supported = up_to(speed, SPEED_FDR10);
	else if (!strcmp(name, "width"))
		p->width = width ? width : VAL_NONE;
	else if (!strcmp(name, "wenabled"))
		p->width_enabled = up_to(width, WIDTH_2X);
	else if (!strcmp(name, "wsupported"))
		p->width_supported = up_to(width, WIDTH_2X);
}

static void set_port(struct port *p, const char *name, const char *value)
{
	if (!strcmp(name, "guid"))
		p->guid = strtoull(value, NULL, 0);
	else if (!strcmp(name, "state"))
		p->state = code_of(value, port_state_name, STATE_ACTIVE + 1);
	else if (!strcmp(name, "phys"))
		p->phys = code_of(value, phys_state_name, 8);
	else if (!strcmp(name, "code"))
		p->speed_code = atoi(value);
	else if (!strcmp(name, "lid"))
		p->lid = atoi(value);
	else if (!strcmp(name, "lmc"))
		p->lmc = atoi(value);
	else if (!strcmp(name, "smlid"))
		p->sm_lid = atoi(value);
	else
		set_ranks(p, name, value);
}

/* Apply the KEY=VALUE words; those with another letter than side in front
 * ("a." or "b.") are not for this port. */
static void set_keys(struct port *p, const struct fixture_line *l, char side)
{
	char name[32];
	int i;

	for (i = 1; i < l->n; i++) {
		const char *w = l->word[i], *equals = strchr(w, '=');

		if (!equals)
			continue;
		if (w[1] == '.') {
			if (w[0] != side)
				continue;
			w += 2;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(equals - w), w);
		set_port(p, name, equals + 1);
	}
}

static void bring_up(struct port *p)
{
	static const char *const words[][2] = {
		{ "state", "ACTIVE" }, { "phys", "LinkUp" },
		{ "speed", "NDR" },    { "enabled", "NDR" },
		{ "supported", "NDR" }, { "width", "4X" },
		{ "wenabled", "4X" },  { "wsupported", "4X" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		set_port(p, words[i][0], words[i][1]);
	p->present = 1;
}

static void take_down(struct port *p)
{
	set_port(p, "state", "DOWN");
	set_port(p, "phys", "Polling");
	set_port(p, "speed", "-");
	set_port(p, "width", "-");
	p->peer_node = NO_NODE;
	p->present = 1;
}

static int is_lost(const struct build *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->c->n; i++)
		if (b->c->lines[i].step == b->step &&
		    !strcmp(b->c->lines[i].word[0], "lost") &&
		    !strcmp(b->c->lines[i].word[1], name))
			return 1;
	return 0;
}

/* Which node line of the case this is, from 1: the default LID. */
static int node_number(const struct build *b, const struct fixture_line *line)
{
	const struct fixture_line *l;
	int n = 0;

	for (l = b->c->lines; l <= line; l++)
		n += !strcmp(l->word[0], "switch") || !strcmp(l->word[0], "ca");
	return n;
}

static void set_end_port(struct port *p, uint64_t guid, int lid, int sm_lid)
{
	p->guid = guid;
	p->lid = lid;
	p->lmc = 0;
	p->sm_lid = sm_lid;
	p->cap_mask = 0;
}

/* "0,1,5" */
static void set_route(struct route *r, const char *text)
{
	for (; text && (text = strchr(text, ',')); text++)
		r->hop[++r->hops] = (uint8_t)atoi(text + 1);
}

static int do_node(struct build *b, const struct fixture_line *l)
{
	int is_switch = !strcmp(l->word[0], "switch"), number, p;
	struct node *n;
	uint64_t guid;

	if (is_lost(b, l->word[1]))
		return 0;
	number = node_number(b, l);
	guid = FIRST_GUID + 0x100 * (uint64_t)number;
	if (key(l, "guid"))
		guid = strtoull(key(l, "guid"), NULL, 0);
	n = snapshot_add_node(&b->s, guid,
			      (int32_t)number_or(key(l, "instance"), 0),
			      atoi(l->word[2]));
	n->type = is_switch ? NODE_SWITCH : NODE_CA;
	set_route(&n->route, key(l, "route"));
	n->device_id = (int32_t)number_or(key(l, "device"),
					  is_switch ? 0xd2f2 : 0x1021);
	n->desc_len = (uint8_t)snprintf(n->desc, sizeof(n->desc), "%s",
					l->word[1]);
	n->desc_read = 1;
	for (p = 0; p <= n->nports; p++)
		if (is_switch == !p)
			set_end_port(&n->ports[p], guid + (uint64_t)p,
				     (int)number_or(key(l, "lid"),
						    number + 1000 * (p > 1)),
				     (int)number_or(key(l, "smlid"), 1));
	if (is_switch)
		bring_up(&n->ports[0]);
	return 0;
}

static int do_link(struct build *b, const struct fixture_line *l)
{
	struct at a, z;
	int has_a = find(b, l->word[1], &a), has_z = find(b, l->word[2], &z);

	if (has_a) {
		bring_up(a.port);
		set_keys(a.port, l, 'a');
	}
	if (has_z) {
		bring_up(z.port);
		set_keys(z.port, l, 'b');
	}
	if (has_a && has_z)
		snapshot_join(&b->s, a.index, a.num, z.index, z.num);
	return 0;
}

static int do_port(struct build *b, const struct fixture_line *l)
{
	struct at at;

	if (!find(b, l->word[1], &at))
		return 0;
	at.port->present = 1;
	set_keys(at.port, l, 0);
	return 0;
}

static int do_unlink(struct build *b, const struct fixture_line *l)
{
	struct at at;
	struct port *peer;

	if (!find(b, l->word[1], &at))
		return 0;
	peer = snapshot_peer(&b->s, at.port);
	take_down(at.port);
	if (peer)
		take_down(peer);
	return 0;
}

static int do_unread(struct build *b, const struct fixture_line *l)
{
	struct at at;

	if (!find(b, l->word[1], &at))
		return 0;
	at.port->present = 0;
	at.port->phys = at.port->state = at.port->speed = VAL_NONE;
	return 0;
}

/* Both ends are up, and neither answered the other's probe. */
static int do_nopeer(struct build *b, const struct fixture_line *l)
{
	struct at at;
	struct port *far;

	if (!find(b, l->word[1], &at))
		return 0;
	far = snapshot_peer(&b->s, at.port);
	if (!far)
		return fail_line(b, l, "has no cable");
	at.port->peer_node = far->peer_node = NO_NODE;
	return 0;
}

static struct sm *sm_at(struct build *b, const struct at *at)
{
	struct sm *sm;
	size_t i;

	for (i = 0; i < b->s.n_sms; i++)
		if (b->s.sms[i].node == at->index &&
		    b->s.sms[i].port == at->num)
			return &b->s.sms[i];
	sm = snapshot_add_sm(&b->s);
	sm->node = at->index;
	sm->port = at->num;
	return sm;
}

static int do_sm(struct build *b, const struct fixture_line *l)
{
	struct at at;
	struct sm *sm;

	if (!find(b, l->word[1], &at))
		return 0;
	sm = sm_at(b, &at);
	at.port->cap_mask |= CAPMASK_IS_SM;
	sm->answered = !!strcmp(l->word[2], "silent");
	sm->state = sm->priority = VAL_NONE;
	if (!sm->answered)
		return 0;
	sm->guid = at.port->guid;
	sm->state = code_of(l->word[2], sm_state_name, SM_MASTER + 1);
	sm->priority = atoi(l->word[3]);
	return 0;
}

static struct counters *counters_at(struct build *b, struct port *p,
				    const struct fixture_line *l)
{
	int i, wide = l->n > 2 && !strcmp(l->word[2], "wide");

	if (!p->counters) {
		p->counters = xcalloc(1, sizeof(*p->counters));
		counters_init(p->counters);
	}
	p->counters->src = wide ? SRC_PC | SRC_EXT | SRC_EXT_ERR : SRC_PC;
	p->counters->at_ms = b->s.started_ms;
	for (i = 0; i < COUNTER_MAIN; i++)
		if (p->counters->value[i] == COUNTER_UNREAD &&
		    counter_width(i, p->counters->src))
			p->counters->value[i] = 0;
	return p->counters;
}

static int do_counters(struct build *b, const struct fixture_line *l)
{
	struct at at;
	struct counters *c;
	int i;

	if (!find(b, l->word[1], &at))
		return 0;
	c = counters_at(b, at.port, l);
	if (l->n > 2 && !strcmp(l->word[2], "none")) {
		counters_free(c);
		at.port->counters = NULL;
		return 0;
	}
	for (i = 2; i < l->n; i++) {
		char *equals = strchr(l->word[i], '='), name[64];
		int which;

		if (!equals)
			continue;
		snprintf(name, sizeof(name), "%.*s",
			 (int)(equals - l->word[i]), l->word[i]);
		which = counter_find(name);
		if (which < 0)
			return fail_line(b, l, "no such counter");
		c->src |= counter_detail_src(which);
		counters_set(c, which, strtoll(equals + 1, NULL, 0));
	}
	return 0;
}

/* The words from one on, if there are any. */
static void set_text(struct failure *f, const struct fixture_line *l, int from)
{
	size_t n = 0;
	int i;

	for (i = from; i < l->n && n < sizeof(f->text); i++)
		n += (size_t)snprintf(f->text + n, sizeof(f->text) - n, "%s%s",
				      i > from ? " " : "", l->word[i]);
}

static int do_fail(struct build *b, const struct fixture_line *l)
{
	static const uint16_t attributes[] = { 0x10, 0x11, 0x12, 0x15, 0x20,
					       0x01, 0x1d };
	struct failure *f = snapshot_add_failure(&b->s);
	struct at at;
	size_t i;

	f->mgmt_class = !strcmp(l->word[1], "pma") ? 0x04 : 0x81;
	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (!strcmp(mad_attribute_name(f->mgmt_class, attributes[i]),
			    l->word[2]))
			f->attribute = attributes[i];
	if (l->n > 3 && find(b, l->word[3], &at)) {
		f->node = at.index;
		f->port = at.port ? at.num : VAL_NONE;
	}
	snprintf(f->text, sizeof(f->text), "no answer");
	for (i = FAIL_NO_ANSWER; l->n > 4 && i <= FAIL_NOT_SENT; i++)
		if (!strcmp(l->word[4], i == FAIL_NOT_SENT ? "not-sent" :
						fail_status_name((int)i))) {
			f->status = (uint8_t)i;
			snprintf(f->text, sizeof(f->text), "%s", l->word[4]);
		}
	set_text(f, l, 5);
	return f->attribute ? 0 : fail_line(b, l, "no such attribute");
}

static int do_sweep(struct build *b, const struct fixture_line *l)
{
	const char *pma = key(l, "pma");

	b->s.complete = (int)number_or(key(l, "complete"), 1);
	if (pma)
		sscanf(pma, "%ld/%ld", &b->s.pma_answered, &b->s.pma_asked);
	return 0;
}

static int do_then(struct build *b, const struct fixture_line *l)
{
	b->s.started_ms += (int64_t)atoi(l->word[1]) * 60000;
	return 0;
}

static int do_nothing(struct build *b, const struct fixture_line *l)
{
	(void)b;
	(void)l;
	return 0;
}

/* ---- snapshots ---- */

static const struct statement {
	const char *name;
	int words; /* at least */
	int once;  /* of its own snapshot only */
	int (*apply)(struct build *b, const struct fixture_line *l);
} statements[] = {
	{ "switch", 3, 0, do_node },	{ "ca", 3, 0, do_node },
	{ "link", 3, 0, do_link },	{ "port", 3, 0, do_port },
	{ "unlink", 2, 0, do_unlink },	{ "unread", 2, 1, do_unread },
	{ "nopeer", 2, 1, do_nopeer },
	{ "sm", 3, 0, do_sm },		{ "counters", 2, 0, do_counters },
	{ "fail", 3, 1, do_fail },	{ "sweep", 2, 1, do_sweep },
	{ "then", 2, 0, do_then },	{ "lost", 2, 1, do_nothing },
	{ "set", 2, 1, do_nothing },	{ "expect", 3, 1, do_nothing },
	{ "mark", 1, 1, do_nothing },	{ "plan", 3, 1, do_nothing },
};

static int apply(struct build *b, const struct fixture_line *l)
{
	size_t i;

	for (i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		const struct statement *st = &statements[i];

		if (strcmp(st->name, l->word[0]))
			continue;
		if (l->n < st->words)
			return fail_line(b, l, "too few words");
		return st->once && l->step != b->step ? 0 : st->apply(b, l);
	}
	return fail_line(b, l, "no such statement");
}

static void stamp(struct snapshot *s)
{
	size_t i;
	int p;

	s->finished_ms = s->started_ms + 1000;
	for (i = 0; i < s->n_nodes; i++)
		for (p = 0; p <= s->nodes[i]->nports; p++)
			if (s->nodes[i]->ports[p].counters)
				s->nodes[i]->ports[p].counters->at_ms =
					s->started_ms;
}

static int build(struct build *b)
{
	size_t i;

	snapshot_init(&b->s);
	b->s.started_ms = START_MS;
	b->s.complete = b->s.with_counters = 1;
	for (i = 0; i < b->c->n && b->c->lines[i].step <= b->step; i++)
		if (apply(b, &b->c->lines[i]) < 0)
			return -1;
	stamp(&b->s);
	if (b->s.n_nodes) {
		b->s.local_node = 0;
		b->s.local_port = 1;
	}
	return 0;
}

/* Carry over from the fabric's last snapshot, and save. */
static int save(struct build *b, struct store *st, int64_t *baseline)
{
	struct snapshot prev;
	int rc = 0;

	memset(&prev, 0, sizeof(prev));
	if (store_fabric(st, "fixture", &b->s, baseline, b->err) < 0)
		return -1;
	if (*baseline) {
		rc = store_load(st, *baseline, STORE_PARENTS, &prev, b->err);
		if (rc == 0)
			snapshot_carry(&b->s, &prev);
	}
	if (rc == 0)
		rc = store_save(st, &b->s, *baseline ? &prev : NULL, b->err);
	snapshot_free(&prev);
	return rc;
}

/* ---- what the fabric should be ---- */

static void set_end(struct plan_end *end, const char *place)
{
	size_t n = strcspn(place, ":");

	end->name = xstrdup(place);
	end->name[n] = '\0';
	end->port = (uint8_t)atoi(place + n + !!place[n]);
	if (strncmp(place, "0x", 2) || guid_parse(end->name, &end->guid) < 0)
		return;
	free(end->name);
	end->name = NULL;
}

static void add_cable(struct plan *plan, const struct fixture_line *l)
{
	struct plan_link *link;
	char *p;
	int i;

	plan->links = xgrow(plan->links, plan->n, &plan->cap, sizeof(*link));
	link = &plan->links[plan->n++];
	memset(link, 0, sizeof(*link));
	link->line = (size_t)l->number;
	for (i = 0; i < 2; i++) {
		set_end(&link->end[i], l->word[1 + i]);
		for (p = link->end[i].name; p && *p; p++)
			*p = *p == '_' ? ' ' : *p;
	}
	link->speed = link->width = VAL_NONE;
	if (l->n > 3)
		link->speed = (int16_t)rank_of(l->word[3], speed_name,
					       SPEED_END);
	if (l->n > 4)
		link->width = (int16_t)rank_of(l->word[4], width_name,
					       WIDTH_END);
}

static int expect_set(const struct build *b, struct store *st,
		      struct expectation *x)
{
	int had;

	x->source = xstrdup(b->f->path);
	return store_set_expectation(st, "fixture", x, &had, b->err);
}

static int set_expectation(const struct build *b, struct store *st)
{
	struct expect_file file = { .is_plan = 1 };
	struct expectation x = { .kind = NULL };
	size_t i;
	int rc = 0;

	for (i = 0; i < b->c->n; i++) {
		const struct fixture_line *l = &b->c->lines[i];

		if (l->step != b->step)
			continue;
		if (!strcmp(l->word[0], "plan"))
			add_cable(&file.plan, l);
		if (strcmp(l->word[0], "mark"))
			continue;
		x.kind = "snapshot";
		x.snapshot = b->s.id;
		expectation_of_snapshot(&b->s, &x);
	}
	if (file.plan.n)
		rc = expectation_of_file(b->f->path, &file, &b->s, 1, &x,
					 b->err);
	if (!rc && x.kind)
		rc = expect_set(b, st, &x);
	expect_file_free(&file);
	expectation_free(&x);
	return rc;
}

int fixture_store(const struct fixture *f, const struct fixture_case *c,
		  struct store *st, int64_t *id, int64_t *baseline,
		  struct err *err)
{
	struct build b = { .f = f, .c = c, .err = err };
	int rc = 0;

	for (b.step = 0; rc == 0 && b.step < c->steps; b.step++) {
		rc = build(&b);
		if (rc == 0)
			rc = save(&b, st, baseline);
		if (rc == 0)
			rc = set_expectation(&b, st);
		*id = b.s.id;
		snapshot_free(&b.s);
	}
	return rc;
}
