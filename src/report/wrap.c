/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/wrap.h"

#include <string.h>

/* Bytes at the start of s (n bytes of UTF-8) that fit into so many columns. */
static size_t fit(const char *s, size_t n, size_t columns)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80 && columns-- == 0)
			return i;
	return n;
}

static size_t columns_of(const char *s, size_t n)
{
	size_t i, columns = 0;

	for (i = 0; i < n; i++)
		columns += ((unsigned char)s[i] & 0xc0) != 0x80;
	return columns;
}

/* Columns of a prefix, without the colours in it (ECMA-48 SGR). */
static size_t prefix_columns(const char *s)
{
	size_t columns = 0;

	while (*s) {
		size_t n = strcspn(s, "\033");

		columns += columns_of(s, n);
		s += n;
		if (*s)
			s += strcspn(s, "m") + 1;
	}
	return columns;
}

/* One line's worth of text: its bytes, without the blank it ends at. */
static size_t line_length(const char *s, size_t columns)
{
	size_t best = 0, n = 0;

	while (s[n]) {
		size_t word = n + strspn(s + n, " \n");
		size_t end = word + strcspn(s + word, " \n");

		if (columns_of(s, end) > columns)
			break;
		best = n = end;
	}
	return best ? best : fit(s, strlen(s), columns);
}

void wrap(FILE *out, const char *first, const char *rest, const char *text)
{
	const char *prefix = first;

	do {
		size_t i, n;

		text += strspn(text, " \n");
		n = line_length(text, WRAP_COLUMNS - prefix_columns(prefix));
		fputs(prefix, out);
		for (i = 0; i < n; i++)
			putc(text[i] == '\n' ? ' ' : text[i], out);
		putc('\n', out);
		text += n;
		prefix = rest;
	} while (text[strspn(text, " \n")]);
}
