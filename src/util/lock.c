/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/clock.h"

static int refuse_taken(int fd, const char *path, struct err *err)
{
	char holder[128] = "";
	ssize_t n = pread(fd, holder, sizeof(holder) - 1, 0);

	if (n < 0)
		n = 0;
	holder[n] = '\0';
	holder[strcspn(holder, "\n")] = '\0';
	return err_set(err, "%s: held by another ibaudit (%s); wait for it, or "
		       "end it", path, *holder ? holder : "pid unknown");
}

int lock_take(struct lock *l, const char *path, struct err *err)
{
	char line[128], now[CLOCK_STRLEN + 1];
	int fd, n;

	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return err_errno(err, "%s: cannot open the lock file", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			refuse_taken(fd, path, err);
		else
			err_errno(err, "%s: cannot lock", path);
		close(fd);
		return -1;
	}
	n = snprintf(line, sizeof(line), "pid %ld, since %s\n", (long)getpid(),
		     clock_format(clock_wall_ms(), now));
	/* The name is for humans: the lock holds even on a full disk. */
	if (ftruncate(fd, 0) == 0 && pwrite(fd, line, (size_t)n, 0) < 0)
		errno = 0;
	l->fd = fd;
	l->path = xstrdup(path);
	return 0;
}

void lock_release(struct lock *l)
{
	if (!l->path)
		return;
	close(l->fd);
	free(l->path);
	l->path = NULL;
}
