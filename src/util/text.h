/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_TEXT_H
#define IBAUDIT_UTIL_TEXT_H

#include <stddef.h>

#include "util/strbuf.h"

/*
 * Append up to n arbitrary bytes as harmless UTF-8: it ends at the first NUL
 * that only NULs follow; control characters (C0, DEL, C1), bidirectional
 * overrides and bytes that are no UTF-8 become \xHH, a backslash \\.  The
 * result is safe in a terminal, in JSON and behind an XML escaper.
 */
void text_safe(struct strbuf *b, const char *bytes, size_t n);

/*
 * The same for text that people write, which may quote names made safe
 * before: backslashes, newlines and tabs stay as they are.
 */
void text_clean(struct strbuf *b, const char *bytes, size_t n);

/* Columns that s (UTF-8) takes on a terminal, one a code point. */
size_t text_width(const char *s);

#endif
