/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_EXPECT_FILE_H
#define IBAUDIT_MODEL_EXPECT_FILE_H

#include "model/plan_file.h"
#include "model/snapshot.h"
#include "util/err.h"

/* What a fabric should be, as a file tells it: one of the two is filled. */
struct expect_file {
	int is_plan;
	struct snapshot topology; /* model/topology_file.h */
	struct plan plan;         /* model/plan_file.h */
};

/*
 * Read the file at path, once, whichever of the two it is: what does not begin
 * as a topology file is a plan.  Returns 0; or -1 with err set as by
 * topology_read() or plan_read(), and e empty.
 */
int expect_file_read(const char *path, struct expect_file *e, struct err *err);

void expect_file_free(struct expect_file *e);

#endif
