/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/output.h"
#include "report/rules.h"

static int run(const struct invocation *inv, struct err *err)
{
	struct report *r = output_open(inv);
	report_counter_table(r);
	return output_close(r, EXIT_CLEAN, err);
}

const struct cmd cmd_counters = {
	.name = "counters",
	.args = "",
	.summary = "List the counters that are read, and what they mean",
	.formats = "text json",
	.help = "For the values of a snapshot see ibaudit show SNAPSHOT "
		"counters.",
	.options = NULL,
	.max_args = 0,
	.run = run,
};
