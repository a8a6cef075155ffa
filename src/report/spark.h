/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_SPARK_H
#define IBAUDIT_REPORT_SPARK_H

#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/*
 * Append a sparkline of n values, oldest first, in at most width columns, with
 * the sum of several values in a column where there are more.  Less than 0
 * counts as 0, which is the lowest mark.  utf8: block elements (U+2581 to
 * U+2588), else "_.:-=+*#".
 */
void spark_add(struct strbuf *b, const int64_t *v, size_t n, size_t width,
	       int utf8);

/* Does the locale of the environment (LC_ALL, LC_CTYPE, LANG) say UTF-8? */
int spark_has_utf8(void);

#endif
