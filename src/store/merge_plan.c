/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/merge.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/guid.h"

/*
 * Notes
 *
 * Each of the two histories keeps its own order.  A snapshot that both have
 * holds them together; where either could go on, the one that was started first
 * does.  What is ours and comes before the first one of theirs stays as it is.
 */

static int load_rows(struct merge_side *side, struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int rc;

	stmt = store_prepare(side->st, "SELECT s.id, s.started_ms, "
			     "s.finished_ms, s.mads_sent, k.guid, p.num "
			     "FROM snapshot s "
			     "LEFT JOIN port_key p ON p.id = s.local_port "
			     "LEFT JOIN node_key k ON k.id = p.node "
			     "WHERE s.fabric = ?1 ORDER BY s.id", MERGE_WHAT,
			     err);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, side->fabric);
	while ((rc = store_step(side->st, stmt, MERGE_WHAT, err)) == 1) {
		struct merge_row *row;

		side->rows = xgrow(side->rows, side->n, &cap,
				   sizeof(*side->rows));
		row = &side->rows[side->n++];
		row->id = sqlite3_column_int64(stmt, 0);
		row->same = row->here = 0;
		row->started_ms = sqlite3_column_int64(stmt, 1);
		row->finished_ms = sqlite3_column_int64(stmt, 2);
		row->mads_sent = sqlite3_column_int64(stmt, 3);
		row->local_guid = sqlite3_column_int64(stmt, 4);
		row->local_port = sqlite3_column_int64(stmt, 5);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_identity(const void *a, const void *b)
{
	const struct merge_row *p = a, *q = b;
	int rc = compare(p->started_ms, q->started_ms);

	if (!rc)
		rc = compare(p->finished_ms, q->finished_ms);
	if (!rc)
		rc = compare(p->mads_sent, q->mads_sent);
	if (!rc)
		rc = compare(p->local_guid, q->local_guid);
	return rc ? rc : compare(p->local_port, q->local_port);
}

/* Which of theirs are here, and under which id. */
static void match(struct merge_plan *p)
{
	size_t i, n = p->ours.n;
	struct merge_row *sorted;

	for (i = 0; i < n; i++)
		p->ours.rows[i].here = p->ours.rows[i].id;
	if (!n)
		return;
	sorted = xreallocarray(NULL, n, sizeof(*sorted));
	memcpy(sorted, p->ours.rows, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_identity);
	for (i = 0; i < p->theirs.n; i++) {
		struct merge_row *row = &p->theirs.rows[i], *same;

		same = bsearch(row, sorted, n, sizeof(*sorted), by_identity);
		row->same = same ? same->id : 0;
	}
	free(sorted);
}

static void add_item(struct merge_plan *p, struct merge_side *side, size_t row)
{
	p->items = xgrow(p->items, p->n_items, &p->cap_items,
			 sizeof(*p->items));
	p->items[p->n_items++] = (struct merge_item){ side, row };
}

/* The next one of ours: it stays as it is while nothing comes before it. */
static void add_ours(struct merge_plan *p, size_t *at)
{
	if (p->n_items)
		add_item(p, &p->ours, *at);
	else
		p->n_kept++;
	++*at;
}

static void put_in_order(struct merge_plan *p)
{
	const struct merge_row *ours = p->ours.rows;
	size_t at = 0, i;

	for (i = 0; i < p->theirs.n; i++) {
		const struct merge_row *row = &p->theirs.rows[i];

		while (at < p->ours.n &&
		       (row->same ? ours[at].id <= row->same :
				    ours[at].started_ms <= row->started_ms))
			add_ours(p, &at);
		if (row->same)
			continue;
		add_item(p, &p->theirs, i);
		p->n_added++;
		p->n_before += at < p->ours.n;
	}
	while (at < p->ours.n)
		add_ours(p, &at);
}

static int check_prefix(const struct merge_plan *p, struct err *err)
{
	static const char sql[] = "SELECT subnet_prefix FROM fabric "
				  "WHERE id = ?1";
	int64_t ours = 0, theirs = 0;

	if (store_int(p->ours.st, sql, p->ours.fabric, 0, &ours, err) < 0 ||
	    store_int(p->theirs.st, sql, p->theirs.fabric, 0, &theirs,
		      err) < 0)
		return -1;
	if (ours == theirs)
		return 0;
	return err_set(err, "%s: fabric '%s' has subnet prefix " GUID_FMT ", "
		       "and ours of that name " GUID_FMT "; give --fabric '%s' "
		       "--as NAME to store it under another name",
		       p->theirs.st->path, p->from,
		       GUID_ARG((uint64_t)theirs), GUID_ARG((uint64_t)ours),
		       p->from);
}

/* Most fabrics have the same prefix, and many one name. */
static int check_nodes(const struct merge_plan *p, struct err *err)
{
	const struct merge_side *t = &p->theirs;
	struct store_overlap o;
	struct snapshot s;
	size_t n;
	int rc;

	if (store_load(t->st, t->rows[t->n - 1].id, STORE_NO_COUNTERS, &s,
		       err) < 0)
		return -1;
	rc = store_find_overlap(p->ours.st, p->ours.fabric, &s, &o, err);
	n = s.n_nodes;
	snapshot_free(&s);
	if (rc < 0 || o.half)
		return rc;
	return err_set(err, "%s: fabric '%s' shares %zu of its %zu nodes with "
		       "ours of that name; if it is that fabric say so with "
		       "--fabric '%s', else add --as NAME", t->st->path,
		       p->from, o.shared, n, p->from);
}

static int find_fabrics(struct merge_plan *p, struct err *err)
{
	if (store_find_fabric(p->theirs.st, p->from, &p->theirs.fabric,
			      err) < 0 ||
	    store_find_fabric(p->ours.st, p->to, &p->ours.fabric, err) < 0 ||
	    load_rows(&p->ours, err) < 0)
		return -1;
	return load_rows(&p->theirs, err);
}

int merge_plan_make(struct merge_plan *p, struct store *ours,
		    struct store *theirs, int named, struct err *err)
{
	p->ours.st = ours;
	p->theirs.st = theirs;
	if (find_fabrics(p, err) < 0)
		return -1;
	if (p->ours.n && p->theirs.n &&
	    (check_prefix(p, err) < 0 ||
	     (!named && check_nodes(p, err) < 0)))
		return -1;
	match(p);
	put_in_order(p);
	return 0;
}

void merge_plan_free(struct merge_plan *p)
{
	free(p->from);
	free(p->to);
	free(p->ours.rows);
	free(p->theirs.rows);
	free(p->items);
}

/* The first row with that id or a higher one; n when there is none. */
static size_t find_row(const struct merge_side *side, int64_t id)
{
	size_t low = 0, high = side->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (side->rows[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t merge_here(const struct merge_plan *p, const struct merge_side *side,
		   size_t row)
{
	const struct merge_row *r = &side->rows[row];

	return r->same ? merge_id(p, &p->ours, r->same, r->same) : r->here;
}

int64_t merge_id(const struct merge_plan *p, const struct merge_side *side,
		 int64_t id, int64_t none)
{
	size_t i = find_row(side, id);

	return i < side->n && side->rows[i].id == id ? merge_here(p, side, i) :
						       none;
}

int64_t merge_next_id(const struct merge_plan *p, const struct merge_side *side,
		      int64_t id)
{
	size_t i = find_row(side, id);

	if (!side->n || (side == &p->ours && i < p->n_kept))
		return id;
	return merge_here(p, side, i < side->n ? i : side->n - 1);
}
