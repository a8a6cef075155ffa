/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/spark.h"

#include <stdlib.h>
#include <strings.h>

#define LEVELS 8

/* The sum of what falls into column c of width. */
static int64_t column_sum(const int64_t *v, size_t n, size_t width, size_t c)
{
	size_t i, end = (c + 1) * n / width;
	int64_t sum = 0;

	for (i = c * n / width; i < end; i++)
		if (v[i] > 0 && __builtin_add_overflow(sum, v[i], &sum))
			sum = INT64_MAX;
	return sum;
}

/* 0 for nothing, else 1 to LEVELS - 1. */
static int level_of(int64_t v, int64_t most)
{
	if (v <= 0 || most <= 0)
		return 0;
	return 1 + (int)((double)v * (LEVELS - 2) / (double)most);
}

void spark_add(struct strbuf *b, const int64_t *v, size_t n, size_t width,
	       int utf8)
{
	static const char ascii[LEVELS + 1] = "_.:-=+*#";
	int64_t most = 0;
	size_t c;

	if (width > n)
		width = n;
	for (c = 0; c < width; c++)
		if (column_sum(v, n, width, c) > most)
			most = column_sum(v, n, width, c);
	for (c = 0; c < width; c++) {
		int level = level_of(column_sum(v, n, width, c), most);

		if (utf8)
			strbuf_addf(b, "\xe2\x96%c", (char)(0x81 + level));
		else
			strbuf_addn(b, &ascii[level], 1);
	}
}

int spark_has_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL, *dot;
	size_t i;

	for (i = 0; i < 3 && !(value && *value); i++)
		value = getenv(names[i]);
	dot = value ? value : "";
	while (*dot && *dot != '.')
		dot++;
	return !strncasecmp(dot, ".utf-8", 6) || !strncasecmp(dot, ".utf8", 5);
}
