/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_RULES_H
#define IBAUDIT_REPORT_RULES_H

#include "check/check.h"
#include "report/report.h"

/* The documents of `ibaudit rules list`, `show ID` and `test DIR`. */
void report_rule_list(struct report *r, const struct ruleset *rs);
void report_rule(struct report *r, const struct rule *rule);
void report_rule_test(struct report *r, const struct ruleset *rs);

/* The document of `ibaudit counters`: the counter table. */
void report_counter_table(struct report *r);

#endif
