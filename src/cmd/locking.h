/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_LOCKING_H
#define IBAUDIT_CMD_LOCKING_H

#include "util/err.h"
#include "util/lock.h"

/*
 * Hold the database against sweeps and whatever else must not meet them.
 * Beside the file itself: whatever names and links lead to one database, there
 * is one lock.  It must exist.  Returns 0, or -1 with err set; lock_release()
 * it.
 */
int lock_database(struct lock *l, const char *db, struct err *err);

#endif
