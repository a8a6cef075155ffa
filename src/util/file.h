/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_FILE_H
#define IBAUDIT_UTIL_FILE_H

#include <stddef.h>

#include "util/err.h"
#include "util/strbuf.h"

/* What file_read() takes for a file. */
enum file_kind {
	FILE_REGULAR, /* nothing else; it never waits */
	FILE_ANY      /* FIFOs and devices too; it waits for their writer */
};

/*
 * Append what the file at path holds to b, with a NUL behind it (b->len does
 * not count that).  Returns 0; or -1 with err set, as words to stand behind
 * the file's name, when it cannot be read or holds more than mib MiB: b then
 * has a part of it.
 */
int file_read(const char *path, enum file_kind kind, size_t mib,
	      struct strbuf *b, struct err *err);

#endif
