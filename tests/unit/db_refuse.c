/* SPDX-License-Identifier: BSD-2-Clause */
/* What merging refuses, several fabrics, findings. */
#include <fcntl.h>
#include <sys/stat.h>

#include "merge.h"

static void make_db(const char *name, const char *sql)
{
	sqlite3 *db;

	sqlite3_open(path_of(name), &db);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_close(db);
}

static void alter(const char *name, const char *sql)
{
	struct store *st = open_db(name);

	ok(!exec_sql(st, sql), "%s: %s", name, sql);
	store_close(st);
}

/* The pages behind that one are something else, each third one. */
static void damage(const char *name, int page)
{
	int fd = open(path_of(name), O_RDWR), n = 0;
	char junk[4096];
	struct stat sb;

	memset(junk, 0x55, sizeof(junk));
	for (fstat(fd, &sb); page < sb.st_size / 4096; page += 3)
		n += pwrite(fd, junk, sizeof(junk), page * 4096) > 0;
	ok(n > 0, "%s is damaged, in %d pages", name, n);
	close(fd);
}

static const struct store_merging as_it = { NULL, "it", 0 };

static void bad_files(struct store *raw)
{
	struct store *st = fed("a.db", raw, 1, 10, 1);

	link(path_of("a.db"), path_of("link.db"));
	symlink("a.db", path_of("symlink.db"));
	mkdir(path_of("folder"), 0700);
	make_db("text", "");
	make_db("other", "PRAGMA application_id = 7; CREATE TABLE t (x)");
	make_db("older", "PRAGMA application_id = 0x69626175; "
		"PRAGMA user_version = 3; CREATE TABLE t (x)");
	store_close(fed("bad.db", raw, 1, 60, 1));
	store_close(fed("worse.db", raw, 1, 60, 1));
	damage("bad.db", 50);
	damage("worse.db", 1);
	refuses(st, "a.db", &plain, "is this database itself", "itself");
	refuses(st, "link.db", &plain, "is this database itself", "a link");
	refuses(st, "symlink.db", &plain, "is this database itself",
		"a symbolic link");
	refuses(st, "absent", &plain, "no database there; name the database "
		"of another head node", "absent");
	refuses(st, "folder", &plain, "a directory; name the", "a directory");
	refuses(st, "other", &plain, "another program", "another program's");
	refuses(st, "text", &plain, "an empty database; name the", "empty");
	refuses(st, "older", &plain, "older ibaudit (schema 3", "older");
	refuses(st, "bad.db", &plain, "damaged", "damaged");
	refuses(st, "bad.db", &renumber, "damaged", "damaged, to renumber");
	refuses(st, "worse.db", &plain, "damaged", "all damaged");
	store_close(st);
	remove_file("a.db");
	remove_file("link.db");
	remove_file("symlink.db");
	remove_file("text");
	remove_file("other");
	remove_file("older");
	remove_file("bad.db");
	remove_file("worse.db");
	rmdir(path_of("folder"));
}

static void bad_fabrics(struct store *raw)
{
	const struct store_merging absent = { "absent", NULL, 0 };
	const struct store_merging bad_name = { NULL, "a\nb", 0 };
	const struct store_merging named = { "default", NULL, 0 };
	struct store *st = fed("a.db", raw, 1, 10, 1);
	struct store_merged *m;

	store_close(fed("b.db", raw, 11, 20, 1));
	refuses(st, "b.db", &absent, "no fabric 'absent': there is default",
		"no such fabric");
	refuses(st, "b.db", &bad_name, "not a name for a fabric", "a name");
	alter("b.db", "UPDATE fabric SET subnet_prefix = 7");
	refuses(st, "b.db", &plain, "has subnet prefix 0x0000000000000007, and "
		"ours of that name 0xfe80000000000000", "another prefix");
	refuses(st, "b.db", &named, "has subnet prefix", "named");
	alter("b.db", "UPDATE fabric SET subnet_prefix = "
	      "(SELECT subnet_prefix FROM snapshot);"
	      "UPDATE node_key SET guid = guid + 4096");
	refuses(st, "b.db", &plain, "fabric 'default' shares 0 of its ",
		"other nodes");
	if (merges(st, "b.db", &named, 10, 0, 0, &m, "other nodes, named"))
		store_merged_free(m, 1);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

/* "default" and "it" in one database, taken from it in turn. */
static void several(struct store *raw)
{
	const struct store_merging only = { "it", NULL, 0 };
	const struct store_merging twice = { "default", "it", 0 };
	struct store *st = fed("a.db", raw, 1, 20, 1), *b;
	struct err err = { "" };
	struct store_merged *m;
	struct ids ids = { { 0 } };
	char *before;
	size_t n;

	b = fed("b.db", raw, 11, 30, 1);
	if (merges(st, "b.db", &as_it, 20, 0, 0, &m, "as it")) {
		take_ids(&ids, m);
		is_int(count_same(st, b, &ids, "it"), 20, "as it: all load");
		store_merged_free(m, 1);
	}
	if (merges(st, "b.db", &as_it, 0, 20, 0, &m, "as it, twice"))
		store_merged_free(m, 1);
	refuses(b, "a.db", &as_it, "holds several fabrics (default, it); "
		"name the one", "several");
	refuses(b, "a.db", &plain, "give --renumber", "one needs order");
	if (merges(b, "a.db", &only, 20, 0, 0, &m, "only one"))
		store_merged_free(m, 1);
	before = dump(b);
	refuses(b, "a.db", &twice, "give --renumber", "into the other");
	is_as_before(b, before, "into the other");
	ok(!store_merge(b, path_of("a.db"), &renumber, &m, &n, &err) && n == 2,
	   "both, in order %s", err.text);
	is_str(m[0].fabric, "default", "the first one");
	is_int((long long)m[0].n_added, 10, "its sweeps of before");
	is_int((long long)m[0].skipped, 10, "those that it has");
	is_int((long long)m[0].n_renumbered, 20, "its own move");
	is_int((long long)(m[1].n_added + m[1].n_renumbered), 0,
	       "the second one is there");
	is_int((long long)m[1].skipped, 20, "all of it");
	is_sound(b, "both");
	store_merged_free(m, n);
	store_close(b);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

/* An episode of that rule, of node 0x101's port 1. */
static void add_episode(struct store *st, const char *rule, int first,
			int last, int closed)
{
	char sql[640];

	snprintf(sql, sizeof(sql), "INSERT INTO finding_row (fabric, rule, "
		 "node_guid, instance, port, severity, message, "
		 "first_snapshot, first_ms, last_snapshot, last_ms, missed, "
		 "closed, closed_ms, ended) SELECT 1, '%s', 257, 0, 1, "
		 "'error', '%s of %d', %d, (SELECT started_ms FROM snapshot "
		 "WHERE id = %d), %d, (SELECT started_ms FROM snapshot WHERE "
		 "id = %d), 0, nullif(%d, 0), (SELECT started_ms FROM snapshot "
		 "WHERE id = %d), CASE WHEN %d THEN 'cleared' END", rule, rule,
		 last, first, first, last, last, closed, closed, closed);
	if (exec_sql(st, sql))
		printf("# %s\n", sqlite3_errmsg(store_db(st)));
}

static char *episodes(struct store *st)
{
	struct strbuf b = STRBUF_INIT;
	sqlite3_stmt *stmt;

	strbuf_add(&b, "");
	sqlite3_prepare_v2(store_db(st), "SELECT printf('%s %d %d %d %s', "
			   "rule, first_snapshot, last_snapshot, closed, "
			   "message) FROM finding_row ORDER BY rule, "
			   "first_snapshot", -1, &stmt, NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		strbuf_addf(&b, "%s%s", b.len ? "; " : "",
			    (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return strbuf_take(&b);
}

static void episodes_are(struct store *st, const char *want, const char *name)
{
	char *got = episodes(st);

	is_str(got, want, "%s", name);
	free(got);
	is_int(number(st, "SELECT count(*) FROM finding_row f JOIN snapshot s "
		      "ON (s.id = f.first_snapshot AND s.started_ms <> "
		      "f.first_ms) OR (s.id = f.last_snapshot AND s.started_ms "
		      "<> f.last_ms) OR (s.id = f.closed AND s.started_ms <> "
		      "f.closed_ms)"), 0, "%s: their times", name);
}

static void findings_behind(struct store *raw)
{
	struct store *st = fed("a.db", raw, 1, 25, 1);
	struct store *b = fed("b.db", raw, 26, 60, 1);
	struct store_merged *m;
	char *before;

	add_episode(st, "both-open", 5, 25, 0);
	add_episode(st, "again", 3, 8, 12);
	add_episode(st, "ended-there", 20, 25, 0);
	add_episode(st, "mine", 2, 24, 0);
	add_episode(b, "both-open", 2, 35, 0);
	add_episode(b, "again", 4, 6, 10);
	add_episode(b, "ended-there", 1, 3, 7);
	add_episode(b, "theirs", 9, 30, 0);
	if (merges(st, "b.db", &plain, 35, 0, 0, &m, "findings"))
		store_merged_free(m, 1);
	episodes_are(st, "again 3 8 12 again of 8; "
		     "again 29 31 35 again of 6; "
		     "both-open 5 60 0 both-open of 35; "
		     "ended-there 20 28 32 ended-there of 3; "
		     "mine 2 24 0 mine of 24; "
		     "theirs 34 55 0 theirs of 30", "findings come along");
	before = dump(st);
	if (merges(st, "b.db", &plain, 0, 35, 0, &m, "findings, twice"))
		store_merged_free(m, 1);
	is_as_before(st, before, "findings, twice");
	store_close(b);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

/* Ours are 1, 3, 5, ... of the life, theirs 2, 4, 6, ...; ours from the second
 * on have the ids 32, 34, ... then, theirs 31, 33, ... */
static void findings_between(struct store *raw)
{
	struct store *st = fed("a.db", raw, 1, 60, 2);
	struct store *b = fed("b.db", raw, 2, 60, 2);
	struct store_merged *m;
	char *before;

	add_episode(st, "moves", 1, 2, 4);
	add_episode(st, "both-open", 5, 25, 0);
	add_episode(b, "both-open", 3, 30, 0);
	add_episode(b, "theirs", 1, 2, 3);
	if (merges(st, "b.db", &renumber, 30, 0, 29, &m, "findings between"))
		store_merged_free(m, 1);
	episodes_are(st, "both-open 35 89 0 both-open of 30; "
		     "moves 1 32 36 moves of 2; "
		     "theirs 31 33 35 theirs of 2", "findings are renumbered");
	before = dump(st);
	if (merges(st, "b.db", &renumber, 0, 30, 0, &m, "and again"))
		store_merged_free(m, 1);
	is_as_before(st, before, "and again");
	store_close(b);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

/* Episodes of snapshots that are gone. */
static void findings_pruned(struct store *raw)
{
	const struct store_keep k = { 0, 0, 0, 0 };
	struct store *st = open_db("a.db"), *b = fed("b.db", raw, 1, 60, 1);
	struct store_merged *m;
	struct store_pruned p;
	struct err err = { "" };

	add_episode(b, "gone", 3, 5, 8);
	add_episode(b, "half-gone", 3, 15, 20);
	ok(!store_prune(b, "default", &k, 0, &p, &err), "pruned %s", err.text);
	is_int(p.rows[p.n - 48].id, 13, "13 is the first that stays");
	store_pruned_free(&p);
	if (merges(st, "b.db", &plain, 48, 0, 0, &m, "pruned findings"))
		store_merged_free(m, 1);
	is_int(number(st, "SELECT min(id) FROM snapshot"), 1, "13 is 1 here");
	is_int(number(st, "SELECT count(*) FROM finding_row WHERE "
		      "rule = 'gone' AND first_snapshot = 1 AND "
		      "last_snapshot = 1 AND closed = 1"), 1,
	       "one that no snapshot shows has no length");
	is_int(number(st, "SELECT count(*) FROM finding_row WHERE "
		      "rule = 'half-gone' AND first_snapshot = 1 AND "
		      "last_snapshot = 3 AND closed = 8"), 1,
	       "the other begins with the first that stays");
	store_close(b);
	store_close(st);
	remove_file("a.db");
	remove_file("b.db");
}

int main(void)
{
	struct store *raw;

	if (!mkdtemp(dir))
		return 1;
	raw = live(61);
	bad_files(raw);
	bad_fabrics(raw);
	several(raw);
	findings_behind(raw);
	findings_between(raw);
	findings_pruned(raw);
	store_close(raw);
	ok(!rmdir(dir), "nothing is left behind");
	return done_testing();
}
