/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_DIFF_H
#define IBAUDIT_TESTS_DIFF_H

#include "diff/diff.h"
#include "model.h"
#include "model/carry.h"
#include "tap.h"
#include "util/strbuf.h"

/*
 * Each test changes one of two equal fabrics and expects the list, a line a
 * change.  Each pair is compared a second time with the nodes in another
 * order, and backwards, where what came goes.
 */

static struct snapshot was, is;

static inline void start(void)
{
	build_fabric(&was);
	build_fabric(&is);
	was.id = 5;
	is.id = 6;
}

static inline void start_without(const uint64_t *missing, enum front front)
{
	build_fabric(&was);
	build_without(&is, missing, front);
	was.id = 5;
	is.id = 6;
}

#define MISSING(...) ((const uint64_t[]){ __VA_ARGS__, 0 })

/* "node-gone: CA h4 ..." and a newline, for each change. */
static inline char *lines_of(const struct changes *c)
{
	struct strbuf b = STRBUF_INIT;
	size_t i;

	strbuf_add(&b, "");
	for (i = 0; i < c->n; i++)
		strbuf_addf(&b, "%s: %s\n", change_table[c->list[i].kind].name,
			    c->list[i].text);
	return strbuf_take(&b);
}

static inline char *diff_lines(const struct snapshot *a,
			       const struct snapshot *b)
{
	struct changes c;
	char *lines;

	diff_snapshots(a, b, &c);
	lines = lines_of(&c);
	changes_free(&c);
	return lines;
}

/* The same snapshot, its nodes in the opposite order. */
static inline void turn_round(struct snapshot *s)
{
	uint32_t n = (uint32_t)s->n_nodes, i;
	int p;

	for (i = 0; i < n / 2; i++) {
		struct node *keep = s->nodes[i];

		s->nodes[i] = s->nodes[n - 1 - i];
		s->nodes[n - 1 - i] = keep;
	}
	for (i = 0; i < n; i++) {
		snapshot_index_node(s, i);
		for (p = 0; p <= s->nodes[i]->nports; p++)
			if (s->nodes[i]->ports[p].peer_node != NO_NODE)
				s->nodes[i]->ports[p].peer_node =
					n - 1 - s->nodes[i]->ports[p].peer_node;
	}
	for (i = 0; i < s->n_sms; i++)
		s->sms[i].node = n - 1 - s->sms[i].node;
}

static inline enum change_kind mirror(enum change_kind kind)
{
	static const enum change_kind pairs[][2] = {
		{ CHANGE_NODE_NEW, CHANGE_NODE_GONE },
		{ CHANGE_LINK_NEW, CHANGE_LINK_GONE },
		{ CHANGE_SM_NEW, CHANGE_SM_GONE },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (kind == pairs[i][0])
			return pairs[i][1];
		if (kind == pairs[i][1])
			return pairs[i][0];
	}
	return kind;
}

static inline int same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Has the list of the way back this change, the other way round? */
static inline int has_mirrored(const struct changes *back,
			       const struct change *c)
{
	size_t i;

	for (i = 0; i < back->n; i++) {
		const struct change *r = &back->list[i];

		if (r->kind == mirror(c->kind) && r->n_where == c->n_where &&
		    same_text(r->before, c->after) &&
		    same_text(r->after, c->before))
			return 1;
	}
	return 0;
}

static inline int is_mirrored(void)
{
	struct changes there, back;
	size_t i;
	int good;

	diff_snapshots(&was, &is, &there);
	diff_snapshots(&is, &was, &back);
	good = there.n == back.n;
	for (i = 0; i < there.n; i++)
		if (!has_mirrored(&back, &there.list[i])) {
			printf("# no mirror of: %s\n", there.list[i].text);
			good = 0;
		}
	changes_free(&there);
	changes_free(&back);
	return good;
}

static inline void expect_order(const char *want, const char *name)
{
	char *got = diff_lines(&was, &is);

	is_str(got, want, "%s", name);
	free(got);
	turn_round(&was);
	got = diff_lines(&was, &is);
	is_str(got, want, "%s: whatever the order of nodes", name);
	free(got);
	turn_round(&is);
}

static inline void finish(void)
{
	snapshot_free(&was);
	snapshot_free(&is);
}

static inline void expect(const char *name, const char *want)
{
	expect_order(want, name);
	ok(is_mirrored(), "%s: backwards", name);
	finish();
}

/* For what has no way back: that something was not read, or restarted. */
static inline void expect_one_way(const char *name, const char *want)
{
	expect_order(want, name);
	finish();
}

static inline void unplug(struct snapshot *s, uint64_t guid, int num)
{
	struct port *p = port_at(s, guid, num), *q = snapshot_peer(s, p);

	p->peer_node = q->peer_node = NO_NODE;
	set_read(p, 0);
	set_read(q, 0);
}

static inline void add_host(struct snapshot *s, uint64_t guid,
			    const char *name, uint64_t leaf, int port)
{
	add_node(s, guid, NODE_CA, 1, name);
	cable(s, guid, 1, leaf, port);
}

static inline void add_sm(struct snapshot *s, uint64_t guid, int state)
{
	struct sm *sm = snapshot_add_sm(s);

	sm->node = snapshot_find(s, guid, 0);
	sm->port = 1;
	sm->answered = 1;
	sm->guid = guid;
	sm->priority = 5;
	sm->state = state;
	sm->act_count = 100;
	port_at(s, guid, 1)->cap_mask = CAPMASK_IS_SM;
}

#endif
