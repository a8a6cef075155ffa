/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "report/doc.h"
#include "report/summary.h"
#include "store/store.h"

static const struct {
	const char *option, *key;
} keeps[] = {
	{ "keep-all", "keep_all" },
	{ "keep-hourly", "keep_hourly" },
	{ "keep-daily", "keep_daily" },
	{ "keep-weekly", "keep_weekly" },
};

static int take_options(const struct invocation *inv, struct err *err)
{
	char origin[16];
	size_t i;

	for (i = 0; i < sizeof(keeps) / sizeof(keeps[0]); i++) {
		const char *arg = given_arg(inv, keeps[i].option);

		snprintf(origin, sizeof(origin), "--%s", keeps[i].option);
		if (arg && settings_set(inv->set, "retention", keeps[i].key,
					arg, origin, err) < 0)
			return -1;
	}
	return 0;
}

static json_t *fabric_row(const char *fabric, const struct store_pruned *p)
{
	json_t *dropped = json_array();
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!p->keep[i])
			json_array_append_new(dropped,
					      json_integer(p->rows[i].id));
	return json_pack("{s:o, s:I, s:I, s:o}", "fabric", doc_string(fabric),
			 "snapshots", (json_int_t)p->n,
			 "kept", (json_int_t)p->kept, "dropped", dropped);
}

static const struct column columns[] = {
	{ "FABRIC", "fabric", 0 },
	{ "SNAPSHOTS", "snapshots", 1 },
	{ "KEPT", "kept", 1 },
	{ NULL, NULL, 0 },
};

static int prune(const struct invocation *inv, struct store *st,
		 struct report *r, const char *fabric, struct err *err)
{
	const struct settings *set = inv->set;
	struct store_keep k = { set->keep_all_s * INT64_C(1000),
				set->keep_hourly, set->keep_daily,
				set->keep_weekly };
	struct store_pruned p;

	if (store_prune(st, fabric, &k, !!given_count(inv, "dry-run"), &p,
			err) < 0)
		return -1;
	report_row(r, fabric_row(fabric, &p));
	store_pruned_free(&p);
	return 0;
}

static int prune_all(const struct invocation *inv, struct store *st,
		     struct report *r, struct err *err)
{
	char **names;
	size_t i, n;
	int rc;

	if (inv->set->fabric)
		return prune(inv, st, r, inv->set->fabric, err);
	rc = store_fabrics(st, &names, &n, err);
	for (i = 0; i < n; i++) {
		if (!rc)
			rc = prune(inv, st, r, names[i], err);
		free(names[i]);
	}
	free(names);
	return rc;
}

static int report(const struct invocation *inv, struct store *st,
		  struct err *err)
{
	static const struct list list = { "fabrics", LIST_TABLE, columns,
					  "No snapshot yet.", 0 };
	struct report *r = output_open(inv);
	int dry = !!given_count(inv, "dry-run");

	report_begin(r, json_pack("{s:b}", "dry_run", dry));
	if (dry)
		report_say(r, "A dry run: nothing is dropped.");
	report_list_begin(r, &list);
	if (prune_all(inv, st, r, err) < 0) {
		report_destroy(r);
		return EXIT_TROUBLE;
	}
	report_list_end(r);
	return output_close(r, EXIT_CLEAN, err);
}

static int run(const struct invocation *inv, struct err *err)
{
	struct store *st;
	int status;

	if (take_options(inv, err) < 0)
		return EXIT_TROUBLE;
	st = store_open(inv->set->db, given_count(inv, "dry-run") ?
			STORE_READ : STORE_WRITE, err);
	if (!st)
		return EXIT_TROUBLE;
	status = report(inv, st, err);
	store_close(st);
	return status;
}

static const struct option_row options[] = {
	{ "keep-all", 0, "TIME", "all that are not older (72h)" },
	{ "keep-hourly", 0, "N", "one of each of the last N hours (168)" },
	{ "keep-daily", 0, "N", "one of each of the last N days (90)" },
	{ "keep-weekly", 0, "N", "one of each of the last N weeks (104)" },
	{ "dry-run", 0, NULL, "only tell what would be dropped" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_prune = {
	.name = "prune",
	.args = "",
	.summary = "Drop old snapshots; those that stay read as before",
	.formats = "text json",
	.help = "Ages count from the fabric's newest snapshot, in UTC. The "
		"last 48 stay, and what\nis pinned. Space is used again by "
		"later sweeps; ibaudit db vacuum gives it back.",
	.options = options,
	.max_args = 0,
	.run = run,
};
