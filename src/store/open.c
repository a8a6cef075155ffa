/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * The journal is a write-ahead log: nobody waits for anybody.  A rollback
 * journal would be one file less, but a reader that stands still (a pager
 * behind sqlite3) makes the commit of every sweep fail, and a sweep killed
 * while it commits locks out those who may only read.
 *
 * A reader without write permission needs the files -wal and -shm to be
 * there, so we ask SQLite to keep them (SQLITE_FCNTL_PERSIST_WAL), the log
 * emptied (journal_size_limit).  An sqlite3 shell of somebody who may write
 * still removes them when it was the last to close.  The database file is
 * whole then, and has no writer: such a reader opens it as immutable until the
 * next sweep brings the files back.
 *
 * synchronous is FULL: with NORMAL a power cut may take back a commit that was
 * reported, and some builds of SQLite have that for a write-ahead log.
 */

#define READ_BUSY_MS 10000
#define WRITE_BUSY_MS 60000 /* a sweep cannot be had again: wait longer */
#define CACHE_KIB "-4096"    /* rows come in the order of their keys */

char *store_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct strbuf b = STRBUF_INIT;

	if (!slash)
		return xstrdup(".");
	strbuf_addn(&b, path, slash == path ? 1 : (size_t)(slash - path));
	return strbuf_take(&b);
}

static int make_directory(const char *path, struct err *err)
{
	char *dir = store_directory(path);
	int rc = 0;

	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		rc = err_set(err, "%s: cannot make this directory for the "
			     "database (%s); make it, or name another with "
			     "--db", dir, strerror(errno));
	else if (access(dir, W_OK | X_OK) < 0)
		rc = err_set(err, "%s: cannot make a database there (%s); "
			     "allow it, or name another place with --db", dir,
			     strerror(errno));
	free(dir);
	return rc;
}

static int check_absent(const struct store *st, struct err *err)
{
	if (errno != ENOENT)
		return err_set(err, "%s: cannot be reached (%s); check the "
			       "permissions of its directories", st->path,
			       strerror(errno));
	if (st->mode != STORE_CREATE)
		return err_set(err, "%s: no database there; run 'ibaudit "
			       "sweep' to make one, or name one with --db",
			       st->path);
	return make_directory(st->path, err);
}

static int is_reader(const struct store *st)
{
	return st->mode == STORE_READ || st->mode == STORE_COPY;
}

/* What the file system can tell, in words that SQLite does not have. */
static int check_path(const struct store *st, struct err *err)
{
	int may = is_reader(st) ? R_OK : R_OK | W_OK;
	struct stat sb;

	if (st->mode == STORE_MEMORY)
		return 0;
	if (stat(st->path, &sb) < 0)
		return check_absent(st, err);
	if (S_ISDIR(sb.st_mode))
		return err_set(err, "%s: a directory; name the database file "
			       "in it with --db", st->path);
	if (!S_ISREG(sb.st_mode))
		return err_set(err, "%s: not a regular file; name the "
			       "database file with --db", st->path);
	if (access(st->path, may) < 0)
		return err_set(err, "%s: cannot be %s (%s); run this as its "
			       "owner, or name another with --db", st->path,
			       may & W_OK ? "written" : "read",
			       strerror(errno));
	return 0;
}

/* "file:PATH?immutable=1", with what a URI gives a meaning as %HH. */
static char *immutable_uri(const char *path)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_add(&b, "file:");
	for (; *path; path++)
		if (strchr("%?#", *path))
			strbuf_addf(&b, "%%%02x", (unsigned char)*path);
		else
			strbuf_addn(&b, path, 1);
	strbuf_add(&b, "?immutable=1");
	return strbuf_take(&b);
}

static int connect_to(struct store *st, const char *name, int flags,
		      struct err *err)
{
	int write = !is_reader(st);

	sqlite3_close(st->db);
	st->db = NULL;
	/* One thread: no lock for each value that is bound or read. */
	flags |= SQLITE_OPEN_NOMUTEX;
	if (sqlite3_open_v2(name, &st->db, flags, NULL) != SQLITE_OK)
		return st->db ? store_err(st, err, "opening") :
				err_set(err, "%s: out of memory", st->path);
	sqlite3_extended_result_codes(st->db, 0);
	sqlite3_busy_timeout(st->db, write ? WRITE_BUSY_MS : READ_BUSY_MS);
	return store_exec(st, "PRAGMA temp_store = MEMORY", "opening", err);
}

static int connect_first(struct store *st, struct err *err)
{
	static const int flags[] = {
		[STORE_READ] = SQLITE_OPEN_READONLY,
		[STORE_COPY] = SQLITE_OPEN_READONLY,
		[STORE_WRITE] = SQLITE_OPEN_READWRITE,
		[STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		[STORE_MEMORY] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};

	return connect_to(st, st->path, flags[st->mode], err);
}

/* Is the log missing, and may we not make it?  Then nobody writes. */
static int is_left_alone(const struct store *st)
{
	struct strbuf b = STRBUF_INIT;
	int absent;

	if (!is_reader(st))
		return 0;
	strbuf_addf(&b, "%s-wal", st->path);
	absent = access(b.s, F_OK) < 0 && errno == ENOENT;
	strbuf_free(&b);
	return absent;
}

/* The first page is read here for the first time. */
static int connect_and_read(struct store *st, struct err *err)
{
	int64_t version;
	char *uri;
	int rc;

	if (connect_first(st, err) < 0)
		return -1;
	if (!store_int(st, "PRAGMA schema_version", 0, 0, &version, err))
		return 0;
	rc = sqlite3_errcode(st->db);
	if ((rc != SQLITE_CANTOPEN && rc != SQLITE_READONLY) ||
	    !is_left_alone(st))
		return -1;
	uri = immutable_uri(st->path);
	rc = connect_to(st, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	free(uri);
	return rc;
}

static int is_fresh(struct store *st, int64_t application, int64_t schema,
		    int *fresh, struct err *err)
{
	int64_t objects = 0;

	if (store_int(st, "SELECT count(*) FROM sqlite_master", 0, 0, &objects,
		      err) < 0)
		return -1;
	*fresh = !application && !schema && !objects;
	return 0;
}

static int check_schema(struct store *st, int64_t schema, struct err *err)
{
	if (schema > store_schema())
		return err_set(err, "%s: made by a newer ibaudit (schema %lld, "
			       "this one knows %d); use that one, or name "
			       "another database with --db", st->path,
			       (long long)schema, store_schema());
	if (st->mode == STORE_READ && schema < store_schema())
		return err_set(err, "%s: made by an older ibaudit (schema "
			       "%lld, this one reads %d); run 'ibaudit sweep' "
			       "once as its owner to bring it up to date",
			       st->path, (long long)schema, store_schema());
	return 0;
}

/* Whose database is it?  Nothing is written before this is known. */
static int identify(struct store *st, int64_t *schema, struct err *err)
{
	int64_t application = 0;
	int fresh;

	if (store_int(st, "PRAGMA application_id", 0, 0, &application,
		      err) < 0 ||
	    store_int(st, "PRAGMA user_version", 0, 0, schema, err) < 0 ||
	    is_fresh(st, application, *schema, &fresh, err) < 0)
		return -1;
	if (fresh && is_reader(st))
		return err_set(err, "%s: an empty database; run 'ibaudit "
			       "sweep' to fill it", st->path);
	if (!fresh && application != STORE_APPLICATION_ID)
		return err_set(err, "%s: a database of another program "
			       "(application_id 0x%08llx); name another file "
			       "with --db", st->path,
			       (unsigned long long)application & 0xffffffff);
	return check_schema(st, *schema, err);
}

static int set_journal(struct store *st, struct err *err)
{
	int on = 1;

	if (store_exec(st, "PRAGMA journal_mode = WAL;"
		       "PRAGMA synchronous = FULL;"
		       "PRAGMA journal_size_limit = 0;"
		       "PRAGMA cache_size = " CACHE_KIB, "opening", err) < 0)
		return -1;
	sqlite3_file_control(st->db, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	return 0;
}

static int open_steps(struct store *st, struct err *err)
{
	int64_t schema = 0;

	if (check_path(st, err) < 0 || connect_and_read(st, err) < 0 ||
	    identify(st, &schema, err) < 0)
		return -1;
	if (is_reader(st))
		return 0;
	if (set_journal(st, err) < 0)
		return -1;
	return store_migrate(st, (int)schema, err);
}

struct store *store_open(const char *path, enum store_mode mode,
			 struct err *err)
{
	struct store *st = xcalloc(1, sizeof(*st));

	st->mode = mode;
	st->path = xstrdup(mode == STORE_MEMORY ? ":memory:" : path);
	if (open_steps(st, err) < 0) {
		store_close(st);
		return NULL;
	}
	return st;
}

void store_close(struct store *st)
{
	if (!st)
		return;
	store_forget_errors(st);
	sqlite3_close(st->db);
	free(st->path);
	free(st);
}

sqlite3 *store_db(struct store *st)
{
	return st->db;
}
