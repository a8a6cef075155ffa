/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixture.h"
#include "tap.h"
#include "util/strbuf.h"

/* The views that look further back than the baseline: event, flap (its rule has
 * more), settled; epoch and bounce of counter, the host of a node. */

static char dir[] = "/tmp/ibaudit-windows.XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (f)
		fputs(text, f);
	if (!f || fclose(f))
		printf("# cannot write %s\n", path);
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
}

static int store_story(struct store *st, const char *story, int64_t *id,
		       int64_t *baseline)
{
	struct strbuf text = STRBUF_INIT;
	struct fixture fx;
	struct err err = { "" };
	char path[256];
	int rc;

	strbuf_addf(&text, "case bad story\n%s", story);
	write_file("story.fabric", text.s);
	strbuf_free(&text);
	snprintf(path, sizeof(path), "%s/story.fabric", dir);
	rc = fixture_load(&fx, path, &err);
	if (!rc)
		rc = fixture_store(&fx, &fx.cases[0], st, id, baseline, &err);
	if (rc)
		printf("# %s\n", err.text);
	fixture_free(&fx);
	remove_file("story.fabric");
	return rc;
}

static void load_rule(struct ruleset *rs, const char *select)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { "" };

	strbuf_addf(&text, "-- id: told\n-- title: t\n-- severity: info\n"
		    "-- why: w\n-- remedy: r\n-- false-positives: none\n"
		    "SELECT NULL AS node_guid, NULL AS instance, "
		    "NULL AS port, %s;\n", select);
	write_file("told.sql", text.s);
	memset(rs, 0, sizeof(*rs));
	if (ruleset_load(rs, dir, &err) < 0)
		printf("# %s\n", err.text);
	strbuf_free(&text);
	remove_file("told.sql");
}

/* What a statement gives at the end of a story: its messages, a line each. */
static void tells(const char *story, const char *select, const char *want,
		  const char *name)
{
	struct err err = { "" };
	struct store *st = store_open(NULL, STORE_MEMORY, &err);
	struct strbuf got = STRBUF_INIT;
	struct findings f;
	struct ruleset rs;
	int64_t id = 0, baseline = 0;
	size_t i;

	store_story(st, story, &id, &baseline);
	load_rule(&rs, select);
	strbuf_add(&got, "");
	if (check_run(st, &rs, id, baseline, NULL, &f, &err) < 0)
		printf("# %s\n", err.text);
	if (rs.n && rs.rules[0].broken)
		printf("# %s\n", rs.rules[0].broken);
	for (i = 0; i < f.n; i++)
		strbuf_addf(&got, "%s%s", i ? "\n" : "", f.list[i].message);
	is_str(got.s, want, "%s", name);
	strbuf_free(&got);
	findings_free(&f);
	ruleset_free(&rs);
	store_close(st);
}

#define PAIR                                                                  \
	"switch leaf1 4\nca node1 1\nlink leaf1:1 node1:1\n"                  \
	"sm node1:1 MASTER 5\n"
#define EVENTS                                                                \
	"printf('%s:%d %s %s by %s to %d, %d s ago%s%s', node, port, peer, "  \
	"counter, delta, value, age_s, CASE WHEN reset THEN ' reset' "        \
	"ELSE '' END, CASE WHEN epoch THEN ' epoch' ELSE '' END) AS message " \
	"FROM event"

static void events(void)
{
	tells(PAIR "counters leaf1:1 symbol_error=1\nthen 10\n"
	      "counters leaf1:1 symbol_error=3\nthen 10\nthen 30\n"
	      "counters leaf1:1 symbol_error=4 rcv_errors=2\n",
	      EVENTS,
	      "leaf1:1 node1 rcv_errors by 2 to 2, 0 s ago\n"
	      "leaf1:1 node1 symbol_error by 1 to 4, 0 s ago\n"
	      "leaf1:1 node1 symbol_error by 2 to 3, 2400 s ago",
	      "each step of a day, of each counter");
	tells(PAIR "counters leaf1:1 symbol_error=1\nthen 10\n"
	      "counters leaf1:1 symbol_error=3\nthen 1430\n"
	      "counters leaf1:1 symbol_error=4\nthen 10\n",
	      EVENTS, "leaf1:1 node1 symbol_error by 1 to 4, 600 s ago",
	      "a day ago is not in it");
	tells(PAIR "counters leaf1:1 symbol_error=9\nthen 10\n"
	      "counters leaf1:1 symbol_error=3\n",
	      EVENTS, "leaf1:1 node1 symbol_error by 3 to 3, 0 s ago reset",
	      "one that was cleared counts from there");
	tells(PAIR "counters leaf1:1 wide symbol_error=1 xmit_data=100\n"
	      "then 10\n"
	      "counters leaf1:1 wide symbol_error=3 xmit_data=10\n",
	      EVENTS " WHERE counter = 'symbol_error'",
	      "leaf1:1 node1 symbol_error by 3 to 3, 0 s ago reset epoch",
	      "a device that began anew");
	tells(PAIR "counters leaf1:1 wide symbol_error=1\nthen 10\n"
	      "counters leaf1:1 symbol_error=3\n",
	      EVENTS, "", "another width is another counter");
	tells(PAIR "counters leaf1:1 symbol_error=1\n", EVENTS, "",
	      "a first reading is none");
	tells(PAIR "counters leaf1:1 symbol_error=1\nthen 10\n"
	      "counters leaf1:1 none\nthen 10\n"
	      "counters leaf1:1 symbol_error=5\n",
	      EVENTS, "leaf1:1 node1 symbol_error by 4 to 5, 0 s ago",
	      "over a sweep that did not read it");
}

#define BOUNCES                                                               \
	"printf('%s:%d epoch %d bounced %d', node, port, epoch, bounced) "    \
	"AS message FROM counter WHERE counter = 'symbol_error'"

static void epochs(void)
{
	tells(PAIR "counters leaf1:1 wide symbol_error=1 xmit_data=100\n"
	      "then 10\n"
	      "counters leaf1:1 wide symbol_error=3 xmit_data=10\n",
	      BOUNCES, "leaf1:1 epoch 1 bounced 1", "its own device");
	tells(PAIR "counters leaf1:1 wide symbol_error=1 xmit_data=100\n"
	      "counters node1:1 wide xmit_data=100\nthen 10\n"
	      "counters leaf1:1 wide symbol_error=3 xmit_data=200\n"
	      "counters node1:1 wide xmit_data=5\n",
	      BOUNCES, "leaf1:1 epoch 0 bounced 1",
	      "that at the other end, whose error counters stand still");
	tells(PAIR "counters leaf1:1 wide symbol_error=1 xmit_data=100\n"
	      "counters node1:1 wide xmit_data=100\nthen 10\n"
	      "counters leaf1:1 wide symbol_error=3 xmit_data=200\n"
	      "counters node1:1 wide xmit_data=101\n",
	      BOUNCES, "leaf1:1 epoch 0 bounced 0", "neither");
}

#define SETTLED                                                               \
	"printf('%d %d %d/%d', settled, master_changed, links_waiting, "      \
	"links) AS message FROM settled"

static void settles(void)
{
	tells(PAIR, SETTLED, "1 0 0/1", "one snapshot with a master");
	tells("switch leaf1 4\nca node1 1\nlink leaf1:1 node1:1\n", SETTLED,
	      "0 1 0/1", "no master");
	tells(PAIR "sm leaf1:0 STANDBY 4\nthen 1\n"
	      "sm node1:1 STANDBY 5\nsm leaf1:0 MASTER 4\n",
	      SETTLED, "0 1 0/1", "another master a minute ago");
	tells(PAIR "sm leaf1:0 STANDBY 4\nthen 1\n"
	      "sm node1:1 STANDBY 5\nsm leaf1:0 MASTER 4\nthen 3\n",
	      SETTLED, "0 1 0/1", "four minutes ago");
	tells(PAIR "sm leaf1:0 STANDBY 4\nthen 1\n"
	      "sm node1:1 STANDBY 5\nsm leaf1:0 MASTER 4\nthen 6\n",
	      SETTLED, "1 0 0/1", "six minutes ago");
	tells("switch leaf1 4\nca node1 1\nlink leaf1:1 node1:1 state=INIT\n"
	      "sm node1:1 MASTER 5\n", SETTLED, "0 0 1/1",
	      "links that wait for their manager");
}

static void hosts(void)
{
	tells("ca node1 1 guid=0x99\nswitch leaf1 4\n",
	      "printf('%s %s', node, ifnull(host, '-')) AS message FROM node",
	      "leaf1 -\nnode1 0x0000000000000099", "a lone adapter");
	tells("ca node1 1\n",
	      "ib_host('dgx-04 mlx5_0', 1, 2) || ' ' || "
	      "ib_host('ConnectX6 Mellanox Technologies', 18, 2) || ' ' || "
	      "ib_host('one', 0, 2) AS message FROM node",
	      "dgx-04 0x0000000000000012 0x0000000000000002",
	      "what names a host");
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	events();
	epochs();
	settles();
	hosts();
	rmdir(dir);
	return done_testing();
}
