/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/checking.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/output.h"
#include "cmd/sweeping.h"

/* The list that an option's values go to; an --only starts afresh, since it
 * means these and nothing the configuration says. */
static int take_option(struct settings *set, const char *name, const char *arg,
		       struct err *err)
{
	if (!strcmp(name, "rules"))
		return settings_set(set, "rules", "dir", arg, "--rules", err);
	if (!strcmp(name, "set")) {
		texts_add(&set->params, arg, "--set");
		return 0;
	}
	if (!strcmp(name, "only") || !strcmp(name, "skip"))
		return settings_set(set, "rules", name, arg,
				    *name == 'o' ? "--only" : "--skip", err);
	return 0;
}

int checking_settings(const struct invocation *inv, struct err *err)
{
	size_t i;

	if (given_count(inv, "only")) {
		texts_clear(&inv->set->only);
		texts_clear(&inv->set->skip);
	}
	for (i = 0; i < inv->n_given; i++) {
		const struct given *g = &inv->given[i];

		if (take_option(inv->set, inv->cmd->options[g->option].name,
				g->arg, err) < 0)
			return -1;
	}
	return 0;
}

/* Put the place where a text came from before an error about it. */
static int blame(const struct text_item *item, const struct err *why,
		 struct err *err)
{
	return err_set(err, "%s: %s", item->origin, why->text);
}

/* Apply each text of a list to the rule set. */
static int apply(struct ruleset *rs, const struct texts *t,
		 int (*fn)(struct ruleset *rs, const char *s, struct err *err),
		 struct err *err)
{
	struct err why = { "" };
	size_t i;

	for (i = 0; i < t->n; i++)
		if (fn(rs, t->items[i].text, &why) < 0)
			return blame(&t->items[i], &why, err);
	return 0;
}

int checking_load(const struct settings *set, struct ruleset *rs,
		  struct err *err)
{
	const char *shipped = getenv("IBAUDIT_RULES_DIR");
	struct err why = { "" };

	memset(rs, 0, sizeof(*rs));
	if (!shipped || !*shipped)
		shipped = PKGDATADIR "/rules";
	if (ruleset_load(rs, shipped, &why) < 0)
		return err_set(err, "%s; install the rules, or name their "
			       "directory in IBAUDIT_RULES_DIR", why.text);
	if (apply(rs, &set->rule_dirs, ruleset_load, err) < 0)
		return -1;
	return apply(rs, &set->params, ruleset_set, err);
}

int checking_skip(const struct settings *set, struct ruleset *rs,
		  struct err *err)
{
	return apply(rs, &set->skip, ruleset_skip, err);
}

int checking_select(const struct settings *set, struct ruleset *rs,
		    struct err *err)
{
	if (apply(rs, &set->only, ruleset_only, err) < 0)
		return -1;
	return checking_skip(set, rs, err);
}

static int refuse_since(const struct checking *c, struct err *err)
{
	const struct store_snapshot *a = &c->baseline, *b = &c->snapshot;

	if (strcmp(a->fabric, b->fabric))
		return err_set(err, "--since: snapshot %lld is of fabric %s, "
			       "not of %s", (long long)a->id, a->fabric,
			       b->fabric);
	if (a->id >= b->id)
		return err_set(err, "--since: snapshot %lld is not before "
			       "snapshot %lld; see ibaudit list",
			       (long long)a->id, (long long)b->id);
	return 0;
}

static int find_baseline(struct checking *c, struct store *st,
			 const char *since, struct err *err)
{
	int rc;

	if (since) {
		if (store_find(st, c->snapshot.fabric, since, &c->baseline,
			       err) < 0)
			return -1;
		c->has_baseline = 1;
		return refuse_since(c, err);
	}
	rc = store_baseline(st, c->snapshot.id, &c->baseline, err);
	c->has_baseline = rc == 1;
	return rc < 0 ? -1 : 0;
}

int checking_run(struct checking *c, struct store *st,
		 const struct settings *set, const char *since,
		 struct err *err)
{
	if (find_baseline(c, st, since, err) < 0)
		return -1;
	c->verdict.snapshot = &c->snapshot;
	c->verdict.baseline = c->has_baseline ? &c->baseline : NULL;
	c->verdict.rules = &c->rules;
	c->verdict.findings = &c->findings;
	return check_run(st, &c->rules, c->snapshot.id,
			 c->has_baseline ? c->baseline.id : 0,
			 set->node_name_map.text, &c->findings, err);
}

void checking_free(struct checking *c)
{
	findings_free(&c->findings);
	ruleset_free(&c->rules);
	store_snapshot_free(&c->snapshot);
	store_snapshot_free(&c->baseline);
}

int checking_tell(const struct invocation *inv, struct store *st,
		  const struct checking *c,
		  void (*report)(struct report *r, const struct verdict *v),
		  struct err *err)
{
	struct report *r = output_open(inv);
	int status;

	report(r, &c->verdict);
	if (sweeping_add_failures(inv, r, st, c->snapshot.id, err) < 0) {
		report_destroy(r);
		return EXIT_TROUBLE;
	}
	status = output_close(r, checking_status(&c->verdict), err);
	if (status != EXIT_TROUBLE &&
	    sweeping_is_acceptable(inv, &c->snapshot, err) < 0)
		status = EXIT_TROUBLE;
	return status;
}

int checking_status(const struct verdict *v)
{
	static const int status[] = { EXIT_CLEAN, EXIT_WARNINGS, EXIT_ERRORS };

	return status[verdict_severity(v)];
}
