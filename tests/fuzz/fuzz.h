/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_FUZZ_H
#define IBAUDIT_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the fuzz targets share.  A broken invariant is an abort(), which
 * libFuzzer reports with the input.
 */
#define CHECK(cond)                                                           \
	do {                                                                  \
		if (!(cond)) {                                                \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__,      \
				__LINE__, #cond);                             \
			abort();                                              \
		}                                                             \
	} while (0)

/* The bytes of the fuzzer; zeros behind their end. */
struct input {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

/* A message begins so, and is one line that a terminal may have. */
static inline void check_message(const char *s, const char *begins)
{
	CHECK(!strncmp(s, begins, strlen(begins)));
	for (; *s; s++)
		CHECK((unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f);
}

/*
 * True when IBAUDIT_FUZZ_BREAK names what: the target then makes that mistake
 * itself, so that the suite can see the check behind it fire.
 */
static inline int is_broken(const char *what)
{
	const char *broken = getenv("IBAUDIT_FUZZ_BREAK");

	return broken && !strcmp(broken, what);
}

#endif
