/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/sweeping.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/interrupt.h"
#include "cmd/locking.h"
#include "cmd/progress.h"
#include "fabric/fabric.h"
#include "fabric/mkey.h"
#include "model/carry.h"
#include "model/names.h"
#include "report/rows.h"
#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

#define NOTE_MAX 200 /* characters: it stands in a list, on one line */

/* The options that are also keys of [sweep]. */
static int take_options(const struct invocation *inv, struct err *err)
{
	static const struct {
		const char *option, *key;
	} both[] = {
		{ "timeout", "timeout" },
		{ "discovery", "discovery" },
		{ "mkey-file", "mkey_file" },
	};
	char origin[32];
	size_t i;

	for (i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		const char *arg = given_arg(inv, both[i].option);

		snprintf(origin, sizeof(origin), "--%s", both[i].option);
		if (arg && settings_set(inv->set, "sweep", both[i].key, arg,
					origin, err) < 0)
			return -1;
	}
	return 0;
}

/* M_Keys stay out of core files. */
static int load_mkeys(struct settings *set, struct err *err)
{
	static const struct rlimit none = { 0, 0 };

	if (!set->mkey_file)
		return 0;
	if (setrlimit(RLIMIT_CORE, &none) < 0)
		return err_errno(err, "cannot forbid core files, which would "
				 "hold M_Keys");
	set->mkeys = mkeys_load(set->mkey_file, err);
	if (!set->mkeys)
		return -1;
	if (strcmp(set->discovery, "engine") && !mkeys_is_single(set->mkeys))
		return err_set(err, "%s: libibnetdisc takes one M_Key for the "
			       "whole fabric, not one a port; use --discovery "
			       "engine", set->mkey_file);
	return 0;
}

int sweeping_settings(const struct invocation *inv, struct err *err)
{
	const char *note = given_arg(inv, "note");

	if (take_options(inv, err) < 0)
		return -1;
	if (given_count(inv, "no-counters"))
		inv->set->counters = 0;
	if (given_count(inv, "fast"))
		inv->set->fast = 1;
	if (text_width(note ? note : "") > NOTE_MAX)
		return err_set(err, "--note: more than %d characters; make it "
			       "shorter", NOTE_MAX);
	if (load_mkeys(inv->set, err) < 0)
		return -1;
	return settings_check_names(inv->set, err);
}

int sweeping_ask(const struct settings *set, int counters,
		 const struct snapshot *prev, struct snapshot *out,
		 struct err *err)
{
	int shows = progress_is_wanted(set->quiet), rc;
	struct sweep_options opt = {
		.ca = set->ca,
		.port = set->port,
		.discovery = strcmp(set->discovery, "engine") ?
				     DISCOVER_LIBIBNETDISC :
				     DISCOVER_ENGINE,
		.counters = counters,
		.smp_window = set->smp_window,
		.gmp_window = set->gmp_window,
		.timeout_ms = set->mad_timeout_ms,
		.retries = set->retries,
		.limit_s = set->limit_s,
		.sl = set->sl,
		.fast = set->fast,
		.mkeys = set->mkeys,
		.prev = prev,
		.progress = shows ? progress_show : NULL,
	};

	interrupt_arm();
	rc = fabric_sweep(&opt, out, err);
	if (shows)
		progress_clear();
	return rc;
}

/* Make the directories above the default database; those of one that was
 * named are its owner's business.  0700 below a home is what the XDG Base
 * Directory Specification asks for; root's is for all who may read it. */
static int make_parents(const char *db, struct err *err)
{
	char *path = xstrdup(db), *slash = path;
	mode_t mode = geteuid() ? 0700 : 0755;
	int rc = 0;

	while (!rc && (slash = strchr(slash + 1, '/'))) {
		if (!strchr(slash + 1, '/'))
			break; /* the store makes the last one */
		*slash = '\0';
		if (mkdir(path, mode) < 0 && errno != EEXIST)
			rc = err_errno(err, "%s: cannot make the directory; "
				       "give --db FILE", path);
		*slash = '/';
	}
	free(path);
	return rc;
}

int sweeper_open(struct sweeper *w, const struct settings *set,
		 struct err *err)
{
	memset(w, 0, sizeof(*w));
	/* Without a fabric no database is made. */
	if (fabric_probe(set->ca, set->port, err) < 0)
		return -1;
	if (set->db_is_default && make_parents(set->db, err) < 0)
		return -1;
	w->st = store_open(set->db, STORE_CREATE, err);
	if (!w->st)
		return -1;
	return lock_database(&w->lock, set->db, err);
}

void sweeper_close(struct sweeper *w)
{
	store_close(w->st);
	lock_release(&w->lock);
}

/* prev when the database has one: *id says which, 0 is none. */
static int load_before(struct sweeper *w, int64_t id, struct snapshot *prev,
		       struct err *err)
{
	if (!id) {
		snapshot_init(prev);
		return 0;
	}
	return store_load(w->st, id, STORE_PARENTS, prev, err);
}

/* Store what was seen.  prev is of the fabric that the name, or for want of
 * one the database, told before the sweep: *prev_id, 0 for none. */
static int keep(struct sweeper *w, const struct settings *set,
		struct snapshot *s, struct snapshot *prev, int64_t *prev_id,
		struct err *err)
{
	int64_t id;
	int rc;

	if (store_fabric(w->st, set->fabric, s, &id, err) < 0)
		return -1;
	if (id != *prev_id) {
		snapshot_free(prev);
		*prev_id = id;
		if (load_before(w, id, prev, err) < 0)
			return -1;
	}
	if (id)
		snapshot_carry(s, prev);
	interrupt_hold();
	rc = store_save(w->st, s, id ? prev : NULL, err);
	if (!rc)
		interrupt_stored(s->id);
	interrupt_release();
	return rc;
}

static void set_note(struct snapshot *s, const char *note)
{
	struct strbuf b = STRBUF_INIT;

	if (!note)
		return;
	text_safe(&b, note, strlen(note));
	s->note = strbuf_take(&b);
}

/* The row of a snapshot by its id. */
static int find_row(struct store *st, int64_t id, struct store_snapshot *row,
		    struct err *err)
{
	char name[24];

	snprintf(name, sizeof(name), "%lld", (long long)id);
	return store_find(st, NULL, name, row, err);
}

int sweeper_run(struct sweeper *w, const struct settings *set,
		const char *note, struct store_snapshot *row, struct err *err)
{
	struct snapshot s, prev;
	int64_t prev_id;
	int rc = -1;

	memset(row, 0, sizeof(*row));
	memset(&s, 0, sizeof(s));
	memset(&prev, 0, sizeof(prev));
	if (store_latest(w->st, set->fabric, &prev_id, err) < 0 ||
	    load_before(w, prev_id, &prev, err) < 0)
		goto out;
	if (sweeping_ask(set, set->counters, prev_id ? &prev : NULL, &s,
			 err) < 0)
		goto out;
	set_note(&s, note);
	if (keep(w, set, &s, &prev, &prev_id, err) < 0)
		goto out;
	rc = find_row(w->st, s.id, row, err);
out:
	snapshot_free(&s);
	snapshot_free(&prev);
	return rc;
}

int sweeping_add_failures(const struct invocation *inv, struct report *r,
			  struct store *st, int64_t id, struct err *err)
{
	struct snapshot s;
	int rc;

	if (!inv->set->verbose)
		return 0;
	memset(&s, 0, sizeof(s));
	rc = store_load(st, id, STORE_NO_COUNTERS, &s, err);
	if (!rc)
		rc = names_apply(inv->set->node_name_map.text, &s, err);
	if (!rc)
		report_rows(r, row_list_find("failures"), &s);
	snapshot_free(&s);
	return rc;
}

int sweeping_is_acceptable(const struct invocation *inv,
			   const struct store_snapshot *row, struct err *err)
{
	if (row->complete || !given_count(inv, "require-complete"))
		return 0;
	return err_set(err, "snapshot %lld is incomplete: %lld queries "
		       "failed; see ibaudit show %lld failures",
		       (long long)row->id, (long long)row->counts.failures,
		       (long long)row->id);
}
