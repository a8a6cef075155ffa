/* SPDX-License-Identifier: BSD-2-Clause */
#include <unistd.h>

#include "cmd/output.h"
#include "cmd/sweeping.h"
#include "report/summary.h"
#include "util/clock.h"

#define YEAR_S (366 * 86400)

static int tell(const struct invocation *inv, struct store *st,
		const struct store_snapshot *row, struct err *err)
{
	struct report *r = output_open(inv);
	summary_begin(r, row);
	if (sweeping_add_failures(inv, r, st, row->id, err) < 0) {
		report_destroy(r);
		return EXIT_TROUBLE;
	}
	return output_close(r, EXIT_CLEAN, err);
}

static int sweep_once(const struct invocation *inv, struct sweeper *w,
		      struct err *err)
{
	struct store_snapshot row;
	int status = EXIT_TROUBLE;

	if (sweeper_run(w, inv->set, given_arg(inv, "note"), &row, err) == 0)
		status = tell(inv, w->st, &row, err);
	if (status == EXIT_CLEAN && sweeping_is_acceptable(inv, &row, err) < 0)
		status = EXIT_TROUBLE;
	store_snapshot_free(&row);
	return status;
}

/* Sleep until due on the monotonic clock. */
static void wait_until(int64_t due_us)
{
	int64_t now;

	while ((now = clock_mono_us()) < due_us)
		usleep(due_us - now < 500000 ? (useconds_t)(due_us - now) :
					       500000);
}

static int repetitions(const struct invocation *inv, int *repeat,
		       int *interval, struct err *err)
{
	const char *n = given_arg(inv, "repeat");
	const char *s = given_arg(inv, "interval");

	*repeat = 1;
	*interval = 0;
	if (n && settings_int(n, 1, 1000000, repeat) < 0)
		return err_set(err, "--repeat: a number from 1, not \"%s\"",
			       n);
	if (s && settings_int(s, 0, YEAR_S, interval) < 0)
		return err_set(err, "--interval: seconds, not \"%s\"", s);
	if (!n != !s)
		return err_set(err, "--repeat N and --interval S go together");
	return 0;
}

/* The interval is from start to start. */
static int sweep_all(const struct invocation *inv, struct sweeper *w,
		     int repeat, int interval, struct err *err)
{
	int64_t start = clock_mono_us();
	int i, status = EXIT_CLEAN;

	for (i = 0; i < repeat && status == EXIT_CLEAN; i++) {
		wait_until(start + (int64_t)i * interval * 1000000);
		status = sweep_once(inv, w, err);
	}
	return status;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct sweeper w;
	int repeat, interval, status = EXIT_TROUBLE;

	if (sweeping_settings(inv, err) < 0 ||
	    repetitions(inv, &repeat, &interval, err) < 0)
		return EXIT_TROUBLE;
	if (sweeper_open(&w, inv->set, err) == 0)
		status = sweep_all(inv, &w, repeat, interval, err);
	sweeper_close(&w);
	return status;
}

static const struct option_row options[] = {
	STORING_OPTIONS,
	{ "repeat", 0, "N", "sweep N times, --interval apart" },
	{ "interval", 0, "S", "seconds from start to start" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_sweep = {
	.name = "sweep",
	.args = "",
	.summary = "Read the fabric once and store what was seen",
	.formats = "text json",
	.help = "Stores one snapshot. A query that failed is a row in it, "
		"never an end.\nWith --repeat, JSON is one document a sweep.",
	.options = options,
	.max_args = 0,
	.run = run,
};
