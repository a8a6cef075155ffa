/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/wrap.h"

#include <string.h>

/* True when c begins a code point of UTF-8, which takes a column. */
static int is_column(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\n';
}

static size_t columns_of(const char *s, size_t n)
{
	size_t i, columns = 0;

	for (i = 0; i < n; i++)
		columns += (size_t)is_column(s[i]);
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

/* One line's worth of text: its bytes, without the blank it ends at.  s does
 * not begin with one; no more of it is looked at than the line takes. */
static size_t line_length(const char *s, size_t columns)
{
	size_t end = 0, i;

	for (i = 0; s[i]; i++) {
		if (i && is_blank(s[i]) && !is_blank(s[i - 1]))
			end = i;
		if (is_column(s[i]) && columns-- == 0)
			return end ? end : i;
	}
	return i && is_blank(s[i - 1]) ? end : i;
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
