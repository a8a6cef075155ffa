/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/checking.h"
#include "cmd/output.h"
#include "cmd/sweeping.h"

static int check(const struct invocation *inv, struct store *st,
		 struct err *err)
{
	const char *name = inv->n_args ? inv->args[0] : "latest";
	struct checking c;
	int status = EXIT_TROUBLE;

	memset(&c, 0, sizeof(c));
	if (store_find(st, inv->set->fabric, name, &c.snapshot, err) == 0 &&
	    checking_load(inv->set, &c.rules, err) == 0 &&
	    checking_select(inv->set, &c.rules, err) == 0 &&
	    checking_run(&c, st, inv->set, given_arg(inv, "since"), err) == 0 &&
	    findings_find_since(st, c.snapshot.id, &c.findings, err) == 0)
		status = checking_tell(inv, st, &c, report_check, err);
	checking_free(&c);
	return status;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct store *st;
	int status;

	if (checking_settings(inv, err) < 0 ||
	    settings_check_names(inv->set, err) < 0)
		return EXIT_TROUBLE;
	st = store_open(inv->set->db, STORE_READ, err);
	if (!st)
		return EXIT_TROUBLE;
	status = check(inv, st, err);
	store_close(st);
	return status;
}

static const struct option_row options[] = {
	{ "since", 0, "SNAPSHOT", "compare with this one, not the one before" },
	CHECKING_OPTIONS,
	{ "require-complete", 0, NULL,
	  "status 3 when not every query was answered" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_check = {
	.name = "check",
	.args = "[SNAPSHOT]",
	.summary = "Tell what is wrong in a snapshot, worst first",
	.formats = "text json",
	.help = "SNAPSHOT is latest (the default), latest~2, an id, or a time "
		"(the newest at\nor before it). Only reads: ibaudit run keeps "
		"its findings.",
	.options = options,
	.max_args = 1,
	.run = run,
};
