/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_LOCK_H
#define IBAUDIT_UTIL_LOCK_H

#include "util/err.h"

/*
 * An exclusive lock that names its holder: a file that is locked with
 * flock(2) while its first line tells pid and start.  The kernel drops the
 * lock when the holder dies, so a stale file is no obstacle.
 */
struct lock {
	int fd;
	char *path;
};

/*
 * Take the lock at path, creating the file.  Returns 0, or -1 with the
 * holder's pid in err when it is taken.  Never waits.
 */
int lock_take(struct lock *l, const char *path, struct err *err);

/* Let go.  The file stays: removing it would race with the next holder. */
void lock_release(struct lock *l);

#endif
