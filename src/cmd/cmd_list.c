/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "cmd/output.h"
#include "cmd/settings.h"
#include "report/summary.h"
#include "store/store.h"

static int tell(const struct invocation *inv, const struct store_snapshot *rows,
		size_t n, struct err *err)
{
	struct report *r = output_open(inv);
	summary_list(r, rows, n);
	return output_close(r, EXIT_CLEAN, err);
}

static int run(const struct invocation *inv, struct err *err)
{
	struct store *st = store_open(inv->set->db, STORE_READ, err);
	struct store_snapshot *rows;
	int status = EXIT_TROUBLE;
	size_t i, n;

	if (st && store_list(st, inv->set->fabric, &rows, &n, err) == 0) {
		status = tell(inv, rows, n, err);
		for (i = 0; i < n; i++)
			store_snapshot_free(&rows[i]);
		free(rows);
	}
	store_close(st);
	return status;
}

const struct cmd cmd_list = {
	.name = "list",
	.args = "",
	.summary = "List the snapshots",
	.formats = "text json",
	.help = NULL,
	.options = NULL,
	.max_args = 0,
	.run = run,
};
