/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "model/snapshot.h"
#include "tap.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * First every shipped rule against its fixture in tests/rules, which must be
 * there; then all rules together on the fabrics of all.fabric; then the
 * engine with rules that are written on the spot into a scratch directory.
 */

static char scratch[] = "/tmp/ibaudit-check-XXXXXX";

static const char *source(const char *path)
{
	static char text[1024];
	const char *top = getenv("top_srcdir");

	snprintf(text, sizeof(text), "%s/%s", top ? top : ".", path);
	return text;
}

/* ---- fixtures ---- */

/* "warning leaf1:3 node1:1", as an expect line has it. */
static char *place_text(const struct finding *f)
{
	struct strbuf b = STRBUF_INIT;
	int i;

	strbuf_add(&b, severity_name(f->severity));
	for (i = 0; i < f->n_where; i++) {
		strbuf_addf(&b, " %s", f->where[i].node);
		if (f->where[i].port != VAL_NONE)
			strbuf_addf(&b, ":%d", f->where[i].port);
	}
	if (!f->n_where)
		strbuf_add(&b, " -");
	return strbuf_take(&b);
}

/* An expect line's words up to "|", and those behind it; NULL without. */
static char *expected(const struct fixture_line *l, char **message)
{
	struct strbuf place = STRBUF_INIT, text = STRBUF_INIT, *to = &place;
	int i;

	for (i = 1; i < l->n; i++) {
		if (!strcmp(l->word[i], "|")) {
			to = &text;
			continue;
		}
		if (to->len)
			strbuf_add(to, " ");
		strbuf_add(to, l->word[i]);
	}
	*message = to == &text ? strbuf_take(&text) : NULL;
	return strbuf_take(&place);
}

/* Is the finding what the line expects? */
static int is_expected(const struct fixture_line *l, const struct finding *f)
{
	char *message, *want = expected(l, &message), *got = place_text(f);
	int same = !strcmp(want, got) &&
		   (!message || !strcmp(message, f->message));

	free(message);
	free(want);
	free(got);
	return same;
}

/* Every expect line has its finding, and every finding its line. */
static int all_expected(const struct fixture_case *c, const struct findings *f)
{
	size_t i, j, lines = 0, met = 0;

	for (i = 0; i < c->n; i++) {
		if (strcmp(c->lines[i].word[0], "expect"))
			continue;
		lines++;
		for (j = 0; j < f->n; j++)
			if (is_expected(&c->lines[i], &f->list[j]))
				break;
		met += j < f->n;
	}
	return met == lines && f->n == lines;
}

static void print_findings(const struct findings *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		char *place = place_text(&f->list[i]);

		printf("# %s: %s | %s\n", f->list[i].rule->id, place,
		       f->list[i].message);
		free(place);
	}
}

static void print_broken(const struct ruleset *rs)
{
	size_t i;

	for (i = 0; i < rs->n; i++)
		if (rs->rules[i].broken)
			printf("# %s: %s\n", rs->rules[i].id,
			       rs->rules[i].broken);
}

/* The parameters that the case sets for the rule. */
static void set_params(struct ruleset *rs, const char *id,
		       const struct fixture_case *c)
{
	struct err err = { "" };
	char text[128];
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (strcmp(c->lines[i].word[0], "set"))
			continue;
		snprintf(text, sizeof(text), "%s.%s", id, c->lines[i].word[1]);
		ok(ruleset_set(rs, text, &err) == 0, "%s %s", text, err.text);
	}
}

static int load_shipped(struct ruleset *rs)
{
	struct err err = { "" };

	memset(rs, 0, sizeof(*rs));
	return ok(ruleset_load(rs, source("rules"), &err) == 0,
		  "the shipped rules load %s", err.text);
}

/* Run a case; rule NULL: all of them.  out is the caller's to free. */
static int run_case(const struct fixture *fx, const struct fixture_case *c,
		    const char *rule, struct ruleset *rs, struct findings *out)
{
	struct err err = { "" };
	struct store *st = store_open(NULL, STORE_MEMORY, &err);
	int64_t id = 0, baseline = 0;
	int rc = -1;

	memset(out, 0, sizeof(*out));
	if (rule) {
		ruleset_only(rs, rule, &err);
		set_params(rs, rule, c);
	}
	if (st && fixture_store(fx, c, st, &id, &baseline, &err) == 0)
		rc = check_run(st, rs, id, baseline, NULL, out, &err);
	if (rc < 0)
		printf("# %s\n", err.text);
	store_close(st);
	return rc;
}

static void test_case(const struct fixture *fx, const struct fixture_case *c,
		      const char *rule)
{
	struct ruleset rs = { 0 };
	struct findings f;
	struct err err = { "" };
	int good;

	ruleset_load(&rs, source("rules"), &err);
	good = run_case(fx, c, rule, &rs, &f) == 0 && !f.n_broken &&
	       all_expected(c, &f);
	if (c->bad)
		good = good && f.n > 0;
	else
		good = good && f.n == f.count[SEVERITY_INFO];
	if (!ok(good, "%s: %s", rule ? rule : "all", c->title)) {
		print_findings(&f);
		print_broken(&rs);
	}
	findings_free(&f);
	ruleset_free(&rs);
}

static void test_fixture(const char *rule)
{
	struct fixture fx;
	struct err err = { "" };
	char path[256];
	size_t i, bad = 0;

	snprintf(path, sizeof(path), "tests/rules/%s.fabric",
		 rule ? rule : "all");
	if (!ok(fixture_load(&fx, source(path), &err) == 0,
		"%s can be read %s", path, err.text))
		return;
	for (i = 0; i < fx.n; i++) {
		test_case(&fx, &fx.cases[i], rule);
		bad += (size_t)fx.cases[i].bad;
	}
	if (rule)
		ok(bad && bad < fx.n, "%s has a bad and a good case", path);
	fixture_free(&fx);
}

static void test_front_matter(const struct rule *r)
{
	size_t i;
	char use[64];

	if (!ok(!r->broken, "%s parses %s", r->id, r->broken ? r->broken : ""))
		return;
	ok(*r->false_positives, "%s tells its false positives", r->id);
	for (i = 0; i < r->n_params; i++) {
		snprintf(use, sizeof(use), ":%s", r->params[i].name);
		ok(strstr(r->sql, use) && *r->params[i].doc,
		   "%s uses and documents %s", r->id, use);
	}
}

/* A rule for each error counter of the table. */
static void test_counter_rules(const struct ruleset *rs)
{
	int i;

	for (i = 0; i < COUNTER_COUNT; i++) {
		char id[80] = "counter-", *p;

		strcat(id, counter_table[i].column);
		for (p = id; *p; p++)
			*p = *p == '_' ? '-' : *p;
		if (counter_table[i].kind == COUNTER_ERROR)
			ok(ruleset_find(rs, id) != NULL, "there is %s", id);
	}
}

static void test_shipped(void)
{
	struct ruleset rs;
	size_t i;

	if (!load_shipped(&rs))
		return;
	ok(rs.n >= 28, "there are %zu rules", rs.n);
	test_counter_rules(&rs);
	for (i = 0; i < rs.n; i++) {
		test_front_matter(&rs.rules[i]);
		test_fixture(rs.rules[i].id);
	}
	test_fixture(NULL);
	ruleset_free(&rs);
}

/* ---- the engine ---- */

#define FRONT "-- id: x\n-- title: t\n-- severity: warning\n-- why: w\n" \
	      "-- remedy: r\n"
#define PLACE "SELECT NULL AS node_guid, NULL AS instance, NULL AS port, "

static void write_file(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	f = fopen(path, "we");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static void remove_file(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	unlink(path);
}

/* Load text as the only rule, x. */
static struct rule *load_one(struct ruleset *rs, const char *text)
{
	struct err err = { "" };

	memset(rs, 0, sizeof(*rs));
	write_file("x.sql", text);
	ruleset_load(rs, scratch, &err);
	remove_file("x.sql");
	return ruleset_find(rs, "x");
}

/* A store with a small fabric: two snapshots of two hosts at a switch. */
static struct store *small_fabric(int64_t *id, int64_t *baseline)
{
	struct err err = { "" };
	struct store *st = store_open(NULL, STORE_MEMORY, &err);
	struct fixture fx;
	char path[256];

	snprintf(path, sizeof(path), "%s/small.fabric", scratch);
	write_file("small.fabric",
		   "case bad small\nswitch leaf1 4\nca node1 1\nca node2 1\n"
		   "link leaf1:1 node1:1\nlink leaf1:2 node2:1\n"
		   "sm node1:1 MASTER 5\ncounters leaf1:1 symbol_error=1\n"
		   "then 12\ncounters leaf1:1 symbol_error=3\n");
	if (fixture_load(&fx, path, &err) < 0 ||
	    fixture_store(&fx, &fx.cases[0], st, id, baseline, &err) < 0)
		printf("# %s\n", err.text);
	fixture_free(&fx);
	remove_file("small.fabric");
	return st;
}

static const struct bad_rule {
	const char *what, *text, *reason;
} bad_rules[] = {
	{ "a syntax error", FRONT PLACE "'m' AS message FRM node",
	  "SQL: near \"FRM\"" },
	{ "an unknown column", FRONT PLACE "'m' AS message, nix FROM node",
	  "no such column: nix" },
	{ "two statements", FRONT PLACE "'m' AS message; SELECT 1",
	  "more than one statement" },
	{ "a write behind it", FRONT PLACE "'m' AS message; DROP TABLE fabric",
	  "more than one statement" },
	{ "a write", FRONT "DELETE FROM main.snapshot",
	  "DELETE is not allowed" },
	{ "a write that returns", FRONT "UPDATE fabric SET name = 'x' "
	  "RETURNING 1 AS node_guid, 1 AS instance, 1 AS port, 1 AS message",
	  "UPDATE is not allowed" },
	{ "a table", FRONT "CREATE TABLE x (y)", "a change of the schema" },
	{ "ATTACH", FRONT "ATTACH '/tmp/x' AS y", "ATTACH is not allowed" },
	{ "PRAGMA", FRONT "PRAGMA user_version", "PRAGMA is not allowed" },
	{ "a pragma as a table", FRONT PLACE "'m' AS message FROM "
	  "pragma_table_info('node')", "PRAGMA is not allowed" },
	{ "BEGIN", FRONT "BEGIN", "a transaction is not allowed" },
	{ "EXPLAIN", FRONT "EXPLAIN " PLACE "'m' AS message", "only SELECT" },
	{ "load_extension", FRONT PLACE "load_extension('x') AS message",
	  "load_extension" },
	{ "a table of the database", FRONT PLACE "name AS message FROM fabric",
	  "may not read main.fabric" },
	{ "a view of the database", FRONT PLACE "node_guid AS message "
	  "FROM main.link", "may not read main." },
	{ "a stored table", FRONT PLACE "name AS message FROM stored_node",
	  "may not read stored_node" },
	{ "a WITH table over one", FRONT "WITH v AS (SELECT guid FROM "
	  "main.node_key) " PLACE "guid AS message FROM v",
	  "may not read main.node_key" },
	{ "one over a stored table", FRONT "WITH v AS (SELECT name FROM "
	  "stored_node) " PLACE "name AS message FROM v",
	  "may not read stored_node" },
	{ "one with the name of a view", FRONT "WITH node AS (SELECT guid "
	  "FROM main.node_key) " PLACE "guid AS message FROM node",
	  "WITH table node" },
	{ "one with columns", FRONT "WITH a AS (SELECT 1), /* b */ "
	  "\"Prev_Port\"(g, h) AS NOT MATERIALIZED (SELECT id, guid FROM main.node_key) "
	  PLACE "g AS message FROM prev_port", "WITH table Prev_Port" },
	{ "a subquery over a table", FRONT PLACE "guid AS message FROM "
	  "(SELECT guid FROM main.node_key) AS node",
	  "may not read main.node_key" },
	{ "no message", FRONT "SELECT 1 AS node_guid, 0 AS instance, 1 AS port",
	  "no result column 'message'" },
	{ "no place", FRONT "SELECT 'm' AS message",
	  "no result column 'node_guid'" },
	{ "an unknown parameter", FRONT PLACE "'m' AS message WHERE 1 > :limit",
	  "parameter :limit" },
	{ "a nameless parameter", FRONT PLACE "'m' AS message WHERE 1 > ?",
	  "parameter ?" },
	{ "another id", "-- id: y\n" PLACE "'m' AS message",
	  "line 1: id 'y' differs" },
	{ "no title", "-- id: x\n-- severity: info\n-- why: w\n-- remedy: r\n"
	  PLACE "'m' AS message", "no 'title:'" },
	{ "no severity", "-- id: x\n-- title: t\n-- why: w\n-- remedy: r\n"
	  PLACE "'m' AS message", "no 'severity:'" },
	{ "a bad severity", "-- id: x\n-- severity: fatal\n" PLACE "1",
	  "line 2: severity 'fatal'" },
	{ "an unknown key", FRONT "-- color: red\n" PLACE "1",
	  "line 6: unknown key 'color'" },
	{ "no key", FRONT "-- just words\n" PLACE "1", "line 6: 'just words'" },
	{ "a key without value", FRONT "-- false-positives:\n" PLACE "1",
	  "'false-positives' has no value" },
	{ "a key twice", FRONT "-- why: again\n" PLACE "1", "there twice" },
	{ "a bad default", FRONT "-- param: a = many -- doc\n" PLACE "1",
	  "needs a number" },
	{ "a parameter without doc", FRONT "-- param: a = 1\n" PLACE "1",
	  "needs a number" },
	{ "a parameter without =", FRONT "-- param: a\n" PLACE "1",
	  "is written" },
	{ "no statement", FRONT, "no statement" },
	{ "an empty file", "", "no 'id:'" },
	{ "a severity of no kind", FRONT PLACE "'m' AS message, 'bad' AS "
	  "severity", "severity 'bad'" },
	{ "a NULL message", FRONT PLACE "NULL AS message", "is NULL" },
	{ "an error while it runs", FRONT PLACE "abs(-9223372036854775807 - 1) "
	  "AS message", "integer overflow" },
	{ "no end", FRONT "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "
	  "SELECT i + 1 FROM n) " PLACE "'m' AS message FROM n WHERE i < 0",
	  "longer than 0.2 s" },
	{ "a text of 700 MB", FRONT PLACE "printf('%.*c', 700000000, 'x') AS "
	  "message", "is NULL" },
	{ "a text that doubles", FRONT "WITH RECURSIVE n (i, s) AS (SELECT 1, "
	  "'x' UNION ALL SELECT i + 1, s || s FROM n WHERE i < 26) " PLACE
	  "instr(s, 'y') AS message FROM n", "too big" },
	{ "100,001 rows", FRONT "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "
	  "SELECT i + 1 FROM n WHERE i < 100001) " PLACE "'m' AS message FROM n",
	  "more than 100000 rows" },
	{ "a reason with an escape", FRONT "-- \x1b[2J\n" PLACE "1",
	  "line 6: '\\x1b[2J'" },
};

/* Each is refused with its reason, and another rule beside it still runs. */
static void test_bad_rules(void)
{
	int64_t id = 0, baseline = 0;
	struct store *st = small_fabric(&id, &baseline);
	struct findings f;
	struct err err = { "" };
	size_t i;

	write_file("a.sql", "-- id: a\n-- title: t\n-- severity: info\n"
		   "-- why: w\n-- remedy: r\n" PLACE "'m' AS message");
	for (i = 0; i < sizeof(bad_rules) / sizeof(bad_rules[0]); i++) {
		struct ruleset rs;
		struct rule *r = load_one(&rs, bad_rules[i].text);
		/* Only the rule that is to run out of time gets little. */
		int limit_ms = strstr(bad_rules[i].reason, "0.2 s") ? 200 :
								      60000;
		int rc = check_run_limited(st, &rs, id, baseline, NULL,
					   limit_ms, &f, &err);

		ok(rc == 0 && r->broken && f.n_broken == 1 && f.n == 1 &&
		   strstr(r->broken, bad_rules[i].reason) &&
		   !strchr(r->broken, '\n'), "%s: %s", bad_rules[i].what,
		   r->broken ? r->broken : "not refused");
		findings_free(&f);
		ruleset_free(&rs);
	}
	remove_file("a.sql");
	store_close(st);
}

static char *dump(json_t *j)
{
	return json_dumps(j, JSON_SORT_KEYS | JSON_COMPACT);
}

/* Front matter, parameters, places and values of a rule that works. */
static void test_good_rule(void)
{
	int64_t id = 0, baseline = 0;
	struct store *st = small_fabric(&id, &baseline);
	struct ruleset rs;
	struct findings f;
	struct err err = { "" };
	struct rule *r = load_one(&rs, FRONT
		"-- false-positives: goes\n--     on here\n--\n"
		"-- param: least = 1.5 -- what it\n--\tdoes\n\n"
		"-- a comment\n"
		"SELECT node_guid, instance, port, peer_guid, peer_port, "
		"node || ' to ' || peer AS message, gbps, port AS number, "
		"speed_name AS speed, NULL AS none, node_guid AS a_guid, "
		"x'ff41' AS raw FROM link WHERE :least < 2 /* end */ ; -- z\n");
	char *text;

	ok(!r->broken, "a good rule parses %s", r->broken ? r->broken : "");
	is_str(r->false_positives, "goes on here", "a continuation");
	is_str(r->params[0].doc, "what it does", "a parameter's doc");
	ok(r->params[0].value == 1.5, "and its default");
	ok(check_run(st, &rs, id, baseline, NULL, &f, &err) == 0 && f.n == 2,
	   "it runs %s", r->broken ? r->broken : "");
	is_str(f.list[0].message, "leaf1 to node1", "its message");
	is_str(f.list[0].where[1].node, "node1", "the other end");
	is_int(f.list[0].where[1].lid, 2, "with its LID");
	is_int(f.list[0].where[0].lid, 1, "a switch port has port 0's LID");
	text = dump(f.list[0].values);
	is_str(text, "{\"a_guid\":\"0x0002c90300000100\",\"gbps\":400.0,"
	       "\"none\":null,\"number\":1,\"raw\":\"\\\\xffA\","
	       "\"speed\":\"NDR\"}", "other columns are values");
	free(text);
	findings_free(&f);
	ok(ruleset_set(&rs, "x.least=2", &err) == 0, "a parameter is set");
	check_run(st, &rs, id, baseline, NULL, &f, &err);
	is_int((long long)f.n, 0, "and obeyed");
	findings_free(&f);
	ruleset_free(&rs);
	store_close(st);
}

/* What a rule file says ends on a terminal. */
static void test_escapes(void)
{
	int64_t id = 0, baseline = 0;
	struct store *st = small_fabric(&id, &baseline);
	struct ruleset rs;
	struct findings f;
	struct err err = { "" };
	struct rule *r = load_one(&rs, "-- id: x\n-- title: t\x07\n"
		"-- severity: info\n-- why: w\x1b\n-- remedy: caf\xc3\xa9\xff\n"
		PLACE "'caf\xc3\xa9 \\x07 ' || char(27, 155) AS message, "
		"char(7) AS v, 1 AS \"a\x1b\"");
	char *values;

	is_str(r->title, "t\\x07", "a title");
	is_str(r->why, "w\\x1b", "a reason");
	is_str(r->remedy, "caf\xc3\xa9\\xff", "a remedy");
	ok(check_run(st, &rs, id, baseline, NULL, &f, &err) == 0 && f.n == 1,
	   "run %s", r->broken ? r->broken : err.text);
	is_str(f.list[0].message, "caf\xc3\xa9 \\x07 \\x1b\\xc2\\x9b",
	       "a message");
	values = dump(f.list[0].values);
	is_str(values, "{\"a\\\\x1b\":1,\"v\":\"\\\\x07\"}", "values");
	free(values);
	findings_free(&f);
	ruleset_free(&rs);
	write_file("\x1b[2J.sql", "");
	ruleset_load(&rs, scratch, &err);
	remove_file("\x1b[2J.sql");
	is_str(rs.rules[0].id, "\\x1b[2J", "the name of a file");
	ok(!strchr(rs.rules[0].path, '\x1b'), "its path");
	ruleset_free(&rs);
	store_close(st);
}

static void expect_broken(const char *name, const char *reason)
{
	struct ruleset rs = { 0 };
	struct err err = { "" };
	struct rule *r;

	ruleset_load(&rs, scratch, &err);
	r = ruleset_find(&rs, "x");
	is_str(r ? r->broken : NULL, reason, "%s", name);
	ruleset_free(&rs);
	remove_file("x.sql");
}

/* What lies in a directory of rules and is no rule. */
static void test_odd_files(void)
{
	struct ruleset rs = { 0 };
	struct err err = { "" };
	char path[256], *big = malloc((1 << 20) + 2);
	int i;

	snprintf(path, sizeof(path), "%s/x.sql", scratch);
	ok(mkfifo(path, 0600) == 0, "a FIFO");
	expect_broken("is not waited for", "is no regular file");
	ok(symlink("/dev/zero", path) == 0, "a device");
	expect_broken("is not read", "is no regular file");
	memset(big, '-', (1 << 20) + 1);
	big[(1 << 20) + 1] = '\0';
	write_file("x.sql", big);
	expect_broken("a large file", "is larger than 1 MiB");
	free(big);
	for (i = 0; i < 1001; i++) {
		snprintf(path, sizeof(path), "%d.sql", i);
		write_file(path, "");
	}
	ok(ruleset_load(&rs, scratch, &err) < 0 &&
	   strstr(err.text, "more than 1000"), "%s", err.text);
	ruleset_free(&rs);
	for (i = 0; i < 1001; i++) {
		snprintf(path, sizeof(path), "%d.sql", i);
		remove_file(path);
	}
}

static void test_ruleset(void)
{
	struct ruleset rs;
	struct err err = { "" };

	if (!load_shipped(&rs))
		return;
	ok(ruleset_set(&rs, "nix.a=1", &err) < 0 && strstr(err.text, "nix"),
	   "%s", err.text);
	ok(ruleset_set(&rs, "link-slower-than-peers.nix=1", &err) < 0 &&
	   strstr(err.text, "nix"), "%s", err.text);
	ok(ruleset_set(&rs, "link-slower-than-peers.share=x", &err) < 0, "%s",
	   err.text);
	ok(ruleset_set(&rs, "share", &err) < 0, "%s", err.text);
	ok(ruleset_only(&rs, "nix", &err) < 0, "%s", err.text);
	ok(ruleset_skip(&rs, "nix", &err) < 0, "%s", err.text);
	ruleset_skip(&rs, "link-speed", &err);
	ok(!ruleset_find(&rs, "link-speed")->enabled &&
	   ruleset_find(&rs, "link-width")->enabled, "skip one");
	ruleset_only(&rs, "sm-silent", &err);
	ruleset_only(&rs, "link-width", &err);
	ok(ruleset_find(&rs, "sm-silent")->enabled &&
	   ruleset_find(&rs, "link-width")->enabled &&
	   !ruleset_find(&rs, "sm-no-master")->enabled, "only two");
	write_file("link-speed.sql", "-- id: link-speed\n");
	ok(ruleset_load(&rs, scratch, &err) == 0 &&
	   ruleset_find(&rs, "link-speed")->broken,
	   "a later directory replaces a rule, also by a broken one");
	remove_file("link-speed.sql");
	ok(ruleset_load(&rs, "/nonexistent", &err) < 0, "%s", err.text);
	ruleset_free(&rs);
}

static int temp_tables(struct store *st)
{
	sqlite3_stmt *stmt;
	int n = -1;

	if (sqlite3_prepare_v2(store_db(st), "SELECT count(*) FROM "
			       "sqlite_temp_master", -1, &stmt, NULL) !=
	    SQLITE_OK)
		return -1;
	if (sqlite3_step(stmt) == SQLITE_ROW)
		n = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

static void test_run(void)
{
	int64_t id = 0, baseline = 0;
	struct store *st = small_fabric(&id, &baseline);
	struct ruleset rs;
	struct findings f;
	struct err err = { "" };

	load_shipped(&rs);
	ok(check_run(st, &rs, 99, 0, NULL, &f, &err) < 0, "%s", err.text);
	ok(check_run(st, &rs, id, 99, NULL, &f, &err) < 0, "%s", err.text);
	ok(check_run(st, &rs, baseline, id, NULL, &f, &err) < 0, "%s",
	   err.text);
	is_int(temp_tables(st), 0, "no temporary table is left");
	ok(check_run(st, &rs, id, baseline, NULL, &f, &err) == 0, "a check");
	findings_free(&f);
	ok(check_run(st, &rs, id, 0, NULL, &f, &err) == 0, "once more");
	findings_free(&f);
	is_int(temp_tables(st), 0, "no temporary table is left");
	ok(sqlite3_get_autocommit(store_db(st)), "nor a transaction");
	ruleset_free(&rs);
	store_close(st);
}

static void test_names(void)
{
	int64_t id = 0, baseline = 0;
	struct store *st = small_fabric(&id, &baseline);
	struct ruleset rs;
	struct findings f;
	struct err err = { "" };
	char path[256];

	load_one(&rs, FRONT "SELECT node_guid, instance, port, "
		 "node AS message FROM link ORDER BY port");
	snprintf(path, sizeof(path), "%s/map", scratch);
	write_file("map", "# names\n0x0002c90300000100 \"Rack 7\" # top\n");
	check_run(st, &rs, id, 0, path, &f, &err);
	is_str(f.list[0].message, "Rack 7", "a name of the map in a view");
	is_str(f.list[0].where[0].node, "Rack 7", "and in a place");
	findings_free(&f);
	write_file("map", "0x0002c90300000100 plain\n");
	check_run(st, &rs, id, 0, path, &f, &err);
	is_str(f.list[0].message, "plain", "without quotes");
	findings_free(&f);
	write_file("map", "0x1 \"a\"\n\n#\nnonsense\n0x2\n");
	ok(check_run(st, &rs, id, 0, path, &f, &err) < 0 &&
	   strstr(err.text, "/map:4: "), "%s", err.text);
	remove_file("map");
	ok(mkfifo(path, 0600) == 0 &&
	   check_run(st, &rs, id, 0, path, &f, &err) < 0 &&
	   strstr(err.text, "regular file"), "%s", err.text);
	remove_file("map");
	ok(check_run(st, &rs, id, 0, path, &f, &err) == 0, "no map, no names");
	is_str(f.list[0].message, "leaf1", "but the description");
	findings_free(&f);
	ruleset_free(&rs);
	store_close(st);
}

int main(void)
{
	if (!mkdtemp(scratch))
		return 1;
	test_shipped();
	test_bad_rules();
	test_good_rule();
	test_escapes();
	test_odd_files();
	test_ruleset();
	test_run();
	test_names();
	rmdir(scratch);
	return done_testing();
}
