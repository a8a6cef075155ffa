/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/interrupt.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

/*
 * Notes
 *
 * A sweep that is broken off has nothing worth keeping, and the database is
 * written in one transaction, so the handler just ends the process: _exit()
 * leaves no half of anything behind.  A copy of the database that is not whole
 * is a file of its own, and removed.  The line that it writes, and what it
 * removes, change only while signals are held.
 */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static char line[160];
static size_t line_len;

/* What is removed. */
static const char *const tails[] = { "", "-journal", "-wal", "-shm" };

#define N_TAILS (sizeof(tails) / sizeof(tails[0]))

static char garbage[N_TAILS][PATH_MAX];

static void end_process(int sig)
{
	size_t i;

	(void)sig;
	for (i = 0; i < N_TAILS; i++)
		if (*garbage[i])
			unlink(garbage[i]);
	if (write(STDERR_FILENO, line, line_len) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

void interrupt_arm(void)
{
	struct sigaction sa, old;
	size_t i;

	interrupt_hold();
	line_len = (size_t)snprintf(line, sizeof(line),
				    "ibaudit: interrupted; a sweep that was "
				    "not finished is not stored\n");
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = end_process;
	sigemptyset(&sa.sa_mask);
	for (i = 0; i < N_SIGNALS; i++)
		/* What nohup(1) told us to ignore stays ignored. */
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	interrupt_release();
}

static void mask(int how)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < N_SIGNALS; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(how, &set, NULL);
}

void interrupt_hold(void)
{
	mask(SIG_BLOCK);
}

void interrupt_release(void)
{
	mask(SIG_UNBLOCK);
}

void interrupt_stored(int64_t id)
{
	line_len = (size_t)snprintf(line, sizeof(line),
				    "ibaudit: interrupted; snapshot %lld is "
				    "stored, and was not checked to the end: "
				    "run ibaudit check %lld\n",
				    (long long)id, (long long)id);
}

void interrupt_copying(const char *path)
{
	size_t i;

	interrupt_hold();
	for (i = 0; i < N_TAILS; i++)
		snprintf(garbage[i], sizeof(garbage[i]), "%s%s",
			 path ? path : "", path ? tails[i] : "");
	line_len = (size_t)snprintf(line, sizeof(line),
				    "ibaudit: interrupted; the copy is %s\n",
				    path ? "not made" : "made");
	interrupt_release();
}
