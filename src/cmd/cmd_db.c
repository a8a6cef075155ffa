/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/output.h"
#include "cmd/settings.h"
#include "report/doc.h"
#include "store/store.h"

static void add_problem(void *arg, const char *line)
{
	report_row(arg, json_pack("{s:o}", "problem", doc_string(line)));
}

static const struct column columns[] = {
	{ "PROBLEM", "problem", 0 },
	{ NULL, NULL, 0 },
};

static int check(const struct invocation *inv, struct store *st,
		 struct err *err)
{
	static const struct list list = { "problems", LIST_TABLE, columns,
					  "The database is sound.", 0 };
	struct report *r = output_open(inv);
	int64_t n = 0;
	report_begin(r, json_pack("{s:o}", "database",
				  doc_string(inv->set->db)));
	report_list_begin(r, &list);
	if (store_verify(st, add_problem, r, &n, err) < 0) {
		report_destroy(r);
		return EXIT_TROUBLE;
	}
	report_list_end(r);
	return output_close(r, n ? EXIT_ERRORS : EXIT_CLEAN, err);
}

static int run(const struct invocation *inv, struct err *err)
{
	struct store *st;
	int status;

	if (!inv->n_args || strcmp(inv->args[0], "check")) {
		err_set(err, "db: there is check");
		return EXIT_TROUBLE;
	}
	st = store_open(inv->set->db, STORE_READ, err);
	if (!st)
		return EXIT_TROUBLE;
	status = check(inv, st, err);
	store_close(st);
	return status;
}

const struct cmd cmd_db = {
	.name = "db",
	.args = "check",
	.summary = "Verify the database",
	.formats = "text json",
	.help = "Status 2 when something is wrong with it.",
	.options = NULL,
	.max_args = 1,
	.run = run,
};
