/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * The copy is made under a name of its own beside the one that it gets in the
 * end.  All pages are copied in one step, which is one read transaction:
 * between steps a sweep that stores would make it begin again.  The copy needs
 * no journal, and says nothing of the disk until the end: a copy that did not
 * come to that is removed.
 *
 * Its first page says WAL, as that of the database does, and is told otherwise
 * before anybody else can open it.
 */

#define WHAT "copying the database"

struct backup {
	struct store copy; /* path: as the file will be named */
	char *name;        /* the file, while it is not whole */
	mode_t mode;
	void (*making)(const char *name);
	struct err *err;
};

/* Another database's journal would be taken for that of the copy. */
static int check_absent(const struct backup *b)
{
	static const char *const tails[] = { "", "-journal", "-wal" };
	struct strbuf path = STRBUF_INIT;
	struct stat sb;
	int rc = 0;
	size_t i;

	for (i = 0; !rc && i < sizeof(tails) / sizeof(tails[0]); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s", b->copy.path, tails[i]);
		if (lstat(path.s, &sb) == 0)
			rc = err_set(b->err, "%s: is there already; name "
				     "another file, or remove that one",
				     path.s);
	}
	strbuf_free(&path);
	return rc;
}

/* Who may read the database may read the copy. */
static int make_file(struct backup *b)
{
	struct strbuf name = STRBUF_INIT;
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	strbuf_addf(&name, "%s.partial-XXXXXX", b->copy.path);
	fd = mkstemp(name.s);
	if (fd < 0) {
		err_set(b->err, "%s: cannot make a file there (%s); name "
			"another place", b->copy.path, strerror(errno));
		strbuf_free(&name);
		return -1;
	}
	b->name = strbuf_take(&name);
	if (b->making)
		b->making(b->name);
	if (fchmod(fd, b->mode & ~mask & 0666) < 0)
		errno = 0; /* then it is its owner's alone */
	close(fd);
	return 0;
}

static int connect_copy(struct backup *b)
{
	if (sqlite3_open_v2(b->name, &b->copy.db, SQLITE_OPEN_READWRITE |
			    SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return b->copy.db ? store_err(&b->copy, b->err, WHAT) :
				    err_set(b->err, "%s: out of memory",
					    b->copy.path);
	return store_exec(&b->copy, "PRAGMA synchronous = OFF;"
			  "PRAGMA journal_mode = OFF", WHAT, b->err);
}

static int copy_pages(struct backup *b, struct store *from)
{
	sqlite3_backup *backup = sqlite3_backup_init(b->copy.db, "main",
						     from->db, "main");
	int rc;

	if (!backup)
		return store_err(&b->copy, b->err, WHAT);
	sqlite3_backup_step(backup, -1);
	rc = sqlite3_backup_finish(backup);
	if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB)
		return err_set(b->err, "%s: damaged (%s) while %s; see "
			       "'ibaudit db check'", from->path,
			       sqlite3_errstr(rc), WHAT);
	return rc == SQLITE_OK ? 0 : store_err(&b->copy, b->err, WHAT);
}

/* On a page cache that is empty: what is checked is what the file holds. */
static int check_copy(struct backup *b)
{
	sqlite3_stmt *stmt;
	const char *line;
	int rc;

	sqlite3_db_release_memory(b->copy.db);
	stmt = store_prepare(&b->copy, "PRAGMA quick_check(1)", WHAT, b->err);
	if (!stmt)
		return -1;
	rc = store_step(&b->copy, stmt, WHAT, b->err);
	if (rc == 1) {
		line = (const char *)sqlite3_column_text(stmt, 0);
		rc = line && !strcmp(line, "ok") ? 0 :
			err_set(b->err, "%s: the copy is damaged (%s); see "
				"'ibaudit db check' of the database",
				b->copy.path, line ? line : "unknown");
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* Everything is in the file and nothing beside it. */
static int close_copy(struct backup *b)
{
	if (store_exec(&b->copy, "PRAGMA journal_mode = DELETE", WHAT,
		       b->err) < 0 || check_copy(b) < 0)
		return -1;
	sqlite3_close(b->copy.db);
	b->copy.db = NULL;
	return 0;
}

static int sync_path(const struct backup *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	if (fd < 0 || fsync(fd) < 0)
		rc = err_errno(b->err, "%s: the disk failed while %s",
			       b->copy.path, WHAT);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Give it its name, unless somebody else has that by now.  Some file systems
 * know no links. */
static int name_copy(const struct backup *b)
{
	char *dir = store_directory(b->copy.path);
	int rc = 0;

	if (link(b->name, b->copy.path) < 0 &&
	    (errno == EEXIST ||
	     renameat2(AT_FDCWD, b->name, AT_FDCWD, b->copy.path,
		       RENAME_NOREPLACE) < 0))
		rc = err_errno(b->err, "%s: cannot give the copy its name",
			       b->copy.path);
	else
		rc = sync_path(b, dir);
	free(dir);
	return rc;
}

static int make_copy(struct backup *b, struct store *from)
{
	struct stat sb;

	b->mode = stat(from->path, &sb) == 0 ? sb.st_mode : 0600;
	if (make_file(b) < 0 || connect_copy(b) < 0 ||
	    copy_pages(b, from) < 0 || close_copy(b) < 0 ||
	    sync_path(b, b->name) < 0)
		return -1;
	return name_copy(b);
}

/* The working name, and what SQLite may have beside it. */
static void sweep_up(struct backup *b)
{
	static const char *const tails[] = { "", "-journal", "-wal", "-shm" };
	struct strbuf path = STRBUF_INIT;
	size_t i;

	sqlite3_close(b->copy.db);
	for (i = 0; b->name && i < sizeof(tails) / sizeof(tails[0]); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s", b->name, tails[i]);
		unlink(path.s);
	}
	strbuf_free(&path);
	if (b->name && b->making)
		b->making(NULL);
	free(b->name);
	free(b->copy.path);
}

int store_backup(const char *path, const char *file,
		 void (*making)(const char *name), int64_t *size,
		 struct err *err)
{
	struct backup b = { .copy = { .path = xstrdup(file) },
			    .making = making, .err = err };
	struct store *from = NULL;
	struct stat sb;
	int rc = check_absent(&b);

	if (!rc) {
		from = store_open(path, STORE_COPY, err);
		rc = from ? make_copy(&b, from) : -1;
	}
	*size = !rc && stat(file, &sb) == 0 ? sb.st_size : 0;
	store_close(from);
	sweep_up(&b);
	return rc;
}
