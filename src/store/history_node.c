/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/attr.h"
#include "util/alloc.h"

/* What became of a node: itself, where its ports lead, when it began anew. */

#define WHAT HISTORY_WHAT

struct node_state {
	int64_t snapshot;
	struct node node; /* without ports */
	char *name;
};

struct node_states {
	struct node_state *list;
	size_t n, cap;
};

static void free_states(struct node_states *s)
{
	while (s->n)
		free(s->list[--s->n].name);
	free(s->list);
}

static int load_states(struct store *st, int64_t node, struct node_states *out,
		       struct err *err)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int rc;

	memset(out, 0, sizeof(*out));
	strbuf_add(&sql, "SELECT snapshot, seen, nports, name");
	store_add_columns(&sql, "", node_attrs, n_node_attrs);
	strbuf_add(&sql, " FROM node_rev WHERE node = ?1 ORDER BY snapshot");
	stmt = store_prepare(st, sql.s, WHAT, err);
	strbuf_free(&sql);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, node);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		struct node_state *n;

		out->list = xgrow(out->list, out->n, &out->cap, sizeof(*n));
		n = &out->list[out->n++];
		memset(n, 0, sizeof(*n));
		n->snapshot = sqlite3_column_int64(stmt, 0);
		n->node.seen = (uint8_t)sqlite3_column_int(stmt, 1);
		n->node.nports = (uint8_t)sqlite3_column_int(stmt, 2);
		n->name = xstrdup((const char *)sqlite3_column_text(stmt, 3));
		store_column_attrs(stmt, 4, node_attrs, n_node_attrs,
				   &n->node);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static void add_change(struct strbuf *b, const char *name, int64_t was,
		       int64_t now, int64_t none, const char *format)
{
	if (was == now || was == none || now == none)
		return;
	strbuf_addf(b, "%s%s ", b->len ? ", " : "", name);
	strbuf_addf(b, format, was);
	strbuf_add(b, " -> ");
	strbuf_addf(b, format, now);
}

static void tell_values(const struct history *h, struct history_events *out,
			const struct node_state *was,
			const struct node_state *now)
{
	const struct node *a = &was->node, *b = &now->node;
	struct strbuf text = STRBUF_INIT;

	if (was->name && now->name && strcmp(was->name, now->name))
		history_tell(h, out, now->snapshot, "renamed",
			     "renamed from \"%s\" to \"%s\"", was->name,
			     now->name);
	add_change(&text, "device id", a->device_id, b->device_id, VAL_NONE,
		   "0x%04" PRIx64);
	add_change(&text, "revision", a->revision, b->revision, VAL_NONE64,
		   "0x%" PRIx64);
	add_change(&text, "vendor", a->vendor_id, b->vendor_id, VAL_NONE,
		   "0x%06" PRIx64);
	add_change(&text, "ports", a->nports, b->nports, 0, "%" PRId64);
	if (text.len)
		history_tell(h, out, now->snapshot, "changed", "%s", text.s);
	strbuf_free(&text);
}

/* was: NULL, or what it was before.  last: what it was when it was there. */
static void tell_state(const struct history *h, struct history_events *out,
		       const struct node_state *was,
		       const struct node_state *last,
		       const struct node_state *now)
{
	int before = was ? was->node.seen : SEEN_GONE;

	if (now->node.seen == SEEN_GONE) {
		history_tell(h, out, now->snapshot, "gone", "gone");
		return;
	}
	if (before == SEEN_GONE)
		history_tell(h, out, now->snapshot, "new", "%s%s%s",
			     last ? "came back" : "seen first",
			     now->name && *now->name ? " as " : "",
			     now->name ? now->name : "");
	else if (now->node.seen == SEEN_UNREAD && before == SEEN_READ)
		history_tell(h, out, now->snapshot, "unread", "not read");
	else if (now->node.seen == SEEN_READ && before == SEEN_UNREAD)
		history_tell(h, out, now->snapshot, "read", "read again");
	if (last)
		tell_values(h, out, last, now);
}

static int tell_node(struct history *h, int64_t node,
		     struct history_events *out, struct err *err)
{
	const struct node_state *last = NULL;
	struct node_states s;
	size_t i;
	int rc = load_states(h->st, node, &s, err);

	for (i = 0; !rc && i < s.n; i++) {
		tell_state(h, out, i ? &s.list[i - 1] : NULL, last,
			   &s.list[i]);
		if (s.list[i].node.seen != SEEN_GONE)
			last = &s.list[i];
	}
	free_states(&s);
	return rc;
}

static int add_peer(struct history *h, const struct link_state *l,
		    struct strbuf *b, struct err *err)
{
	struct history_end peer;

	if (history_end(h, 0, l->peer, l->snapshot, &peer, err) < 0)
		return -1;
	history_add_end(b, &peer);
	history_end_free(&peer);
	return 0;
}

/* Where one port leads: told when that is another port than before. */
static int tell_peers(struct history *h, int64_t port, int num,
		      struct history_events *out, struct err *err)
{
	const struct link_state *was = NULL, *l;
	struct link_states s;
	struct strbuf b = STRBUF_INIT;
	size_t i;
	int rc = link_states_load(h->st, port, &s, err);

	for (i = 0; !rc && i < s.n; i++) {
		l = &s.list[i];
		if (!l->peer || l->port.seen == SEEN_GONE ||
		    (was && was->peer == l->peer))
			continue;
		strbuf_reset(&b);
		rc = add_peer(h, l, &b, err);
		if (!rc && was) {
			strbuf_add(&b, ", was to ");
			rc = add_peer(h, was, &b, err);
		}
		if (!rc)
			history_tell(h, out, l->snapshot,
				     was ? "moved" : "linked",
				     "port %d leads to %s", num, b.s);
		was = l;
	}
	strbuf_free(&b);
	free(s.list);
	return rc;
}

static int tell_restarts(struct history *h, int64_t node,
			 struct history_events *out, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st,
		"SELECT e.snapshot, group_concat(p.num, ', ') "
		"FROM (SELECT id, num FROM port_key WHERE node = ?1 "
		"ORDER BY num) p CROSS JOIN error_rev e ON e.port = p.id "
		"WHERE e.reset = '*' GROUP BY e.snapshot", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, node);
	while ((rc = store_step(h->st, stmt, WHAT, err)) == 1)
		history_tell(h, out, sqlite3_column_int64(stmt, 0),
			     "restarted", "the counters of port %s began anew: "
			     "it restarted, or was cleared",
			     (const char *)sqlite3_column_text(stmt, 1));
	sqlite3_finalize(stmt);
	return rc;
}

/* A switch has many ports: only where their cables moved. */
static int tell_ports(struct history *h, int64_t node,
		      struct history_events *out, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st,
		"SELECT id, num FROM port_key WHERE node = ?1 ORDER BY num",
		WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, node);
	while ((rc = store_step(h->st, stmt, WHAT, err)) == 1)
		if (tell_peers(h, sqlite3_column_int64(stmt, 0),
			       sqlite3_column_int(stmt, 1), out, err) < 0) {
			rc = -1;
			break;
		}
	sqlite3_finalize(stmt);
	return rc;
}

int history_node(struct history *h, const struct history_place *p,
		 struct history_now *now, struct history_events *out,
		 struct err *err)
{
	memset(out, 0, sizeof(*out));
	if (history_now(h, p, now, err) < 0 ||
	    tell_node(h, p->node, out, err) < 0 ||
	    tell_ports(h, p->node, out, err) < 0 ||
	    tell_restarts(h, p->node, out, err) < 0) {
		history_now_free(now);
		history_events_free(out);
		return -1;
	}
	history_settle(h, out);
	return 0;
}
