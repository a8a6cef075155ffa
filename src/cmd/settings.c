/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "fabric/mkey.h"
#include "model/names.h"
#include "report/report.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

/*
 * Notes
 *
 * keys[] is the one place that knows what can be set: the file's keys and the
 * options of the same meaning go through settings_set(), so that a value is
 * refused with the same words wherever it stands.
 */

enum key_type {
	KEY_TEXT, /* char * */
	KEY_FILE, /* char *, none of SQLite's names for no file */
	KEY_ITEM, /* struct text_item */
	KEY_NAME, /* char *, one line that is safe to show */
	KEY_INT,  /* int, min to max */
	KEY_SPAN, /* int: seconds, up to max; written as 72h, 3d */
	KEY_BOOL, /* int: yes or no */
	KEY_WORD, /* char *, one of words */
	KEY_FORMAT, /* char *, of a report */
	KEY_LIST  /* struct texts, grows */
};

struct key {
	const char *section;
	const char *name;
	enum key_type type;
	size_t offset;
	int min, max;
	const char *words;
};

#define AT(field) offsetof(struct settings, field)
#define SPAN_MAX (20 * 365 * 86400) /* seconds */
#define FABRIC_LEN (sizeof(((struct store_snapshot *)0)->fabric) - 1)

static const struct key keys[] = {
	{ "ibaudit", "db", KEY_FILE, AT(db), 0, 0, NULL },
	{ "ibaudit", "ca", KEY_TEXT, AT(ca), 0, 0, NULL },
	/* 1 to 254, IBA 14.2.5.3 NumPorts. */
	{ "ibaudit", "port", KEY_INT, AT(port), 1, 254, NULL },
	{ "ibaudit", "fabric", KEY_NAME, AT(fabric), 0, FABRIC_LEN, NULL },
	{ "ibaudit", "node_name_map", KEY_ITEM, AT(node_name_map), 0, 0,
	  NULL },
	{ "ibaudit", "format", KEY_FORMAT, AT(format), 0, 0, NULL },
	{ "sweep", "timeout", KEY_INT, AT(limit_s), 0, 86400, NULL },
	{ "sweep", "mad_timeout_ms", KEY_INT, AT(mad_timeout_ms), 1, 60000,
	  NULL },
	{ "sweep", "retries", KEY_INT, AT(retries), 0, 15, NULL },
	/* Half of the 128 places that the kernel's send queue of QP0 has: the
	 * subnet manager needs some, too. */
	{ "sweep", "smp_window", KEY_INT, AT(smp_window), 1, 64, NULL },
	{ "sweep", "gmp_window", KEY_INT, AT(gmp_window), 1, 64, NULL },
	/* Service levels are 4 bits, IBA 7.7.5. */
	{ "sweep", "sl", KEY_INT, AT(sl), 0, 15, NULL },
	{ "sweep", "mkey_file", KEY_TEXT, AT(mkey_file), 0, 0, NULL },
	{ "sweep", "fast", KEY_BOOL, AT(fast), 0, 0, NULL },
	{ "sweep", "counters", KEY_BOOL, AT(counters), 0, 0, NULL },
	{ "sweep", "discovery", KEY_WORD, AT(discovery), 0, 0,
	  "engine libibnetdisc" },
	{ "retention", "keep_all", KEY_SPAN, AT(keep_all_s), 0, SPAN_MAX,
	  NULL },
	{ "retention", "keep_hourly", KEY_INT, AT(keep_hourly), 0, 1000000,
	  NULL },
	{ "retention", "keep_daily", KEY_INT, AT(keep_daily), 0, 100000, NULL },
	{ "retention", "keep_weekly", KEY_INT, AT(keep_weekly), 0, 100000,
	  NULL },
	{ "rules", "dir", KEY_LIST, AT(rule_dirs), 0, 0, NULL },
	{ "rules", "only", KEY_LIST, AT(only), 0, 0, NULL },
	{ "rules", "skip", KEY_LIST, AT(skip), 0, 0, NULL },
};

#define N_KEYS (sizeof(keys) / sizeof(keys[0]))

void texts_add(struct texts *t, const char *text, const char *origin)
{
	t->items = xgrow(t->items, t->n, &t->cap, sizeof(*t->items));
	t->items[t->n].text = xstrdup(text);
	t->items[t->n++].origin = xstrdup(origin);
}

void texts_clear(struct texts *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		free(t->items[i].text);
		free(t->items[i].origin);
	}
	free(t->items);
	memset(t, 0, sizeof(*t));
}

int settings_int(const char *s, int min, int max, int *out)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(s, &end, 10);
	if (errno || end == s || *end || v < min || v > max)
		return -1;
	*out = (int)v;
	return 0;
}

int settings_span(const char *s, int max_s, int *out)
{
	static const char units[] = "smhdw";
	static const int seconds[] = { 1, 60, 3600, 86400, 7 * 86400 };
	const char *unit;
	char digits[16];
	size_t n = strspn(s, "0123456789");
	int v;

	unit = n && s[n] && !s[n + 1] ? strchr(units, s[n]) : NULL;
	if (!unit || n >= sizeof(digits))
		return -1;
	memcpy(digits, s, n);
	digits[n] = '\0';
	if (settings_int(digits, 0, max_s / seconds[unit - units], &v) < 0)
		return -1;
	*out = v * seconds[unit - units];
	return 0;
}

static int parse_bool(const char *s, int *out)
{
	static const char *const words[] = { "no", "yes", "false", "true",
					     "0", "1" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(s, words[i])) {
			*out = i & 1;
			return 0;
		}
	return -1;
}

int settings_is_word(const char *words, const char *s)
{
	size_t n = strlen(s);
	const char *at;

	for (at = words; n && (at = strstr(at, s)); at += n)
		if ((at == words || at[-1] == ' ') &&
		    (at[n] == ' ' || !at[n]))
			return 1;
	return 0;
}

/* Text that shows as it is, of 1 to max bytes. */
static int is_name(const char *s, int max)
{
	struct strbuf b = STRBUF_INIT;
	int same;

	text_safe(&b, s, strlen(s));
	same = *s && strlen(s) <= (size_t)max && !strcmp(b.s, s);
	strbuf_free(&b);
	return same;
}

static void replace(char **at, const char *value)
{
	free(*at);
	*at = xstrdup(value);
}

static void set_item(struct text_item *item, const char *text,
		     const char *origin)
{
	replace(&item->text, text);
	replace(&item->origin, origin);
}

/* "FILE:LINE: key must be ..." of the configuration, "--option must be ..."
 * of the command line.  Returns -1. */
static int refuse(const struct key *k, const char *origin, const char *must,
		  const char *value, struct err *err)
{
	int option = *origin == '-';

	return err_set(err, "%s%s%s must be %s, not \"%s\"", origin,
		       option ? "" : ": ", option ? "" : k->name, must, value);
}

/* What a value must be, when it is not that; NULL when it is. */
static const char *demand(const struct key *k, const char *value, char *buf,
			  size_t size)
{
	int v;

	switch (k->type) {
	case KEY_INT:
		snprintf(buf, size, "a whole number from %d to %d", k->min,
			 k->max);
		return settings_int(value, k->min, k->max, &v) ? buf : NULL;
	case KEY_SPAN:
		return settings_span(value, k->max, &v) ?
			       "a time as 30m, 72h, 3d or 2w" : NULL;
	case KEY_BOOL:
		return parse_bool(value, &v) ? "yes or no" : NULL;
	case KEY_WORD:
		snprintf(buf, size, "one of: %s", k->words);
		return settings_is_word(k->words, value) ? NULL : buf;
	case KEY_NAME:
		snprintf(buf, size, "1 to %d printable characters", k->max);
		return is_name(value, k->max) ? NULL : buf;
	case KEY_FORMAT:
		return report_has_format(value) ?
			       NULL :
			       "one that ibaudit help COMMAND names";
	case KEY_FILE:
		if (!strcmp(value, ":memory:"))
			return "a file, which outlives the command";
		break;
	case KEY_TEXT:
	case KEY_ITEM:
	case KEY_LIST:
		break;
	}
	return *value ? NULL : "a name";
}

static int set_key(const struct key *k, void *at, const char *value,
		   const char *origin, struct err *err)
{
	char buf[80];
	const char *must = demand(k, value, buf, sizeof(buf));

	if (must)
		return refuse(k, origin, must, value, err);
	if (k->type == KEY_INT)
		return settings_int(value, k->min, k->max, at);
	if (k->type == KEY_SPAN)
		return settings_span(value, k->max, at);
	if (k->type == KEY_BOOL)
		return parse_bool(value, at);
	if (k->type == KEY_LIST)
		texts_add(at, value, origin);
	else if (k->type == KEY_ITEM)
		set_item(at, value, origin);
	else
		replace(at, value);
	return 0;
}

static int set_param(struct settings *set, const char *key, const char *value,
		     const char *origin)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_addf(&b, "%s=%s", key, value);
	texts_add(&set->params, b.s, origin);
	strbuf_free(&b);
	return 0;
}

int settings_set(struct settings *set, const char *section, const char *key,
		 const char *value, const char *origin, struct err *err)
{
	int known = 0;
	size_t i;

	if (!strcmp(section, "params"))
		return set_param(set, key, value, origin);
	for (i = 0; i < N_KEYS; i++) {
		if (strcmp(keys[i].section, section))
			continue;
		known = 1;
		if (!strcmp(keys[i].name, key))
			return set_key(&keys[i],
				       (char *)set + keys[i].offset, value,
				       origin, err);
	}
	if (!*section)
		return err_set(err, "%s: \"%s\" stands before the first "
			       "[section]", origin, key);
	if (!known)
		return err_set(err, "%s: unknown section [%s]; see "
			       "ibaudit.conf(5)", origin, section);
	return err_set(err, "%s: unknown key \"%s\" in [%s]; see "
		       "ibaudit.conf(5)", origin, key, section);
}

/* /var/lib for root, else below $XDG_STATE_HOME as the XDG Base Directory
 * Specification has it: a relative path there is to be ignored. */
static int default_db(struct settings *set, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	struct strbuf b = STRBUF_INIT;

	if (geteuid() == 0)
		strbuf_add(&b, LOCALSTATEDIR "/lib");
	else if (state && *state == '/')
		strbuf_add(&b, state);
	else if (home && *home == '/')
		strbuf_addf(&b, "%s/.local/state", home);
	else
		return err_set(err, "no home directory to keep the database "
			       "in; give --db FILE");
	strbuf_add(&b, "/ibaudit/ibaudit.db");
	set->db = strbuf_take(&b);
	set->db_is_default = 1;
	return 0;
}

static int read_config(struct settings *set, const struct command_line *cl,
		       struct err *err)
{
	const char *path = command_line_global(cl, "config");

	if (path)
		return settings_read(set, path, err);
	if (access(SETTINGS_CONFIG, F_OK) < 0)
		return 0;
	return settings_read(set, SETTINGS_CONFIG, err);
}

/* The options that are also keys of [ibaudit]. */
static int apply_globals(struct settings *set, const struct command_line *cl,
			 struct err *err)
{
	static const char *const names[] = { "db", "ca", "port", "fabric",
					     "format" };
	char origin[32];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *arg = command_line_global(cl, names[i]);

		snprintf(origin, sizeof(origin), "--%s", names[i]);
		if (arg && settings_set(set, "ibaudit", names[i], arg, origin,
					err) < 0)
			return -1;
	}
	set->format_given = !!command_line_global(cl, "format");
	set->quiet = !!command_line_global(cl, "quiet");
	set->verbose = !!command_line_global(cl, "verbose");
	return 0;
}

int settings_load(struct settings *set, const struct command_line *cl,
		  struct err *err)
{
	memset(set, 0, sizeof(*set));
	set->retries = -1;
	set->counters = 1;
	set->keep_all_s = 72 * 3600;
	set->keep_hourly = 168;
	set->keep_daily = 90;
	set->keep_weekly = 104;
	set->discovery = xstrdup("engine");
	if (read_config(set, cl, err) < 0 || apply_globals(set, cl, err) < 0)
		return -1;
	if (access(SETTINGS_SITE_RULES, F_OK) == 0 && !set->rule_dirs.n)
		texts_add(&set->rule_dirs, SETTINGS_SITE_RULES,
			  SETTINGS_SITE_RULES);
	return set->db ? 0 : default_db(set, err);
}

int settings_check_names(const struct settings *set, struct err *err)
{
	const struct text_item *map = &set->node_name_map;

	if (!map->text)
		return 0;
	if (access(map->text, F_OK) == 0)
		return names_check(map->text, err);
	return err_errno(err, "%s: node_name_map is %s, which cannot be found",
			 map->origin, map->text);
}

void settings_free(struct settings *set)
{
	free(set->db);
	free(set->ca);
	free(set->fabric);
	free(set->node_name_map.text);
	free(set->node_name_map.origin);
	free(set->format);
	free(set->discovery);
	free(set->mkey_file);
	mkeys_free(set->mkeys);
	texts_clear(&set->rule_dirs);
	texts_clear(&set->only);
	texts_clear(&set->skip);
	texts_clear(&set->params);
}
