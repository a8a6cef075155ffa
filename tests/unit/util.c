/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/table.h"
#include "report/wrap.h"
#include "tap.h"
#include "util/bits.h"
#include "util/clock.h"
#include "util/guid.h"
#include "util/map.h"
#include "util/strbuf.h"
#include "util/text.h"

static void safe(const char *bytes, size_t n, const char *want,
		 const char *name)
{
	struct strbuf b = STRBUF_INIT;

	text_safe(&b, bytes, n);
	is_str(b.s, want, "%s", name);
	strbuf_free(&b);
}

static void cleaned(const char *s, const char *want, const char *name)
{
	struct strbuf b = STRBUF_INIT;

	text_clean(&b, s, strlen(s));
	is_str(b.s, want, "%s", name);
	strbuf_free(&b);
}

/* The text, wrapped. */
static void wrapped(const char *s, const char *want, const char *name)
{
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);

	wrap(f, "", "  ", s);
	fclose(f);
	is_str(got, want, "%s", name);
	free(got);
}

/* A table of one row, folded. */
static void folding(void)
{
	static const struct column columns[] = {
		{ "A", "a", 0 }, { "N", "n", 1 }, { "TEXT", "t", 0 },
		{ NULL, NULL, 0 },
	};
	json_t *row = json_pack("{s:s, s:i, s:s}", "a", "caf\xc3\xa9", "n", 12,
				"t", "one two three four five six seven eight "
				"nine ten eleven twelve thirteen");
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);
	const struct list list = { "rows", LIST_TABLE, columns, NULL, 0 };
	struct table *t = table_create(f, &list, 1);

	table_row(t, row);
	table_destroy(t);
	fclose(f);
	is_str(got, "A      N  TEXT\n"
	       "caf\xc3\xa9  12  one two three four five six seven eight nine "
	       "ten eleven twelve\n"
	       "          thirteen\n", "the last column is folded");
	free(got);
	json_decref(row);
}

static void duplicate(void)
{
	static const struct column columns[] = {
		{ "A", "a.node#", 0 }, { "B", "node#", 0 }, { "C", "node", 0 },
		{ NULL, NULL, 0 },
	};
	json_t *row = json_pack("{s:{s:s, s:i}, s:s, s:i}", "a", "node", "x",
				"instance", 12, "node", "y", "instance", 0);
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);
	const struct list list = { "rows", LIST_TABLE, columns, NULL, 1 };
	struct table *t = table_create(f, &list, 0);

	table_row(t, row);
	json_object_set_new(row, "instance", json_integer(1));
	table_row(t, row);
	table_destroy(t);
	fclose(f);
	is_str(got, "A      B     C\n"
	       "x #12  y     y\n"
	       "x #12  y #1  y\n", "which of several nodes of one GUID");
	free(got);
	json_decref(row);
}

/* The widths are settled long before the first number comes. */
static void late_duplicate(void)
{
	static const struct column columns[] = {
		{ "NODE", "node#", 0 }, { "NEXT", "next", 0 },
		{ NULL, NULL, 0 },
	};
	const struct list list = { "rows", LIST_TABLE, columns, NULL, 1 };
	json_t *row = json_pack("{s:s, s:s, s:i}", "node", "node12", "next",
				"x", "instance", 0);
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);
	struct table *t = table_create(f, &list, 0);
	int i;

	for (i = 0; i < 1000; i++)
		table_row(t, row);
	json_object_set_new(row, "instance", json_integer(1));
	table_row(t, row);
	table_destroy(t);
	fclose(f);
	ok(!strncmp(got, "NODE       NEXT\nnode12     x\n", 29) &&
	   n > 14 && !strcmp(got + n - 14, "\nnode12 #1  x\n"),
	   "a duplicate far down stands in its column");
	free(got);
	json_decref(row);
}

#define TEN "123456789 "

static void wrapping(void)
{
	size_t n = 20000000;
	char *s = malloc(n + 1);
	FILE *out = fopen("/dev/null", "we");
	int64_t start = clock_mono_us();

	wrapped("", "\n", "nothing is an empty line");
	wrapped("a  b\nc ", "a  b c\n", "newlines are blanks");
	wrapped(TEN TEN TEN TEN TEN TEN TEN TEN "x",
		TEN TEN TEN TEN TEN TEN TEN "123456789\n  x\n",
		"a line ends at a blank");
	wrapped(TEN TEN TEN TEN TEN TEN TEN "1234567890 x",
		TEN TEN TEN TEN TEN TEN TEN "1234567890\n  x\n",
		"80 columns fit");
	wrapped(TEN TEN TEN TEN TEN TEN TEN "1234567890x y",
		TEN TEN TEN TEN TEN TEN "123456789\n  1234567890x y\n",
		"81 do not");
	memset(s, 'x', n);
	s[n] = '\0';
	wrap(out, "", "", s);
	memset(s, ' ', n);
	s[0] = s[n - 1] = 'x';
	wrap(out, "", "", s);
	fclose(out);
	ok(clock_mono_us() - start < 20000000, "20 MB without a blank, and of "
	   "blanks, take no time");
	free(s);
}

static void text(void)
{
	safe("leaf1\0\0\0", 8, "leaf1", "trailing NULs go");
	safe("", 0, "", "nothing");
	safe("a\0b", 3, "a\\x00b", "a NUL inside is shown");
	safe("\x1b[31mred", 8, "\\x1b[31mred", "no escape sequence");
	safe("a\nb\r\tc", 6, "a\\x0ab\\x0d\\x09c", "no control character");
	safe("\xc2\x9b", 2, "\\xc2\\x9b", "no C1 control");
	safe("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 14,
	     "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "UTF-8 stays");
	safe("\xc0\xaf\xe0\x80\xaf", 5, "\\xc0\\xaf\\xe0\\x80\\xaf",
	     "overlong forms are bytes");
	safe("\xed\xa0\x80", 3, "\\xed\\xa0\\x80", "surrogates are bytes");
	safe("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80", "beyond Unicode");
	safe("abc\xe2\x82", 5, "abc\\xe2\\x82", "cut in the middle");
	safe("a\xe2\x80\xae" "b", 5, "a\\xe2\\x80\\xaeb", "no bidi override");
	safe("a\xd8\x9c" "b", 4, "a\\xd8\\x9cb", "nor the Arabic letter mark");
	safe("a\\b", 3, "a\\\\b", "a backslash is doubled");
	cleaned("\x1b[2J\x07 caf\xc3\xa9 \\x07\n\tb\xc2\x9b\xff",
		"\\x1b[2J\\x07 caf\xc3\xa9 \\x07\n\tb\\xc2\\x9b\\xff",
		"cleaned text keeps what was made safe before, and its lines");
	is_int((long long)text_width("caf\xc3\xa9"), 4, "width of UTF-8");
}

static void guid(void)
{
	char out[GUID_STRLEN + 1];
	uint64_t g = 7;

	is_str(guid_format(0x2c9, out), "0x00000000000002c9", "format");
	ok(!guid_parse("0xFEDCBA9876543210", &g) && g == 0xfedcba9876543210ULL,
	   "parse");
	ok(!guid_parse("2c9", &g) && g == 0x2c9, "without 0x");
	ok(guid_parse("", &g) && guid_parse("0x", &g) &&
		   guid_parse("12345678901234567", &g) &&
		   guid_parse("0x12 ", &g) && guid_parse("-1", &g),
	   "refused: empty, too long, rubbish");
	is_int((long long)g, 0x2c9, "and left alone");
}

static void clocks(void)
{
	char out[CLOCK_STRLEN + 1];
	int64_t t = 0;

	setenv("TZ", "UTC-2", 1);
	tzset();
	is_str(clock_format(1767225599123, out), "2025-12-31T23:59:59.123Z",
	       "format");
	ok(!clock_parse("2025-12-31T23:59:59.123Z", &t), "parse it back");
	is_int(t, 1767225599123, "to the same");
	ok(!clock_parse("2026-01-01T01:59:59+02:00", &t), "with an offset");
	is_int(t, 1767225599000, "that counts");
	ok(!clock_parse("2026-01-01 02:00", &t), "local time");
	is_int(t, 1767225600000, "in the local zone");
	ok(!clock_parse("2025-12-31", &t), "a date");
	is_int(t, 1767225600000 - 2 * 3600000 - 1, "is its end");
	ok(clock_parse("yesterday", &t) && clock_parse("2026-13-01", &t) &&
		   clock_parse("2026-01-01 02:00 x", &t) &&
		   clock_parse("", &t),
	   "refused");
}

static void maps(void)
{
	struct map m = { 0 };
	uint64_t k;
	int bad = 0;

	is_int(map_get(&m, 1), MAP_NONE, "empty");
	for (k = 0; k < 50000; k++)
		map_set(&m, k << 8, (uint32_t)k);
	map_set(&m, 5 << 8, 99);
	for (k = 0; k < 50000; k++)
		bad += map_get(&m, k << 8) != (k == 5 ? 99 : k);
	is_int(bad, 0, "50,000 keys");
	is_int(map_get(&m, 7), MAP_NONE, "a key that is not there");
	is_int((long long)m.n, 50000, "each counted once");
	map_free(&m);
}

static void bits(void)
{
	static const uint8_t d[] = { 0x12, 0x34, 0x56, 0x78, 0x9a,
				     0xbc, 0xde, 0xf0, 0x0f };

	is_int((long long)bits_get(d, 0, 8), 0x12, "a byte");
	is_int((long long)bits_get(d, 4, 4), 2, "a nibble");
	is_int((long long)bits_get(d, 4, 16), 0x2345, "across bytes");
	ok(bits_get(d, 0, 64) == 0x123456789abcdef0ULL, "64 bits");
	ok(bits_get(d, 4, 64) == 0x23456789abcdef00ULL, "64 bits in 9 bytes");
}

int main(void)
{
	text();
	wrapping();
	folding();
	duplicate();
	late_duplicate();
	guid();
	clocks();
	maps();
	bits();
	return done_testing();
}
