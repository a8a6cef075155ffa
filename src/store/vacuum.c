/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/*
 * Notes
 *
 * VACUUM writes what the database holds into a temporary file, and from there,
 * as one transaction, into the log: twice that much for a while.  The temporary
 * file is put beside the database: /tmp may be memory.  The file itself shrinks
 * when the log is moved into it, which waits for readers.
 */

#define WHAT "giving space back"
#define READER_BUSY_MS 5000 /* all is done but for the file's size */

static int64_t file_size(const char *path)
{
	struct stat sb;

	return stat(path, &sb) == 0 ? sb.st_size : 0;
}

/* What the pages that are in use take, in octets. */
static int used(struct store *st, int64_t *size, struct err *err)
{
	return store_int(st, "SELECT (p.page_count - f.freelist_count) * "
			 "s.page_size FROM pragma_page_count() p, "
			 "pragma_freelist_count() f, pragma_page_size() s", 0,
			 0, size, err);
}

static int check_room(struct store *st, const char *dir, struct err *err)
{
	int64_t size = 0, room;
	struct statvfs fs;

	if (used(st, &size, err) < 0)
		return -1;
	if (statvfs(dir, &fs) < 0)
		return err_errno(err, "%s: cannot tell the free space", dir);
	room = (int64_t)fs.f_bavail * (int64_t)fs.f_frsize;
	if (room >= 2 * size)
		return 0;
	return err_set(err, "%s: not enough room: it takes %lld MB for a "
		       "while, and %lld are free; free space there, or keep a "
		       "smaller copy with 'ibaudit prune' first", st->path,
		       (long long)(2 * size / 1000000 + 1),
		       (long long)(room / 1000000));
}

/* temp_store says memory otherwise (open.c). */
static int run_vacuum(struct store *st, const char *dir, struct err *err)
{
	int rc;

	sqlite3_temp_directory = sqlite3_mprintf("%s", dir);
	rc = store_exec(st, "PRAGMA temp_store = FILE", WHAT, err);
	if (!rc)
		rc = store_exec(st, "VACUUM", WHAT, err);
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	return rc;
}

int store_vacuum(struct store *st, struct store_vacuumed *out, struct err *err)
{
	/* Where links lead to. */
	char *dir = store_directory(sqlite3_db_filename(st->db, "main"));
	int rc;

	out->before = file_size(st->path);
	rc = check_room(st, dir, err);
	if (!rc)
		rc = run_vacuum(st, dir, err);
	free(dir);
	if (rc < 0)
		return -1;
	sqlite3_busy_timeout(st->db, READER_BUSY_MS);
	out->held = sqlite3_wal_checkpoint_v2(st->db, NULL,
					      SQLITE_CHECKPOINT_TRUNCATE, NULL,
					      NULL) != SQLITE_OK;
	out->after = file_size(st->path);
	return 0;
}
