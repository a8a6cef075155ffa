/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/usage.h"

static int run(const struct invocation *inv, struct err *err)
{
	const struct cmd *cmd;

	if (!inv->n_args) {
		usage_program(stdout);
		return EXIT_CLEAN;
	}
	cmd = cmd_find(inv->args[0]);
	if (!cmd) {
		err_set(err, "unknown command %s; see ibaudit help",
			inv->args[0]);
		return EXIT_TROUBLE;
	}
	usage_command(stdout, cmd);
	return EXIT_CLEAN;
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "Show help on a command",
	.formats = "text",
	.help = NULL,
	.options = NULL,
	.max_args = 1,
	.run = run,
};
