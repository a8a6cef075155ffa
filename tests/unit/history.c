/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history.h"

#include "db.h"
#include "random.h"

/* What `ibaudit history` reads, of made-up histories, before and after pruning
 * (tests/history.t has real ones). */

#define MINUTE_MS INT64_C(60000)

static struct history *open_history(struct store *st, const char *since)
{
	struct history_ask ask = { .since = since };
	struct err err = { "" };
	struct history *h = history_open(st, &ask, &err);

	if (!h)
		printf("# %s\n", err.text);
	return h;
}

/* "SNAPSHOT TEXT" a line. */
static void add_events(struct strbuf *b, const struct history_events *e)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		strbuf_addf(b, "%lld %s\n", (long long)e->list[i].at.snapshot,
			    e->list[i].text);
}

/* ---- subnet managers ---- */

struct manager {
	uint64_t node;
	int answered, state, priority, act_count;
};

static void sweep_with(struct store *st, int minute, const struct manager *m,
		       int n)
{
	struct err err = { "" };
	struct snapshot s;
	int i;

	build_fabric(&s);
	s.started_ms += minute * MINUTE_MS;
	for (i = 0; i < n; i++) {
		struct sm *sm = snapshot_add_sm(&s);

		sm->node = snapshot_find(&s, m[i].node, 0);
		sm->port = 1;
		sm->answered = (uint8_t)m[i].answered;
		sm->guid = m[i].node;
		sm->state = m[i].answered ? m[i].state : VAL_NONE;
		sm->priority = m[i].answered ? m[i].priority : VAL_NONE;
		sm->act_count = m[i].answered ? m[i].act_count : VAL_NONE64;
	}
	if (save(st, &s, &err) < 0)
		printf("# %s\n", err.text);
	snapshot_free(&s);
}

static void add_reigns(struct strbuf *b, const struct history_sms *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		strbuf_addf(b, "%s %lld to %lld%s\n", s->reigns[i].end.node,
			    (long long)s->reigns[i].from.snapshot,
			    (long long)s->reigns[i].last.snapshot,
			    s->reigns[i].open ? " stands" : "");
}

static void managers_are(struct store *st, const char *since,
			 const char *want, const char *name)
{
	struct strbuf b = STRBUF_INIT;
	struct err err = { "" };
	struct history *h = open_history(st, since);
	struct history_sms s;

	strbuf_add(&b, "");
	if (h && !history_sms(h, &s, &err)) {
		add_reigns(&b, &s);
		add_events(&b, &s.events);
		history_sms_free(&s);
	}
	is_str(b.s, want, "%s %s", name, err.text);
	history_close(h);
	strbuf_free(&b);
}

static void managers(void)
{
	static const struct manager pair[] = {
		{ H1, 1, SM_MASTER, 5, 10 }, { H3, 1, SM_STANDBY, 3, 20 },
	}, alone[] = {
		{ H3, 1, SM_STANDBY, 3, 21 },
	}, taken[] = {
		{ H3, 1, SM_MASTER, 3, 30 },
	}, silent[] = {
		{ H3, 0, 0, 0, 0 },
	}, split[] = {
		{ H1, 1, SM_MASTER, 5, 2 }, { H3, 1, SM_MASTER, 4, 25 },
	};
	struct store *st = open_new();

	sweep_with(st, 0, pair, 2);
	sweep_with(st, 5, alone, 1);
	sweep_with(st, 10, alone, 1);
	sweep_with(st, 15, taken, 1);
	sweep_with(st, 20, silent, 1);
	sweep_with(st, 25, taken, 1);
	sweep_with(st, 30, split, 2);
	managers_are(st, NULL,
		     "h1 mlx5_0 1 to 1\n"
		     "h3 mlx5_0 4 to 7 stands\n"
		     "h1 mlx5_0 7 to 7 stands\n"
		     "1 subnet manager on h1 mlx5_0 port 1: MASTER, priority "
		     "5\n"
		     "1 subnet manager on h3 mlx5_0 port 1: STANDBY, priority "
		     "3\n"
		     "1 master is h1 mlx5_0 port 1\n"
		     "2 subnet manager on h1 mlx5_0 port 1 went\n"
		     "2 no master; it was h1 mlx5_0 port 1\n"
		     "4 subnet manager on h3 mlx5_0 port 1: STANDBY -> "
		     "MASTER\n"
		     "4 master went from h1 mlx5_0 port 1 to h3 mlx5_0 port 1 "
		     "within 15 min, without a master for 5 min at least\n"
		     "5 subnet manager on h3 mlx5_0 port 1: does not answer\n"
		     "6 subnet manager on h3 mlx5_0 port 1: answers again\n"
		     "6 master is h3 mlx5_0 port 1 again within 10 min\n"
		     "7 subnet manager on h1 mlx5_0 port 1: MASTER, priority "
		     "5\n"
		     "7 subnet manager on h3 mlx5_0 port 1: priority 3 -> 4, "
		     "restarted (its ActCount fell)\n"
		     "7 SPLIT BRAIN: from h3 mlx5_0 port 1 to h1 mlx5_0 port "
		     "1, h3 mlx5_0 port 1 within 5 min\n",
		     "masters over time");
	managers_are(st, "6",
		     "h3 mlx5_0 4 to 7 stands\n"
		     "h1 mlx5_0 7 to 7 stands\n"
		     "6 subnet manager on h3 mlx5_0 port 1: answers again\n"
		     "6 master is h3 mlx5_0 port 1 again within 10 min\n"
		     "7 subnet manager on h1 mlx5_0 port 1: MASTER, priority "
		     "5\n"
		     "7 subnet manager on h3 mlx5_0 port 1: priority 3 -> 4, "
		     "restarted (its ActCount fell)\n"
		     "7 SPLIT BRAIN: from h3 mlx5_0 port 1 to h1 mlx5_0 port "
		     "1, h3 mlx5_0 port 1 within 5 min\n",
		     "from a snapshot on");
	store_close(st);
}

/* ---- names ---- */

static void finds(struct history *h, const char *name, int port,
		  const char *why)
{
	struct history_place p;
	struct err err = { "" };
	int rc = port ? history_find_port(h, name, &p, &err) :
			history_find_node(h, name, &p, &err);

	ok(why ? rc < 0 && strstr(err.text, why) : !rc && p.node &&
		   (!port || p.port), "%s: %s", name, err.text);
}

static void names(void)
{
	struct store *st = open_new();
	struct err err = { "" };
	struct snapshot s;
	struct history *h;

	build_fabric(&s);
	node_set_desc(node_at(&s, H2),
		      (const char[NODE_DESC_LEN]){ "h1 mlx5_0" });
	save(st, &s, &err);
	snapshot_free(&s);
	h = open_history(st, NULL);
	finds(h, "leaf1", 0, NULL);
	finds(h, "0x0000000000000021", 0, NULL);
	finds(h, "0x21", 0, NULL);
	finds(h, "0x21#1", 0, "no node 0x21#1");
	finds(h, "h1 mlx5_0", 0, "2 nodes have the name h1 mlx5_0: "
	      "0x0000000000000101, 0x0000000000000102; give the GUID");
	finds(h, "", 0, "no node ");
	finds(h, "leaf1/1", 1, NULL);
	finds(h, "leaf1/0", 1, NULL);
	finds(h, "leaf1/5", 1, "leaf1 has no port 5; its last one is 4");
	finds(h, "leaf1/", 1, "not a port");
	finds(h, "leaf1/x", 1, "not a port");
	finds(h, "/1", 1, "not a port");
	finds(h, "leaf1/99999999999999999999", 1, "not a port");
	history_close(h);
	store_close(st);
}

/* ---- random lives ---- */

/* The last step of each counter of a port tells its value. */
static int tells_values(struct store *st, const struct history_port *p,
			int64_t port)
{
	char sql[160];
	int i, good = 1;

	for (i = 0; i < COUNTER_ERRORS; i++) {
		snprintf(sql, sizeof(sql), "SELECT %s FROM error_rev WHERE "
			 "port = %lld ORDER BY snapshot DESC LIMIT 1",
			 counter_table[i].column, (long long)port);
		if (p->counters[i].moved)
			good &= number(st, sql) == p->counters[i].last;
	}
	return good;
}

static void read_all(struct store *st, const char *name)
{
	long long n = number(st, "SELECT max(id) FROM port_key"), port;
	struct history *h = open_history(st, NULL);
	int failed = 0, wrong = 0, moved = 0;
	struct err err = { "" };

	for (port = 1; port <= n; port++) {
		struct history_place p = { 0, port };
		struct history_readings readings;
		struct history_port out;
		int i;

		if (history_port(h, &p, &out, &err) < 0) {
			failed++;
			continue;
		}
		wrong += !tells_values(st, &out, port);
		for (i = 0; i < COUNTER_ERRORS; i++)
			moved += out.counters[i].moved;
		history_port_free(&out);
		for (i = 0; i < COUNTER_COUNT; i += 5)
			if (history_readings(h, &p, i, &readings, &err) < 0)
				failed++;
			else
				history_readings_free(&readings);
	}
	history_close(h);
	ok(!failed && !wrong && moved > 20, "%s: %d failed, %d wrong, %d "
	   "counters moved %s", name, failed, wrong, moved, err.text);
}

static void random_lives(void)
{
	struct store_keep k = { 0, 3, 2, 2 };
	struct store *st = open_new();
	struct store_pruned p;
	struct err err = { "" };
	struct life l;
	int i;

	memset(&l, 0, sizeof(l));
	for (i = 0; i < 150; i++) {
		struct snapshot s;

		build_life(&l, &s, 5 * MINUTE_MS);
		save(st, &s, &err);
		snapshot_free(&s);
	}
	read_all(st, "a life");
	ok(!store_prune(st, "default", &k, 0, &p, &err), "pruned");
	store_pruned_free(&p);
	read_all(st, "and pruned");
	store_close(st);
}

int main(void)
{
	managers();
	names();
	random_lives();
	return done_testing();
}
