/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/options.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/settings.h"
#include "cmd/usage.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * getopt_long() runs twice over tables made from struct option_row: up to the
 * verb with the global options, behind it with those and the verb's own.  A
 * long option's val is VAL_BASE plus its place in the joined table.
 */

#define VAL_BASE 256 /* above every letter */
#define OPTIONS_MAX 64
#define LETTERS_MAX (3 * OPTIONS_MAX)

const struct option_row global_options[] = {
	{ "db", 0, "FILE", "database (default: see ibaudit(1), FILES)" },
	{ "config", 0, "FILE",
	  "configuration (default " SETTINGS_CONFIG ")" },
	{ "ca", 'C', "CA", "channel adapter to ask through, as mlx5_0" },
	{ "port", 'P', "PORT", "port of that channel adapter" },
	{ "fabric", 0, "NAME", "fabric, where the database holds several" },
	{ "format", 0, "FORMAT", "text or json" },
	{ "quiet", 'q', NULL, "nothing unless something is wrong" },
	{ "verbose", 'v', NULL, "list each query that failed, too" },
	{ "help", 'h', NULL, "show help" },
	{ "version", 0, NULL, "show the version" },
	{ NULL, 0, NULL, NULL },
};

struct joined {
	const struct option_row *row[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char letters[LETTERS_MAX];
	int n, n_global;
};

static void join_rows(struct joined *j, const struct option_row *rows)
{
	for (; rows && rows->name && j->n < OPTIONS_MAX; rows++, j->n++) {
		struct option *o = &j->longs[j->n];
		char letter[3] = { (char)rows->letter, rows->arg ? ':' : '\0',
				   '\0' };

		j->row[j->n] = rows;
		o->name = rows->name;
		o->has_arg = rows->arg ? required_argument : no_argument;
		o->val = VAL_BASE + j->n;
		strncat(j->letters, letter,
			LETTERS_MAX - strlen(j->letters) - 1);
	}
}

/* before: stop at the verb. */
static void join(struct joined *j, const struct cmd *cmd, int before)
{
	memset(j, 0, sizeof(*j));
	strcpy(j->letters, before ? "+:" : ":");
	join_rows(j, global_options);
	j->n_global = j->n;
	if (cmd)
		join_rows(j, cmd->options);
}

static int find_val(const struct joined *j, int val)
{
	int i;

	if (val >= VAL_BASE)
		return val - VAL_BASE;
	for (i = 0; i < j->n; i++)
		if (j->row[i]->letter == val)
			return i;
	return -1;
}

static void add(struct command_line *cl, const struct joined *j, int i,
		const char *arg)
{
	struct given g = { i, arg ? arg : "" };

	if (i < j->n_global) {
		cl->global = xgrow(cl->global, cl->n_global, &cl->cap_global,
				   sizeof(g));
		cl->global[cl->n_global++] = g;
		return;
	}
	g.option -= j->n_global;
	cl->own = xgrow(cl->own, cl->n_own, &cl->cap_own, sizeof(g));
	cl->own[cl->n_own++] = g;
}

/* "ibaudit --help", "ibaudit check --help": where to look. */
static int refuse(const struct command_line *cl, const char *what,
		  const char *word, struct err *err)
{
	return err_set(err, "%s%s; see ibaudit %s%s--help", what, word,
		       cl->cmd ? cl->cmd->name : "", cl->cmd ? " " : "");
}

/* opt is '?' or ':' as getopt_long() gave it; optopt tells more. */
static int refuse_option(const struct command_line *cl, const struct joined *j,
			 char **argv, int opt, struct err *err)
{
	char shown[64];
	int i = optopt ? find_val(j, optopt) : -1;

	if (i >= 0)
		snprintf(shown, sizeof(shown), "--%s", j->row[i]->name);
	else if (optopt)
		snprintf(shown, sizeof(shown), "-%c", optopt);
	else
		snprintf(shown, sizeof(shown), "%.*s",
			 (int)strcspn(argv[optind - 1], "="),
			 argv[optind - 1]);
	if (opt == ':')
		return err_set(err, "%s needs a value: %s", shown,
			       i >= 0 ? j->row[i]->arg : "");
	if (i >= 0)
		return refuse(cl, "no value may follow ", shown, err);
	return refuse(cl, "unknown option ", shown, err);
}

static int scan(struct command_line *cl, const struct joined *j, int argc,
		char **argv, struct err *err)
{
	int opt;

	opterr = 0;
	optind = 0; /* GNU: start anew */
	while ((opt = getopt_long(argc, argv, j->letters, j->longs, NULL)) !=
	       -1) {
		if (opt == '?' || opt == ':')
			return refuse_option(cl, j, argv, opt, err);
		add(cl, j, find_val(j, opt), optarg);
	}
	return 0;
}

static int refuse_verb(const char *word, struct err *err)
{
	const char *near = usage_nearest(word);

	if (near)
		return err_set(err, "unknown command %s; did you mean %s?",
			       word, near);
	return err_set(err, "unknown command %s; see ibaudit --help", word);
}

static int take_args(struct command_line *cl, int argc, char **argv,
		     struct err *err)
{
	cl->args = argv + optind;
	cl->n_args = argc - optind;
	if (cl->cmd->max_args >= 0 && cl->n_args > cl->cmd->max_args)
		return refuse(cl, "unexpected argument ",
			      cl->args[cl->cmd->max_args], err);
	return 0;
}

int command_line_parse(struct command_line *cl, int argc, char **argv,
		       struct err *err)
{
	struct joined j;
	int verb;

	memset(cl, 0, sizeof(*cl));
	join(&j, NULL, 1);
	if (scan(cl, &j, argc, argv, err) < 0)
		return -1;
	verb = optind;
	if (verb >= argc)
		return 0;
	cl->cmd = cmd_find(argv[verb]);
	if (!cl->cmd)
		return refuse_verb(argv[verb], err);
	join(&j, cl->cmd, 0);
	/* The verb stands where getopt_long() expects the program's name. */
	if (scan(cl, &j, argc - verb, argv + verb, err) < 0)
		return -1;
	return take_args(cl, argc - verb, argv + verb, err);
}

void command_line_free(struct command_line *cl)
{
	free(cl->global);
	free(cl->own);
}

const char *command_line_global(const struct command_line *cl,
				const char *name)
{
	size_t i;

	for (i = cl->n_global; i-- > 0;)
		if (!strcmp(global_options[cl->global[i].option].name, name))
			return cl->global[i].arg;
	return NULL;
}

const struct cmd *cmd_find(const char *name)
{
	size_t i;

	for (i = 0; cmd_table[i]; i++)
		if (!strcmp(cmd_table[i]->name, name))
			return cmd_table[i];
	return NULL;
}

const char *given_arg(const struct invocation *inv, const char *name)
{
	size_t i;

	for (i = inv->n_given; i-- > 0;)
		if (!strcmp(inv->cmd->options[inv->given[i].option].name,
			    name))
			return inv->given[i].arg;
	return NULL;
}

int given_count(const struct invocation *inv, const char *name)
{
	size_t i;
	int n = 0;

	for (i = 0; i < inv->n_given; i++)
		n += !strcmp(inv->cmd->options[inv->given[i].option].name,
			     name);
	return n;
}
