/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/checking.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "model/snapshot.h"
#include "report/rules.h"
#include "store/store.h"

static int list(const struct invocation *inv, struct ruleset *rs,
		struct err *err)
{
	struct report *r;
	size_t i, broken = 0;

	if (checking_load(inv->set, rs, err) < 0 ||
	    checking_select(inv->set, rs, err) < 0)
		return EXIT_TROUBLE;
	r = output_open(inv);
	report_rule_list(r, rs);
	for (i = 0; i < rs->n; i++)
		broken += !!rs->rules[i].broken;
	return output_close(r, broken ? EXIT_WARNINGS : EXIT_CLEAN, err);
}

static int show(const struct invocation *inv, struct ruleset *rs,
		struct err *err)
{
	const struct rule *rule;
	struct report *r;

	if (inv->n_args < 2) {
		err_set(err, "which rule? Give its name as ibaudit rules list "
			"has it");
		return EXIT_TROUBLE;
	}
	if (checking_load(inv->set, rs, err) < 0)
		return EXIT_TROUBLE;
	rule = ruleset_find(rs, inv->args[1]);
	if (!rule) {
		err_set(err, "no rule %s; see ibaudit rules list",
			inv->args[1]);
		return EXIT_TROUBLE;
	}
	r = output_open(inv);
	report_rule(r, rule);
	return output_close(r, EXIT_CLEAN, err);
}

/* Store a snapshot of a fabric without nodes behind prev, NULL for the
 * first. */
static int save_empty(struct store *st, struct snapshot *s,
		      const struct snapshot *prev, struct err *err)
{
	int64_t before;

	snapshot_init(s);
	if (store_fabric(st, "empty", s, &before, err) < 0)
		return -1;
	return store_save(st, s, prev, err);
}

/* Run every rule once where it can find nothing: what cannot be parsed,
 * writes, or lacks a column comes out. */
static int try_rules(struct ruleset *rs, struct err *err)
{
	struct store *st = store_open(NULL, STORE_MEMORY, err);
	struct snapshot a, b;
	struct findings found;
	int rc = -1;

	memset(&found, 0, sizeof(found));
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	/* Two, so that rules about change have both sides. */
	if (st && save_empty(st, &a, NULL, err) == 0 &&
	    save_empty(st, &b, &a, err) == 0)
		rc = check_run(st, rs, b.id, a.id, NULL, &found, err);
	findings_free(&found);
	snapshot_free(&a);
	snapshot_free(&b);
	store_close(st);
	return rc;
}

static int test(const struct invocation *inv, struct ruleset *rs,
		struct err *err)
{
	struct report *r;
	size_t i, broken = 0;

	if (inv->n_args < 2) {
		err_set(err, "which directory of rules? ibaudit rules test "
			"DIR");
		return EXIT_TROUBLE;
	}
	if (ruleset_load(rs, inv->args[1], err) < 0 || try_rules(rs, err) < 0)
		return EXIT_TROUBLE;
	r = output_open(inv);
	report_rule_test(r, rs);
	for (i = 0; i < rs->n; i++)
		broken += !!rs->rules[i].broken;
	return output_close(r, broken ? EXIT_ERRORS : EXIT_CLEAN, err);
}

static int dispatch(const struct invocation *inv, struct ruleset *rs,
		    struct err *err)
{
	const char *verb = inv->n_args ? inv->args[0] : "list";

	if (!strcmp(verb, "list"))
		return list(inv, rs, err);
	if (!strcmp(verb, "show"))
		return show(inv, rs, err);
	if (!strcmp(verb, "test"))
		return test(inv, rs, err);
	err_set(err, "rules %s: there are list, show ID and test DIR", verb);
	return EXIT_TROUBLE;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct ruleset rs;
	int status = EXIT_TROUBLE;

	memset(&rs, 0, sizeof(rs));
	if (checking_settings(inv, err) == 0)
		status = dispatch(inv, &rs, err);
	ruleset_free(&rs);
	return status;
}

static const struct option_row options[] = {
	CHECKING_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_rules = {
	.name = "rules",
	.args = "[list|show ID|test DIR]",
	.summary = "List the rules, explain one, or test those of a directory",
	.formats = "text json",
	.help = "test runs every rule of DIR on an empty fabric: status 2 "
		"when one cannot run.",
	.options = options,
	.max_args = 2,
	.run = run,
};
