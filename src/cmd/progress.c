/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTLED_S 1.0 /* before that a rate says nothing */
/* ECMA-48: to the first column, and erase to the end of the line. */
#define LINE_START "\r\033[K"

int progress_is_wanted(int quiet)
{
	const char *term = getenv("TERM");

	return !quiet && isatty(STDERR_FILENO) && term &&
	       strcmp(term, "dumb");
}

/* Seconds to go at the rate so far, or -1: the fabric is still growing into
 * sight, so that the total is what is known now. */
static double seconds_left(const struct sweep_progress *p)
{
	int64_t done = p->ports_read + p->pma_read;
	int64_t all = p->ports_known + p->pma_known;

	if (p->seconds < SETTLED_S || done <= 0 || all < done)
		return -1;
	return p->seconds * (double)(all - done) / (double)done;
}

void progress_show(void *arg, const struct sweep_progress *p)
{
	double left = seconds_left(p);

	(void)arg;
	fprintf(stderr, LINE_START "%lld nodes, %lld of %lld ports read",
		(long long)p->nodes, (long long)p->ports_read,
		(long long)p->ports_known);
	if (p->pma_known)
		fprintf(stderr, ", counters of %lld of %lld",
			(long long)p->pma_read, (long long)p->pma_known);
	if (left >= 0)
		fprintf(stderr, ", %.0f s left", left);
	fflush(stderr);
}

void progress_clear(void)
{
	fputs(LINE_START, stderr);
	fflush(stderr);
}
