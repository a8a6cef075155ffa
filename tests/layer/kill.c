/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"
#include "real.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Notes
 *
 * kill -9 at a moment that is counted, not timed: at a MAD, or at one of the
 * calls by which SQLite changes a database, its log or its journal, or makes
 * that safe.  A write may be cut in half, as the kernel may do it to a process
 * that is killed.
 */

struct kill_at kill_at = { .what = KILL_NEVER };

static bool is_due(enum kill_what what, unsigned long count)
{
	return kill_at.what == what && count > kill_at.after;
}

static void die(void)
{
	kill(getpid(), SIGKILL);
}

void kill_at_send(void)
{
	static unsigned long sent;

	if (is_due(KILL_SEND, ++sent))
		die();
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static bool is_database(int fd)
{
	char link[32], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return false;
	path[n] = 0;
	return ends_with(path, ".db") || ends_with(path, ".db-wal") ||
	       ends_with(path, ".db-journal");
}

/* True when this call is the last one. */
static bool is_last(int fd)
{
	real_load(); /* a command without MADs has not read the scenario yet */
	return is_database(fd) && is_due(KILL_WRITE, ++tally.database_calls);
}

LAYER_EXPORT ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
	if (is_last(fd)) {
		if (kill_at.half)
			syscall(SYS_pwrite64, fd, from, n / 2, at);
		die();
	}
	return syscall(SYS_pwrite64, fd, from, n, at);
}

LAYER_EXPORT int ftruncate64(int fd, off64_t size)
{
	if (is_last(fd))
		die();
	return syscall(SYS_ftruncate, fd, size);
}

LAYER_EXPORT int fdatasync(int fd)
{
	if (is_last(fd))
		die();
	return syscall(SYS_fdatasync, fd);
}
