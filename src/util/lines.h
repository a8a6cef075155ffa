/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_LINES_H
#define IBAUDIT_UTIL_LINES_H

#include <stddef.h>

#include "util/err.h"
#include "util/strbuf.h"

/*
 * The lines of a text that somebody wrote, for parsers: they end in LF or
 * CR LF, and a byte order mark of UTF-8 in front is no part of them.
 */
struct lines {
	struct strbuf name; /* of the file, safe to print */
	const char *text, *at, *end;
	struct strbuf line; /* the one that lines_next() gave last */
	size_t number;      /* its number, from 1 */
	int is_cut;         /* it had no LF at its end */
};

/*
 * Read the file at path, a FIFO or a device too (util/file.h), for its lines.
 * Returns 0, or -1 with err set, which begins with the path.
 */
int lines_read(const char *path, size_t mib, struct strbuf *text,
	       struct err *err);

/* Begin with the n octets of text, which must live as long.  name is the
 * file's, for messages.  To be released with lines_free(). */
void lines_init(struct lines *l, const char *name, const char *text, size_t n);
void lines_free(struct lines *l);

/*
 * The next line as a string without its end and the blanks before that, or
 * NULL behind the last.  It may be changed, lives until the next call, and
 * ends early where it holds a NUL.
 */
char *lines_next(struct lines *l);

/* Does that line hold a NUL? */
int lines_has_nul(const struct lines *l);

/* Go back to before the first line. */
void lines_rewind(struct lines *l);

/* Set err to "NAME:NUMBER: " (before the first line "NAME: ") and the text.
 * Returns -1. */
int lines_refuse(const struct lines *l, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
