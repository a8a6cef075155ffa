/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_CHECKING_H
#define IBAUDIT_CMD_CHECKING_H

#include "check/check.h"
#include "cmd/cmd.h"
#include "cmd/settings.h"
#include "report/findings.h"
#include "store/store.h"

/* Options of all commands that run rules. */
#define CHECKING_OPTIONS                                                      \
	{ "rules", 0, "DIR", "rules of DIR too; may be given again" },        \
	{ "set", 0, "RULE.PARAM=V", "set a parameter; may be given again" },  \
	{ "only", 0, "RULE", "run this rule alone; may be given again" },     \
	{ "skip", 0, "RULE", "leave this rule out; may be given again" }

/* Take those of the options above that were given over into the settings. */
int checking_settings(const struct invocation *inv, struct err *err);

/*
 * Load the shipped rules ($IBAUDIT_RULES_DIR, else the installed directory),
 * the site's and those of --rules, and set their parameters.  rs is released
 * with ruleset_free(), also after a failure.
 */
int checking_load(const struct settings *set, struct ruleset *rs,
		  struct err *err);

/* Leave out what [rules] skip and --skip say. */
int checking_skip(const struct settings *set, struct ruleset *rs,
		  struct err *err);

/* Apply [rules] only and skip, and their options. */
int checking_select(const struct settings *set, struct ruleset *rs,
		    struct err *err);

/* What is to be checked, and what came out. */
struct checking {
	struct store_snapshot snapshot, baseline;
	int has_baseline;
	struct ruleset rules;
	struct findings findings;
	struct verdict verdict; /* points into the others */
};

/*
 * Run the selected rules over c->snapshot, which the caller filled, against
 * the snapshot that since names, or with NULL the one before.
 * checking_free() in any case; a checking that is only zeroed is fine there.
 */
int checking_run(struct checking *c, struct store *st,
		 const struct settings *set, const char *since,
		 struct err *err);
void checking_free(struct checking *c);

/*
 * Print it: report is report_check or report_run; with -v, the failed queries
 * too.  Returns the exit status, EXIT_TROUBLE with err set when not all could
 * be printed, or when --require-complete was given and the sweep is not.
 */
int checking_tell(const struct invocation *inv, struct store *st,
		  const struct checking *c,
		  void (*report)(struct report *r, const struct verdict *v),
		  struct err *err);

/* The exit status that a verdict asks for. */
int checking_status(const struct verdict *v);

#endif
