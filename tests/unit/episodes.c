/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/store.h"

#include "db.h"

/* What `run` keeps of its findings: how episodes begin, go on and end. */

#define MINUTE 60000
#define MISSING(...) ((const uint64_t[]){ __VA_ARGS__, 0 })
#define OPEN "SELECT count(*) FROM finding_row WHERE closed IS NULL"
#define CLEARED "SELECT count(*) FROM finding_row WHERE ended = 'cleared'"
#define MISSED "SELECT max(missed) FROM finding_row"

static const char *const rules[] = { "link-speed", "sm-no-master", "node",
				     "counter-x" };

/* Record a check of the newest snapshot by the first n_ran rules. */
static void record(struct store *st, const struct store_finding *f, size_t n,
		   size_t n_ran)
{
	struct store_check check = { 0, f, n, rules, n_ran };
	struct err err = { "" };

	check.snapshot = number(st, "SELECT max(id) FROM snapshot");
	ok(!store_save_findings(st, &check, &err), "recorded %s", err.text);
}

/* The whole fabric, so many minutes on. */
static void sweep(struct store *st, int minute)
{
	struct snapshot s;

	build_fabric(&s);
	s.started_ms += minute * (int64_t)MINUTE;
	save_ok(st, &s, "a sweep");
	snapshot_free(&s);
}

static void sweep_without(struct store *st, int minute,
			  const uint64_t *missing, enum front front)
{
	struct snapshot s;

	build_without(&s, missing, front);
	s.started_ms += (minute - 10) * (int64_t)MINUTE;
	save_ok(st, &s, "a sweep of a part");
	snapshot_free(&s);
}

static const struct store_finding slow = { "link-speed", "error", "slow",
					   LEAF1, 0, 3, SPINE, 0, 1 };

/* Five minutes apart it takes an hour, an hour apart three sweeps. */
static void clears(int apart, int last)
{
	struct store *st = open_new();
	int minute;

	sweep(st, 0);
	record(st, &slow, 1, 4);
	for (minute = apart; minute < last; minute += apart) {
		sweep(st, minute);
		record(st, NULL, 0, 4);
	}
	is_int(number(st, OPEN), 1, "open until minute %d", last);
	sweep(st, last);
	record(st, NULL, 0, 4);
	is_int(number(st, OPEN), 0, "and no longer");
	is_int(number(st, "SELECT last_snapshot = 1 AND closed = "
		      "(SELECT max(id) FROM snapshot) AND ended = 'cleared' "
		      "AND closed_ms > last_ms FROM finding_row"), 1,
	       "by this snapshot");
	sweep(st, last + apart);
	record(st, &slow, 1, 4);
	is_int(number(st, "SELECT count(*) FROM finding_row"), 2,
	       "what comes back is another episode");
	store_close(st);
}

/* A link that flaps is one episode. */
static void goes_on(void)
{
	struct store_finding again = slow;
	struct store *st = open_new();
	int minute;

	for (minute = 0; minute <= 300; minute += 50) {
		sweep(st, minute);
		record(st, &slow, 1, 4);
		sweep(st, minute + 25);
		record(st, NULL, 0, 4);
	}
	is_int(number(st, "SELECT count(*) FROM finding_row"), 1,
	       "one episode");
	is_int(number(st, MISSED), 1, "missed once since");
	again.message = "slower";
	again.severity = "warning";
	sweep(st, 350);
	record(st, &again, 1, 4);
	is_int(number(st, "SELECT count(*) FROM finding_row WHERE "
		      "first_snapshot = 1 AND last_ms - first_ms = 21000000 "
		      "AND missed = 0 AND message = 'slower' AND severity = "
		      "'warning' AND closed IS NULL"), 1,
	       "with what was said last");
	store_close(st);
}

/* What the check could not see was not missed. */
static void not_seen(void)
{
	struct store_finding f = { "node", "error", "n", LEAF2, 0, 1, H3, 0,
				   1 };
	struct store *st = open_new();
	struct snapshot s;

	sweep(st, 0);
	record(st, &f, 1, 4);
	sweep_without(st, 10, MISSING(LEAF2, H3, H4), FRONT_SILENT);
	record(st, NULL, 0, 4);
	is_int(number(st, MISSED), 0, "an unread place is not clean");
	sweep(st, 20);
	record(st, NULL, 0, 2);
	is_int(number(st, MISSED), 0, "a rule that did not run says nothing");
	sweep(st, 30);
	record(st, NULL, 0, 4);
	is_int(number(st, MISSED), 1, "read, run, not found: missed");

	f.rule = "counter-x";
	f.node_guid = SPINE, f.port = 1;
	f.peer_guid = LEAF1, f.peer_port = UPLINK;
	sweep(st, 40);
	record(st, &f, 1, 4);
	sweep(st, 50);
	record(st, NULL, 0, 4);
	is_int(number(st, "SELECT missed FROM finding_row WHERE rule = "
		      "'counter-x'"), 0, "counters that were not read");
	build_fabric(&s);
	port_at(&s, SPINE, 1)->counters = xcalloc(1, sizeof(struct counters));
	counters_init(port_at(&s, SPINE, 1)->counters);
	save_ok(st, &s, "with counters");
	snapshot_free(&s);
	record(st, NULL, 0, 4);
	is_int(number(st, "SELECT missed FROM finding_row WHERE rule = "
		      "'counter-x'"), 1, "those that were");
	store_close(st);
}

/* A host's adapter is another one: what was found of the first is over. */
static void superseded(void)
{
	struct store_finding f[] = {
		{ "node", "error", "n", H3, 0, 1, LEAF2, 0, 1 },
		{ "link-speed", "error", "n", LEAF2, 0, 1, H3, 0, 1 },
		{ "node", "error", "n", H4, 0, VAL_NONE, 0, 0, VAL_NONE },
		{ "node", "error", "n", LEAF2, 0, 1, 0, 0, VAL_NONE },
	};
	struct store *st = open_new();
	struct snapshot s;

	sweep(st, 0);
	record(st, f, 4, 4);
	sweep_without(st, 5, MISSING(H3), FRONT_DOWN);
	record(st, f + 3, 1, 4);
	is_int(number(st, OPEN), 4, "gone is not replaced");
	build_without(&s, MISSING(H3), FRONT_DOWN);
	add_node(&s, 0x999, NODE_CA, 1, "h3 mlx5_0");
	cable(&s, 0x999, 1, LEAF2, 1);
	save_ok(st, &s, "with another adapter");
	snapshot_free(&s);
	record(st, f + 3, 1, 4);
	is_int(number(st, "SELECT count(*) FROM finding_row WHERE ended = "
		      "'superseded' AND closed = 3"), 2,
	       "its own and that of its link are superseded");
	is_int(number(st, OPEN), 2, "others stand");
	store_close(st);
}

static void since(struct store *st, int64_t id, const struct store_finding *f,
		  int64_t snapshot, int minute)
{
	struct err err = { "" };
	struct store_since got;

	ok(!store_find_since(st, id, f, &got, &err), "looked up %s", err.text);
	is_int(got.snapshot, snapshot, "%s at %lld: since", f->rule,
	       (long long)id);
	is_int(got.ms ? got.ms - 1700000000000 : 0, minute * (int64_t)MINUTE,
	       "and the time");
}

static void finds_since(void)
{
	static const struct store_finding none = {
		"sm-no-master", "warning", "none", 0, 0, VAL_NONE, 0, 0,
		VAL_NONE
	};
	struct store_finding other = slow;
	struct store *st = open_new();
	int i;

	sweep(st, 0);
	record(st, NULL, 0, 4);
	for (i = 1; i <= 3; i++) { /* 2, 3, 4 */
		const struct store_finding f[] = { slow, none };

		sweep(st, i * 5);
		record(st, f, 2, 4);
	}
	for (i = 0; i < 4; i++) { /* 5 to 8; ends at 7 */
		sweep(st, 60 + i * 30);
		record(st, NULL, 0, 4);
	}
	sweep(st, 200);
	record(st, &slow, 1, 4); /* 9 */
	since(st, 1, &slow, 0, 0);
	since(st, 2, &slow, 2, 5);
	since(st, 4, &slow, 2, 5);
	since(st, 4, &none, 2, 5);
	since(st, 6, &slow, 2, 5);
	since(st, 7, &slow, 0, 0);
	since(st, 9, &slow, 9, 200);
	since(st, 9, &none, 0, 0);
	other.port = 2;
	since(st, 4, &other, 0, 0);
	store_close(st);
}

static void no_snapshot(void)
{
	struct store_check check = { 9, NULL, 0, rules, 4 };
	struct store *st = open_new();
	struct err err = { "" };

	ok(store_save_findings(st, &check, &err) < 0 &&
		   strstr(err.text, "no snapshot 9"), "no such snapshot");
	store_close(st);
}

int main(void)
{
	clears(5, 60);
	clears(60, 180);
	clears(25, 75);
	goes_on();
	not_seen();
	superseded();
	finds_since();
	no_snapshot();
	return done_testing();
}
