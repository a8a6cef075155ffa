/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_FINDINGS_H
#define IBAUDIT_REPORT_FINDINGS_H

#include "check/check.h"
#include "model/snapshot.h"
#include "report/report.h"
#include "store/store.h"

/* What a check has to say. */
struct verdict {
	const struct store_snapshot *snapshot;
	const struct store_snapshot *baseline; /* NULL: there is none */
	const struct ruleset *rules;
	const struct findings *findings;
};

/* Enabled rules that did not run. */
size_t verdict_broken(const struct verdict *v);

/* SEVERITY_ERROR or _WARNING when there is such a finding, at least
 * _WARNING when a rule did not run, else SEVERITY_INFO. */
enum severity verdict_severity(const struct verdict *v);

/* The documents of `ibaudit check` and `ibaudit run`: the second has the
 * sweep's counts too. */
void report_check(struct report *r, const struct verdict *v);
void report_run(struct report *r, const struct verdict *v);

/* The document of `ibaudit sm`; s is the sweep that v judges. */
void report_sm(struct report *r, const struct verdict *v,
	       const struct snapshot *s);

#endif
