/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/guid.h"
#include "util/map.h"
#include "util/text.h"

#define WHAT "looking the fabric up"

/* IBA 4.1.1: a port's prefix until a subnet manager has set another. */
#define DEFAULT_PREFIX UINT64_C(0xfe80000000000000)

/* store_snapshot.fabric holds it and a NUL. */
#define NAME_MAX_LEN (sizeof(((struct store_snapshot *)0)->fabric) - 1)

int store_fabrics(struct store *st, char ***names, size_t *n, struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int rc;

	*names = NULL;
	*n = 0;
	stmt = store_prepare(st, "SELECT name FROM fabric ORDER BY name", WHAT,
			     err);
	if (!stmt)
		return -1;
	while ((rc = store_step(st, stmt, WHAT, err)) == 1) {
		*names = xgrow(*names, *n, &cap, sizeof(**names));
		(*names)[(*n)++] =
			xstrdup((const char *)sqlite3_column_text(stmt, 0));
	}
	sqlite3_finalize(stmt);
	return rc;
}

char *store_fabric_names(struct store *st, struct err *err)
{
	struct strbuf b = STRBUF_INIT;
	char **names;
	size_t i, n;
	int rc = store_fabrics(st, &names, &n, err);

	strbuf_add(&b, "");
	for (i = 0; i < n; i++) {
		strbuf_addf(&b, "%s%s", i ? ", " : "", names[i]);
		free(names[i]);
	}
	free(names);
	if (rc == 0)
		return strbuf_take(&b);
	strbuf_free(&b);
	return NULL;
}

static int find_named(struct store *st, const char *name, int64_t *id,
		      struct err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	stmt = store_prepare(st, "SELECT id FROM fabric WHERE name = ?1", WHAT,
			     err);
	if (!stmt)
		return -1;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	rc = store_step(st, stmt, WHAT, err);
	if (rc == 1)
		*id = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc;
}

int store_find_fabric(struct store *st, const char *name, int64_t *id,
		      struct err *err)
{
	int64_t n = 0;
	char *names;

	if (name)
		return find_named(st, name, id, err);
	if (store_int(st, "SELECT count(*) FROM fabric", 0, 0, &n, err) < 0)
		return -1;
	if (n > 1) {
		names = store_fabric_names(st, err);
		if (!names)
			return -1;
		err_set(err, "%s: holds several fabrics (%s); name one with "
			"--fabric", st->path, names);
		free(names);
		return -1;
	}
	if (n == 1 &&
	    store_int(st, "SELECT id FROM fabric", 0, 0, id, err) < 0)
		return -1;
	return (int)n;
}

int store_latest(struct store *st, const char *name, int64_t *id,
		 struct err *err)
{
	int64_t fabric;
	int rc = store_find_fabric(st, name, &fabric, err);

	*id = 0;
	if (rc <= 0)
		return rc;
	return store_int(st, "SELECT ifnull(max(id), 0) FROM snapshot "
			 "WHERE fabric = ?1", fabric, 0, id, err);
}

int store_check_name(const char *name, struct err *err)
{
	struct strbuf safe = STRBUF_INIT;
	int ok;

	text_safe(&safe, name, strlen(name));
	ok = *name && safe.len <= NAME_MAX_LEN && !strcmp(safe.s, name);
	if (!ok)
		err_set(err, "'%s': not a name for a fabric; give 1 to %d "
			"plain characters", safe.s, (int)NAME_MAX_LEN);
	strbuf_free(&safe);
	return ok ? 0 : -1;
}

/* The NodeGUIDs of the fabric's last snapshot, each with value 1. */
static int last_guids(struct store *st, int64_t fabric, struct map *guids,
		      struct err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	stmt = store_prepare(st,
		"SELECT k.guid FROM node_key k JOIN node_rev r ON "
		"r.node = k.id AND r.snapshot = (SELECT max(x.snapshot) "
		"FROM node_rev x WHERE x.node = k.id) "
		"WHERE k.fabric = ?1 AND r.seen <> 2", WHAT, err);
	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, fabric);
	while ((rc = store_step(st, stmt, WHAT, err)) == 1)
		map_set(guids, (uint64_t)sqlite3_column_int64(stmt, 0), 1);
	sqlite3_finalize(stmt);
	return rc;
}

/*
 * Half of either side will do: a fabric that grew, or was switched on again
 * after a maintenance, holds what there was before.
 */
int store_find_overlap(struct store *st, int64_t fabric,
		       const struct snapshot *s, struct store_overlap *o,
		       struct err *err)
{
	struct map guids = { 0 };
	int rc = last_guids(st, fabric, &guids, err);
	size_t i;

	o->shared = 0;
	o->last = guids.n;
	for (i = 0; i < s->n_nodes; i++)
		o->shared += map_get(&guids, s->nodes[i]->guid) != MAP_NONE;
	o->half = 2 * o->shared >= s->n_nodes || 2 * o->shared >= o->last;
	map_free(&guids);
	return rc;
}

/*
 * A fabric seen once without a subnet manager has the default prefix there,
 * and is the same fabric when most of its nodes are.
 */
static int check_prefix(struct store *st, int64_t fabric, int shared_half,
			const struct snapshot *s, struct err *err)
{
	int64_t value = 0;
	uint64_t prefix;

	if (store_int(st, "SELECT subnet_prefix FROM fabric WHERE id = ?1",
		      fabric, 0, &value, err) < 0)
		return -1;
	prefix = (uint64_t)value;
	if (prefix == s->subnet_prefix)
		return 0;
	if (shared_half && (prefix == DEFAULT_PREFIX ||
			    s->subnet_prefix == DEFAULT_PREFIX))
		return 0;
	return err_set(err, "fabric '%s' has subnet prefix " GUID_FMT ", this "
		       "sweep has " GUID_FMT "; name this fabric otherwise "
		       "with --fabric", s->fabric, GUID_ARG(prefix),
		       GUID_ARG(s->subnet_prefix));
}

static int check_same_fabric(struct store *st, int64_t fabric, int named,
			     const struct snapshot *s, struct err *err)
{
	struct store_overlap o;

	if (store_find_overlap(st, fabric, s, &o, err) < 0 ||
	    check_prefix(st, fabric, o.half, s, err) < 0)
		return -1;
	if (o.half || named)
		return 0;
	return err_set(err, "this sweep shares %zu of its %zu nodes with the "
		       "last one of fabric '%s'; if it is that fabric say so "
		       "with --fabric '%s', else name it otherwise", o.shared,
		       s->n_nodes, s->fabric, s->fabric);
}

static void set_name(struct snapshot *s, char *name)
{
	free(s->fabric);
	s->fabric = name;
}

/* The name of a fabric that is there. */
static char *name_of(struct store *st, int64_t fabric, struct err *err)
{
	sqlite3_stmt *stmt;
	char *name = NULL;

	stmt = store_prepare(st, "SELECT name FROM fabric WHERE id = ?1", WHAT,
			     err);
	if (!stmt)
		return NULL;
	sqlite3_bind_int64(stmt, 1, fabric);
	if (store_step(st, stmt, WHAT, err) == 1)
		name = xstrdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return name;
}

int store_fabric(struct store *st, const char *name, struct snapshot *s,
		 int64_t *prev_id, struct err *err)
{
	int64_t fabric = 0;
	int found;
	char *had;

	*prev_id = 0;
	if (name && store_check_name(name, err) < 0)
		return -1;
	found = store_find_fabric(st, name, &fabric, err);
	if (found < 0)
		return -1;
	if (!found) {
		set_name(s, xstrdup(name ? name : "default"));
		return 0;
	}
	had = name_of(st, fabric, err);
	if (!had)
		return -1;
	set_name(s, had);
	if (check_same_fabric(st, fabric, !!name, s, err) < 0)
		return -1;
	return store_latest(st, s->fabric, prev_id, err);
}
