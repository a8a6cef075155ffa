/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/interrupt.h"

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
 * leaves no half of anything behind.  The line that it writes changes only
 * while signals are held.
 */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static char line[160];
static size_t line_len;

static void end_process(int sig)
{
	(void)sig;
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
