/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_SCAN_H
#define IBAUDIT_UTIL_SCAN_H

#include <stdint.h>

/*
 * Pieces of a line, for parsers: each scan_ moves *s behind what it took, and
 * returns 0, or -1 when something else stands there (*s is then anywhere).
 */
int scan_word(const char **s, const char *word);

/* A decimal number of least to most, which has up to 9 digits. */
int scan_number(const char **s, long least, long most, long *out);

/* 1 to 16 hex digits, with or without 0x, up to what is none. */
int scan_guid(const char **s, uint64_t *out);

/* Blanks and tabs, if any. */
void skip_blanks(const char **s);

/* Does s begin with word? */
int begins_with(const char *s, const char *word);

#endif
