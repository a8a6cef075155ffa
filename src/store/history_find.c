/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/guid.h"

/* Which node or port somebody means. */

#define WHAT "looking the node up"
#define LISTED_MAX 8 /* nodes of one name that an error lists */

struct search {
	struct history *h;
	const char *name;
	int64_t node;       /* the first one */
	size_t n;           /* nodes that have the name */
	struct strbuf list; /* of them, "0x..., 0x... (gone)" */
};

static int has_name(const struct search *s, sqlite3_stmt *stmt)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 3);
	uint64_t guid = (uint64_t)sqlite3_column_int64(stmt, 1);
	uint32_t mapped = map_get(&s->h->by_guid, guid);

	if (mapped != MAP_NONE && !sqlite3_column_int(stmt, 2) &&
	    !strcmp(s->h->names[mapped], s->name))
		return 1;
	return name && !strcmp(name, s->name);
}

static void take(struct search *s, sqlite3_stmt *stmt)
{
	int instance = sqlite3_column_int(stmt, 2);

	if (!s->n++)
		s->node = sqlite3_column_int64(stmt, 0);
	if (s->n > LISTED_MAX)
		return;
	strbuf_addf(&s->list, "%s" GUID_FMT, s->list.len ? ", " : "",
		    GUID_ARG(sqlite3_column_int64(stmt, 1)));
	if (instance)
		strbuf_addf(&s->list, "#%d", instance);
	if (sqlite3_column_int(stmt, 4) == SEEN_GONE)
		strbuf_add(&s->list, " (gone)");
}

/* Every node of the fabric with the name that it had last. */
static int search_names(struct search *s, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(s->h->st,
		"SELECT k.id, k.guid, k.instance, "
		"(SELECT name FROM node_rev WHERE node = k.id AND seen < 2 "
		" ORDER BY snapshot DESC LIMIT 1), "
		"(SELECT seen FROM node_rev WHERE node = k.id "
		" ORDER BY snapshot DESC LIMIT 1) "
		"FROM node_key k WHERE k.fabric = ?1 "
		"ORDER BY k.guid, k.instance", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, s->h->fabric);
	while ((rc = store_step(s->h->st, stmt, WHAT, err)) == 1)
		if (has_name(s, stmt))
			take(s, stmt);
	sqlite3_finalize(stmt);
	return rc;
}

static int find_by_name(struct history *h, const char *name,
			struct history_place *out, struct err *err)
{
	struct search s = { .h = h, .name = name };
	int rc = search_names(&s, err);

	if (!rc && !s.n)
		rc = err_set(err, "no node %s in the snapshots of fabric %s; "
			     "give its GUID or its name as 'ibaudit show "
			     "nodes' has it", name, h->latest.fabric);
	else if (!rc && s.n > 1)
		rc = err_set(err, "%zu nodes have the name %s: %s%s; give the "
			     "GUID of one", s.n, name, s.list.s,
			     s.n > LISTED_MAX ? ", ..." : "");
	out->node = s.node;
	strbuf_free(&s.list);
	return rc;
}

/* "0x..." and perhaps "#1": 0, or -1 when it is something else. */
static int parse_guid(const char *s, uint64_t *guid, int64_t *instance)
{
	char digits[GUID_STRLEN + 1];
	size_t n = strcspn(s, "#");
	const char *number = s[n] ? s + n + 1 : "0";

	if (strncmp(s, "0x", 2) || n >= sizeof(digits) ||
	    !*number || strlen(number) > 9 ||
	    number[strspn(number, "0123456789")])
		return -1;
	memcpy(digits, s, n);
	digits[n] = '\0';
	*instance = strtol(number, NULL, 10);
	return guid_parse(digits, guid);
}

static int find_by_guid(struct history *h, uint64_t guid, int64_t instance,
			struct history_place *out, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st,
		"SELECT id FROM node_key WHERE fabric = ?1 AND guid = ?2 AND "
		"instance = ?3", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, h->fabric);
	sqlite3_bind_int64(stmt, 2, (int64_t)guid);
	sqlite3_bind_int64(stmt, 3, instance);
	rc = store_step(h->st, stmt, WHAT, err);
	if (rc == 1)
		out->node = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc;
}

int history_find_node(struct history *h, const char *name,
		      struct history_place *out, struct err *err)
{
	int64_t instance;
	uint64_t guid;
	int rc;

	memset(out, 0, sizeof(*out));
	if (parse_guid(name, &guid, &instance) < 0)
		return find_by_name(h, name, out, err);
	rc = find_by_guid(h, guid, instance, out, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	return find_by_name(h, name, out, err);
}

static int find_number(struct history *h, const char *name, const char *number,
		       struct history_place *out, struct err *err)
{
	long num = strtol(number, NULL, 10);
	int64_t most = 0;

	if (store_int(h->st, "SELECT p.id FROM port_key p JOIN port_rev r "
		      "ON r.port = p.id WHERE p.node = ?1 AND p.num = ?2 "
		      "LIMIT 1", out->node, num, &out->port, err) < 0 ||
	    store_int(h->st, "SELECT max(nports) FROM node_rev "
		      "WHERE node = ?1", out->node, 0, &most, err) < 0)
		return -1;
	if (out->port)
		return 0;
	if (num <= most)
		return err_set(err, "nothing was ever read of port %ld of %s; "
			       "see 'ibaudit show failures'", num, name);
	return err_set(err, "%s has no port %ld; its last one is %lld", name,
		       num, (long long)most);
}

int history_find_port(struct history *h, const char *name,
		      struct history_place *out, struct err *err)
{
	const char *slash = strrchr(name, '/');
	size_t digits = slash ? strspn(slash + 1, "0123456789") : 0;
	char *node;
	int rc;

	memset(out, 0, sizeof(*out));
	/* NumPorts has 8 bits, IBA 14.2.5.3. */
	if (!digits || digits > 3 || slash[1 + digits] || slash == name)
		return err_set(err, "%s: not a port; write NODE/PORT, as "
			       "leaf1/5 or 0x0002c90200000100/5", name);
	node = xstrdup(name);
	node[slash - name] = '\0';
	rc = history_find_node(h, node, out, err);
	if (!rc)
		rc = find_number(h, node, slash + 1, out, err);
	free(node);
	return rc;
}
