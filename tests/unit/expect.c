/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/expect.h"

#include <stdlib.h>
#include <string.h>

#include "model/carry.h"
#include "random.h"
#include "store/store.h"
#include "tap.h"

/*
 * Notes
 *
 * What a technician is told must lead to the fabric that is expected.  So
 * random cables are judged, the moves are done as the words say, a plug only
 * into a port that is free by then, and the result is compared.
 */

#define NODES 4
#define PORTS 5 /* of a node, without port 0 */
#define ALL (NODES * (PORTS + 1))

/* What is at the other end of each port, NONE: nothing. */
typedef uint32_t wiring[ALL];

static uint32_t place(unsigned node, unsigned port)
{
	return node * (PORTS + 1) + port;
}

/* Cables at n of ten ports, about. */
static void wire(wiring w, unsigned n)
{
	uint32_t i, j;

	for (i = 0; i < ALL; i++)
		w[i] = NONE;
	for (i = 0; i < ALL; i++) {
		if (!(i % (PORTS + 1)) || w[i] != NONE || roll(10) >= n)
			continue;
		j = place(roll(NODES), 1 + roll(PORTS));
		if (j == i || w[j] != NONE)
			continue;
		w[i] = j;
		w[j] = i;
	}
}

/* Some exchanged, some moved, some away. */
static void disturb(wiring w)
{
	unsigned i, n = roll(5);

	for (i = 0; i < n; i++) {
		uint32_t a = place(roll(NODES), 1 + roll(PORTS));
		uint32_t b = place(roll(NODES), 1 + roll(PORTS));
		uint32_t far_a = w[a], far_b = w[b];

		if (a == b || far_a == b)
			continue;
		w[a] = far_b;
		w[b] = far_a;
		if (far_a != NONE)
			w[far_a] = b;
		if (far_b != NONE)
			w[far_b] = a;
	}
}

static void unplug(wiring w, uint32_t a)
{
	if (w[a] != NONE)
		w[w[a]] = NONE;
	w[a] = NONE;
}

static void plug(wiring w, uint32_t a, uint32_t b)
{
	w[a] = b;
	w[b] = a;
}

/* ---- the words ---- */

/* "n1 port 3" at *s, which moves behind it; NONE: something else. */
static uint32_t read_place(const char **s)
{
	unsigned node, port;
	int n = 0;

	if (sscanf(*s, "n%u port %u%n", &node, &port, &n) != 2)
		return NONE;
	*s += n;
	return place(node, port);
}

/* "A BETWEEN B" behind the words that begin; 0: it is not there. */
static int read_pair(const char *text, const char *begin, const char *between,
		     uint32_t pair[2])
{
	const char *s = strstr(text, begin);

	if (!s)
		return 0;
	s += strlen(begin);
	pair[0] = read_place(&s);
	if (pair[0] == NONE || strncmp(s, between, strlen(between)))
		return 0;
	s += strlen(between);
	pair[1] = read_place(&s);
	return pair[1] != NONE;
}

/* One after the other, or, where at_once, all plugs are in the hand first. */
static int do_moves(wiring w, const char *text, int at_once)
{
	uint32_t pair[2], to[16], far[16];
	int n = 0, i;

	while (n < 16 && read_pair(text, "from ", " to ", pair)) {
		text = strstr(text, "from ") + 5;
		far[n] = w[pair[0]];
		to[n++] = pair[1];
		if (far[n - 1] == NONE)
			return 0;
		if (at_once)
			continue;
		unplug(w, pair[0]);
		if (w[pair[1]] != NONE)
			return 0;
		plug(w, pair[1], far[n - 1]);
	}
	for (i = 0; at_once && i < n; i++)
		plug(w, to[i], far[i]);
	return n > 0;
}

static int do_text(wiring w, const char *text)
{
	const char *what = strstr(text, ": ");
	uint32_t pair[2], far[2];

	if (!what)
		return 0;
	if (read_pair(text, "the cable from ", " to ", pair)) {
		if (w[pair[0]] != pair[1])
			return 0;
		unplug(w, pair[0]);
	}
	if (read_pair(what, "swap the plugs in ", " and ", pair)) {
		far[0] = w[pair[0]];
		far[1] = w[pair[1]];
		if (far[0] == NONE || far[1] == NONE)
			return 0;
		plug(w, pair[0], far[1]);
		plug(w, pair[1], far[0]);
	} else if (!do_moves(w, what, !!strstr(what, "round"))) {
		return 0;
	}
	if (read_pair(text, "; a cable from ", " to ", pair)) {
		if (w[pair[0]] != NONE || w[pair[1]] != NONE)
			return 0;
		plug(w, pair[0], pair[1]);
	}
	return 1;
}

/* ---- judging ---- */

static void lay(struct expecting *e, const wiring want, const wiring now)
{
	uint32_t i;

	memset(e, 0, sizeof(*e));
	e->nodes = xcalloc(NODES, sizeof(*e->nodes));
	e->n_nodes = NODES;
	e->wants = xcalloc(NODES, sizeof(*e->wants));
	e->ports = xcalloc(ALL, sizeof(*e->ports));
	e->n_ports = ALL;
	for (i = 0; i < NODES; i++) {
		char name[] = { 'n', (char)('0' + i), '\0' };

		expectation_add_node(&e->x, 1 + i, name);
		e->nodes[i].name = xstrdup(name);
		e->nodes[i].ports = place(i, 0);
		e->nodes[i].nports = PORTS;
		e->nodes[i].type = i % 2 ? NODE_CA : NODE_SWITCH;
		e->nodes[i].wanted = i;
		e->wants[i].now = i;
	}
	for (i = 0; i < ALL; i++) {
		struct now_port *p = &e->ports[i];

		p->node = i / (PORTS + 1);
		p->num = (uint8_t)(i % (PORTS + 1));
		p->is_read = 1;
		p->peer = now[i];
		p->phys = now[i] == NONE ? PHYS_POLLING : PHYS_LINKUP;
		p->want = p->link = NONE;
		if (want[i] != NONE && want[i] > i) {
			struct expect_link *l = expectation_add_link(&e->x);

			l->node[0] = i / (PORTS + 1);
			l->node[1] = want[i] / (PORTS + 1);
			l->port[0] = (uint8_t)(i % (PORTS + 1));
			l->port[1] = (uint8_t)(want[i] % (PORTS + 1));
		}
	}
}

static void take_away(struct expecting *e)
{
	while (e->n_odd)
		free(e->odd[--e->n_odd].text);
	free(e->odd);
	free(e->wants);
	free(e->links);
	expect_free_now(e);
	expectation_free(&e->x);
}

/* Do all that is told; 0: it cannot be done. */
static int repair(const struct expecting *e, wiring now)
{
	size_t i;

	for (i = 0; i < e->n_odd; i++) {
		const struct odd_cable *o = &e->odd[i];

		if (!o->text && now[o->port[0]] != o->port[1])
			return 0;
		if (!o->text)
			unplug(now, o->port[0]);
		else if (!do_text(now, o->text))
			return 0;
	}
	for (i = 0; i < e->x.n_links; i++) {
		const uint32_t *port = e->links[i].port;

		if (e->links[i].state != LINK_MISSING)
			continue;
		if (now[port[0]] != NONE || now[port[1]] != NONE)
			return 0;
		plug(now, port[0], port[1]);
	}
	return 1;
}

static void print_odd(const struct expecting *e)
{
	size_t i;

	for (i = 0; i < e->n_odd; i++)
		printf("# %s\n", e->odd[i].text ? e->odd[i].text : "one more");
}

static void test_moves(void)
{
	struct expecting e;
	wiring want, now;
	int i, good = 0, told = 0;

	for (i = 0; i < 4000; i++) {
		int is_good;

		wire(want, 3 + (unsigned)i % 8);
		if (i % 3)
			memcpy(now, want, sizeof(now));
		else
			wire(now, 8);
		if (i % 3)
			disturb(now);
		lay(&e, want, now);
		expect_judge_links(&e);
		told += (int)e.n_odd;
		is_good = repair(&e, now) && !memcmp(want, now, sizeof(now));
		if (!is_good && good == i)
			print_odd(&e);
		good += is_good;
		take_away(&e);
	}
	is_int(good, i, "the moves lead to what is expected");
	ok(told > 4000, "%d sets of cables", told);
}

/* ---- groups ---- */

static void test_groups(void)
{
	/* 0 is seen; 1 and 2 hang at it, 3 and 4 behind 2, 5 behind both; 6 and
	 * 7 stand alone. */
	static const uint32_t ends[][2] = { { 0, 1 }, { 0, 2 }, { 2, 3 },
					    { 2, 4 }, { 1, 5 }, { 5, 2 },
					    { 6, 7 } };
	static const uint8_t in[8] = { 0, 1, 1, 1, 1, 1, 1, 1 };
	static const uint8_t edge[8] = { 0, 1, 1 };
	struct edges g = { 0 };
	uint32_t root[8], behind[8];
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		edges_add(&g, ends[i][0], ends[i][1]);
	expect_group(&g, 8, in, edge, root, behind);
	ok(root[0] == NONE, "what is seen is in no group");
	ok(root[1] == 1 && !behind[1], "one at the rim");
	ok(root[2] == 2 && root[3] == 2 && root[4] == 2 && root[5] == 2,
	   "the busier one has those behind it");
	is_int(behind[2], 3, "counted");
	ok(root[6] == 6 && root[7] == 6 && behind[6] == 1,
	   "what nothing leads to has a root of its own");
	free(g.ends);
	memset(&g, 0, sizeof(g));
	expect_group(&g, 0, in, edge, root, behind);
}

/* ---- from a snapshot into the store and back ---- */

static int same_expectation(const struct expectation *a,
			    const struct expectation *b)
{
	size_t i;

	if (a->n_nodes != b->n_nodes || a->n_links != b->n_links ||
	    strcmp(a->kind, b->kind) || strcmp(a->source, b->source) ||
	    a->snapshot != b->snapshot || a->set_ms != b->set_ms)
		return 0;
	for (i = 0; i < a->n_nodes; i++)
		if (a->nodes[i].guid != b->nodes[i].guid ||
		    a->nodes[i].instance != b->nodes[i].instance ||
		    a->nodes[i].type != b->nodes[i].type ||
		    !a->nodes[i].name != !b->nodes[i].name ||
		    (a->nodes[i].name &&
		     strcmp(a->nodes[i].name, b->nodes[i].name)))
			return 0;
	for (i = 0; i < a->n_links; i++)
		if (memcmp(a->links[i].node, b->links[i].node,
			   sizeof(a->links[i].node)) ||
		    a->links[i].port[0] != b->links[i].port[0] ||
		    a->links[i].port[1] != b->links[i].port[1] ||
		    a->links[i].speed != b->links[i].speed ||
		    a->links[i].width != b->links[i].width)
			return 0;
	return 1;
}

static void fill(struct expectation *x, const struct snapshot *s)
{
	memset(x, 0, sizeof(*x));
	expectation_of_snapshot(s, x);
	x->kind = "snapshot";
	x->source = xstrdup("snapshot 1");
	x->snapshot = s->id;
	x->set_ms = 1234567890123;
}

static void test_store(void)
{
	struct store *st;
	struct snapshot s;
	struct expectation x, y;
	struct err err = { "" };
	int64_t before;
	int had = -1;

	build_fabric(&s);
	s.nodes[1]->desc_len = 0;
	s.nodes[0]->ports[1].link_seen = SEEN_UNREAD;
	st = store_open(NULL, STORE_MEMORY, &err);
	ok(store_fabric(st, "a", &s, &before, &err) == 0 &&
	   store_save(st, &s, NULL, &err) == 0, "a snapshot %s", err.text);
	fill(&x, &s);
	ok(x.n_nodes == s.n_nodes && x.n_links > 1, "%zu nodes, %zu links",
	   x.n_nodes, x.n_links);
	is_int(store_load_expectation(st, "a", &y, &err), 0, "none is set");
	ok(store_set_expectation(st, "b", &x, &had, &err) < 0, "%s", err.text);
	ok(store_set_expectation(st, "a", &x, &had, &err) == 0 && !had,
	   "set");
	is_int(store_load_expectation(st, NULL, &y, &err), 1, "load");
	ok(same_expectation(&x, &y), "as it was set");
	expectation_free(&y);
	ok(store_set_expectation(st, "a", &x, &had, &err) == 0 && had,
	   "in place of the one before");
	ok(store_load_expectation(st, "a", &y, &err) == 1 &&
	   same_expectation(&x, &y), "and not beside it");
	expectation_free(&y);
	ok(store_set_expectation(st, NULL, NULL, &had, &err) == 0 && had,
	   "clear");
	is_int(store_load_expectation(st, "a", &y, &err), 0, "none is left");
	expectation_free(&x);
	snapshot_free(&s);
	store_close(st);
}

/* ---- a fabric's life ---- */

static const char *const ours[] = { "link-below-expected", "link-miscabled",
				    "link-missing", "link-unexpected",
				    "node-missing", "node-unexpected" };

static void load_rules(struct ruleset *rs)
{
	const char *top = getenv("top_srcdir");
	struct err err = { "" };
	char dir[1024];
	size_t i;

	memset(rs, 0, sizeof(*rs));
	snprintf(dir, sizeof(dir), "%s/rules", top ? top : ".");
	ok(ruleset_load(rs, dir, &err) == 0, "rules %s", err.text);
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		ruleset_only(rs, ours[i], &err);
}

/* Two cables exchanged, one moved, a node with the GUID of another. */
static void shuffle(struct snapshot *s)
{
	uint32_t leaf1 = snapshot_find(s, LEAF1, 0), far[2];
	struct node *n;

	far[0] = snapshot_find(s, H1, 0);
	far[1] = snapshot_find(s, H2, 0);
	if (!roll(4) && far[1] != NO_NODE) {
		snapshot_join(s, leaf1, 1, far[1], 1);
		snapshot_join(s, leaf1, 2, far[0], 1);
	}
	if (!roll(6) && far[1] != NO_NODE) {
		snapshot_join(s, leaf1, 4, far[1], 1);
		set_read(&s->nodes[leaf1]->ports[4], 1);
		set_read(&s->nodes[leaf1]->ports[2], 0);
	}
	if (roll(5))
		return;
	n = snapshot_add_node(s, roll(2) ? H2 : H3, 1, 1);
	n->type = NODE_CA;
	set_read(&n->ports[1], 1);
	set_read(&s->nodes[leaf1]->ports[4], 1);
	snapshot_join(s, leaf1, 4, (uint32_t)s->n_nodes - 1, 1);
}

static const struct node *read_at(const struct snapshot *s,
				  const struct finding_end *end)
{
	uint32_t i = snapshot_find(s, end->node_guid, end->instance);

	return i != NO_NODE && s->nodes[i]->seen == SEEN_READ ? s->nodes[i] :
								NULL;
}

/* What the snapshot itself says against it. */
static int is_false(const struct snapshot *s, const struct finding *f)
{
	const struct node *n = f->n_where ? read_at(s, &f->where[0]) : NULL;
	const struct port *p, *q;

	if (!strcmp(f->rule->id, "node-missing"))
		return n != NULL;
	if (!strcmp(f->rule->id, "node-unexpected"))
		return !n;
	if (!n || !read_at(s, &f->where[1]))
		return 1;
	p = &n->ports[f->where[0].port];
	q = snapshot_peer(s, p);
	if (!strcmp(f->rule->id, "link-missing"))
		return q && p->link_seen == SEEN_READ;
	return 0;
}

static int count_false(const struct snapshot *s, const struct findings *f)
{
	int n = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (!is_false(s, &f->list[i]))
			continue;
		printf("# %s: %s %s\n", f->list[i].rule->id,
		       f->list[i].where[0].node, f->list[i].message);
		n++;
	}
	return n;
}

static int set_from(struct store *st, const struct snapshot *s)
{
	struct expectation x;
	struct err err = { "" };
	int had, rc;

	fill(&x, s);
	rc = store_set_expectation(st, "default", &x, &had, &err);
	expectation_free(&x);
	return rc;
}

/* The next sweep of the fabric, in the store. */
static int live(struct store *st, struct life *l, struct snapshot *s)
{
	struct snapshot prev;
	struct err err = { "" };
	int64_t before = 0;
	int rc;

	memset(&prev, 0, sizeof(prev));
	build_life(l, s, 600000);
	shuffle(s);
	rc = store_fabric(st, "default", s, &before, &err);
	if (!rc && before) {
		rc = store_load(st, before, STORE_PARENTS, &prev, &err);
		snapshot_carry(s, &prev);
	}
	if (!rc)
		rc = store_save(st, s, before ? &prev : NULL, &err);
	snapshot_free(&prev);
	if (rc < 0)
		printf("# %s\n", err.text);
	return rc;
}

static void test_life(void)
{
	struct err err = { "" };
	struct store *st = store_open(NULL, STORE_MEMORY, &err);
	struct life life = { 0 };
	struct ruleset rs;
	int i, wrong = 0, broken = 0, at_home = 0;
	size_t told = 0;

	load_rules(&rs);
	for (i = 0; i < 300; i++) {
		struct snapshot s;
		struct findings f;
		int rc = live(st, &life, &s), fresh = !(i % 25);

		if (!rc && fresh)
			rc = set_from(st, &s);
		if (rc < 0 || check_run(st, &rs, s.id, 0, NULL, &f, &err) < 0)
			break;
		broken += (int)f.n_broken;
		wrong += count_false(&s, &f);
		at_home += fresh && f.n;
		told += f.n;
		findings_free(&f);
		snapshot_free(&s);
	}
	is_int(i, 300, "each sweep is judged %s", err.text);
	is_int(broken, 0, "by all rules");
	is_int(wrong, 0, "nothing that was read is told as missing");
	is_int(at_home, 0, "nothing is told of what was just set");
	ok(told > 300, "%zu findings", told);
	ruleset_free(&rs);
	store_close(st);
}

int main(void)
{
	test_moves();
	test_groups();
	test_store();
	test_life();
	return done_testing();
}
