/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_OPTIONS_H
#define IBAUDIT_CMD_OPTIONS_H

#include "cmd/cmd.h"

/* What argv says. */
struct command_line {
	const struct cmd *cmd; /* NULL: no verb */
	struct given *global;  /* index into global_options */
	size_t n_global, cap_global;
	struct given *own; /* index into cmd->options */
	size_t n_own, cap_own;
	char **args; /* in argv */
	int n_args;
};

/*
 * Take argv apart: global options may stand before the verb or behind it, the
 * verb's own behind it.  Strings stay argv's.  Returns 0, or -1 with err set;
 * command_line_free() in both cases.
 */
int command_line_parse(struct command_line *cl, int argc, char **argv,
		       struct err *err);
void command_line_free(struct command_line *cl);

/* The last argument of a global option ("" when it takes none), or NULL. */
const char *command_line_global(const struct command_line *cl,
				const char *name);

#endif
