/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/merge.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * Their snapshots are loaded and saved one by one, each behind the one before
 * it in the merged history, so that rows hold what differs from that.  To put
 * them before some of ours, ours from there on are taken out and saved again in
 * their turn, all in one transaction: a second connection still reads them from
 * the database as it was before.  Ids are not given twice: what is saved again
 * has a new one.
 */

struct merger {
	struct store *st;
	struct store *theirs;
	struct store *old; /* ours as it was before; NULL: not to renumber */
	const struct store_merging *how;
	struct err *err;
	struct merge_plan *plans; /* one a fabric of theirs */
	size_t n;
	struct snapshot prev; /* the last one that is in place */
};

/* --- plans ------------------------------------------------------------ */

static int check_fabrics(const struct merger *m, char *const *names, size_t n)
{
	char *all;

	if (m->how->as && !m->how->fabric && n > 1) {
		all = store_fabric_names(m->theirs, m->err);
		if (all)
			err_set(m->err, "%s: holds several fabrics (%s); name "
				"the one to store as '%s' with --fabric",
				m->theirs->path, all, m->how->as);
		free(all);
		return -1;
	}
	while (m->how->fabric && n)
		if (!strcmp(names[--n], m->how->fabric))
			return 0;
	if (!m->how->fabric)
		return 0;
	all = store_fabric_names(m->theirs, m->err);
	if (all)
		err_set(m->err, "%s: no fabric '%s': there is %s",
			m->theirs->path, m->how->fabric, *all ? all : "none");
	free(all);
	return -1;
}

/* A snapshot that is not the last one any more is not told from others. */
static int check_order(const struct merger *m, const struct merge_plan *p)
{
	size_t moving = p->ours.n - p->n_kept;

	if (!moving || m->old)
		return 0;
	return err_set(m->err, "%s: of fabric '%s', %zu of %zu snapshots to be "
		       "added were started before our last one; give "
		       "--renumber to put them in order (%zu of ours get new "
		       "ids), or --fabric '%s' --as NAME for a history of "
		       "their own", m->theirs->path, p->from, p->n_before,
		       p->n_added, moving, p->from);
}

static int plan(struct merger *m, const char *name)
{
	struct merge_plan *p = &m->plans[m->n++];

	p->from = xstrdup(name);
	p->to = xstrdup(m->how->as ? m->how->as : name);
	if (merge_plan_make(p, m->old ? m->old : m->st, m->theirs,
			    !!m->how->fabric, m->err) < 0)
		return -1;
	return check_order(m, p);
}

static int plan_all(struct merger *m)
{
	char **names;
	size_t i, n;
	int rc;

	if (m->how->as && store_check_name(m->how->as, m->err) < 0)
		return -1;
	rc = store_fabrics(m->theirs, &names, &n, m->err);
	if (!rc)
		rc = check_fabrics(m, names, n);
	m->plans = xcalloc(n ? n : 1, sizeof(*m->plans));
	for (i = 0; i < n; i++) {
		if (!rc && (!m->how->fabric ||
			    !strcmp(names[i], m->how->fabric)))
			rc = plan(m, names[i]);
		free(names[i]);
	}
	free(names);
	return rc;
}

/* --- storing ---------------------------------------------------------- */

/* What was read last is told by ids, and keys are another database's. */
static void adopt(const struct merge_plan *p, const struct merge_item *item,
		  struct snapshot *s)
{
	int is_ours = item->side == &p->ours, i;
	size_t at;

	s->id = 0;
	free(s->fabric);
	s->fabric = xstrdup(p->to);
	for (at = 0; at < s->n_nodes; at++) {
		struct node *n = s->nodes[at];

		n->key = 0;
		n->last_read = merge_id(p, item->side, n->last_read,
					is_ours ? n->last_read : 0);
		for (i = 0; i <= n->nports; i++) {
			struct port *port = &n->ports[i];
			int64_t last = port->last_read;

			port->key = 0;
			port->last_read = (uint32_t)merge_id(
				p, item->side, last, is_ours ? last : 0);
		}
	}
}

/* Is it behind the same snapshot as on its own side? */
static int is_next(const struct merger *m, const struct merge_plan *p,
		   const struct merge_item *item)
{
	int64_t before = item->row ?
				 merge_here(p, item->side, item->row - 1) : 0;

	return before == m->prev.id;
}

static int store_item(struct merger *m, const struct merge_plan *p,
		      const struct merge_item *item, struct snapshot *s)
{
	struct merge_row *row = &item->side->rows[item->row];

	adopt(p, item, s);
	if (store_save(m->st, s, m->prev.id ? &m->prev : NULL, m->err) < 0)
		return -1;
	if (is_next(m, p, item) &&
	    merge_errors(m->st, item, s->id, m->err) < 0)
		return -1;
	row->here = s->id;
	return 0;
}

static int begin(struct merger *m)
{
	return store_exec(m->st, "BEGIN IMMEDIATE", MERGE_WHAT, m->err);
}

/* End what begin() began, with rc so far. */
static int end(struct merger *m, int rc)
{
	if (!rc)
		rc = store_exec(m->st, "COMMIT", MERGE_WHAT, m->err);
	if (rc < 0)
		store_rollback(m->st);
	else
		sqlite3_wal_checkpoint_v2(m->st->db, NULL,
					  SQLITE_CHECKPOINT_PASSIVE, NULL,
					  NULL);
	return rc;
}

static int add_item(struct merger *m, const struct merge_plan *p,
		    const struct merge_item *item)
{
	struct snapshot s;
	int rc;

	if (store_load(item->side->st, item->side->rows[item->row].id,
		       STORE_ALL_COUNTERS, &s, m->err) < 0)
		return -1;
	rc = m->old ? 0 : begin(m);
	if (!rc) {
		rc = store_item(m, p, item, &s);
		if (!m->old)
			rc = end(m, rc);
	}
	if (rc < 0) {
		snapshot_free(&s);
		return -1;
	}
	snapshot_free(&m->prev);
	m->prev = s;
	return 0;
}

/* Those of ours that move go, to be stored anew. */
static int take_out(struct merger *m, const struct merge_plan *p)
{
	static const char *const tables[] = {
		"error_rev", "node_rev", "port_rev", "sm_row", "failure_row",
		"duplicate_row", "detail_row", "counter_row",
	};
	struct strbuf sql = STRBUF_INIT;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		strbuf_addf(&sql, "DELETE FROM %s WHERE snapshot IN "
			    "(SELECT id FROM snapshot WHERE fabric = %lld "
			    "AND id >= %lld);", tables[i],
			    (long long)p->ours.fabric,
			    (long long)p->ours.rows[p->n_kept].id);
	strbuf_addf(&sql, "DELETE FROM snapshot WHERE fabric = %lld AND "
		    "id >= %lld", (long long)p->ours.fabric,
		    (long long)p->ours.rows[p->n_kept].id);
	rc = store_exec(m->st, sql.s, MERGE_WHAT, m->err);
	strbuf_free(&sql);
	return rc;
}

static int load_prev(struct merger *m, const struct merge_plan *p)
{
	snapshot_free(&m->prev);
	snapshot_init(&m->prev);
	if (!p->n_kept || !p->n_items)
		return 0;
	return store_load(m->st, p->ours.rows[p->n_kept - 1].id,
			  STORE_PARENTS, &m->prev, m->err);
}

static int merge_fabric(struct merger *m, const struct merge_plan *p)
{
	size_t i;
	int rc = 0;

	store_forget_errors(m->st);
	if (p->n_kept < p->ours.n)
		rc = take_out(m, p);
	if (!rc)
		rc = load_prev(m, p);
	for (i = 0; !rc && i < p->n_items; i++)
		rc = add_item(m, p, &p->items[i]);
	if (rc < 0 || !p->theirs.n)
		return rc;
	if (m->old)
		return merge_findings(p, m->st, m->err);
	return begin(m) < 0 ? -1 : end(m, merge_findings(p, m->st, m->err));
}

static int merge_all(struct merger *m)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < m->n; i++)
		rc = merge_fabric(m, &m->plans[i]);
	return rc;
}

/* The write lock comes first: what is read from there on stays as it is. */
static int merge_renumbering(struct merger *m)
{
	int rc;

	if (begin(m) < 0)
		return -1;
	m->old = store_open(m->st->path, STORE_READ, m->err);
	rc = m->old ? plan_all(m) : -1;
	if (!rc)
		rc = merge_all(m);
	return end(m, rc);
}

/* --- what became of it ------------------------------------------------ */

static void tell_fabric(const struct merge_plan *p, struct store_merged *out)
{
	size_t i;

	out->from = xstrdup(p->from);
	out->fabric = xstrdup(p->to);
	out->skipped = p->theirs.n - p->n_added;
	out->added = xcalloc(p->n_items + 1, sizeof(*out->added));
	out->renumbered = xcalloc(p->n_items + 1, sizeof(*out->renumbered));
	for (i = 0; i < p->n_items; i++) {
		const struct merge_side *side = p->items[i].side;
		const struct merge_row *row = &side->rows[p->items[i].row];
		struct store_moved moved = { row->id, row->here };

		if (side == &p->theirs)
			out->added[out->n_added++] = moved;
		else
			out->renumbered[out->n_renumbered++] = moved;
	}
}

static void tell(const struct merger *m, struct store_merged **out, size_t *n)
{
	size_t i;

	*n = m->n;
	*out = xcalloc(m->n ? m->n : 1, sizeof(**out));
	for (i = 0; i < m->n; i++)
		tell_fabric(&m->plans[i], &(*out)[i]);
}

static void close_all(struct merger *m)
{
	while (m->n)
		merge_plan_free(&m->plans[--m->n]);
	free(m->plans);
	snapshot_free(&m->prev);
	store_close(m->old);
	store_close(m->theirs);
}

int store_merge(struct store *st, const char *path,
		const struct store_merging *how, struct store_merged **out,
		size_t *n, struct err *err)
{
	struct merger m = { .st = st, .how = how, .err = err };
	int rc = -1;

	m.theirs = merge_open(st, path, err);
	if (m.theirs && how->renumber)
		rc = merge_renumbering(&m);
	else if (m.theirs)
		rc = plan_all(&m) < 0 ? -1 : merge_all(&m);
	if (!rc)
		tell(&m, out, n);
	close_all(&m);
	return rc;
}

void store_merged_free(struct store_merged *m, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(m[i].from);
		free(m[i].fabric);
		free(m[i].added);
		free(m[i].renumbered);
	}
	free(m);
}
