/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/merge.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Notes
 *
 * Whatever may be wrong with the other database is found before anything is
 * stored: it is verified, and stays as it was then, since all that is read from
 * there on is one transaction.  A sweep may store there meanwhile.
 */

static int check_other_file(struct store *st, const char *path,
			    struct err *err)
{
	struct stat a, b;

	if (stat(st->path, &a) < 0 || stat(path, &b) < 0 ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	return err_set(err, "%s: is this database itself; name that of "
		       "another head node", path);
}

/* Advice on --db, or to sweep, is for ours. */
static void advise(const char *path, struct err *err)
{
	size_t len = strlen(path);
	char *advice = strncmp(err->text, path, len) ? NULL :
					strstr(err->text + len, "; ");

	if (advice && (strstr(advice, "--db") || strstr(advice, "sweep")))
		snprintf(advice, sizeof(err->text) -
				 (size_t)(advice - err->text),
			 "; name the database of another head node");
}

static int check_schema(struct store *theirs, struct err *err)
{
	int64_t schema = 0;

	if (store_int(theirs, "PRAGMA user_version", 0, 0, &schema, err) < 0)
		return -1;
	if (schema == store_schema())
		return 0;
	return err_set(err, "%s: made by an older ibaudit (schema %lld, this "
		       "one merges %d); make a copy with 'ibaudit --db %s db "
		       "backup COPY', bring that up to date with 'ibaudit --db "
		       "COPY db vacuum', and merge it", theirs->path,
		       (long long)schema, store_schema(), theirs->path);
}

static void keep_first(void *arg, const char *line)
{
	struct err *first = arg;
	char *end = first->text;

	if (*first->text)
		return;
	err_set(first, "%s", line);
	while ((end = strchr(end, '\n'))) /* SQLite's own have several lines */
		*end = ' ';
}

/* Nothing is stored of what is damaged. */
static int check_sound(struct store *theirs, struct err *err)
{
	struct err first = { "" };
	int64_t n = 0;

	if (store_verify(theirs, keep_first, &first, &n, err) < 0)
		return -1;
	if (!n)
		return 0;
	return err_set(err, "%s: damaged (%.200s); see 'ibaudit --db %s db "
		       "check', and merge a copy that is sound", theirs->path,
		       first.text, theirs->path);
}

static int check(struct store *st, struct err *err)
{
	if (check_schema(st, err) < 0 ||
	    store_exec(st, "BEGIN", MERGE_WHAT, err) < 0)
		return -1;
	return check_sound(st, err);
}

struct store *merge_open(struct store *ours, const char *path,
			 struct err *err)
{
	struct store *st;

	if (check_other_file(ours, path, err) < 0)
		return NULL;
	st = store_open(path, STORE_COPY, err);
	if (!st) {
		advise(path, err);
		return NULL;
	}
	if (check(st, err) == 0)
		return st;
	store_close(st);
	return NULL;
}
