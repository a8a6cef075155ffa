/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_INTERRUPT_H
#define IBAUDIT_CMD_INTERRUPT_H

#include <stdint.h>

/* From now on SIGINT, SIGTERM and SIGHUP end the process at once with status
 * 3 and one line on stderr: nothing of the sweep is stored. */
void interrupt_arm(void);

/* Put them off while a snapshot is stored, and let what came in the meantime
 * act. */
void interrupt_hold(void);
void interrupt_release(void);

/* Between the two: snapshot id is stored, so the line says that from now on,
 * until the next interrupt_arm(). */
void interrupt_stored(int64_t id);

/* Path is a copy of a database in the making, NULL: none any more.  What comes
 * removes it, and whatever SQLite has beside it; the line says so. */
void interrupt_copying(const char *path);

#endif
