/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/settings.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>

/*
 * Notes
 *
 * inih parses; the reader under it counts lines, so that an error can name
 * one.  It also takes the blanks at the start of a line away: to inih an
 * indented line would be more of the value above it, and an indented key
 * would vanish there without a word.
 */

struct source {
	FILE *file;
	const char *path;
	struct settings *set;
	struct err *err;
	int line;
	int failed;
};

static void origin(const struct source *s, char *out, size_t size)
{
	snprintf(out, size, "%s:%d", s->path, s->line);
}

static char *next_line(char *buf, int size, void *arg)
{
	struct source *s = arg;
	size_t n, blank;

	if (s->failed || !fgets(buf, size, s->file))
		return NULL;
	s->line++;
	n = strlen(buf);
	if ((!n || buf[n - 1] != '\n') && !feof(s->file)) {
		s->failed = 1;
		err_set(s->err, "%s:%d: the line is longer than %d bytes; "
			"make it shorter", s->path, s->line, size - 2);
		return NULL;
	}
	blank = strspn(buf, " \t");
	memmove(buf, buf + blank, n - blank + 1);
	return buf;
}

/* Returns 1 to go on, as inih wants it. */
static int take_pair(void *arg, const char *section, const char *key,
		     const char *value)
{
	struct source *s = arg;
	char at[512];

	origin(s, at, sizeof(at));
	if (!s->failed &&
	    settings_set(s->set, section, key, value, at, s->err) < 0)
		s->failed = 1;
	return !s->failed;
}

int settings_read(struct settings *set, const char *path, struct err *err)
{
	struct source s = { NULL, path, set, err, 0, 0 };
	int rc;

	s.file = fopen(path, "re");
	if (!s.file)
		return err_errno(err, "%s: cannot read the configuration",
				 path);
	rc = ini_parse_stream(next_line, &s, take_pair, &s);
	if (!s.failed && ferror(s.file))
		rc = err_errno(err, "%s: cannot read the configuration", path);
	else if (!s.failed && rc > 0)
		err_set(err, "%s:%d: neither [section] nor KEY = VALUE", path,
			rc);
	fclose(s.file);
	return s.failed || rc ? -1 : 0;
}
