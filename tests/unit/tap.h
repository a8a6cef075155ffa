/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_TAP_H
#define IBAUDIT_TESTS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * The Test Anything Protocol for unit tests: one line a test, the plan at the
 * end.  A test names itself with a format; each check returns whether it
 * held.  main() ends with return done_testing().
 */
static int tap_run, tap_failed;

__attribute__((format(printf, 2, 0))) static inline int
tap_line(int good, const char *fmt, va_list ap)
{
	tap_failed += !good;
	printf("%sok %d - ", good ? "" : "not ", ++tap_run);
	vprintf(fmt, ap);
	putchar('\n');
	fflush(stdout);
	return good;
}

__attribute__((format(printf, 2, 3))) static inline int ok(int good,
							     const char *fmt,
							     ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_line(!!good, fmt, ap);
	va_end(ap);
	return !!good;
}

__attribute__((format(printf, 3, 4))) static inline int
is_int(long long got, long long want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_line(got == want, fmt, ap);
	va_end(ap);
	if (got != want)
		printf("# got %lld, want %lld\n", got, want);
	return got == want;
}

/* NULL equals only NULL. */
__attribute__((format(printf, 3, 4))) static inline int
is_str(const char *got, const char *want, const char *fmt, ...)
{
	int good = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	tap_line(good, fmt, ap);
	va_end(ap);
	if (!good)
		printf("# got '%s', want '%s'\n", got ? got : "NULL",
		       want ? want : "NULL");
	return good;
}

/* Print the plan.  Returns the exit status of the test program. */
static inline int done_testing(void)
{
	printf("1..%d\n", tap_run);
	return tap_failed || !tap_run;
}

#endif
