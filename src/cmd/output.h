/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_OUTPUT_H
#define IBAUDIT_CMD_OUTPUT_H

#include "cmd/cmd.h"
#include "report/report.h"

/*
 * Settle the format: that of --format must be one of the command's, -1 with
 * err set if it is not; where the configuration names one that the command
 * does not have, the command's default holds.
 */
int output_settle(const struct invocation *inv, struct err *err);

/*
 * A report on standard output in the format that output_settle() settled.
 * Hand it to output_close(), or report_destroy() it.
 */
struct report *output_open(const struct invocation *inv);

/* report_end() and report_destroy().  Returns status, or EXIT_TROUBLE with
 * err set when not all could be written. */
int output_close(struct report *r, int status, struct err *err);

#endif
