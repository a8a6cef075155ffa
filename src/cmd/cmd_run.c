/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "cmd/checking.h"
#include "cmd/output.h"
#include "cmd/sweeping.h"
#include "util/alloc.h"

static int keep(struct store *st, const struct checking *c, struct err *err)
{
	size_t i, n = c->findings.n;
	struct store_finding *rows = xcalloc(n, sizeof(*rows));
	const char **ran = xcalloc(c->rules.n, sizeof(*ran));
	struct store_check check = { .snapshot = c->snapshot.id,
				     .found = rows, .n_found = n,
				     .ran = ran };
	int rc;

	for (i = 0; i < n; i++)
		finding_as_stored(&c->findings.list[i], &rows[i]);
	for (i = 0; i < c->rules.n; i++)
		if (c->rules.rules[i].enabled && !c->rules.rules[i].broken)
			ran[check.n_ran++] = c->rules.rules[i].id;
	rc = store_save_findings(st, &check, err);
	free(rows);
	free(ran);
	return rc;
}

/* The rules are loaded before the sweep: what is wrong with them is told
 * before the fabric is asked. */
static int sweep_and_check(const struct invocation *inv, struct sweeper *w,
			   struct checking *c, struct err *err)
{
	const struct settings *set = inv->set;

	if (checking_load(set, &c->rules, err) < 0 ||
	    checking_select(set, &c->rules, err) < 0 ||
	    sweeper_run(w, set, given_arg(inv, "note"), &c->snapshot, err) <
		    0 ||
	    checking_run(c, w->st, set, NULL, err) < 0)
		return EXIT_TROUBLE;
	if (keep(w->st, c, err) < 0 ||
	    findings_find_since(w->st, c->snapshot.id, &c->findings, err) < 0)
		return EXIT_TROUBLE;
	return checking_tell(inv, w->st, c, report_run, err);
}

static int run(const struct invocation *inv, struct err *err)
{
	struct sweeper w;
	struct checking c;
	int status = EXIT_TROUBLE;

	memset(&c, 0, sizeof(c));
	if (sweeping_settings(inv, err) < 0 || checking_settings(inv, err) < 0)
		return EXIT_TROUBLE;
	if (sweeper_open(&w, inv->set, err) == 0)
		status = sweep_and_check(inv, &w, &c, err);
	checking_free(&c);
	sweeper_close(&w);
	return status;
}

static const struct option_row options[] = {
	STORING_OPTIONS,
	CHECKING_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_run = {
	.name = "run",
	.args = "",
	.summary = "Sweep, then check against the snapshot before (for cron)",
	.formats = "text json",
	.help = "Keeps what the rules that ran have found, so that later runs "
		"know since when.\nA rule that --only or --skip leaves out "
		"keeps its findings of before.",
	.options = options,
	.max_args = 0,
	.run = run,
};
