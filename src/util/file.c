/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, size_t mib, struct strbuf *b, struct err *err)
{
	char block[65536];
	size_t most = b->len + (mib << 20);
	ssize_t n;

	strbuf_add(b, "");
	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno != EINTR)
			return err_errno(err, "cannot be read");
		if (n > 0)
			strbuf_addn(b, block, (size_t)n);
		if (b->len > most)
			return err_set(err, "is larger than %zu MiB", mib);
	}
	return 0;
}

static int is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* O_NONBLOCK: to open a FIFO waits for its writer otherwise. */
int file_read(const char *path, enum file_kind kind, size_t mib,
	      struct strbuf *b, struct err *err)
{
	int wait = kind == FILE_ANY ? 0 : O_NONBLOCK;
	int fd = open(path, O_RDONLY | wait | O_NOCTTY | O_CLOEXEC), rc;

	if (fd < 0)
		return err_errno(err, "cannot be read");
	if (kind == FILE_REGULAR && !is_regular(fd))
		rc = err_set(err, "is no regular file");
	else
		rc = read_all(fd, mib, b, err);
	close(fd);
	return rc;
}
