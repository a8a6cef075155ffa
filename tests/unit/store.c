/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/store.h"

#include "db.h"

#define MISSING(...) ((const uint64_t[]){ __VA_ARGS__, 0 })
/* ---- columns ---- */

static int has_column(struct store *st, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(store_db(st), "main", table,
					     column, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

static void columns(void)
{
	struct store *st = open_new();
	size_t i;
	int missing = 0;

	for (i = 0; i < n_node_attrs; i++)
		missing += !has_column(st, "node_rev", node_attrs[i].column);
	for (i = 0; i < n_port_attrs; i++)
		missing += !has_column(st, "port_rev", port_attrs[i].column);
	for (i = 0; i < COUNTER_COUNT; i++)
		missing += !has_column(st, i < COUNTER_ERRORS ? "error_rev" :
				       i < COUNTER_MAIN ? "counter_row" :
							      "detail_row",
				       counter_table[i].column);
	is_int(missing, 0, "each attribute and counter has its column");
	is_int(number(st, "SELECT rank FROM speed_name WHERE name = 'NDR' "
		      "AND sold_gbps = 100"), SPEED_NDR, "names of speeds");
	is_int(number(st, "SELECT rank FROM width_name WHERE name = '4X'"),
	       WIDTH_4X, "names of widths");
	store_close(st);
}

/* ---- saving and loading ---- */

static void add_extras(struct snapshot *s)
{
	struct sm *sm = snapshot_add_sm(s);
	struct failure *f = snapshot_add_failure(s);
	struct counters *c = xcalloc(1, sizeof(*c));
	static const uint8_t details[192] = { 0, 1, 0, 0, 0xff, 0xff, 0, 7 };

	s->note = xstrdup("before the move");
	s->with_counters = 1;
	s->pma_asked = 12;
	s->pma_answered = 1; /* those of leaf1 port 1 */
	s->mads_sent = 99;
	s->mads_unmatched = 1;
	sm->node = snapshot_find(s, H1, 0);
	sm->port = 1;
	sm->answered = 1;
	sm->guid = 0xfedcba9876543210;
	sm->priority = 15;
	sm->state = SM_MASTER;
	sm->act_count = 4000000000;
	sm = snapshot_add_sm(s);
	sm->node = snapshot_find(s, LEAF1, 0);
	f->node = snapshot_find(s, LEAF1, 0);
	f->port = 3;
	f->route = (struct route){ .hops = 2, .hop = { 0, 1, 254 } };
	f->mgmt_class = 0x81;
	f->attribute = 0x15;
	f->modifier = 0x80000003;
	f->status = FAIL_MAD_STATUS;
	f->mad_status = 0x1c;
	strcpy(f->text, "it's no use");
	f = snapshot_add_failure(s);
	counters_init(c);
	c->at_ms = s->started_ms + 123;
	c->src = SRC_PC | SRC_EXT;
	c->value[0] = INT64_MAX;
	c->value[1] = 0;
	counters_decode_details(c, SRC_XMIT_DETAILS, details, sizeof(details));
	port_at(s, LEAF1, 1)->counters = c;
	port_at(s, H1, 1)->cap_mask = 0xffffffff;
	port_at(s, H1, 1)->guid = 0xffffffffffffffff;
}

static void one_snapshot(void)
{
	struct store *st = open_new();
	struct snapshot s;
	struct node *n;

	build_fabric(&s);
	add_extras(&s);
	n = snapshot_add_node(&s, H4, 1, 2);
	n->ports[1].guid = 5;
	n->route = (struct route){ .hops = 3, .hop = { 0, 1, 3, 254 } };
	node_at(&s, H4)->route = (struct route){ .hops = 1, .hop = { 0, 7 } };
	n = add_node(&s, 0x500, NODE_ROUTER, 254, "");
	n->revision = VAL_NONE;
	memset(add_node(&s, 0x501, NODE_CA, 1, "x")->desc, 0x9b,
	       NODE_DESC_LEN);
	node_at(&s, 0x501)->desc_len = NODE_DESC_LEN;
	node_at(&s, 0x500)->ports[254].peer_node = snapshot_find(&s, LEAF1, 0);
	node_at(&s, 0x500)->ports[254].peer_port = 4;
	set_silent(port_at(&s, LEAF1, 4));
	save_ok(st, &s, "all sorts of things");
	loads_as(st, &s, "all sorts of things");
	is_sound(st, "all sorts of things");
	is_int(number(st, "SELECT count(*) FROM node WHERE route IS NOT NULL"),
	       2, "the routes of the two that share a GUID");
	is_int(number(st, "SELECT count(*) FROM node WHERE instance = 1 AND "
		      "route = '0,1,3,254'"), 1, "each its own");
	is_int(number(st, "SELECT count(*) FROM node_rev WHERE descr IS NULL"),
	       1, "no description is NULL, an empty one is not");
	is_int(number(st, "SELECT count(*) FROM node_rev WHERE "
		      "name = replace(hex(zeroblob(64)), '00', '\\x9b')"), 1,
	       "a name is safe to show");
	snapshot_free(&s);
	store_close(st);
}

/* What a sweep loads of the one before it. */
static void parents(void)
{
	static const struct {
		uint64_t guid;
		int port;
		const char *counter;
		int64_t value;
		int loaded;
	} rows[] = {
		{ LEAF1, 1, "rcv_errors", 1, 1 },
		{ LEAF1, 2, "xmit_discards", 65535, 1 },
		{ LEAF2, 1, "rcv_errors", 0, 0 },
		{ LEAF2, 2, "symbol_error", 9, 0 },
	};
	struct store *st = open_new();
	struct err err = { "" };
	struct snapshot s, got;
	size_t i;

	build_fabric(&s);
	for (i = 0; i < 4; i++) {
		struct counters *c = xcalloc(1, sizeof(*c));

		counters_init(c);
		c->src = SRC_PC;
		counters_set(c, counter_find(rows[i].counter), rows[i].value);
		counters_set(c, COUNTER_MAIN, 5);
		port_at(&s, rows[i].guid, rows[i].port)->counters = c;
	}
	save_ok(st, &s, "for parents");
	loads_as(st, &s, "with all counters");
	is_int(number(st, "SELECT count(*) FROM counter WHERE "
		      "rcv_local_physical_errors = 5"), 4, "in the view");
	ok(!store_load(st, s.id, STORE_PARENTS, &got, &err), "parents");
	for (i = 0; i < 4; i++) {
		const struct counters *c =
			port_at(&got, rows[i].guid, rows[i].port)->counters;

		is_int(!!c, rows[i].loaded, "%s of %lld", rows[i].counter,
		       (long long)rows[i].value);
		if (c)
			ok(counters_get(c, counter_find(rows[i].counter)) ==
					   rows[i].value && !c->details,
			   "with its value, without details");
	}
	snapshot_free(&got);
	ok(!store_load(st, s.id, STORE_NO_COUNTERS, &got, &err) &&
		   !port_at(&got, LEAF1, 1)->counters, "and without any");
	snapshot_free(&got);
	snapshot_free(&s);
	store_close(st);
}

#define ROWS \
	"SELECT (SELECT count(*) FROM node_key) + " \
	"(SELECT count(*) FROM port_key) + (SELECT count(*) FROM node_rev) + " \
	"(SELECT count(*) FROM port_rev) + (SELECT count(*) FROM sm_row) + " \
	"(SELECT count(*) FROM failure_row) + " \
	"(SELECT count(*) FROM counter_row) + " \
	"(SELECT count(*) FROM detail_row)"

static void quiet_fabric(void)
{
	struct store *st = open_new();
	struct snapshot s;
	long long rows;

	build_fabric(&s);
	save_ok(st, &s, "first");
	snapshot_free(&s);
	rows = number(st, ROWS);
	is_int(number(st, "SELECT count(*) FROM port_rev"), 4 + 3 * 5,
	       "no row for port 0 of an adapter");
	build_fabric(&s);
	save_ok(st, &s, "unchanged");
	is_int(number(st, ROWS), rows, "an unchanged sweep adds no row");
	is_int(number(st, "SELECT count(*) FROM snapshot"), 2, "but its own");
	loads_as(st, &s, "unchanged");
	snapshot_free(&s);
	build_without(&s, MISSING(H4), FRONT_SILENT);
	save_ok(st, &s, "host unread");
	is_int(number(st, ROWS), rows + 3, "unread: its node and both ends");
	snapshot_free(&s);
	build_without(&s, MISSING(H4), FRONT_SILENT);
	save_ok(st, &s, "host unread again");
	is_int(number(st, ROWS), rows + 3, "unread again adds no row");
	snapshot_free(&s);
	build_without(&s, MISSING(H4), FRONT_DOWN);
	save_ok(st, &s, "host gone");
	is_int(number(st, ROWS), rows + 6, "gone: two tombstones, one port");
	snapshot_free(&s);
	build_without(&s, MISSING(H4), FRONT_DOWN);
	save_ok(st, &s, "host gone still");
	is_int(number(st, ROWS), rows + 6, "gone still adds no row");
	snapshot_free(&s);
	store_close(st);
}

/* A generator that gives the same everywhere. */
static unsigned roll(unsigned n)
{
	static uint64_t state = 42;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static void build_random(struct snapshot *s)
{
	static const uint64_t all[] = { LEAF1, SPINE, H2, LEAF2, H3, H4 };
	uint64_t missing[7];
	size_t i, n = 0;

	for (i = 0; i < 6; i++)
		if (!roll(5))
			missing[n++] = all[i];
	missing[n] = 0;
	build_without(s, missing, (enum front)roll(3));
	for (i = 0; i < s->n_nodes; i++) {
		struct node *m = s->nodes[i];
		struct port *p = &m->ports[1 + roll(m->nports)];

		if (!roll(4))
			p->lid = (int32_t)roll(3);
		if (!roll(8) && p->peer_node == NO_NODE)
			set_silent(p);
		if (!roll(8))
			m->desc_read = m->desc_len = 0;
		if (!m->desc_read)
			memset(m->desc, 0, sizeof(m->desc));
	}
	if (!roll(3) && !node_at(s, 0x600))
		add_node(s, 0x600, NODE_SWITCH, 2 + (int)roll(3), "new");
	if (!roll(2) && node_at(s, LEAF1))
		add_extras(s);
}

enum { MANY = 60 };

/* Sweeps that lose, find and change things; each is as it was, at the end. */
static void many_snapshots(void)
{
	static struct snapshot s[MANY];
	struct store *st = open_new();
	struct strbuf why = STRBUF_INIT;
	struct err err = { "" };
	int i, saved = 0, same = 0, at_once = 0;

	for (i = 0; i < MANY; i++) {
		struct snapshot got;

		if (i % 10 == 0)
			build_fabric(&s[i]);
		else
			do {
				snapshot_free(&s[i]);
				build_random(&s[i]);
			} while (!node_at(&s[i], LEAF1));
		s[i].started_ms += i;
		saved += !save(st, &s[i], &err);
		/* While the history is short it is loaded in another way. */
		if (!store_load(st, s[i].id, STORE_ALL_COUNTERS, &got, &err)) {
			at_once += same_snapshot(&s[i], &got, &why);
			snapshot_free(&got);
		}
	}
	is_int(saved, MANY, "random sweeps: saved %s", err.text);
	is_int(at_once, MANY, "random sweeps: loaded as saved");
	for (i = 0; i < MANY; i++) {
		struct snapshot got;

		if (store_load(st, s[i].id, STORE_ALL_COUNTERS, &got, &err) < 0)
			continue;
		same += same_snapshot(&s[i], &got, &why);
		if (why.len)
			printf("# %d: %s", i, why.s);
		snapshot_free(&got);
	}
	is_int(same, MANY, "random sweeps: each loads as it was");
	is_sound(st, "random sweeps");
	for (i = 0; i < MANY; i++)
		snapshot_free(&s[i]);
	strbuf_free(&why);
	store_close(st);
}

/* The counters of the first n ports, most of them as their neighbours'. */
static void add_counters(struct snapshot *s, int n)
{
	static const int64_t odd[] = { COUNTER_UNREAD, 7, INT64_MAX };
	struct node *big = add_node(s, 0x700, NODE_SWITCH, 254, "big");
	int i, k;

	for (i = 1; i <= n; i++) {
		struct counters *c = xcalloc(1, sizeof(*c));

		counters_init(c);
		c->at_ms = s->started_ms + i;
		c->src = (uint8_t)(SRC_PC | roll(8));
		for (k = 0; k < COUNTER_MAIN; k++)
			c->value[k] = roll(3) ? 0 : odd[roll(3)];
		big->ports[i].counters = c;
	}
}

/* Counters are stored many at once, the rest one by one. */
static void many_counters(void)
{
	static const int n[] = { 1, 23, 24, 25, 47, 48, 49, 200, 254 };
	struct store *st = open_new();
	struct err err = { "" };
	size_t i;

	for (i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
		struct snapshot s;

		build_fabric(&s);
		s.started_ms += (int64_t)i;
		add_counters(&s, n[i]);
		ok(!save(st, &s, &err), "counters of %d ports: saved", n[i]);
		is_int(number(st, "SELECT count(*) FROM counter_row WHERE "
			      "snapshot = (SELECT max(id) FROM snapshot)"),
		       n[i], "counters of %d ports: so many rows", n[i]);
		loads_as(st, &s, "each with its own");
		snapshot_free(&s);
	}
	store_close(st);
}

/* A key far from the others makes no difference but to the way of loading. */
static void far_keys(void)
{
	struct store *st = open_new();
	struct snapshot s;

	exec_sql(st, "INSERT INTO fabric VALUES (9, 'other', 0);"
		 "INSERT INTO node_key VALUES (99, 9, 1, 0);"
		 "INSERT INTO port_key VALUES (4611686018427387904, 99, 1);"
		 "INSERT INTO port_key VALUES (-5, 99, 2)");
	build_fabric(&s);
	add_extras(&s);
	save_ok(st, &s, "far keys");
	loads_as(st, &s, "far keys");
	snapshot_free(&s);
	build_fabric(&s);
	save_ok(st, &s, "beside far keys");
	loads_as(st, &s, "beside far keys");
	snapshot_free(&s);
	store_close(st);
}

static void stale_prev(void)
{
	struct store *st = open_new();
	struct err err = { "" };
	struct snapshot s, t;

	build_fabric(&s);
	save_ok(st, &s, "first");
	build_fabric(&t);
	ok(store_save(st, &t, NULL, &err) < 0 &&
		   strstr(err.text, "stored meanwhile"),
	   "refused: another sweep was faster");
	is_int(number(st, "SELECT count(*) FROM snapshot"), 1,
	       "nothing stored");
	is_int(t.id, 0, "no id");
	snapshot_free(&s);
	snapshot_free(&t);
	store_close(st);
}

/* ---- finding ---- */

static void finds(struct store *st, const char *fabric, const char *name,
		  long long id)
{
	struct store_snapshot row;
	struct err err = { "" };

	if (store_find(st, fabric, name, &row, &err) < 0) {
		ok(0, "find %s: %s", name, err.text);
		return;
	}
	is_int(row.id, id, "find %s", name);
	store_snapshot_free(&row);
}

static void finds_not(struct store *st, const char *fabric, const char *name,
		      const char *why)
{
	struct store_snapshot row;
	struct err err = { "" };

	ok(store_find(st, fabric, name, &row, &err) < 0 &&
		   strstr(err.text, why), "find %s: %s", name, err.text);
}

static void add_snapshot(struct store *st, int64_t at, int with_counters)
{
	struct snapshot s;

	build_fabric(&s);
	s.started_ms = at;
	s.with_counters = with_counters;
	save_ok(st, &s, "one more");
	snapshot_free(&s);
}

static void baseline(struct store *st, int64_t id, long long want)
{
	struct store_snapshot row = { 0 };
	struct err err = { "" };
	int rc = store_baseline(st, id, &row, &err);

	is_int(rc, want != 0, "baseline of %lld", (long long)id);
	is_int(row.id, want, "which is");
	store_snapshot_free(&row);
}

static void finding(void)
{
	struct store *st = open_new();
	struct store_snapshot *rows;
	struct err err = { "" };
	int64_t id;
	size_t n;

	finds_not(st, NULL, "latest", "there are none yet");
	finds_not(st, "x", "latest", "there is none yet");
	add_snapshot(st, 1000, 1);   /* 1 */
	add_snapshot(st, 100000, 0); /* 2 */
	add_snapshot(st, 50000, 1);  /* 3: the clock went back */
	finds(st, NULL, "latest", 3);
	finds(st, NULL, "latest~0", 3);
	finds(st, NULL, "latest~2", 1);
	finds(st, NULL, "2", 2);
	finds(st, "default", "1970-01-01T00:00:02Z", 1);
	finds(st, NULL, "1970-01-01T00:02:00Z", 3);
	finds_not(st, NULL, "latest~3", "there are 3, from 1 (1970-01-01T"
		  "00:00:01.000Z) to 3");
	finds_not(st, NULL, "7", "no snapshot '7': there are 3");
	finds_not(st, NULL, "99999999999999999999", "there are 3");
	finds_not(st, NULL, "1970-01-01T00:00:00Z", "no snapshot at or "
		  "before '1970-01-01T00:00:00Z': the first is 1, of 1970-01-"
		  "01T00:00:01.000Z");
	finds_not(st, NULL, "yesterday", "not a snapshot; write latest");
	finds_not(st, NULL, "latest~", "not a snapshot; write latest");
	finds_not(st, NULL, "", "not a snapshot; write latest");
	finds_not(st, "x", "latest", "no fabric 'x': there is default");
	baseline(st, 1, 0);
	baseline(st, 2, 1);
	baseline(st, 3, 1);
	ok(!store_list(st, NULL, &rows, &n, &err) && n == 3 &&
		   rows[0].id == 1 && rows[2].id == 3, "list");
	is_int(rows[1].counts.links, 6, "with counts");
	is_str(rows[1].fabric, "default", "and fabric");
	while (n)
		store_snapshot_free(&rows[--n]);
	free(rows);
	ok(store_list(st, "x", &rows, &n, &err) < 0, "list of no fabric");
	ok(!store_latest(st, "x", &id, &err) && !id, "latest of a new fabric");
	ok(!store_latest(st, NULL, &id, &err) && id == 3, "latest");
	store_close(st);
}

static void build_other(struct snapshot *s)
{
	snapshot_init(s);
	s->subnet_prefix = 0xfec0000000000000;
	add_node(s, 0x9001, NODE_CA, 1, "elsewhere");
	add_node(s, 0x9002, NODE_CA, 1, "elsewhere");
}

static int is_refused(struct store *st, const char *name, struct snapshot *s,
		      const char *why)
{
	struct err err = { "" };
	int64_t prev;

	if (store_fabric(st, name, s, &prev, &err) < 0 && strstr(err.text, why))
		return 1;
	printf("# %s\n", err.text);
	return 0;
}

static void fabrics(void)
{
	struct store *st = open_new();
	struct err err = { "" };
	struct snapshot s, t;
	int64_t prev = -1;

	build_fabric(&s);
	save_ok(st, &s, "default");
	build_other(&t);
	ok(is_refused(st, NULL, &t, "has subnet prefix 0xfe80000000000000"),
	   "another prefix");
	ok(is_refused(st, "default", &t, "has subnet prefix"),
	   "another prefix under the old name");
	t.subnet_prefix = s.subnet_prefix;
	ok(is_refused(st, NULL, &t, "shares 0 of its 2 nodes"),
	   "other nodes without a name");
	ok(!store_fabric(st, "default", &t, &prev, &err) && prev == s.id,
	   "other nodes with the name");
	ok(is_refused(st, "", &t, "not a name") &&
		   is_refused(st, "a\nb", &t, "not a name"), "bad names");
	ok(!store_fabric(st, "second", &t, &prev, &err) && !prev,
	   "a new name");
	is_str(t.fabric, "second", "is set");
	ok(!store_save(st, &t, NULL, &err), "and saved %s", err.text);
	ok(is_refused(st, NULL, &s, "several fabrics (default, second)"),
	   "several, and none named");
	finds_not(st, NULL, "latest", "several fabrics (default, second)");
	finds(st, "default", "latest", 1);
	finds(st, "second", "latest", 2);
	finds(st, NULL, "1", 1);
	is_sound(st, "two fabrics");
	snapshot_free(&s);
	snapshot_free(&t);
	store_close(st);
}

/* The same fabric before and after its subnet manager set a prefix. */
static void prefix_set_later(void)
{
	struct store *st = open_new();
	struct snapshot s, t;

	build_fabric(&s);
	save_ok(st, &s, "no subnet manager yet");
	build_fabric(&t);
	t.subnet_prefix = 0xfec0000000000001;
	save_ok(st, &t, "prefix set");
	snapshot_free(&s);
	build_fabric(&s);
	save_ok(st, &s, "prefix lost again");
	loads_as(st, &t, "prefix set");
	loads_as(st, &s, "prefix lost again");
	snapshot_free(&s);
	snapshot_free(&t);
	store_close(st);
}

/* ---- views ---- */

static void views(void)
{
	struct store *st = open_new();
	struct snapshot s;

	build_fabric(&s);
	add_extras(&s);
	save_ok(st, &s, "first");
	snapshot_free(&s);
	build_without(&s, MISSING(LEAF2, H3, H4), FRONT_SILENT);
	save_ok(st, &s, "leaf unread");
	snapshot_free(&s);
	build_without(&s, MISSING(H4), FRONT_DOWN);
	save_ok(st, &s, "host gone");
	snapshot_free(&s);
#define COUNT(view, where) \
	number(st, "SELECT count(*) FROM " view " WHERE " where)
	is_int(COUNT("node", "snapshot = 1"), 7, "nodes");
	is_int(COUNT("node", "snapshot = 2"), 7, "nodes, some unread");
	is_int(COUNT("node", "snapshot = 2 AND seen = 'unread' "
		     "AND last_read = 1"), 3, "unread nodes");
	is_int(COUNT("node", "snapshot = 3"), 6, "nodes, one gone");
	is_int(COUNT("link", "snapshot = 1"), 6, "links");
	is_int(COUNT("link", "snapshot = 1 AND gbps = 400 AND speed_name = "
		     "'NDR' AND width_name = '4X' AND seen = 'read' "
		     "AND state_name = 'ACTIVE'"), 6, "with their rates");
	is_int(COUNT("link", "snapshot = 2"), 6, "links, some unread");
	is_int(COUNT("link", "snapshot = 2 AND seen = 'read'"), 3, "read ones");
	is_int(COUNT("link", "snapshot = 3"), 5, "links, one gone");
	is_int(COUNT("link", "snapshot = 1 AND node IN ('leaf1', 'spine') AND "
		     "peer_node IN ('leaf1', 'spine')"), 1, "between two");
	is_int(COUNT("port", "snapshot = 1"), 19, "ports");
	is_int(COUNT("port", "snapshot = 3"), 18, "ports, one gone");
	is_int(COUNT("port", "snapshot = 3 AND peer_guid = 260"), 0,
	       "none of them leads there");
	is_int(COUNT("sm", "snapshot = 1 AND state_name = 'MASTER' AND "
		     "sm_guid_hex = '0xfedcba9876543210' AND node = "
		     "'h1 mlx5_0'"), 1, "managers");
	is_int(COUNT("failure", "snapshot = 1 AND node = 'leaf1' AND "
		     "status_name = 'MAD status'"), 1, "failures");
	is_int(COUNT("counter", "snapshot = 1 AND node = 'leaf1' AND port = 1 "
		     "AND symbol_error > 1 AND link_downed IS NULL"), 1,
	       "counters");
	is_int(COUNT("sqlite_master", "type = 'view' AND sql LIKE "
		     "'%e.symbol_error, -- errors: bit errors%'"), 1,
	       "with their documentation");
	store_close(st);
}

/* ---- damage ---- */

/* A snapshot whose fabric is gone. */
static void lost_fabric(void)
{
	static const char *const names[] = { "latest", "1", "2", "2020-01-01" };
	struct store *st = open_new();
	size_t i;

	add_snapshot(st, 1000, 0);
	exec_sql(st, "PRAGMA foreign_keys = OFF; DELETE FROM fabric");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		finds_not(st, NULL, names[i], "damaged");
	store_close(st);
}

static void damage(const char *sql, const char *name)
{
	struct store *st = open_new();
	struct err err = { "" };
	struct snapshot s;
	int64_t n = 0;

	build_fabric(&s);
	add_extras(&s);
	save_ok(st, &s, "to be damaged");
	snapshot_free(&s);
	exec_sql(st, sql);
	ok(!store_verify(st, problem, NULL, &n, &err) && n, "%s is noticed",
	   name);
	store_close(st);
}

int main(void)
{
	columns();
	one_snapshot();
	parents();
	quiet_fabric();
	many_snapshots();
	many_counters();
	far_keys();
	stale_prev();
	finding();
	fabrics();
	prefix_set_later();
	views();
	lost_fabric();
	damage("DELETE FROM node_rev WHERE node = 2", "a lost node");
	damage("DELETE FROM port_rev WHERE port = 3", "a lost port");
	damage("UPDATE port_rev SET peer = 999 WHERE peer", "a wild link");
	damage("UPDATE port_rev SET peer = -1 WHERE peer", "a negative link");
	damage("UPDATE port_key SET id = -1 WHERE id = 2", "a negative key");
	damage("UPDATE node_rev SET nports = 999", "a wild number of ports");
	damage("DELETE FROM sm_row", "a lost manager");
	damage("DELETE FROM counter_row", "lost counters");
	damage("DELETE FROM detail_row; DELETE FROM counter_row; "
	       "UPDATE snapshot SET pma_answered = 1", "lost counters of all");
	damage("DELETE FROM error_rev", "lost error counters");
	damage("INSERT INTO fabric VALUES (2, 'other', 0); INSERT INTO snapshot "
	       "SELECT 78, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', NULL, NULL, 0, 0, "
	       "0, 0, 0, 0, 0, 0, 0; UPDATE error_rev SET snapshot = 78",
	       "error counters in another fabric's snapshot");
	damage("UPDATE counter_row SET at = 9223372036854775807",
	       "an impossible time");
	damage("INSERT INTO snapshot SELECT 77, 77, 0, 0, 0, 0, 0, 0, 0, 0, "
	       "0, '', NULL, '', 0, 0, 0, 0, 0, 0, 0, 0, 0", "a lost fabric");
	return done_testing();
}
