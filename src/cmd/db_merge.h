/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_DB_MERGE_H
#define IBAUDIT_CMD_DB_MERGE_H

#include "cmd/cmd.h"

/* ibaudit db merge FILE: FILE is the second argument.  An exit status, as
 * struct cmd's. */
int db_merge(const struct invocation *inv, struct err *err);

#endif
