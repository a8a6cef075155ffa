/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_INTERRUPT_H
#define IBAUDIT_CMD_INTERRUPT_H

/* From now on SIGINT, SIGTERM and SIGHUP end the process at once with status
 * 3 and one line on stderr. */
void interrupt_arm(void);

/* Put them off while a snapshot is stored and reported, and let what came in
 * the meantime act. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
