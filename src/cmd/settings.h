/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CMD_SETTINGS_H
#define IBAUDIT_CMD_SETTINGS_H

#include <stddef.h>

#include "cmd/options.h"
#include "util/err.h"

#define SETTINGS_CONFIG SYSCONFDIR "/ibaudit/ibaudit.conf"
#define SETTINGS_SITE_RULES SYSCONFDIR "/ibaudit/rules.d"

struct mkeys;

/* A text, and where it was given. */
struct text_item {
	char *text;
	char *origin; /* "/etc/ibaudit/ibaudit.conf:12", "--set" */
};

/* Texts in the order in which they were given. */
struct texts {
	struct text_item *items;
	size_t n, cap;
};

/* The configuration's keys, overridden by the options. */
struct settings {
	char *db; /* never NULL once loaded */
	int db_is_default;
	char *ca;
	int port; /* 0: the first that is up */
	char *fabric;
	struct text_item node_name_map; /* text NULL: there is none */
	char *format; /* NULL: the command's first */
	int format_given; /* on the command line */
	int quiet, verbose;

	int limit_s; /* of a sweep; 0: none */
	int mad_timeout_ms, retries, smp_window, gmp_window;
	int sl;
	int fast;
	int counters;
	char *discovery; /* "engine" or "libibnetdisc" */
	char *mkey_file; /* NULL: no M_Keys */
	struct mkeys *mkeys; /* of mkey_file, once sweeping_settings() ran */

	int keep_all_s; /* what pruning keeps: store_keep */
	int keep_hourly, keep_daily, keep_weekly;

	struct texts rule_dirs; /* behind the shipped one */
	struct texts only, skip, params;
};

/*
 * Defaults, then the configuration file (that of --config must exist, the
 * default one need not), then the global options.  Returns 0, or -1 with err
 * set; settings_free() in both cases.
 */
int settings_load(struct settings *set, const struct command_line *cl,
		  struct err *err);
void settings_free(struct settings *set);

/*
 * Set one key of a section as if the configuration said so; lists grow.
 * origin stands in front of an error.  -1: no such section or key, or a value
 * that cannot be.
 */
int settings_set(struct settings *set, const char *section, const char *key,
		 const char *value, const char *origin, struct err *err);

/* Read a configuration file into set.  Stops at the first line that is
 * wrong: -1, and err names file and line. */
int settings_read(struct settings *set, const char *path, struct err *err);

/* Can the node name map be read, if one is set?  For commands that show names,
 * before they do anything else.  -1: err names the line that is wrong, or where
 * a map that is not there was set. */
int settings_check_names(const struct settings *set, struct err *err);

/* Parse a whole number from min to max.  Returns 0 or -1. */
int settings_int(const char *s, int min, int max, int *out);

/* Parse a time of up to max_s seconds: 30m, 72h, 3d, 2w.  Returns 0 or -1. */
int settings_span(const char *s, int max_s, int *out);

/* True when s is one of the words in words, which blanks separate. */
int settings_is_word(const char *words, const char *s);

void texts_add(struct texts *t, const char *text, const char *origin);
void texts_clear(struct texts *t);

#endif
