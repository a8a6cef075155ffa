/* SPDX-License-Identifier: BSD-2-Clause */
/* A power cut at any moment: what was reported is there, and nothing half. */
#include <inttypes.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "db.h"
#include "dump.h"
#include "powervfs.h"

/*
 * Notes
 *
 * A scenario is a story of steps, each of which ended and was reported as done
 * (told()).  It is recorded, and cut at many moments.  After each cut the
 * database must hold what it did after the last step that was reported, or,
 * whole, what it did after the one that was under way: by a hash over all rows
 * of all tables, by store_verify(), and the newest of them by what they load
 * as.  After some cuts the next sweep is stored, too.
 *
 * IBAUDIT_SEED repeats a run; it is printed.
 */

#define FABRIC "default"

enum { SAVES = 12, CUTS = 200, TELL = 5 };

static char dir[PATH_MAX], work[PATH_MAX + 16], left[PATH_MAX + 16];
static uint64_t seed;

struct step {
	size_t at;	  /* so much was recorded when it was reported */
	uint64_t hash;	  /* of what the database held */
	size_t snapshots; /* so many */
	int verified;
};

/* What was done, and what the database held. */
struct story {
	struct store *st;
	struct step *steps;
	size_t n_steps, cap_steps;
	struct snapshot *snapshots; /* all that there ever were */
	size_t n, cap;
};

struct scenario {
	const char *name;
	int (*prepare)(const char *path); /* what was there before; or NULL */
	int (*play)(struct story *y);	  /* with y->st open */
};

/* SQLite allocates much, and ASan's care for each of it takes half the time:
 * what is freed is kept for less long, and less is known of who had it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:malloc_context_size=1:"
	       "max_malloc_fill_size=0";
}

/* ---- what the database holds ---- */

static uint64_t hash_more(uint64_t h, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n--)
		h = (h ^ *p++) * 0x100000001b3u; /* FNV-1a, 64 bits */
	return h;
}

static uint64_t hash_row(uint64_t h, sqlite3_stmt *stmt)
{
	int i, n, type;

	for (i = 0; i < sqlite3_column_count(stmt); i++) {
		const void *v = sqlite3_column_blob(stmt, i);

		type = sqlite3_column_type(stmt, i);
		n = sqlite3_column_bytes(stmt, i);
		h = hash_more(h, &type, sizeof(type));
		h = hash_more(h, &n, sizeof(n));
		h = hash_more(h, v, (size_t)n);
	}
	return h;
}

static uint64_t hash_rows(struct store *st, uint64_t h, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store_db(st), sql, -1, &stmt, NULL);

	while (!rc && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		h = hash_row(h, stmt);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? h : 0;
}

/* Over the schema and all rows of all tables, in the order of their keys. */
static uint64_t hash_all(struct store *st)
{
	uint64_t h = hash_rows(st, 0xcbf29ce484222325u, "SELECT type, name, "
			       "sql FROM sqlite_master ORDER BY name");
	sqlite3_stmt *stmt = NULL;
	char sql[128];

	if (sqlite3_prepare_v2(store_db(st), "SELECT name FROM sqlite_master "
			       "WHERE type = 'table' ORDER BY name", -1, &stmt,
			       NULL))
		return 0;
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\"",
			 (const char *)sqlite3_column_text(stmt, 0));
		h = hash_rows(st, h, sql);
	}
	sqlite3_finalize(stmt);
	return h;
}

/* ---- a story ---- */

/* A step has ended, and whoever waited for it was told so. */
static void told(struct story *y)
{
	struct step *s;

	y->steps = xgrow(y->steps, y->n_steps, &y->cap_steps,
			 sizeof(*y->steps));
	s = &y->steps[y->n_steps++];
	s->at = power_steps();
	s->hash = hash_all(y->st);
	s->verified = 0;
	s->snapshots = (size_t)number(y->st, "SELECT count(*) FROM snapshot");
}

static struct snapshot *add_snapshot(struct story *y)
{
	y->snapshots = xgrow(y->snapshots, y->n, &y->cap,
			     sizeof(*y->snapshots));
	return &y->snapshots[y->n++];
}

static void free_story(struct story *y)
{
	size_t i;

	for (i = 0; i < y->n; i++)
		snapshot_free(&y->snapshots[i]);
	free(y->snapshots);
	free(y->steps);
	memset(y, 0, sizeof(*y));
}

static void add_counters(struct snapshot *s, int i)
{
	size_t k;
	int p;

	s->with_counters = 1;
	for (k = 0; k < s->n_nodes; k++)
		for (p = 1; p <= s->nodes[k]->nports; p++) {
			struct port *port = &s->nodes[k]->ports[p];

			if (!port->present || port->phys != PHYS_LINKUP)
				continue;
			port->counters = xcalloc(1, sizeof(struct counters));
			counters_init(port->counters);
			port->counters->at_ms = s->started_ms + p;
			port->counters->src = SRC_PC | SRC_EXT;
			counters_set(port->counters, p, i * 1000003 + p);
			counters_set(port->counters, i % COUNTER_COUNT, i);
		}
}

static void add_sm(struct snapshot *s, int i)
{
	struct sm *sm = snapshot_add_sm(s);

	sm->node = snapshot_find(s, H1, 0);
	sm->port = 1;
	sm->answered = 1;
	sm->guid = H1;
	sm->priority = 5;
	sm->state = SM_MASTER;
	sm->act_count = i;
}

/* The i-th sweep: hosts come and go, a LID and all counters change. */
static void build_sweep(struct snapshot *s, int i)
{
	static const uint64_t hosts[] = { H2, H3, H4 };
	uint64_t missing[] = { hosts[i % 3], 0 };

	if (i % 4)
		build_fabric(s);
	else
		build_without(s, missing, (enum front)(i / 4 % 3));
	s->started_ms = 1700000000000 + i * 900000;
	s->finished_ms = s->started_ms + 700;
	port_at(s, H1, 1)->lid = i / 2;
	add_sm(s, i);
	if (i % 3)
		add_counters(s, i);
	if (i % 5 == 4)
		snapshot_add_failure(s)->attribute = 0x15;
}

static int sweep(struct story *y)
{
	struct snapshot *s = add_snapshot(y);
	struct err err = { "" };

	build_sweep(s, (int)y->n);
	if (save_as(y->st, FABRIC, s, &err) < 0) {
		printf("# %s\n", err.text);
		return -1;
	}
	told(y);
	return 0;
}

static int sweeps(struct story *y, int n)
{
	int rc = 0;

	while (!rc && n--)
		rc = sweep(y);
	return rc;
}

/* ---- the scenarios ---- */

static int play_sweeps(struct story *y)
{
	return sweeps(y, SAVES);
}

/* The log cannot be begun anew while somebody reads what stands in it. */
static int play_beside_reader(struct story *y)
{
	sqlite3 *db;
	int rc;

	if (sweep(y) < 0 || sqlite3_open(work, &db))
		return -1;
	sqlite3_exec(db, "BEGIN; SELECT count(*) FROM snapshot", NULL, NULL,
		     NULL);
	rc = sweeps(y, SAVES / 2);
	sqlite3_close(db);
	return rc ? rc : sweeps(y, SAVES / 2);
}

/* Every third of them is found in the i-th check. */
static int find(struct story *y, int i)
{
	static const char *const rules[] = { "node", "link" };
	struct store_finding f[6];
	struct store_check check = { i, f, 0, rules, 2 };
	struct err err = { "" };
	int k;

	for (k = 0; k < 18; k++)
		if (k % 3 == i % 3)
			f[check.n_found++] = (struct store_finding){
				rules[k % 2], "error", "found", LEAF1, 0, k,
				0, 0, 0 };
	if (store_save_findings(y->st, &check, &err) < 0) {
		printf("# %s\n", err.text);
		return -1;
	}
	told(y);
	return 0;
}

static int play_findings(struct story *y)
{
	int i, rc = 0;

	for (i = 1; !rc && i <= SAVES / 2; i++)
		rc = sweep(y) < 0 ? -1 : find(y, i);
	return rc;
}

/* What was there before the recording. */
static int load_all(struct story *y)
{
	struct err err = { "" };

	while (y->n < y->steps[0].snapshots) {
		struct snapshot *s = add_snapshot(y);

		if (store_load(y->st, (int64_t)y->n, STORE_ALL_COUNTERS, s,
			       &err) < 0) {
			printf("# snapshot %zu: %s\n", y->n, err.text);
			return -1;
		}
	}
	return 0;
}

static int make_schema1(const char *path)
{
	return dump_restore(1, path);
}

/* Opening it was the migration. */
static int play_migration(struct story *y)
{
	return load_all(y) < 0 ? -1 : sweeps(y, 2);
}

/* Of these the last 48 always stay. */
enum { HISTORY = 48 + 9 };

static int make_history(const char *path)
{
	struct err err = { "" };
	struct store *st = store_open(path, STORE_CREATE, &err);
	int i, rc = st ? 0 : -1;

	for (i = 1; !rc && i <= HISTORY; i++) {
		struct snapshot s;

		build_sweep(&s, i);
		rc = save_as(st, FABRIC, &s, &err);
		snapshot_free(&s);
	}
	if (rc)
		printf("# %s\n", err.text);
	store_close(st);
	return rc;
}

/* Each commit is a step of its own. */
static int on_commit(void *arg, sqlite3 *db, const char *name, int pages)
{
	(void)db;
	(void)name;
	(void)pages;
	told(arg);
	return SQLITE_OK;
}

static int play_prune(struct story *y)
{
	static const struct store_keep none;
	struct store_pruned pruned;
	struct err err = { "" };
	size_t steps = y->n_steps;

	if (load_all(y) < 0)
		return -1;
	sqlite3_wal_hook(store_db(y->st), on_commit, y);
	if (store_prune(y->st, FABRIC, &none, 0, &pruned, &err) < 0) {
		printf("# %s\n", err.text);
		return -1;
	}
	steps = y->n_steps - steps;
	printf("# %zu steps dropped %zu snapshots\n", steps,
	       pruned.n - pruned.kept);
	store_pruned_free(&pruned);
	return steps < HISTORY - 48 ? -1 : 0;
}

enum { SWEEPS, BESIDE, FINDINGS, MIGRATION, PRUNE };
static const struct scenario scenarios[] = {
	[SWEEPS] = { "sweeps, from no file on", NULL, play_sweeps },
	[BESIDE] = { "sweeps beside a reader", NULL, play_beside_reader },
	[FINDINGS] = { "sweeps and findings", NULL, play_findings },
	[MIGRATION] = { "migration from schema 1", make_schema1,
			play_migration },
	[PRUNE] = { "pruning", make_history, play_prune },
};

/* ---- recording ---- */

static void remove_files(const char *path)
{
	static const char *const suffix[] = { "", "-wal", "-shm", "-journal" };
	char name[PATH_MAX + 32];
	size_t i;

	for (i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", path, suffix[i]);
		unlink(name);
	}
}

/* pragma: what the connection gets beside what store_open() gave it. */
static int record(const struct scenario *sc, const char *pragma,
		  struct story *y)
{
	struct err err = { "" };
	int rc = -1;

	remove_files(work);
	memset(y, 0, sizeof(*y));
	sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, (int)(seed | 1), NULL);
	if (sc->prepare && sc->prepare(work) < 0)
		return -1;
	power_record(work);
	y->st = store_open(work, STORE_CREATE, &err);
	if (y->st) {
		exec_sql(y->st, pragma);
		told(y);
		rc = sc->play(y);
	} else {
		printf("# %s\n", err.text);
	}
	store_close(y->st);
	power_stop();
	return rc;
}

/* ---- after a cut ---- */

static int has_snapshot(struct store *st, const struct story *y, int64_t id,
			struct strbuf *why)
{
	struct err err = { "" };
	struct snapshot got;
	size_t i;

	for (i = 0; i < y->n && y->snapshots[i].id != id; i++)
		;
	if (i == y->n) {
		strbuf_addf(why, "snapshot %lld is new", (long long)id);
		return 0;
	}
	if (store_load(st, id, STORE_ALL_COUNTERS, &got, &err) < 0) {
		strbuf_add(why, err.text);
		return 0;
	}
	same_snapshot(&y->snapshots[i], &got, why);
	snapshot_free(&got);
	return !why->len;
}

static void check_snapshots(struct store *st, const struct story *y,
			    const struct step *before,
			    const struct step *after, struct strbuf *why)
{
	struct store_snapshot *rows;
	struct err err = { "" };
	int same = 1;
	size_t i, n;

	if (store_list(st, NULL, &rows, &n, &err) < 0) {
		strbuf_add(why, err.text);
		return;
	}
	if (n != before->snapshots && n != after->snapshots)
		strbuf_addf(why, "%zu snapshots of %zu", n, before->snapshots);
	for (i = 0; i < n; i++) {
		/* The hash of all rows has the older ones. */
		if (i + 2 > n)
			same = same && !why->len &&
			       has_snapshot(st, y, rows[i].id, why);
		store_snapshot_free(&rows[i]);
	}
	free(rows);
}

static void note_problem(void *arg, const char *line)
{
	struct strbuf *why = arg;

	if (!why->len)
		strbuf_add(why, line);
}

static void check_next_sweep(struct store *st, int i, struct strbuf *why)
{
	struct err err = { "" };
	struct snapshot s, got;

	build_sweep(&s, i);
	if (save_as(st, FABRIC, &s, &err) < 0) {
		strbuf_addf(why, "next sweep: %s", err.text);
	} else if (store_load(st, s.id, STORE_ALL_COUNTERS, &got, &err) < 0) {
		strbuf_addf(why, "next sweep, loaded: %s", err.text);
	} else {
		same_snapshot(&s, &got, why);
		snapshot_free(&got);
	}
	snapshot_free(&s);
}

/* store_verify() once for the same rows; of the file, SQLite's check always. */
static void verify(struct store *st, struct step *is, struct strbuf *why)
{
	struct err err = { "" };
	int64_t n = 0;

	if (is && is->verified) {
		if (number(st, "SELECT integrity_check = 'ok' FROM "
			   "pragma_integrity_check") != 1)
			strbuf_add(why, "the integrity check fails");
		return;
	}
	if (store_verify(st, note_problem, why, &n, &err) < 0)
		strbuf_add(why, err.text);
	else if (is)
		is->verified = !n;
}

static void check_open(struct store *st, const struct story *y, size_t at,
		       struct strbuf *why)
{
	struct step *before, *after, *is = NULL;
	size_t reported = 0;
	uint64_t hash;

	while (reported < y->n_steps && y->steps[reported].at <= at)
		reported++;
	before = &y->steps[reported ? reported - 1 : 0];
	after = &y->steps[reported < y->n_steps ? reported : reported - 1];
	hash = hash_all(st);
	if (hash == before->hash)
		is = before;
	else if (hash == after->hash)
		is = after;
	verify(st, is, why);
	if (!why->len)
		check_snapshots(st, y, before, after, why);
	if (!why->len && !is)
		strbuf_add(why, "rows are not as they were");
}

/* Cut at that step, and look: 1 when all is well. */
static int survives(const struct story *y, size_t at, uint64_t chance)
{
	struct strbuf why = STRBUF_INIT;
	struct err err = { "" };
	struct store *st;
	int good;

	if (power_cut(at, chance, left) < 0)
		strbuf_add(&why, "the files could not be written");
	st = store_open(left, STORE_CREATE, &err);
	if (st) {
		check_open(st, y, at, &why);
		if (!why.len && chance % 8 == 0)
			check_next_sweep(st, 1, &why);
	} else {
		strbuf_add(&why, err.text);
	}
	store_close(st);
	good = !why.len;
	if (!good)
		printf("# cut after %zu of %zu: %.*s\n", at, power_steps(),
		       (int)strcspn(why.s, "\n"), why.s);
	strbuf_free(&why);
	return good;
}

/* Anywhere, or somewhere between two syncs: there are many writes between
 * some, and few between others that matter as much. */
static size_t pick(uint64_t *dice)
{
	size_t i, n = 0, from = 0, to;
	unsigned wanted;

	if (power_dice(dice, 2))
		return power_dice(dice, (unsigned)power_steps() + 1);
	for (i = 0; i < power_steps(); i++)
		n += (size_t)power_is_sync(i);
	wanted = power_dice(dice, (unsigned)n + 1);
	for (i = 0; i < power_steps() && wanted; i++)
		if (power_is_sync(i)) {
			from = i + 1;
			wanted--;
		}
	for (to = from; to < power_steps() && !power_is_sync(to); to++)
		;
	return from + power_dice(dice, (unsigned)(to - from) + 1);
}

/* How many cuts did harm; not more than enough. */
static int cut_many(const struct story *y, int enough)
{
	uint64_t dice = seed * 2685821657736338717u | 1;
	int i, bad = 0;

	for (i = 0; i < CUTS && bad < enough; i++) {
		size_t at = pick(&dice);

		bad += !survives(y, at, dice + (uint64_t)i);
	}
	return bad;
}

static void harmless(const struct scenario *sc)
{
	struct story y;

	if (ok(!record(sc, "", &y), "%s: recorded", sc->name))
		is_int(cut_many(&y, TELL), 0, "%s: %d cuts in %zu steps",
		       sc->name, CUTS, power_steps());
	free_story(&y);
}

/* The same with fewer syncs: what the store asks for is needed, and this test
 * would see it missing. */
static void harmful(const struct scenario *sc, const char *pragma)
{
	struct story y;

	if (ok(!record(sc, pragma, &y), "%s: %s", sc->name, pragma))
		is_int(cut_many(&y, 1), 1, "%s: %s does harm", sc->name,
		       pragma);
	free_story(&y);
}

/* Whatever the SQLite at hand was compiled to do of itself. */
static void asks_for_syncs(void)
{
	struct err err = { "" };
	struct store *st = store_open(work, STORE_CREATE, &err);

	is_int(st ? number(st, "PRAGMA synchronous") : -1, 2,
	       "commits are synced: FULL");
	store_close(st);
}

static void set_seed(void)
{
	const char *given = getenv("IBAUDIT_SEED");

	seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	printf("# seed: IBAUDIT_SEED=%" PRIu64 "\n", seed);
}

/* Memory is fast, and as good: what is lost is made up. */
static int make_directory(const char *above)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/ibaudit-power.XXXXXX", above);
	return mkdtemp(name) && realpath(name, dir) ? 0 : -1;
}

int main(void)
{
	char rm[PATH_MAX + 16];
	size_t i;

	set_seed();
	if (make_directory("/dev/shm") < 0 && make_directory("/tmp") < 0)
		return 1;
	snprintf(work, sizeof(work), "%s/work.db", dir);
	snprintf(left, sizeof(left), "%s/left.db", dir);
	asks_for_syncs();
	for (i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		harmless(&scenarios[i]);
	harmful(&scenarios[SWEEPS], "PRAGMA synchronous = OFF");
	harmful(&scenarios[BESIDE], "PRAGMA synchronous = NORMAL");
	harmful(&scenarios[FINDINGS], "PRAGMA synchronous = NORMAL");
	snprintf(rm, sizeof(rm), "rm -rf '%s'", dir);
	if (system(rm))
		return 1;
	return done_testing();
}
