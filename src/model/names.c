/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/names.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <complib/cl_nodenamemap.h>

#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * complib's parser hands over each line's GUID and the rest of the line.  The
 * name stands between quotes, or is the rest when there are none.
 *
 * The parser stops at a line that it cannot read and does not say at which, and
 * would wait for ever at a FIFO.  So names_check() looks at the file first, by
 * the parser's own measure of a line.
 */

#define LINE_MAX_OCTETS 254 /* complib reads lines into 256, with newline */

struct sink {
	int (*take)(void *arg, uint64_t guid, const char *name);
	void *arg;
	int stopped;
};

/* The name in the rest of a line; *n its length. */
static const char *find_name(const char *s, size_t *n)
{
	if (*s == '"') {
		s++;
		*n = strcspn(s, "\"");
	} else {
		*n = strcspn(s, "#");
		while (*n && isspace((unsigned char)s[*n - 1]))
			--*n;
	}
	return s;
}

static int take_line(void *arg, uint64_t guid, char *rest)
{
	struct sink *sink = arg;
	struct strbuf safe = STRBUF_INIT;
	const char *name;
	size_t n;

	name = find_name(rest, &n);
	if (!n)
		return 0;
	text_safe(&safe, name, n);
	sink->stopped = sink->take(sink->arg, guid, safe.s) < 0;
	strbuf_free(&safe);
	return sink->stopped;
}

/* Blank, a comment, or a number with a blank, a comment or nothing behind. */
static int is_map_line(const char *s)
{
	char *end;

	s += strspn(s, " \t\r\n\v\f");
	if (!*s || *s == '#')
		return 1;
	strtoull(s, &end, 0);
	return end != s &&
	       (isspace((unsigned char)*end) || *end == '#' || !*end);
}

static int check_lines(FILE *f, const char *path, struct err *err)
{
	char *line = NULL;
	size_t cap = 0, number = 0;
	ssize_t n;
	int rc = 0;

	while (!rc && (errno = 0, n = getline(&line, &cap, f)) >= 0) {
		number++;
		if (n && line[n - 1] == '\n')
			n--;
		if (n > LINE_MAX_OCTETS)
			rc = err_set(err, "%s:%zu: the line is longer than %d "
				     "bytes; make it shorter", path, number,
				     LINE_MAX_OCTETS);
		else if (!is_map_line(line))
			rc = err_set(err, "%s:%zu: no line of a node name map "
				     "(0xGUID \"name\"); correct it", path,
				     number);
	}
	if (!rc && errno)
		rc = err_errno(err, "%s: cannot read the node name map", path);
	free(line);
	return rc;
}

/* O_NONBLOCK: to open a FIFO waits for its writer otherwise. */
static int open_regular(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return err_errno(err, "%s: cannot open the node name map; "
				 "name another, or none", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return err_set(err, "%s: a node name map must be a regular file",
		       path);
}

int names_check(const char *path, struct err *err)
{
	int fd = open_regular(path, err), rc;
	FILE *f;

	if (fd < 0)
		return -1;
	f = fdopen(fd, "r");
	if (!f) {
		err_errno(err, "%s: cannot read the node name map", path);
		close(fd);
		return -1;
	}
	rc = check_lines(f, path, err);
	fclose(f);
	return rc;
}

int names_read(const char *path,
	       int (*take)(void *arg, uint64_t guid, const char *name),
	       void *arg, struct err *err)
{
	struct sink sink = { take, arg, 0 };

	if (!path || access(path, F_OK) < 0)
		return 0;
	if (names_check(path, err) < 0)
		return -1;
	if (!parse_node_map(path, take_line, &sink) || sink.stopped)
		return 0;
	return err_errno(err, "%s: cannot read the node name map", path);
}

static int set_name(void *arg, uint64_t guid, const char *name)
{
	struct snapshot *s = arg;
	uint32_t i = snapshot_find(s, guid, 0);

	if (i != NO_NODE) {
		free(s->nodes[i]->name);
		s->nodes[i]->name = xstrdup(name);
	}
	return 0;
}

int names_apply(const char *path, struct snapshot *s, struct err *err)
{
	return names_read(path, set_name, s, err);
}
