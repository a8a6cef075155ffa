/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/snapshot.h"
#include "util/alloc.h"
#include "util/guid.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * A rule's result row becomes a finding: the columns with a meaning of their
 * own (column_names) make its place and message, all others its values.  What
 * is text is cleaned here: it may be anything, and ends on a terminal.
 */

static const char *const severities[SEVERITY_END] = { "info", "warning",
						      "error" };

static const char *const column_names[COL_END] = {
	[COL_NODE_GUID] = "node_guid",
	[COL_INSTANCE] = "instance",
	[COL_PORT] = "port",
	[COL_MESSAGE] = "message",
	[COL_PEER_GUID] = "peer_guid",
	[COL_PEER_INSTANCE] = "peer_instance",
	[COL_PEER_PORT] = "peer_port",
	[COL_SEVERITY] = "severity",
};

const char *severity_name(enum severity s)
{
	return s < SEVERITY_END ? severities[s] : "unknown";
}

enum severity severity_parse(const char *name)
{
	int i;

	for (i = 0; i < SEVERITY_END; i++)
		if (!strcmp(severities[i], name))
			return (enum severity)i;
	return SEVERITY_END;
}

/* Index in column_names, or -1. */
static int meaning_of(const char *name)
{
	int i;

	for (i = 0; i < COL_END; i++)
		if (!strcmp(column_names[i], name))
			return i;
	return -1;
}

int columns_find(sqlite3_stmt *stmt, struct rule *r, int col[COL_END])
{
	int i;

	for (i = 0; i < COL_END; i++)
		col[i] = -1;
	for (i = 0; i < sqlite3_column_count(stmt); i++) {
		int m = meaning_of(sqlite3_column_name(stmt, i));

		if (m >= 0)
			col[m] = i;
	}
	for (i = 0; i < COL_MANDATORY; i++)
		if (col[i] < 0)
			return rule_break(r, "has no result column '%s'",
					  column_names[i]);
	return 0;
}

static int is_null(sqlite3_stmt *stmt, int i)
{
	return i < 0 || sqlite3_column_type(stmt, i) == SQLITE_NULL;
}

static int32_t int_or(sqlite3_stmt *stmt, int i, int32_t none)
{
	return is_null(stmt, i) ? none : sqlite3_column_int(stmt, i);
}

/* Look name and LID of an end up. */
static void describe_end(struct check *c, struct finding_end *end)
{
	const char *name = NULL;
	char guid[GUID_STRLEN + 1];

	bind_int(c->end, ":snapshot", c->id);
	bind_int(c->end, ":node_guid", (int64_t)end->node_guid);
	bind_int(c->end, ":instance", end->instance);
	bind_int(c->end, ":port", end->port);
	end->lid = VAL_NONE;
	if (sqlite3_step(c->end) == SQLITE_ROW) {
		name = (const char *)sqlite3_column_text(c->end, 0);
		end->lid = int_or(c->end, 1, VAL_NONE);
	}
	end->node = xstrdup(name ? name : guid_format(end->node_guid, guid));
	sqlite3_reset(c->end);
}

/* Add the end that three columns name, if they do. */
static void add_end(struct check *c, struct finding *f, sqlite3_stmt *stmt,
		    int guid, int instance, int port)
{
	struct finding_end *end = &f->where[f->n_where];

	if (is_null(stmt, guid))
		return;
	f->n_where++;
	end->node_guid = (uint64_t)sqlite3_column_int64(stmt, guid);
	end->instance = int_or(stmt, instance, 0);
	end->port = int_or(stmt, port, VAL_NONE);
	describe_end(c, end);
}

/* A column's text, or its bytes, cleaned; the caller frees it. */
static char *clean_column(sqlite3_stmt *stmt, int i)
{
	struct strbuf b = STRBUF_INIT;
	const void *bytes = sqlite3_column_blob(stmt, i);

	text_clean(&b, bytes ? bytes : "",
		   (size_t)sqlite3_column_bytes(stmt, i));
	return strbuf_take(&b);
}

static json_t *text_value(sqlite3_stmt *stmt, int i)
{
	char *s = clean_column(stmt, i);
	json_t *v = json_string(s);

	free(s);
	return v;
}

static int is_guid_name(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && !strcmp(name + n - 5, "_guid");
}

static json_t *value(sqlite3_stmt *stmt, int i)
{
	char guid[GUID_STRLEN + 1];
	int64_t v;

	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		v = sqlite3_column_int64(stmt, i);
		if (is_guid_name(sqlite3_column_name(stmt, i)))
			return json_string(guid_format((uint64_t)v, guid));
		return json_integer(v);
	case SQLITE_FLOAT:
		return json_real(sqlite3_column_double(stmt, i));
	case SQLITE_NULL:
		return json_null();
	default:
		return text_value(stmt, i);
	}
}

static json_t *values(sqlite3_stmt *stmt)
{
	json_t *all = json_object();
	struct strbuf key = STRBUF_INIT;
	int i;

	for (i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *name = sqlite3_column_name(stmt, i);

		if (meaning_of(name) >= 0)
			continue;
		strbuf_reset(&key);
		text_clean(&key, name, strlen(name));
		json_object_set_new(all, key.s, value(stmt, i));
	}
	strbuf_free(&key);
	return all;
}

/* The row's own severity, else the rule's. */
static enum severity row_severity(sqlite3_stmt *stmt, struct rule *r, int i)
{
	const char *name;
	enum severity s;

	if (is_null(stmt, i))
		return r->severity;
	name = (const char *)sqlite3_column_text(stmt, i);
	s = severity_parse(name);
	if (s == SEVERITY_END)
		rule_break(r, "gives the severity '%s', which is none of info, "
			   "warning, error", name);
	return s;
}

int finding_add(struct check *c, sqlite3_stmt *stmt, struct rule *r,
		const int col[COL_END])
{
	struct findings *out = c->out;
	enum severity severity = row_severity(stmt, r, col[COL_SEVERITY]);
	struct finding *f;

	if (severity == SEVERITY_END)
		return -1;
	if (is_null(stmt, col[COL_MESSAGE]))
		return rule_break(r, "gives a row whose message is NULL");
	out->list = xgrow(out->list, out->n, &out->cap, sizeof(*f));
	f = &out->list[out->n++];
	memset(f, 0, sizeof(*f));
	f->rule = r;
	f->severity = severity;
	f->message = clean_column(stmt, col[COL_MESSAGE]);
	add_end(c, f, stmt, col[COL_NODE_GUID], col[COL_INSTANCE],
		col[COL_PORT]);
	if (f->n_where)
		add_end(c, f, stmt, col[COL_PEER_GUID], col[COL_PEER_INSTANCE],
			col[COL_PEER_PORT]);
	f->values = values(stmt);
	return 0;
}

void findings_cut(struct findings *f, size_t n)
{
	while (f->n > n) {
		struct finding *last = &f->list[--f->n];

		free(last->message);
		free(last->where[0].node);
		free(last->where[1].node);
		json_decref(last->values);
	}
}

void findings_free(struct findings *f)
{
	findings_cut(f, 0);
	free(f->list);
	memset(f, 0, sizeof(*f));
}

static int compare_end(const struct finding_end *a, const struct finding_end *b)
{
	if (a->node_guid != b->node_guid)
		return a->node_guid < b->node_guid ? -1 : 1;
	if (a->instance != b->instance)
		return a->instance < b->instance ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return 0;
}

static int compare(const void *va, const void *vb)
{
	const struct finding *a = va, *b = vb;
	int rc;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	rc = strcmp(a->rule->id, b->rule->id);
	if (!rc)
		rc = compare_end(&a->where[0], &b->where[0]);
	if (!rc)
		rc = compare_end(&a->where[1], &b->where[1]);
	return rc ? rc : strcmp(a->message, b->message);
}

void findings_sort(struct findings *f)
{
	size_t i;

	if (f->n)
		qsort(f->list, f->n, sizeof(*f->list), compare);
	for (i = 0; i < f->n; i++)
		f->count[f->list[i].severity]++;
}
