/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

/*
 * Notes
 *
 * A sweep that is broken off has nothing worth keeping, and the database is
 * written in one transaction, so the handler just ends the process: _exit()
 * leaves no half of anything behind.
 */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static void end_process(int sig)
{
	static const char line[] = "ibaudit: interrupted; a sweep that was "
				   "not finished is not stored\n";

	(void)sig;
	if (write(STDERR_FILENO, line, sizeof(line) - 1) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

void interrupt_arm(void)
{
	struct sigaction sa, old;
	size_t i;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = end_process;
	sigemptyset(&sa.sa_mask);
	for (i = 0; i < N_SIGNALS; i++)
		/* What nohup(1) told us to ignore stays ignored. */
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
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
