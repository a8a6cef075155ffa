/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/guid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *guid_format(uint64_t g, char out[GUID_STRLEN + 1])
{
	snprintf(out, GUID_STRLEN + 1, GUID_FMT, GUID_ARG(g));
	return out;
}

int guid_parse(const char *s, uint64_t *out)
{
	size_t n;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	n = strlen(s);
	if (n < 1 || n > 16 || strspn(s, "0123456789abcdefABCDEF") != n)
		return -1;
	*out = strtoull(s, NULL, 16);
	return 0;
}
