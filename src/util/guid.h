/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_GUID_H
#define IBAUDIT_UTIL_GUID_H

#include <stdint.h>

/* "0x" and 16 hex digits: the one way a GUID is shown. */
#define GUID_FMT "0x%016llx"
#define GUID_ARG(g) ((unsigned long long)(g))
#define GUID_STRLEN 18

/* Write g and a NUL into out.  Returns out. */
char *guid_format(uint64_t g, char out[GUID_STRLEN + 1]);

/*
 * Parse 1 to 16 hex digits, with or without 0x.  Returns 0, or -1 and leaves
 * *out alone when s is anything else.
 */
int guid_parse(const char *s, uint64_t *out);

#endif
