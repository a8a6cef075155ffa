/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_PROGRESS_H
#define IBAUDIT_CMD_PROGRESS_H

#include "fabric/fabric.h"

/* True when a sweep should tell how far it is: stderr is a terminal. */
int progress_is_wanted(int quiet);

/* Rewrite the one line on stderr; a sweep_options.progress. */
void progress_show(void *arg, const struct sweep_progress *p);

/* Take the line away. */
void progress_clear(void);

#endif
