/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t clock_wall_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t clock_mono_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

char *clock_format(int64_t wall_ms, char out[CLOCK_STRLEN + 1])
{
	time_t t = (time_t)(wall_ms / 1000);
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(out, CLOCK_STRLEN + 1, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + 19, CLOCK_STRLEN + 1 - 19, ".%03uZ",
		 (unsigned)(wall_ms % 1000) % 1000u);
	return out;
}

/* The zone behind a time: Z, +HH:MM, -HH:MM.  Returns 0 or -1. */
static int parse_zone(const char *s, int *offset_s)
{
	char sign;
	int h, m, n = 0;

	*offset_s = 0;
	if (!strcmp(s, "Z") || !strcmp(s, "z"))
		return 0;
	if (sscanf(s, "%c%2d:%2d%n", &sign, &h, &m, &n) != 3 || s[n])
		return -1;
	if ((sign != '+' && sign != '-') || h < 0 || h > 23 || m < 0 || m > 59)
		return -1;
	*offset_s = (h * 60 + m) * 60 * (sign == '-' ? -1 : 1);
	return 0;
}

char *clock_span(double s, char out[CLOCK_SPAN_LEN + 1])
{
	const size_t size = CLOCK_SPAN_LEN + 1;

	if (s < 1)
		snprintf(out, size, "a second");
	else if (s < 120)
		snprintf(out, size, "%.0f s", s);
	else if (s < 120 * 60)
		snprintf(out, size, "%.0f min", s / 60);
	else if (s < 48 * 3600)
		snprintf(out, size, "%.0f h", s / 3600);
	else
		snprintf(out, size, "%.0f days", s / 86400);
	return out;
}

int clock_parse(const char *s, int64_t *wall_ms)
{
	static const char *const forms[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M",
		"%Y-%m-%d %H:%M", "%Y-%m-%d",
	};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *rest = strptime(s, forms[i], &tm);
		int offset, fraction = 0, n = 0;

		if (!rest)
			continue;
		if (*rest == '.' && sscanf(rest, ".%3d%n", &fraction, &n) == 1)
			rest += n + strspn(rest + n, "0123456789");
		if (i == 4) {
			tm.tm_hour = 23;
			tm.tm_min = tm.tm_sec = 59;
			fraction = 999;
		}
		if (!*rest)
			*wall_ms = (int64_t)mktime(&tm) * 1000 + fraction;
		else if (!parse_zone(rest, &offset))
			*wall_ms = ((int64_t)timegm(&tm) - offset) * 1000 +
				   fraction;
		else
			continue;
		return 0;
	}
	return -1;
}
