/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/file.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * The id of a rule is its file's name without .sql, also while the file is
 * broken: a broken site rule replaces the shipped one of that id and says so,
 * rather than to let the shipped one run in its place.
 */

#define RULE_FILE_MIB 1		/* a rule is a page */
#define RULE_FILES_MAX 1000	/* in a directory: more is a mistake */
#define BY_NAME 2 /* rule.enabled: ruleset_only() named it */

static void read_rule(struct rule *r, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct err err;

	if (file_read(path, FILE_REGULAR, RULE_FILE_MIB, &text, &err) < 0)
		rule_break(r, "%s", err.text);
	rule_parse(r, text.s ? text.s : "");
	strbuf_free(&text);
}

static char *clean(const char *s, size_t n)
{
	struct strbuf b = STRBUF_INIT;

	text_clean(&b, s, n);
	return strbuf_take(&b);
}

static int compare_id(const void *key, const void *rule)
{
	return strcmp(key, ((const struct rule *)rule)->id);
}

struct rule *ruleset_find(const struct ruleset *rs, const char *id)
{
	if (!rs->n)
		return NULL;
	return bsearch(id, rs->rules, rs->n, sizeof(*rs->rules), compare_id);
}

/* The rule of that id, emptied, or a new one at its place. */
static struct rule *place(struct ruleset *rs, const char *id)
{
	struct rule *r = ruleset_find(rs, id);
	size_t at = 0;

	if (r) {
		rule_free(r);
		return r;
	}
	rs->rules = xgrow(rs->rules, rs->n, &rs->cap, sizeof(*rs->rules));
	while (at < rs->n && strcmp(rs->rules[at].id, id) < 0)
		at++;
	r = &rs->rules[at];
	memmove(r + 1, r, (rs->n - at) * sizeof(*r));
	memset(r, 0, sizeof(*r));
	rs->n++;
	return r;
}

static void load_file(struct ruleset *rs, const char *dir, const char *name)
{
	char *id = clean(name, strlen(name) - strlen(".sql"));
	struct strbuf path = STRBUF_INIT;
	struct rule *r = place(rs, id);

	strbuf_addf(&path, "%s/%s", dir, name);
	r->id = id;
	r->path = clean(path.s, path.len);
	read_rule(r, path.s);
	strbuf_free(&path);
}

static int is_rule_file(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && d->d_name[0] != '.' &&
	       !strcmp(d->d_name + n - 4, ".sql");
}

int ruleset_load(struct ruleset *rs, const char *dir, struct err *err)
{
	struct dirent **files = NULL;
	int i, n = scandir(dir, &files, is_rule_file, alphasort);

	if (n < 0)
		return err_errno(err, "%s: cannot read the directory of rules",
				 dir);
	for (i = 0; i < n; i++) {
		if (n <= RULE_FILES_MAX)
			load_file(rs, dir, files[i]->d_name);
		free(files[i]);
	}
	free(files);
	if (n > RULE_FILES_MAX)
		return err_set(err, "%s: more than %d rule files; name the "
			       "directory of the rules alone", dir,
			       RULE_FILES_MAX);
	return 0;
}

void ruleset_free(struct ruleset *rs)
{
	size_t i;

	for (i = 0; i < rs->n; i++)
		rule_free(&rs->rules[i]);
	free(rs->rules);
	memset(rs, 0, sizeof(*rs));
}

static struct rule *must_find(struct ruleset *rs, const char *id,
			      struct err *err)
{
	struct rule *r = ruleset_find(rs, id);

	if (!r)
		err_set(err, "there is no rule '%s'; `ibaudit rules list` "
			"lists them", id);
	return r;
}

/* Split "RULE.PARAM=VALUE" in place.  -1: it is no such thing. */
static int split(char *s, char **param, char **value)
{
	*value = strchr(s, '=');
	if (!*value)
		return -1;
	*(*value)++ = '\0';
	*param = strchr(s, '.');
	if (!*param)
		return -1;
	*(*param)++ = '\0';
	return 0;
}

static int set_param(struct ruleset *rs, const char *id, const char *name,
		     const char *text, struct err *err)
{
	struct rule *r = must_find(rs, id, err);
	struct rule_param *param;
	char *end;
	double value;

	if (!r)
		return -1;
	param = rule_find_param(r, name);
	if (!param)
		return err_set(err, "rule %s has no parameter '%s'; `ibaudit "
			       "rules show %s` lists them", id, name, id);
	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value))
		return err_set(err, "%s.%s: '%s' is no number", id, name, text);
	param->value = value;
	return 0;
}

int ruleset_set(struct ruleset *rs, const char *assignment, struct err *err)
{
	char *copy = xstrdup(assignment), *param, *value;
	int rc;

	if (split(copy, &param, &value) < 0)
		rc = err_set(err, "'%s' is no RULE.PARAM=VALUE", assignment);
	else
		rc = set_param(rs, copy, param, value, err);
	free(copy);
	return rc;
}

int ruleset_only(struct ruleset *rs, const char *id, struct err *err)
{
	struct rule *r = must_find(rs, id, err);
	size_t i;
	int first = 1;

	if (!r)
		return -1;
	for (i = 0; i < rs->n; i++)
		first &= rs->rules[i].enabled != BY_NAME;
	for (i = 0; first && i < rs->n; i++)
		rs->rules[i].enabled = 0;
	r->enabled = BY_NAME;
	return 0;
}

int ruleset_skip(struct ruleset *rs, const char *id, struct err *err)
{
	struct rule *r = must_find(rs, id, err);

	if (!r)
		return -1;
	r->enabled = 0;
	return 0;
}
