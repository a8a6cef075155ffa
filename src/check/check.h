/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CHECK_CHECK_H
#define IBAUDIT_CHECK_CHECK_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "util/err.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_END };

/* "info", "warning", "error"; static. */
const char *severity_name(enum severity s);
/* The severity of that name, or SEVERITY_END. */
enum severity severity_parse(const char *name);

/* A parameter of a rule: its name, default, value and documentation. */
struct rule_param {
	char *name;
	char *doc;
	double fallback; /* the default that the file gives */
	double value;
};

/* One rule file.  Owned by its rule set. */
struct rule {
	char *id, *title, *why, *remedy, *false_positives;
	char *path; /* safe to show, as the texts and the id */
	char *sql; /* the statement behind the front matter, as it stands */
	enum severity severity;
	struct rule_param *params;
	size_t n_params;
	int enabled;
	char *broken; /* why it cannot run (one line), or NULL */
};

/* Rules from directories; a later one replaces an earlier one by id. */
struct ruleset {
	struct rule *rules; /* sorted by id */
	size_t n, cap;
};

/*
 * Load every *.sql of dir.  A file that cannot be parsed becomes a rule that
 * is broken, so that the others still run; so does what is no regular file or
 * larger than 1 MiB.  Returns 0, or -1 with err set when the directory cannot
 * be read or has more than 1000 of them.
 */
int ruleset_load(struct ruleset *rs, const char *dir, struct err *err);
void ruleset_free(struct ruleset *rs);
struct rule *ruleset_find(const struct ruleset *rs, const char *id);

/* Apply "RULE.PARAM=VALUE".  -1: no such rule or parameter, or no number. */
int ruleset_set(struct ruleset *rs, const char *assignment, struct err *err);

/* Run only / all but the named rule (repeatable).  -1: no such rule. */
int ruleset_only(struct ruleset *rs, const char *id, struct err *err);
int ruleset_skip(struct ruleset *rs, const char *id, struct err *err);

/* One end of what a finding is about. */
struct finding_end {
	uint64_t node_guid;
	int32_t instance;
	int32_t port; /* VAL_NONE: the node as a whole */
	int32_t lid;  /* of the port, or of its switch's port 0; VAL_NONE */
	char *node;   /* its name, safe to show */
};

struct finding {
	const struct rule *rule;
	enum severity severity;
	char *message;
	struct finding_end where[2];
	int n_where; /* 0: the fabric as a whole */
	json_t *values; /* an object: the rule's other columns */
	int64_t since_snapshot; /* the first of its episode; 0: not known */
	int64_t since_ms;       /* when that was started */
};

/* The outcome of a check; rules that failed are in the rule set (broken). */
struct findings {
	struct finding *list; /* worst first, then by rule and place */
	size_t n, cap;
	size_t count[SEVERITY_END];
	size_t n_broken; /* rules that did not run */
};

/*
 * Run the enabled rules of rs over snapshot id against the snapshot baseline
 * (0: none).  name_map is the path of a node name map, or NULL.  The store
 * may be open read-only; temporary tables are dropped again.  A rule that
 * fails gets `broken` set and the others still run.  Returns 0, or -1 with
 * err set when the snapshots cannot be read.
 */
int check_run(struct store *st, struct ruleset *rs, int64_t id,
	      int64_t baseline, const char *name_map, struct findings *out,
	      struct err *err);
void findings_free(struct findings *f);

/* A finding as `run` keeps it; points into f. */
void finding_as_stored(const struct finding *f, struct store_finding *out);

/* Look up since when each stands, as of snapshot id. */
int findings_find_since(struct store *st, int64_t id, struct findings *f,
			struct err *err);

#endif
