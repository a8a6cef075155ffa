/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "cmd/db_merge.h"
#include "cmd/interrupt.h"
#include "cmd/locking.h"
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

static int run_check(const struct invocation *inv, struct err *err)
{
	struct store *st = store_open(inv->set->db, STORE_READ, err);
	int status;

	if (!st)
		return EXIT_TROUBLE;
	status = check(inv, st, err);
	store_close(st);
	return status;
}

static double mb(int64_t octets)
{
	return (double)octets / 1e6;
}

static int tell_vacuumed(const struct invocation *inv,
			 const struct store_vacuumed *v, struct err *err)
{
	struct report *r = output_open(inv);

	report_begin(r, json_pack("{s:o, s:I, s:I, s:b}", "database",
				  doc_string(inv->set->db),
				  "before", (json_int_t)v->before,
				  "after", (json_int_t)v->after,
				  "held", v->held));
	report_field(r, "Before", "%.1f MB", mb(v->before));
	report_field(r, "After", "%.1f MB", mb(v->after));
	if (v->held)
		report_say(r, "Somebody has been reading since before this "
			   "began: the file shrinks with the first sweep after "
			   "that.");
	return output_close(r, EXIT_CLEAN, err);
}

static int run_vacuum(const struct invocation *inv, struct err *err)
{
	struct store *st = store_open(inv->set->db, STORE_WRITE, err);
	struct store_vacuumed v;
	struct lock lock;
	int rc;

	if (!st)
		return EXIT_TROUBLE;
	rc = lock_database(&lock, inv->set->db, err);
	if (!rc) {
		rc = store_vacuum(st, &v, err);
		lock_release(&lock);
	}
	store_close(st);
	return rc < 0 ? EXIT_TROUBLE : tell_vacuumed(inv, &v, err);
}

static int run_backup(const struct invocation *inv, struct err *err)
{
	const char *file = inv->args[1];
	struct report *r;
	int64_t size;

	interrupt_arm();
	if (store_backup(inv->set->db, file, interrupt_copying, &size,
			 err) < 0)
		return EXIT_TROUBLE;
	r = output_open(inv);
	report_begin(r, json_pack("{s:o, s:o, s:I}", "database",
				  doc_string(inv->set->db), "backup",
				  doc_string(file), "size", (json_int_t)size));
	report_field(r, "Backup", "%s, %.1f MB", file, mb(size));
	return output_close(r, EXIT_CLEAN, err);
}

static const struct verb {
	const char *name;
	int n_args; /* behind it */
	int (*run)(const struct invocation *inv, struct err *err);
} verbs[] = {
	{ "check", 0, run_check },
	{ "vacuum", 0, run_vacuum },
	{ "backup", 1, run_backup },
	{ "merge", 1, db_merge },
};

/* The options are those of merge. */
static int takes_options(const struct verb *v, const struct invocation *inv,
			 struct err *err)
{
	if (v->run == db_merge || !inv->n_given)
		return 1;
	err_set(err, "db %s: takes no option; --%s is for db merge", v->name,
		inv->cmd->options[inv->given[0].option].name);
	return 0;
}

static int run(const struct invocation *inv, struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct verb *v = &verbs[i];

		if (!inv->n_args || strcmp(inv->args[0], v->name))
			continue;
		if (inv->n_args == 1 + v->n_args)
			return takes_options(v, inv, err) ? v->run(inv, err) :
							    EXIT_TROUBLE;
		err_set(err, v->n_args ? "db %s: name one file" :
				"db %s: takes no argument", v->name);
		return EXIT_TROUBLE;
	}
	err_set(err, "db: there are check, vacuum, backup FILE, "
		"merge FILE");
	return EXIT_TROUBLE;
}

static const struct option_row options[] = {
	{ "as", 0, "NAME", "merge: store the fabric under another name" },
	{ "renumber", 0, NULL,
	  "merge: snapshots may go before ours, which get new ids" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_db = {
	.name = "db",
	.args = "check | vacuum | backup FILE | merge FILE",
	.summary = "Verify, shrink or copy the database, or add to it",
	.formats = "text json",
	.help = "check   verify it; status 2 when something is wrong\n"
		"vacuum  give the space that prune freed back to the file "
		"system\n"
		"backup  copy it to FILE, beside sweeps and readers\n"
		"merge   add the snapshots of the database FILE to its fabrics "
		"(--fabric: of one)",
	.options = options,
	.max_args = 2,
	.run = run,
};
