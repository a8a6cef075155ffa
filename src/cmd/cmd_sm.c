/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/checking.h"
#include "cmd/output.h"
#include "cmd/sweeping.h"
#include "model/names.h"
#include "report/rows.h"

#define ATTR_SM_INFO 0x20 /* IBA 14.2.5, as in struct failure */

/* A subnet manager may have been missed: something else than the SMInfo of
 * one that is known (rule sm-silent) stayed unanswered. */
static int may_miss_some(const struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->n_failures; i++)
		if (s->failures[i].attribute != ATTR_SM_INFO)
			return 1;
	return 0;
}

/* These say that a part of the fabric was not read; each leaves to the other
 * what it tells. */
static int tells_gaps(const char *id)
{
	return !strcmp(id, "sweep-incomplete") ||
	       !strcmp(id, "link-no-neighbor");
}

/* The rules that judge subnet managers, and where one may have been missed
 * those that tell of gaps. */
static int select_rules(const struct settings *set, const struct snapshot *s,
			struct ruleset *rs, struct err *err)
{
	int gaps = may_miss_some(s);
	size_t i;

	for (i = 0; i < rs->n; i++) {
		const char *id = rs->rules[i].id;

		rs->rules[i].enabled = !strncmp(id, "sm-", 3) ||
			(gaps && tells_gaps(id));
	}
	return checking_skip(set, rs, err);
}

static int tell(const struct invocation *inv, const struct checking *c,
		const struct snapshot *s, struct err *err)
{
	struct report *r = output_open(inv);

	report_sm(r, &c->verdict, s);
	if (inv->set->verbose)
		report_rows(r, row_list_find("failures"), s);
	return output_close(r, checking_status(&c->verdict), err);
}

/* Ask the fabric, and put the answer where rules can see it: a database in
 * memory that is gone afterwards. */
static int ask(const struct settings *set, struct store *st,
	       struct snapshot *s, struct store_snapshot *row, struct err *err)
{
	int64_t before;

	if (sweeping_ask(set, 0, NULL, s, err) < 0 ||
	    store_fabric(st, set->fabric, s, &before, err) < 0 ||
	    store_save(st, s, NULL, err) < 0 ||
	    names_apply(set->node_name_map.text, s, err) < 0)
		return -1;
	return store_find(st, NULL, "latest", row, err);
}

static int judge(const struct invocation *inv, struct store *st,
		 struct snapshot *s, struct err *err)
{
	struct checking c;
	int status = EXIT_TROUBLE;

	memset(&c, 0, sizeof(c));
	if (checking_load(inv->set, &c.rules, err) == 0 &&
	    ask(inv->set, st, s, &c.snapshot, err) == 0 &&
	    select_rules(inv->set, s, &c.rules, err) == 0 &&
	    checking_run(&c, st, inv->set, NULL, err) == 0)
		status = tell(inv, &c, s, err);
	checking_free(&c);
	return status;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct snapshot s;
	struct store *st;
	int status;

	memset(&s, 0, sizeof(s));
	if (sweeping_settings(inv, err) < 0)
		return EXIT_TROUBLE;
	st = store_open(NULL, STORE_MEMORY, err);
	if (!st)
		return EXIT_TROUBLE;
	status = judge(inv, st, &s, err);
	snapshot_free(&s);
	store_close(st);
	return status;
}

static const struct option_row options[] = {
	SWEEPING_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_sm = {
	.name = "sm",
	.args = "",
	.summary = "Ask the fabric for its subnet managers now, and judge them",
	.formats = "text json",
	.help = "Walks the whole topology, since any port may host a subnet "
		"manager, and asks\neach that says it does, by directed "
		"route. Stores nothing.",
	.options = options,
	.max_args = 0,
	.run = run,
};
