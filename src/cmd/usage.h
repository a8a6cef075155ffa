/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_USAGE_H
#define IBAUDIT_CMD_USAGE_H

#include <stdio.h>

#include "cmd/cmd.h"

/* What a call looks like, three lines. */
void usage_short(FILE *out);

/* `ibaudit --help`: the commands and the global options. */
void usage_program(FILE *out);

/* `ibaudit COMMAND --help`. */
void usage_command(FILE *out, const struct cmd *cmd);

/* The command whose name is at most two typing errors away, or NULL. */
const char *usage_nearest(const char *word);

#endif
