/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "check/expect.h"
#include "model/speed.h"
#include "util/guid.h"

/* The tables expected_* and the like (sql/check-views-once.sql): what
 * expect_match() and expect_judge_links() found, row by row. */

/* A row under way: values go to the columns in their order. */
struct row {
	struct expecting *e;
	sqlite3_stmt *stmt;
	struct strbuf text;
	int i;
	int rc;
};

static void row_open(struct row *r, struct expecting *e, const char *sql)
{
	memset(r, 0, sizeof(*r));
	r->e = e;
	if (sqlite3_prepare_v2(e->c->db, sql, -1, &r->stmt, NULL) != SQLITE_OK)
		r->rc = -1;
}

static int row_close(struct row *r)
{
	if (r->rc < 0)
		store_err(r->e->c->st, r->e->err, "laying the expectation "
			  "over the snapshot");
	sqlite3_finalize(r->stmt);
	strbuf_free(&r->text);
	return r->rc;
}

static void row_done(struct row *r)
{
	sqlite3_step(r->stmt);
	if (sqlite3_reset(r->stmt) != SQLITE_OK)
		r->rc = -1;
	sqlite3_clear_bindings(r->stmt);
	r->i = 0;
}

static void put_null(struct row *r)
{
	r->i++;
}

static void put_int(struct row *r, int64_t v)
{
	sqlite3_bind_int64(r->stmt, ++r->i, v);
}

static void put_rank(struct row *r, int v)
{
	r->i++;
	if (v > 0)
		sqlite3_bind_int(r->stmt, r->i, v);
}

/* NULL and nothing are NULL. */
static void put_text(struct row *r, const char *s)
{
	r->i++;
	if (s && *s)
		sqlite3_bind_text(r->stmt, r->i, s, -1, SQLITE_TRANSIENT);
}

static void put_buffer(struct row *r)
{
	put_text(r, r->text.s);
	strbuf_reset(&r->text);
}

static void put_guid(struct row *r, uint64_t guid)
{
	char text[GUID_STRLEN + 1];

	if (!guid) {
		r->i += 2;
		return;
	}
	put_int(r, (int64_t)guid);
	put_text(r, guid_format(guid, text));
}

static void put_now_node(struct row *r, uint32_t node)
{
	put_int(r, (int64_t)r->e->nodes[node].guid);
	put_int(r, r->e->nodes[node].instance);
}

/* node_guid, node_guid_hex, instance, port, node; NONE: they are NULL. */
static void put_end(struct row *r, uint32_t port)
{
	const struct now_port *p = &r->e->ports[port];

	put_guid(r, r->e->nodes[p->node].guid);
	put_int(r, r->e->nodes[p->node].instance);
	put_int(r, p->num);
	put_text(r, r->e->nodes[p->node].name);
}

static const char *state_name(const struct expecting *e,
			      const struct want_node *w)
{
	static const char *const names[] = { "read", "unread", "gone", "never",
					     "ambiguous" };

	if (!w->is_replaced)
		return names[w->state];
	if (w->was == NONE)
		return "never";
	return e->nodes[w->was].seen == SEEN_GONE ? "gone" : "unread";
}

/* ---- expected_node ---- */

/* Who it is: the one that it was, where another has replaced it. */
static uint32_t self(const struct want_node *w)
{
	return w->is_replaced ? w->was : w->now;
}

static uint64_t guid_of(const struct expecting *e, const struct want_node *w)
{
	uint32_t now = self(w);

	if (w->state == WANT_AMBIGUOUS)
		return 0;
	return now == NONE ? w->x->guid : e->nodes[now].guid;
}

static void put_place(struct row *r, uint32_t port, int with_now)
{
	if (port == NONE) {
		r->i += with_now ? 5 : 4;
		return;
	}
	put_now_node(r, r->e->ports[port].node);
	put_int(r, r->e->ports[port].num);
	put_text(r, r->e->nodes[r->e->ports[port].node].name);
	if (!with_now)
		return;
	expect_add_what(&r->text, r->e, port);
	put_buffer(r);
}

static void put_type(struct row *r, int type)
{
	put_text(r, type == VAL_NONE ? NULL : node_type_name(type));
}

static void add_wanted_name(struct row *r, uint32_t want)
{
	uint32_t now = self(&r->e->wants[want]);

	if (now != NONE)
		strbuf_add(&r->text, r->e->nodes[now].name);
	else
		expect_add_want(&r->text, r->e, want);
}

static void put_expected_node(struct row *r, uint32_t i)
{
	const struct want_node *w = &r->e->wants[i];
	uint32_t now = self(w);
	int is_away = w->state != WANT_READ && w->state != WANT_AMBIGUOUS;

	put_guid(r, guid_of(r->e, w));
	put_int(r, now == NONE ? w->x->instance : r->e->nodes[now].instance);
	add_wanted_name(r, i);
	put_buffer(r);
	put_type(r, now == NONE ? w->x->type : r->e->nodes[now].type);
	put_text(r, state_name(r->e, w));
	put_rank(r, w->state == WANT_UNREAD ?
			    (int)r->e->nodes[now].last_read : 0);
	put_rank(r, w->state == WANT_AMBIGUOUS ? w->n_of_name : 0);
	put_int(r, w->is_replaced);
	put_int(r, !w->is_replaced && (!is_away || w->root == i));
	put_int(r, w->behind);
	put_int(r, is_away && w->at != NONE && !w->is_uncertain);
	put_place(r, w->at, 1);
	row_done(r);
}

static int fill_expected_nodes(struct expecting *e)
{
	struct row r;
	uint32_t i;

	row_open(&r, e, "INSERT INTO temp.expected_node VALUES (?, ?, ?, ?, "
		 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (i = 0; !r.rc && i < e->x.n_nodes; i++)
		put_expected_node(&r, i);
	return row_close(&r);
}

/* ---- unexpected_node ---- */

/* "node2 (0x...)", of the one that is replaced; one without a name has its
 * GUID as name. */
static void put_replaced(struct row *r, const struct now_node *n)
{
	char text[GUID_STRLEN + 1];
	uint64_t guid;

	if (n->wanted == NONE) {
		put_null(r);
		return;
	}
	guid = guid_of(r->e, &r->e->wants[n->wanted]);
	add_wanted_name(r, n->wanted);
	if (guid && strcmp(r->text.s, guid_format(guid, text)))
		strbuf_addf(&r->text, " (%s)", text);
	put_buffer(r);
}

static void put_unexpected_node(struct row *r, uint32_t i)
{
	const struct now_node *n = &r->e->nodes[i];
	uint32_t entry = expect_entry(r->e, i);

	put_guid(r, n->guid);
	put_int(r, n->instance);
	put_text(r, n->name);
	put_type(r, n->type);
	put_replaced(r, n);
	put_int(r, n->wanted != NONE || n->root == i);
	put_int(r, n->wanted != NONE ? 0 : n->behind);
	put_place(r, entry == NONE ? NONE : r->e->ports[entry].peer, 0);
	row_done(r);
}

static int fill_unexpected_nodes(struct expecting *e)
{
	struct row r;
	uint32_t i;

	row_open(&r, e, "INSERT INTO temp.unexpected_node VALUES (?, ?, ?, ?, "
		 "?, ?, ?, ?, ?, ?, ?, ?)");
	for (i = 0; !r.rc && i < e->n_nodes; i++) {
		uint32_t want = e->nodes[i].wanted;

		if (want == NONE ? e->nodes[i].root != NONE :
				   e->wants[want].is_replaced &&
					   e->wants[want].now == i)
			put_unexpected_node(&r, i);
	}
	return row_close(&r);
}

/* ---- expected_link ---- */

static void put_wanted_end(struct row *r, const struct want_link *l, int side)
{
	uint32_t want = l->x->node[side];
	const struct want_node *w = &r->e->wants[want];

	if (w->state == WANT_READ && l->port[side] != NONE) {
		put_end(r, l->port[side]);
		put_text(r, state_name(r->e, w));
		if (l->state != LINK_THERE)
			expect_add_what(&r->text, r->e, l->port[side]);
		put_buffer(r);
		return;
	}
	put_guid(r, guid_of(r->e, w));
	put_int(r, w->x->instance);
	put_int(r, l->x->port[side]);
	add_wanted_name(r, want);
	put_buffer(r);
	put_text(r, state_name(r->e, w));
	put_null(r);
}

/* The end that comes first, as in the view link. */
static int first_end(const struct expecting *e, const struct want_link *l)
{
	const struct now_port *a, *b;

	if (l->port[0] == NONE || l->port[1] == NONE)
		return 0;
	a = &e->ports[l->port[0]];
	b = &e->ports[l->port[1]];
	if (a->node != b->node) /* they are in that order */
		return a->node > b->node;
	return a->num > b->num;
}

static void put_expected_link(struct row *r, const struct want_link *l)
{
	static const char *const states[] = { NULL, "there", "missing",
					      "miscabled" };
	int first = first_end(r->e, l);

	put_wanted_end(r, l, first);
	put_wanted_end(r, l, 1 - first);
	put_text(r, states[l->state]);
	put_rank(r, l->x->speed);
	put_text(r, l->x->speed > 0 ? speed_name(l->x->speed) : NULL);
	put_rank(r, l->x->width);
	put_text(r, l->x->width > 0 ? width_name(l->x->width) : NULL);
	row_done(r);
}

static int fill_expected_links(struct expecting *e)
{
	struct row r;
	size_t i;

	row_open(&r, e, "INSERT INTO temp.expected_link VALUES (?, ?, ?, ?, ?, "
		 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (i = 0; !r.rc && i < e->x.n_links; i++)
		put_expected_link(&r, &e->links[i]);
	return row_close(&r);
}

/* ---- unexpected_link, miscabled ---- */

static int fill_odd(struct expecting *e)
{
	struct row lone, set;
	size_t i;
	int rc;

	row_open(&lone, e, "INSERT INTO temp.unexpected_link VALUES (?, ?, ?, "
		 "?, ?, ?, ?, ?, ?, ?)");
	row_open(&set, e, "INSERT INTO temp.miscabled VALUES (?, ?, ?, ?, ?, "
		 "?, ?, ?, ?, ?, ?, ?)");
	for (i = 0; !lone.rc && !set.rc && i < e->n_odd; i++) {
		const struct odd_cable *o = &e->odd[i];
		struct row *r = o->text ? &set : &lone;

		put_end(r, o->port[0]);
		put_end(r, o->port[1]);
		if (o->text) {
			put_int(r, o->cables);
			put_text(r, o->text);
		}
		row_done(r);
	}
	rc = row_close(&lone);
	return row_close(&set) < 0 ? -1 : rc;
}

/* ---- all of them ---- */

/* 1, 0 when there is none, -1. */
static int load(struct expecting *e)
{
	sqlite3_stmt *stmt;
	int rc = -1;

	if (sqlite3_prepare_v2(e->c->db, "SELECT f.name FROM main.snapshot s "
			       "JOIN main.fabric f ON f.id = s.fabric "
			       "WHERE s.id = ?", -1, &stmt, NULL) != SQLITE_OK)
		return store_err(e->c->st, e->err, "reading the expectation");
	sqlite3_bind_int64(stmt, 1, e->c->id);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		rc = store_load_expectation(
			e->c->st, (const char *)sqlite3_column_text(stmt, 0),
			&e->x, e->err);
	else
		store_err(e->c->st, e->err, "reading the expectation");
	sqlite3_finalize(stmt);
	return rc;
}

static int fill_all(struct expecting *e)
{
	if (expect_read(e) < 0)
		return -1;
	expect_match(e);
	expect_judge_links(e);
	if (fill_expected_nodes(e) < 0 || fill_unexpected_nodes(e) < 0 ||
	    fill_expected_links(e) < 0)
		return -1;
	return fill_odd(e);
}

int expect_fill(struct check *c, struct err *err)
{
	struct expecting e = { .c = c, .err = err };
	int rc;

	if (c->expect_is_filled)
		return 0;
	c->expect_is_filled = 1;
	rc = load(&e);
	if (rc == 1)
		rc = fill_all(&e);
	while (e.n_odd)
		free(e.odd[--e.n_odd].text);
	free(e.odd);
	free(e.wants);
	free(e.links);
	expect_free_now(&e);
	expectation_free(&e.x);
	return rc;
}
