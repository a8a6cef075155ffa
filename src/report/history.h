/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_HISTORY_H
#define IBAUDIT_REPORT_HISTORY_H

#include "report/report.h"
#include "store/history.h"

/* Walks of `ibaudit history`; fabric is its name. */

void report_history_port(struct report *r, const char *fabric,
			 const struct history_port *p);
/* counter: index of counter_table. */
void report_history_readings(struct report *r, const char *fabric, int counter,
			     const struct history_readings *p);
void report_history_node(struct report *r, const char *fabric,
			 const struct history_now *now,
			 const struct history_events *e);
void report_history_sms(struct report *r, const char *fabric,
			const struct history_sms *s);
void report_history_rule(struct report *r, const char *fabric, const char *rule,
			 const struct history_episodes *e);

#endif
