/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_CLOCK_H
#define IBAUDIT_UTIL_CLOCK_H

#include <stdint.h>

/* Milliseconds since 1970-01-01 UTC, by the system's clock. */
int64_t clock_wall_ms(void);

/* Microseconds on a clock that never goes back; only differences mean
 * anything. */
int64_t clock_mono_us(void);

#define CLOCK_STRLEN 24

/* "2026-01-31T23:59:59.123Z" (RFC 3339, UTC).  Returns out. */
char *clock_format(int64_t wall_ms, char out[CLOCK_STRLEN + 1]);

#define CLOCK_SPAN_LEN 31

/* Seconds as a person says them: "a second", "5 min", "3 days".  Returns out. */
char *clock_span(double seconds, char out[CLOCK_SPAN_LEN + 1]);

/*
 * Parse a time: RFC 3339 with Z or an offset, or "YYYY-MM-DD[ HH:MM[:SS]]" in
 * local time.  A date alone is its last second.  Returns 0, or -1.
 */
int clock_parse(const char *s, int64_t *wall_ms);

#endif
