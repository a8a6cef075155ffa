/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_CMD_H
#define IBAUDIT_CMD_CMD_H

#include <getopt.h>
#include <stddef.h>

#include "util/err.h"

/* Exit status: an interface (ibaudit(1), EXIT STATUS). */
enum { EXIT_CLEAN = 0, EXIT_WARNINGS = 1, EXIT_ERRORS = 2, EXIT_TROUBLE = 3 };

/* One option of a command, or of all of them. */
struct option_row {
	const char *name; /* long name */
	int letter;       /* short name, or 0 */
	const char *arg;  /* name of its argument, or NULL */
	const char *doc;  /* one line */
};

/* What the global options and the configuration say. */
struct settings;

struct cmd;

/* One run of a command. */
struct invocation {
	const struct cmd *cmd;
	struct settings *set;
	/* Options given, in order: index into cmd->options, argument. */
	struct given {
		int option;
		const char *arg;
	} *given;
	size_t n_given;
	char **args; /* what is not an option */
	int n_args;
};

struct cmd {
	const char *name;
	const char *args;    /* "[SNAPSHOT]", or "" */
	const char *summary; /* one line, imperative */
	const char *formats; /* "text json"; the first is the default */
	const char *help;    /* a few lines for --help, or NULL */
	const struct option_row *options; /* ends with a NULL name */
	int max_args; /* -1: any */
	/* Returns an exit status; EXIT_TROUBLE with err set, or with its text
	 * empty when all was said already. */
	int (*run)(const struct invocation *inv, struct err *err);
};

/* The table, made from the files src/cmd/cmd_*.c; ends with NULL. */
extern const struct cmd *const cmd_table[];

/* The command of that name, or NULL. */
const struct cmd *cmd_find(const char *name);

/* The options that stand before or after each verb; ends with a NULL name. */
extern const struct option_row global_options[];

/* The last argument given to the option of that name, or NULL. */
const char *given_arg(const struct invocation *inv, const char *name);
/* How often it was given. */
int given_count(const struct invocation *inv, const char *name);

#endif
