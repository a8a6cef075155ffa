/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "diff/diff.h"
#include "model/names.h"
#include "model/topology_file.h"
#include "report/changes.h"
#include "store/store.h"
#include "util/strbuf.h"

#define GROUPS "nodes links ports sms counters"
#define FILE_GROUPS "nodes links ports" /* that a topology file tells of */
#define THRESHOLD_MAX 1000000000

/* One comparison. */
struct diffing {
	const struct invocation *inv;
	struct store *st;
	struct err *err;
	struct store_snapshot a, b;
	const char *file;     /* the first side, when it is not a snapshot */
	struct strbuf groups; /* words; empty: all */
	int threshold;        /* 0: as diff_counters() has it */
	struct changes changes;
};

static int take_options(struct diffing *d)
{
	const struct invocation *inv = d->inv;
	const char *arg = given_arg(inv, "threshold");
	size_t i;

	if (arg && settings_int(arg, 1, THRESHOLD_MAX, &d->threshold) < 0)
		return err_set(d->err, "--threshold must be a whole number "
			       "from 1 to %d, not \"%s\"", THRESHOLD_MAX, arg);
	d->file = given_arg(inv, "topology");
	for (i = 0; i < inv->n_given; i++) {
		const struct given *g = &inv->given[i];

		if (strcmp(inv->cmd->options[g->option].name, "only"))
			continue;
		if (!settings_is_word(d->file ? FILE_GROUPS : GROUPS, g->arg))
			return err_set(d->err, "--only must be one of: %s%s, "
				       "not \"%s\"",
				       d->file ? FILE_GROUPS : GROUPS,
				       d->file ? " (a topology file tells of "
						 "nothing else)" : "", g->arg);
		strbuf_addf(&d->groups, "%s%s", d->groups.len ? " " : "",
			    g->arg);
	}
	if (d->file && !d->groups.len)
		strbuf_add(&d->groups, FILE_GROUPS);
	if (d->file && inv->n_args > 1)
		return err_set(d->err, "--topology is compared with one "
			       "snapshot; name only that");
	return 0;
}

static int find_sides(struct diffing *d)
{
	const struct invocation *inv = d->inv;
	const char *fabric = inv->set->fabric;
	const char *a = inv->n_args > 0 ? inv->args[0] : "latest~1";
	const char *b = inv->n_args > 1 ? inv->args[1] : "latest";

	if (d->file)
		return store_find(d->st, fabric, inv->n_args ? a : b, &d->b,
				  d->err);
	if (store_find(d->st, fabric, b, &d->b, d->err) < 0)
		return -1;
	/* "latest" and a time mean the other's fabric. */
	if (store_find(d->st, d->b.fabric, a, &d->a, d->err) < 0)
		return -1;
	if (strcmp(d->a.fabric, d->b.fabric))
		return err_set(d->err, "snapshot %lld is of fabric %s, and "
			       "%lld of %s; compare two of one fabric",
			       (long long)d->a.id, d->a.fabric,
			       (long long)d->b.id, d->b.fabric);
	if (d->a.id > d->b.id)
		return err_set(d->err, "snapshot %lld is newer than %lld; "
			       "write: ibaudit diff %lld %lld",
			       (long long)d->a.id, (long long)d->b.id,
			       (long long)d->b.id, (long long)d->a.id);
	return 0;
}

static const char *groups_of(const struct diffing *d)
{
	return d->groups.len ? d->groups.s : NULL;
}

static int has_counters(const struct diffing *d)
{
	return d->a.with_counters && d->b.with_counters;
}

static int wants_counters(const struct diffing *d)
{
	return has_counters(d) &&
	       (!d->groups.len || strstr(d->groups.s, "counters"));
}

static int compare(struct diffing *d)
{
	const char *map = d->inv->set->node_name_map.text;
	struct snapshot a, b;
	int rc;

	if (store_load_pair(d->st, d->a.id, d->b.id, &a, &b, d->err) < 0)
		return -1;
	rc = names_apply(map, &a, d->err);
	if (!rc)
		rc = names_apply(map, &b, d->err);
	if (!rc) {
		diff_snapshots(&a, &b, &d->changes);
		if (wants_counters(d))
			rc = diff_counters(d->st, d->a.id, &b, d->threshold,
					   &d->changes, d->err);
	}
	snapshot_free(&a);
	snapshot_free(&b);
	return rc;
}

static int compare_file(struct diffing *d)
{
	const char *map = d->inv->set->node_name_map.text;
	struct snapshot a, b;
	int rc;

	if (topology_read(d->file, &a, d->err) < 0)
		return -1;
	rc = store_load(d->st, d->b.id, STORE_NO_COUNTERS, &b, d->err);
	if (!rc)
		rc = names_apply(map, &b, d->err);
	if (!rc) {
		diff_complete_file(&a, &b);
		diff_snapshots(&a, &b, &d->changes);
	}
	snapshot_free(&a);
	snapshot_free(&b);
	return rc;
}

static int tell(struct diffing *d)
{
	struct comparison what = { .a = d->file ? NULL : &d->a, .b = &d->b,
				   .file_a = d->file,
				   .groups = groups_of(d),
				   .counters = has_counters(d) };
	struct report *r = output_open(d->inv);
	int status = changes_count(&d->changes, what.groups) ? EXIT_WARNINGS :
							       EXIT_CLEAN;

	report_changes(r, &what, &d->changes);
	return output_close(r, status, d->err);
}

static int diff(struct diffing *d)
{
	int status = EXIT_TROUBLE;

	if (find_sides(d) == 0 &&
	    (d->file ? compare_file(d) : compare(d)) == 0)
		status = tell(d);
	changes_free(&d->changes);
	store_snapshot_free(&d->a);
	store_snapshot_free(&d->b);
	return status;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct diffing d = { .inv = inv, .err = err };
	int status = EXIT_TROUBLE;

	if (take_options(&d) == 0 && settings_check_names(inv->set, err) == 0) {
		d.st = store_open(inv->set->db, STORE_READ, err);
		if (d.st)
			status = diff(&d);
	}
	store_close(d.st);
	strbuf_free(&d.groups);
	return status;
}

static const struct option_row options[] = {
	{ "only", 0, "GROUP",
	  "nodes, links, ports, sms, counters; several times" },
	{ "topology", 0, "FILE",
	  "compare A (latest) with this file of ibnetdiscover" },
	{ "threshold", 0, "N",
	  "smallest rise of an error counter (1 event, 10 errors)" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_diff = {
	.name = "diff",
	.args = "[A [B]]",
	.summary = "Tell what changed from snapshot A to B",
	.formats = "text json",
	.help = "A is latest~1 and B is latest, if they are not given. Status "
		"0 when nothing\nchanged, 1 when something did. What B did not "
		"read is told as that.",
	.options = options,
	.max_args = 2,
	.run = run,
};
