/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_WRAP_H
#define IBAUDIT_REPORT_WRAP_H

#include <stdio.h>

#define WRAP_COLUMNS 80 /* a console, a mail, a ticket */

/*
 * Write text in lines of at most WRAP_COLUMNS: first stands before the first
 * line and may hold colours, rest before the others.  Blanks and newlines are
 * where it may break; a word that is longer than a line is cut.
 */
void wrap(FILE *out, const char *first, const char *rest, const char *text);

#endif
