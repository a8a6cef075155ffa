/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/saver.h"

#include <string.h>

#include "util/text.h"

/*
 * Notes
 *
 * A port is blank while nothing at all is known of it; it has no row then.
 * When it becomes blank or goes it gets a tombstone: whatever stands in the
 * table before, no row of an older life shines through when it comes back.
 */

/* last_read says something only of what was not read. */
static int64_t last_read(int seen, int64_t id)
{
	return seen == SEEN_READ ? 0 : id;
}

static int same_node(const struct node *a, const struct node *b)
{
	return a->seen == b->seen && a->nports == b->nports &&
	       last_read(a->seen, a->last_read) ==
		       last_read(b->seen, b->last_read) &&
	       a->desc_read == b->desc_read && a->desc_len == b->desc_len &&
	       !memcmp(a->desc, b->desc, a->desc_len) &&
	       attr_same(node_attrs, n_node_attrs, a, b);
}

static int save_node(struct saver *sv, const struct node *n)
{
	sqlite3_stmt *stmt = sv->stmt[ST_NODE_REV];

	sqlite3_bind_int64(stmt, 1, n->key);
	sqlite3_bind_int64(stmt, 2, sv->s->id);
	sqlite3_bind_int64(stmt, 3, n->seen);
	store_bind(stmt, 4, last_read(n->seen, n->last_read), 0);
	sqlite3_bind_int64(stmt, 5, n->nports);
	sqlite3_bind_null(stmt, 6);
	sqlite3_bind_null(stmt, 7);
	if (n->desc_read) {
		strbuf_reset(&sv->text);
		text_safe(&sv->text, n->desc, n->desc_len);
		sqlite3_bind_blob(stmt, 6, n->desc, n->desc_len, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 7, sv->text.s, -1, SQLITE_STATIC);
	}
	store_bind_attrs(stmt, 8, node_attrs, n_node_attrs, n);
	return saver_run(sv, ST_NODE_REV);
}

/* The key of the port at the other end; 0 without one, -1 on error. */
static int64_t peer_key(struct saver *sv, const struct port *p)
{
	if (p->peer_node == NO_NODE)
		return 0;
	if (saver_port_key(sv, p->peer_node, p->peer_port) < 0)
		return -1;
	return snapshot_peer(sv->s, p)->key;
}

static int same_port(const struct saver *sv, const struct port *a,
		     int64_t a_peer, const struct port *b)
{
	const struct port *q = snapshot_peer(sv->prev, b);

	return a->present == b->present && a->seen == b->seen &&
	       a->link_seen == b->link_seen && a_peer == (q ? q->key : 0) &&
	       last_read(a->seen, a->last_read) ==
		       last_read(b->seen, b->last_read) &&
	       attr_same(port_attrs, n_port_attrs, a, b);
}

static int save_port(struct saver *sv, const struct port *p,
		     const struct port *was)
{
	sqlite3_stmt *stmt = sv->stmt[ST_PORT_REV];
	int64_t peer = peer_key(sv, p);

	if (peer < 0)
		return -1;
	if (was && same_port(sv, p, peer, was))
		return 0;
	sqlite3_bind_int64(stmt, 1, p->key);
	sqlite3_bind_int64(stmt, 2, sv->s->id);
	sqlite3_bind_int64(stmt, 3, p->seen);
	store_bind(stmt, 4, last_read(p->seen, p->last_read), 0);
	sqlite3_bind_int64(stmt, 5, p->present);
	sqlite3_bind_int64(stmt, 6, p->link_seen);
	store_bind(stmt, 7, peer, 0);
	store_bind_attrs(stmt, 8, port_attrs, n_port_attrs, p);
	return saver_run(sv, ST_PORT_REV);
}

static int save_gone(struct saver *sv, int which, int64_t key)
{
	sqlite3_bind_int64(sv->stmt[which], 1, key);
	sqlite3_bind_int64(sv->stmt[which], 2, sv->s->id);
	return saver_run(sv, which);
}

/* n and was: the node in s and in prev; either may be NULL, not both. */
static int save_ports(struct saver *sv, const struct node *n,
		      const struct node *was)
{
	int p;

	for (p = 0; p < NO_PORT; p++) {
		const struct port *a = n && p <= n->nports ? &n->ports[p] :
							     NULL;
		const struct port *b = was && p <= was->nports ?
					       &was->ports[p] : NULL;

		if (!a && !b)
			break;
		if (a && saver_is_blank(a))
			a = NULL;
		if (b && saver_is_blank(b))
			b = NULL;
		if (a ? save_port(sv, a, b) < 0 :
			b && save_gone(sv, ST_PORT_GONE, b->key) < 0)
			return -1;
	}
	return 0;
}

static const struct node *same_in(const struct snapshot *s,
				  const struct node *n)
{
	uint32_t at = s ? snapshot_find(s, n->guid, n->instance) : NO_NODE;

	return at == NO_NODE ? NULL : s->nodes[at];
}

static int save_nodes(struct saver *sv)
{
	size_t i;

	for (i = 0; i < sv->s->n_nodes; i++) {
		const struct node *n = sv->s->nodes[i];
		const struct node *was = same_in(sv->prev, n);

		if ((!was || !same_node(n, was)) && save_node(sv, n) < 0)
			return -1;
		if (save_ports(sv, n, was) < 0)
			return -1;
	}
	return 0;
}

static int save_missing(struct saver *sv)
{
	size_t i;

	for (i = 0; sv->prev && i < sv->prev->n_nodes; i++) {
		const struct node *was = sv->prev->nodes[i];

		if (same_in(sv->s, was))
			continue;
		if (save_gone(sv, ST_NODE_GONE, was->key) < 0 ||
		    save_ports(sv, NULL, was) < 0)
			return -1;
	}
	return 0;
}

int saver_topology(struct saver *sv)
{
	return save_nodes(sv) < 0 ? -1 : save_missing(sv);
}
