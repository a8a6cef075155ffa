/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <strings.h>

#include "cmd/checking.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "report/history.h"
#include "store/history.h"

#define VERBS "port NODE/PORT, node NODE, sm, rule ID"

/* One look back. */
struct looking {
	const struct invocation *inv;
	struct store *st;
	struct history *h;
	struct err *err;
	const char *what; /* the argument behind the verb, or NULL */
};

static const char *fabric_of(const struct looking *l)
{
	return history_latest(l->h)->fabric;
}

/* A counter by its column or the specification's name. */
static int find_counter(const char *name, struct err *err)
{
	int i;

	for (i = 0; i < COUNTER_COUNT; i++)
		if (!strcasecmp(name, counter_table[i].column) ||
		    !strcasecmp(name, counter_table[i].name))
			return i;
	return err_set(err, "--counter: there is no %s; 'ibaudit counters' "
		       "lists them", name);
}

static int tell_readings(struct looking *l, const struct history_place *p,
			 const char *counter)
{
	struct history_readings out;
	struct report *r;
	int i = find_counter(counter, l->err);

	if (i < 0 || history_readings(l->h, p, i, &out, l->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(l->inv);
	report_history_readings(r, fabric_of(l), i, &out);
	history_readings_free(&out);
	return output_close(r, EXIT_CLEAN, l->err);
}

static int tell_port(struct looking *l)
{
	const char *counter = given_arg(l->inv, "counter");
	struct history_place p;
	struct history_port out;
	struct report *r;

	if (history_find_port(l->h, l->what, &p, l->err) < 0)
		return EXIT_TROUBLE;
	if (counter)
		return tell_readings(l, &p, counter);
	if (history_port(l->h, &p, &out, l->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(l->inv);
	report_history_port(r, fabric_of(l), &out);
	history_port_free(&out);
	return output_close(r, EXIT_CLEAN, l->err);
}

static int tell_node(struct looking *l)
{
	struct history_place p;
	struct history_now now;
	struct history_events events;
	struct report *r;

	if (history_find_node(l->h, l->what, &p, l->err) < 0 ||
	    history_node(l->h, &p, &now, &events, l->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(l->inv);
	report_history_node(r, fabric_of(l), &now, &events);
	history_now_free(&now);
	history_events_free(&events);
	return output_close(r, EXIT_CLEAN, l->err);
}

static int tell_sm(struct looking *l)
{
	struct history_sms out;
	struct report *r;

	if (history_sms(l->h, &out, l->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(l->inv);
	report_history_sms(r, fabric_of(l), &out);
	history_sms_free(&out);
	return output_close(r, EXIT_CLEAN, l->err);
}

/* A rule that found nothing yet must be one that there is. */
static int is_known(struct looking *l, const struct history_episodes *e)
{
	struct ruleset rs;
	int known = e->known;

	if (!known && checking_load(l->inv->set, &rs, l->err) == 0)
		known = ruleset_find(&rs, l->what) != NULL;
	if (!e->known)
		ruleset_free(&rs);
	if (!known)
		err_set(l->err, "no rule %s, and no finding of one; 'ibaudit "
			"rules' lists them", l->what);
	return known;
}

static int tell_rule(struct looking *l)
{
	struct history_episodes out;
	struct report *r;
	int status = EXIT_TROUBLE;

	if (history_rule(l->h, l->what, &out, l->err) < 0)
		return EXIT_TROUBLE;
	if (is_known(l, &out)) {
		r = output_open(l->inv);
		report_history_rule(r, fabric_of(l), l->what, &out);
		status = output_close(r, EXIT_CLEAN, l->err);
	}
	history_episodes_free(&out);
	return status;
}

static const struct verb {
	const char *name, *needs;
	int (*tell)(struct looking *l);
} verbs[] = {
	{ "port", "NODE/PORT", tell_port },
	{ "node", "NODE", tell_node },
	{ "sm", NULL, tell_sm },
	{ "rule", "ID", tell_rule },
};

static const struct verb *find_verb(const struct invocation *inv,
				    struct err *err)
{
	const char *name = inv->n_args ? inv->args[0] : "";
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct verb *v = &verbs[i];

		if (strcmp(name, v->name))
			continue;
		if (v->needs && inv->n_args < 2)
			err_set(err, "history %s needs %s; see ibaudit history "
				"--help", v->name, v->needs);
		else if (!v->needs && inv->n_args > 1)
			err_set(err, "unexpected argument %s; see ibaudit "
				"history --help", inv->args[1]);
		else if (given_arg(inv, "counter") && strcmp(name, "port"))
			err_set(err, "--counter is for history port");
		else
			return v;
		return NULL;
	}
	err_set(err, "history: there is %s", VERBS);
	return NULL;
}

static int look(struct looking *l, const struct verb *v)
{
	const struct settings *set = l->inv->set;
	struct history_ask ask = { .fabric = set->fabric,
				   .since = given_arg(l->inv, "since"),
				   .name_map = set->node_name_map.text };
	int status = EXIT_TROUBLE;

	l->h = history_open(l->st, &ask, l->err);
	if (l->h)
		status = v->tell(l);
	history_close(l->h);
	return status;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct looking l = { .inv = inv, .err = err,
			     .what = inv->n_args > 1 ? inv->args[1] : NULL };
	const struct verb *v = find_verb(inv, err);
	int status = EXIT_TROUBLE;

	if (!v || settings_check_names(inv->set, err) < 0)
		return EXIT_TROUBLE;
	l.st = store_open(inv->set->db, STORE_READ, err);
	if (l.st)
		status = look(&l, v);
	store_close(l.st);
	return status;
}

static const struct option_row options[] = {
	{ "since", 0, "WHEN", "a time or a snapshot to begin with" },
	{ "counter", 0, "NAME", "port: every reading of this counter" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_history = {
	.name = "history",
	.args = "port NODE/PORT | node NODE | sm | rule ID",
	.summary = "Tell what became of a port, a node, the SMs, a finding",
	.formats = "text json",
	.help = "NODE is a GUID or a name. One line for each change, the oldest "
		"first. Only\nreads.",
	.options = options,
	.max_args = 2,
	.run = run,
};
