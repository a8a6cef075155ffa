/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/db_merge.h"

#include "cmd/locking.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "report/doc.h"
#include "store/store.h"

static const struct column columns[] = {
	{ "FABRIC", "fabric", 0 },	{ "ADDED", "added", 1 },
	{ "FIRST", "first", 1 },	{ "LAST", "last", 1 },
	{ "SKIPPED", "skipped", 1 },	{ "RENUMBERED", "renumbered", 1 },
	{ NULL, NULL, 0 },
};

static json_t *moves(const struct store_moved *list, size_t n)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_array_append_new(a, json_pack("{s:I, s:I}", "was",
						   (json_int_t)list[i].was,
						   "id",
						   (json_int_t)list[i].id));
	return a;
}

static json_t *id_or_null(const struct store_merged *m, size_t i)
{
	return m->n_added ? json_integer(m->added[i].id) : json_null();
}

static json_t *fabric_row(const struct store_merged *m)
{
	return json_pack("{s:o, s:o, s:I, s:o, s:o, s:I, s:I, s:o, s:o}",
			 "fabric", doc_string(m->fabric),
			 "from", doc_string(m->from),
			 "added", (json_int_t)m->n_added,
			 "first", id_or_null(m, 0),
			 "last", id_or_null(m, m->n_added - 1),
			 "skipped", (json_int_t)m->skipped,
			 "renumbered", (json_int_t)m->n_renumbered,
			 "added_ids", moves(m->added, m->n_added),
			 "renumbered_ids",
			 moves(m->renumbered, m->n_renumbered));
}

static int tell(const struct invocation *inv, const struct store_merged *m,
		size_t n, struct err *err)
{
	static const struct list list = { "fabrics", LIST_TABLE, columns,
					  "No snapshot there.", 0 };
	struct report *r = output_open(inv);
	size_t i;

	report_begin(r, json_pack("{s:o, s:o}", "database",
				  doc_string(inv->set->db), "merged",
				  doc_string(inv->args[1])));
	report_list_begin(r, &list);
	for (i = 0; i < n; i++)
		report_row(r, fabric_row(&m[i]));
	report_list_end(r);
	return output_close(r, EXIT_CLEAN, err);
}

static int merge(const struct invocation *inv, struct store *st,
		 struct err *err)
{
	const struct store_merging how = {
		.fabric = inv->set->fabric,
		.as = given_arg(inv, "as"),
		.renumber = !!given_count(inv, "renumber"),
	};
	struct store_merged *m;
	struct lock lock;
	size_t n;
	int rc;

	if (lock_database(&lock, inv->set->db, err) < 0)
		return EXIT_TROUBLE;
	rc = store_merge(st, inv->args[1], &how, &m, &n, err);
	lock_release(&lock);
	if (rc < 0)
		return EXIT_TROUBLE;
	rc = tell(inv, m, n, err);
	store_merged_free(m, n);
	return rc;
}

int db_merge(const struct invocation *inv, struct err *err)
{
	struct store *st = store_open(inv->set->db, STORE_WRITE, err);
	int status;

	if (!st)
		return EXIT_TROUBLE;
	status = merge(inv, st, err);
	store_close(st);
	return status;
}
