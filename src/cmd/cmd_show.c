/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/output.h"
#include "cmd/settings.h"
#include "model/names.h"
#include "report/doc.h"
#include "report/rows.h"
#include "report/summary.h"
#include "store/store.h"

/* What the arguments ask for: a snapshot, a list of it, or both. */
struct request {
	const char *snapshot;
	const struct row_list *rows; /* NULL: the summary */
};

static int parse(const struct invocation *inv, struct request *q,
		 struct err *err)
{
	const char *last = inv->n_args ? inv->args[inv->n_args - 1] : "";

	q->snapshot = "latest";
	q->rows = row_list_find(last);
	if (inv->n_args == 2 && !q->rows)
		return err_set(err, "unknown list %s; there are nodes, ports, "
			       "links, sms, counters, failures", last);
	if (inv->n_args == 2 || (inv->n_args == 1 && !q->rows))
		q->snapshot = inv->args[0];
	return 0;
}

static int show_rows(struct report *r, struct store *st,
		     const struct request *q, const struct store_snapshot *row,
		     const char *map, struct err *err)
{
	struct snapshot s;
	int rc;

	memset(&s, 0, sizeof(s));
	rc = store_load(st, row->id, q->rows->with_counters ?
				STORE_ALL_COUNTERS : STORE_NO_COUNTERS, &s, err);
	if (!rc)
		rc = names_apply(map, &s, err);
	if (!rc) {
		report_begin(r, json_pack("{s:o}", "snapshot",
					  doc_snapshot(row)));
		report_rows(r, q->rows, &s);
	}
	snapshot_free(&s);
	return rc;
}

static int show(const struct invocation *inv, struct store *st,
		const struct request *q, const struct store_snapshot *row,
		struct err *err)
{
	struct report *r = output_open(inv);
	if (!q->rows) {
		summary_begin(r, row);
	} else if (show_rows(r, st, q, row,
			     inv->set->node_name_map.text, err) < 0) {
		report_destroy(r);
		return EXIT_TROUBLE;
	}
	return output_close(r, EXIT_CLEAN, err);
}

static int run(const struct invocation *inv, struct err *err)
{
	struct store_snapshot row;
	struct request q;
	struct store *st;
	int status = EXIT_TROUBLE;

	memset(&row, 0, sizeof(row));
	if (parse(inv, &q, err) < 0 ||
	    settings_check_names(inv->set, err) < 0)
		return EXIT_TROUBLE;
	st = store_open(inv->set->db, STORE_READ, err);
	if (st && store_find(st, inv->set->fabric, q.snapshot, &row, err) == 0)
		status = show(inv, st, &q, &row, err);
	store_snapshot_free(&row);
	store_close(st);
	return status;
}

const struct cmd cmd_show = {
	.name = "show",
	.args = "[SNAPSHOT] [nodes|ports|links|sms|counters|failures]",
	.summary = "Show a snapshot, or one list of it",
	.formats = "text json",
	.help = "SNAPSHOT is latest (the default), latest~2, an id, or a time "
		"(the newest at\nor before it).",
	.options = NULL,
	.max_args = 2,
	.run = run,
};
