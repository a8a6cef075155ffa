/* SPDX-License-Identifier: BSD-2-Clause */
/* The store as a file: what it refuses, a full disk, other users. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db.h"

#define NOBODY 65534

static char dir[64];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void refused(const char *name, enum store_mode mode, const char *why)
{
	struct err err = { "" };
	struct store *st = store_open(path_of(name), mode, &err);

	ok(!st && strstr(err.text, why) && !strchr(err.text, '\n'),
	   "refused: %s", why);
	if (st || !strstr(err.text, why))
		printf("# got: %s\n", st ? "opened" : err.text);
	store_close(st);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	fputs(text, f);
	fclose(f);
}

static void make_db(const char *name, const char *sql)
{
	sqlite3 *db;

	sqlite3_open(path_of(name), &db);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_close(db);
}

static void open_refusals(void)
{
	write_file("text", "this is a text file, long enough for a header....."
		   "........................................................");
	write_file("empty", "");
	mkdir(path_of("folder"), 0755);
	make_db("other", "CREATE TABLE t (x); PRAGMA application_id = 7");
	make_db("plain", "CREATE TABLE t (x)");
	make_db("newer", "PRAGMA application_id = 0x69626175; "
		"PRAGMA user_version = 9000; CREATE TABLE t (x)");
	make_db("older", "PRAGMA application_id = 0x69626175; CREATE TABLE t "
		"(x)");
	refused("absent", STORE_READ, "no database there");
	refused("absent", STORE_WRITE, "no database there");
	refused("no/such/folder", STORE_CREATE, "cannot make this directory");
	refused("text", STORE_READ, "not an SQLite database");
	refused("text", STORE_CREATE, "not an SQLite database");
	refused("empty", STORE_READ, "an empty database");
	refused("folder", STORE_CREATE, "a directory");
	refused("other", STORE_CREATE, "another program");
	refused("other", STORE_READ, "another program");
	refused("plain", STORE_WRITE, "another program");
	refused("newer", STORE_READ, "made by a newer ibaudit (schema 9000");
	refused("newer", STORE_CREATE, "made by a newer ibaudit (schema 9000");
	refused("older", STORE_READ, "made by an older ibaudit (schema 0");
	mkfifo(path_of("pipe"), 0600);
	refused("pipe", STORE_READ, "not a regular file");
}

static void open_again(void)
{
	struct err err = { "" };
	struct store *st;
	long long version;

	st = store_open(path_of("made/here.db"), STORE_CREATE, &err);
	ok(!!st, "made with its directory %s", err.text);
	is_int(number(st, "PRAGMA application_id"), 0x69626175, "ours");
	version = number(st, "PRAGMA schema_version");
	store_close(st);
	st = store_open(path_of("made/here.db"), STORE_WRITE, &err);
	is_int(number(st, "PRAGMA schema_version"), version,
	       "opened again: nothing to do");
	exec_sql(st, "DROP VIEW link; UPDATE setting SET value = 1");
	store_close(st);
	st = store_open(path_of("made/here.db"), STORE_WRITE, &err);
	is_int(number(st, "SELECT count(*) FROM link"), 0, "views are renewed");
	store_close(st);
	st = store_open(path_of("made/here.db"), STORE_READ, &err);
	ok(st && exec_sql(st, "DELETE FROM fabric") == SQLITE_READONLY,
	   "a reader cannot write");
	is_int(exec_sql(st, "CREATE TEMP TABLE link AS SELECT 1"), SQLITE_OK,
	       "but have tables of its own");
	store_close(st);
	st = store_open(path_of("empty"), STORE_CREATE, &err);
	ok(!!st, "an empty file is filled %s", err.text);
	store_close(st);
}

/* A bigger fabric than a full database takes. */
static void disk_full(void)
{
	struct err err = { "" };
	struct store *st;
	struct snapshot s, t;
	char sql[64];
	int i;

	st = store_open(path_of("full.db"), STORE_CREATE, &err);
	build_fabric(&s);
	save_ok(st, &s, "before the disk is full");
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %lld",
		 number(st, "PRAGMA page_count") + 2);
	exec_sql(st, sql);
	build_fabric(&t);
	for (i = 0; i < 20; i++)
		add_node(&t, 0x1000 + (uint64_t)i, NODE_SWITCH, 40, "more");
	ok(save(st, &t, &err) < 0 &&
		   strstr(err.text, "disk full while storing the snapshot"),
	   "disk full says so: %s", err.text);
	is_int(t.id, 0, "no id");
	is_int(number(st, "SELECT count(*) FROM snapshot"), 1, "none stored");
	is_int(number(st, "SELECT count(*) FROM node_key"), 7, "nor half");
	is_sound(st, "after a full disk");
	exec_sql(st, "PRAGMA max_page_count = 1000000");
	ok(!save(st, &t, &err), "the same sweep, when there is room again %s",
	   err.text);
	loads_as(st, &t, "the same sweep");
	snapshot_free(&s);
	snapshot_free(&t);
	store_close(st);
}

static void overwritten_file(void)
{
	static const char rubbish[4096] = "rubbish";
	struct err err = { "" };
	struct store *st;
	struct snapshot s;
	int64_t n = 0;
	int fd, i;

	st = store_open(path_of("damaged.db"), STORE_CREATE, &err);
	build_fabric(&s);
	save_ok(st, &s, "to be damaged");
	snapshot_free(&s);
	store_close(st);
	unlink(path_of("damaged.db-wal"));
	fd = open(path_of("damaged.db"), O_WRONLY);
	for (i = 2; i < 12; i++)
		if (pwrite(fd, rubbish, sizeof(rubbish), i * 4096) < 0)
			ok(0, "written over");
	close(fd);
	st = store_open(path_of("damaged.db"), STORE_READ, &err);
	ok(st && !store_verify(st, problem, NULL, &n, &err) && n,
	   "a file written over is noticed %s", err.text);
	store_close(st);
}

static int try_as_nobody(const char *path)
{
	struct store_snapshot row;
	struct err err;
	struct store *st;

	if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
		return 9;
	st = store_open(path, STORE_READ, &err);
	if (!st || store_find(st, NULL, "latest", &row, &err) < 0) {
		printf("# %s\n", err.text);
		store_close(st);
		return 1;
	}
	store_snapshot_free(&row);
	store_close(st);
	return 0;
}

static int as_nobody(const char *path)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		status = try_as_nobody(path);
		fflush(stdout);
		_exit(status);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void readable(const char *path, const char *name)
{
	is_int(as_nobody(path), 0, "nobody reads %s", name);
}

static void unprivileged(void)
{
	struct err err = { "" };
	char path[128];
	struct snapshot s;
	struct store *st;

	if (geteuid()) {
		ok(1, "nobody reads # SKIP needs root");
		return;
	}
	chmod(dir, 0755);
	snprintf(path, sizeof(path), "%s/read %%41?#.db", dir);
	st = store_open(path, STORE_CREATE, &err);
	build_fabric(&s);
	save_ok(st, &s, "for others");
	snapshot_free(&s);
	readable(path, "beside a writer");
	exec_sql(st, "BEGIN IMMEDIATE; DELETE FROM sm_row");
	readable(path, "beside a transaction");
	exec_sql(st, "COMMIT");
	readable(path, "what was just committed");
	store_close(st);
	readable(path, "when nobody writes");
	make_db(path + strlen(dir) + 1, "SELECT count(*) FROM snapshot");
	ok(access(path_of("read %41?#.db-wal"), F_OK) < 0,
	   "a plain client took the log away");
	readable(path, "without the log");
	st = store_open(path, STORE_WRITE, &err);
	exec_sql(st, "UPDATE snapshot SET note = 'new'");
	readable(path, "what stands in a new log alone");
	store_close(st);
	chmod(path, 0600);
	is_int(as_nobody(path), 1, "but not what the owner keeps to himself");
}

/* ---- a reader, and a sweep that stores meanwhile ---- */

static struct {
	struct store *st;
	int at, calls;
	int saved;
} meanwhile;

/* The at-th call of a reader's progress handler stores one node more. */
static int store_meanwhile(void *arg)
{
	struct err err = { "" };
	struct snapshot s;

	(void)arg;
	if (++meanwhile.calls != meanwhile.at)
		return 0;
	build_fabric(&s);
	add_node(&s, 0x900 + (uint64_t)meanwhile.at, NODE_CA, 1, "new")
		->ports[1].guid = 1;
	meanwhile.saved += !save(meanwhile.st, &s, &err);
	snapshot_free(&s);
	return 0;
}

/* Load s from another handle, with a sweep that stores at that moment. */
static int loads_meanwhile(const char *path, const struct snapshot *s)
{
	struct strbuf why = STRBUF_INIT;
	struct err err = { "" };
	struct store *st = store_open(path, STORE_READ, &err);
	struct snapshot got;
	int rc;

	meanwhile.calls = 0;
	sqlite3_progress_handler(store_db(st), 40, store_meanwhile, NULL);
	rc = store_load(st, s->id, STORE_ALL_COUNTERS, &got, &err);
	if (rc < 0)
		printf("# %d: %s\n", meanwhile.at, err.text);
	else if (!same_snapshot(s, &got, &why))
		printf("# %d: %s\n", meanwhile.at, why.s);
	rc = !rc && !why.len;
	snapshot_free(&got);
	strbuf_free(&why);
	store_close(st);
	return rc;
}

/* The same from a new file. */
static int one_beside(void)
{
	struct err err = { "" };
	struct snapshot s;
	char name[24];
	int rc;

	snprintf(name, sizeof(name), "beside-%d", meanwhile.at);
	meanwhile.st = store_open(path_of(name), STORE_CREATE, &err);
	build_fabric(&s);
	rc = !save(meanwhile.st, &s, &err) &&
	     loads_meanwhile(path_of(name), &s);
	snapshot_free(&s);
	store_close(meanwhile.st);
	return rc;
}

static void beside_a_sweep(void)
{
	int same = 0;

	do {
		meanwhile.at++;
		same += one_beside();
	} while (meanwhile.calls >= meanwhile.at);
	ok(meanwhile.saved > 20, "stored while another loads, %d times",
	   meanwhile.saved);
	is_int(meanwhile.saved, meanwhile.at - 1, "each of them");
	is_int(same, meanwhile.at, "each load shows one state");
}

int main(void)
{
	char rm[96];

	strcpy(dir, "/tmp/ibaudit-store.XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	open_refusals();
	open_again();
	disk_full();
	overwritten_file();
	unprivileged();
	beside_a_sweep();
	snprintf(rm, sizeof(rm), "rm -rf '%s'", dir);
	if (system(rm))
		return 1;
	return done_testing();
}
