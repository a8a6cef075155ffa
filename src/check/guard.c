/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "util/clock.h"

/*
 * Notes
 *
 * A rule may read the views and call the functions listed here, and nothing
 * else: the authorizer is asked while the statement is compiled.  Reading the
 * database or a stored_* table is allowed only from within a view of the rules.
 * SQLite gives the name of a WITH table where it gives a view's, so a WITH
 * table must not be called like one of them.  Reads are reported to
 * views_need(), which decides what is worth filling.
 *
 * The clock of a running rule is looked at every PROGRESS_OPS instructions of
 * SQLite's machine, which is well under a millisecond; but one call of a
 * function is one instruction, so that the length of its texts is limited too.
 */

#define PROGRESS_OPS 10000
#define LENGTH_MAX (1 << 20) /* octets of a text or row while a rule runs */

/* sql/check-views*.sql, and the WITH tables in them; the first three have
 * prev_ twins. */
static const char *const views[] = {
	"node", "port", "link", "counter", "event", "flap", "flap_anew",
	"flap_down", "settled", "settled_master", "settled_link", "unread",
};

#define N_VIEWS (sizeof(views) / sizeof(views[0]))

/* SQLite's own functions without side effects (those of ours start with
 * ib_).  Not here: load_extension, random*, zeroblob, current_*, ... */
static const char *const allowed_functions[] = {
	"abs", "avg", "char", "coalesce", "count", "cume_dist", "dense_rank",
	"first_value", "format", "glob", "group_concat", "hex", "ifnull", "iif",
	"instr", "lag", "last_value", "lead", "length", "like", "lower",
	"ltrim", "max", "min", "nth_value", "ntile", "nullif", "percent_rank",
	"printf", "quote", "rank", "replace", "round", "row_number", "rtrim",
	"sign", "string_agg", "substr", "substring", "sum", "total", "trim",
	"typeof", "unicode", "upper",
};

#define N_FUNCTIONS (sizeof(allowed_functions) / sizeof(allowed_functions[0]))

/* Words for what a rule can try; codes as in sqlite3.h. */
static const struct action_row {
	int code;
	const char *words;
} actions[] = {
	{ SQLITE_INSERT, "INSERT" },	   { SQLITE_UPDATE, "UPDATE" },
	{ SQLITE_DELETE, "DELETE" },	   { SQLITE_PRAGMA, "PRAGMA" },
	{ SQLITE_ATTACH, "ATTACH" },	   { SQLITE_DETACH, "DETACH" },
	{ SQLITE_TRANSACTION, "a transaction" },
	{ SQLITE_SAVEPOINT, "a savepoint" }, { SQLITE_ANALYZE, "ANALYZE" },
	{ SQLITE_REINDEX, "REINDEX" },
};

struct guard {
	struct check *c;
	struct rule *r;
};

/* table: what it is done to, for some actions. */
static const char *action_words(int code, const char *table)
{
	size_t i;

	/* CREATE and DROP begin with a change of the schema's table. */
	if (table && !strncmp(table, "sqlite_", 7))
		return "a change of the schema";
	for (i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (actions[i].code == code)
			return actions[i].words;
	return "a change of the database";
}

static int is_allowed_function(const char *name)
{
	size_t i;

	if (!strncmp(name, "ib_", 3))
		return 1;
	for (i = 0; i < N_FUNCTIONS; i++)
		if (!strcasecmp(name, allowed_functions[i]))
			return 1;
	return 0;
}

/* name: n octets, as the rule writes it. */
static int is_view(const char *name, size_t n)
{
	size_t i;

	if (n > 5 && !strncasecmp(name, "prev_", 5)) {
		name += 5;
		n -= 5;
	}
	for (i = 0; i < N_VIEWS; i++)
		if (strlen(views[i]) == n && !strncasecmp(views[i], name, n))
			return 1;
	return 0;
}

static int is_stored(const char *table)
{
	return !strncmp(table, "stored_", 7) ||
	       !strncmp(table, "prev_stored_", 12);
}

/* A read without a column (count(*)) comes without database and view, may
 * name a WITH table, and gives no more away than a number of rows. */
static int may_read(struct guard *g, const char *table, const char *column,
		    const char *db, const char *view)
{
	int inside = view && is_view(view, strlen(view));

	if (!strncasecmp(table, "pragma_", 7))
		return rule_break(g->r, "may only SELECT: PRAGMA is not "
				  "allowed");
	if (*column && db && strcmp(db, "temp") && !inside)
		return rule_break(g->r, "may not read %s.%s, which is no view "
				  "of the rules; see ibaudit-rules(7)", db,
				  table);
	if (*column && is_stored(table) && !inside)
		return rule_break(g->r, "may not read %s: use the view above "
				  "it; see ibaudit-rules(7)", table);
	views_need(g->c, table);
	return 0;
}

static int authorize(void *arg, int code, const char *a, const char *b,
		     const char *db, const char *view)
{
	struct guard *g = arg;
	int rc = 0;

	switch (code) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		break;
	case SQLITE_READ:
		rc = may_read(g, a, b, db, view);
		break;
	case SQLITE_FUNCTION:
		if (!is_allowed_function(b))
			rc = rule_break(g->r, "may not call %s(); see "
					"ibaudit-rules(7) for the functions of "
					"a rule", b);
		break;
	default:
		rc = rule_break(g->r, "may only SELECT: %s is not allowed",
				action_words(code, a));
	}
	return rc < 0 ? SQLITE_DENY : SQLITE_OK;
}

/* Behind the blanks and comments at the start of the text.  SQLite takes a
 * byte order mark for a blank. */
static const char *skip_blanks(const char *sql)
{
	for (;;) {
		const char *end;

		sql += strspn(sql, " \t\r\n\f");
		if (!strncmp(sql, "\xef\xbb\xbf", 3)) {
			sql += 3;
			continue;
		}
		if (!strncmp(sql, "--", 2))
			end = strchr(sql, '\n');
		else if (!strncmp(sql, "/*", 2))
			end = strstr(sql + 2, "*/");
		else
			return sql;
		if (!end)
			return sql + strlen(sql);
		sql = end + (*end == '*' ? 2 : 1);
	}
}

/* Is there more than blanks, semicolons and comments in the text? */
static int has_statement(const char *sql)
{
	do
		sql = skip_blanks(sql);
	while (*sql == ';' && *++sql);
	return *sql != '\0';
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$' ||
	       (unsigned char)s[n] >= 0x80)
		n++;
	return n;
}

/* One token of SQL: a word, something in quotes, or a character.  name is
 * what stands in it without the quotes. */
struct token {
	const char *name, *end;
	size_t n;
};

static struct token next_token(const char *sql)
{
	struct token t = { skip_blanks(sql), NULL, 0 };
	char close = *t.name == '[' ? ']' : *t.name;
	const char *end;

	t.n = word_length(t.name);
	t.end = t.name + (t.n || !*t.name ? t.n : 1);
	if (t.n || !close || !strchr("\"'`]", close))
		return t;
	t.name++;
	end = strchr(t.name, close);
	t.n = end ? (size_t)(end - t.name) : strlen(t.name);
	t.end = t.name + t.n + !!end;
	return t;
}

static int is_word(const struct token *t, const char *word)
{
	return t->n == strlen(word) && !strncasecmp(t->name, word, t->n);
}

/* Does "AS (" stand here, "AS MATERIALIZED (" or a list of columns before it?
 * Nothing but a WITH table has that behind its name. */
static int begins_body(const char *sql)
{
	struct token t = next_token(sql);

	if (*t.name == '(' && !t.n) {
		while (*t.name && !(*t.name == ')' && !t.n))
			t = next_token(t.end);
		t = next_token(t.end);
	}
	if (!is_word(&t, "AS"))
		return 0;
	do
		t = next_token(t.end);
	while (is_word(&t, "NOT") || is_word(&t, "MATERIALIZED"));
	return *t.name == '(' && !t.n;
}

static int verify_names(struct rule *r)
{
	struct token t = next_token(r->sql);

	for (; *t.name; t = next_token(t.end))
		if (is_view(t.name, t.n) && begins_body(t.end))
			return rule_break(r, "has a WITH table %.*s, which is "
					  "the name of a view; call it "
					  "otherwise", (int)t.n, t.name);
	return 0;
}

static int bind_params(sqlite3_stmt *stmt, struct rule *r)
{
	int i, n = sqlite3_bind_parameter_count(stmt);

	for (i = 1; i <= n; i++) {
		const char *name = sqlite3_bind_parameter_name(stmt, i);
		const struct rule_param *p = NULL;

		if (name && *name == ':')
			p = rule_find_param(r, name + 1);
		if (!p)
			return rule_break(r, "uses the parameter %s, which no "
					  "'param:' line declares",
					  name ? name : "?");
		sqlite3_bind_double(stmt, i, p->value);
	}
	return 0;
}

static int verify(sqlite3_stmt *stmt, const char *tail, struct rule *r)
{
	if (!stmt)
		return rule_break(r, "there is no statement behind the front "
				  "matter");
	if (!sqlite3_stmt_readonly(stmt) || sqlite3_stmt_isexplain(stmt))
		return rule_break(r, "may only SELECT");
	if (has_statement(tail))
		return rule_break(r, "has more than one statement; make it one "
				  "SELECT");
	return bind_params(stmt, r);
}

sqlite3_stmt *guard_prepare(struct check *c, struct rule *r)
{
	struct guard g = { c, r };
	sqlite3_stmt *stmt = NULL;
	const char *tail = "";

	if (verify_names(r) < 0)
		return NULL;
	sqlite3_set_authorizer(c->db, authorize, &g);
	if (sqlite3_prepare_v2(c->db, r->sql, -1, &stmt, &tail) != SQLITE_OK)
		rule_break(r, "SQL: %s", sqlite3_errmsg(c->db));
	else
		verify(stmt, tail, r);
	sqlite3_set_authorizer(c->db, NULL, NULL);
	if (!r->broken)
		return stmt;
	sqlite3_finalize(stmt);
	return NULL;
}

static int is_late(void *arg)
{
	return clock_mono_us() > *(int64_t *)arg;
}

void guard_start(struct check *c, int64_t *deadline_us)
{
	*deadline_us = clock_mono_us() + (int64_t)c->limit_ms * 1000;
	sqlite3_progress_handler(c->db, PROGRESS_OPS, is_late, deadline_us);
	c->length_max = sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
}

int guard_step(struct check *c, sqlite3_stmt *stmt, struct rule *r)
{
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_INTERRUPT)
		rule_break(r, "ran longer than %g s and was stopped",
			   c->limit_ms / 1000.0);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		rule_break(r, "SQL: %s", sqlite3_errmsg(c->db));
	return rc;
}

void guard_stop(struct check *c)
{
	sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, c->length_max);
	sqlite3_progress_handler(c->db, 0, NULL, NULL);
}
