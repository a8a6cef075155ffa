/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_NAMES_H
#define IBAUDIT_MODEL_NAMES_H

#include <stdint.h>

#include "model/snapshot.h"
#include "util/err.h"

/*
 * Node name maps: lines of 0xGUID "name", as infiniband-diags and opensm read
 * them (complib's cl_nodenamemap.h).
 */

/*
 * Can the file at path be read as a map?  Only a regular file is one.  Returns
 * 0, or -1 with err set: it names the line that is wrong.
 */
int names_check(const char *path, struct err *err);

/*
 * Call take() for each entry of the file at path, with a name that is safe to
 * show (text_safe) and lives during the call; it returns 0, or -1 to stop.
 * path NULL and a file that is not there are fine: no entries.  Returns 0, or
 * -1 with err set when the file is no such map or cannot be read.
 */
int names_read(const char *path,
	       int (*take)(void *arg, uint64_t guid, const char *name),
	       void *arg, struct err *err);

/* Give the snapshot's nodes their names of the map (node->name). */
int names_apply(const char *path, struct snapshot *s, struct err *err);

#endif
