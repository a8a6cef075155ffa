/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_POWERVFS_H
#define IBAUDIT_TESTS_POWERVFS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Power cuts, as SQLite's documentation models them ("Atomic Commit In SQLite",
 * "How SQLite Is Tested", 3.3).  What SQLite does to a database, its log and
 * its journal is recorded once; then the files that a cut leaves behind can be
 * made for each moment of it:
 *
 *   power_record(path);
 *   ... open, write, close ...
 *   power_stop();
 *   for (at = 0; at <= power_steps(); at++)
 *           power_cut(at, seed, another_path);
 */

/* Record from here on.  The files at path, if any, are taken as written
 * safely; path is absolute, without symbolic links. */
void power_record(const char *path);
void power_stop(void);

/* A step is what changes a file, or makes it safe. */
size_t power_steps(void);

/* Is step i (from 0) a sync? */
int power_is_sync(size_t i);

/*
 * Write the database, log and journal at path as they survive a cut after the
 * first `at` steps; what did not survive is removed.  The same seed gives the
 * same files.  Returns 0, or -1 with errno set.
 */
int power_cut(size_t at, uint64_t seed, const char *path);

/* xorshift64*: the next number below n; *state is not 0. */
unsigned power_dice(uint64_t *state, unsigned n);

#endif
