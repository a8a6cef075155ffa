/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/internal.h"

/*
 * Notes
 *
 * What differs between two snapshots stands in the rows of the changes between
 * them, so that comparing two of a quiet fabric reads next to nothing.
 */

#define WHAT "loading two snapshots"

#define CHANGED "snapshot > ?1 AND snapshot <= ?2"
#define OF_FABRIC \
	"k.fabric = (SELECT fabric FROM snapshot WHERE id = ?2)"

/* From what changed outwards, so joined in this order.  Ports with a change of
 * their own, of nodes with one, or with a manager; who
 * they were linked to then and now; and the port that has their LID. */
static const char *const pick_sql[] = {
	"DELETE FROM temp.picked",

	"INSERT OR IGNORE INTO temp.picked SELECT r.port FROM port_rev r "
	"CROSS JOIN port_key p ON p.id = r.port CROSS JOIN node_key k ON k.id = p.node "
	"WHERE r." CHANGED " AND " OF_FABRIC,

	"INSERT OR IGNORE INTO temp.picked SELECT p.id FROM node_rev r "
	"CROSS JOIN node_key k ON k.id = r.node CROSS JOIN port_key p ON p.node = k.id "
	"WHERE r." CHANGED " AND " OF_FABRIC,

	"INSERT OR IGNORE INTO temp.picked SELECT port FROM sm_row "
	"WHERE snapshot IN (?1, ?2)",

	"INSERT OR IGNORE INTO temp.picked SELECT r.peer FROM temp.picked t "
	"CROSS JOIN port_rev r ON r.port = t.port WHERE r.peer IS NOT NULL AND "
	"r.snapshot IN ((SELECT max(snapshot) FROM port_rev "
	"WHERE port = t.port AND snapshot <= ?1), (SELECT max(snapshot) "
	"FROM port_rev WHERE port = t.port AND snapshot <= ?2))",

	"INSERT OR IGNORE INTO temp.picked SELECT z.id FROM temp.picked t "
	"CROSS JOIN port_key p ON p.id = t.port "
	"CROSS JOIN port_key z ON z.node = p.node AND z.num = 0",
};

static int run_pick(struct store *st, const char *sql, int64_t from,
		    int64_t to, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(st, sql, WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, from);
	sqlite3_bind_int64(stmt, 2, to);
	rc = store_run(st, stmt, WHAT, err);
	sqlite3_finalize(stmt);
	return rc;
}

static int pick(struct store *st, int64_t from, int64_t to, struct err *err)
{
	size_t i;

	if (store_exec(st, "CREATE TEMP TABLE IF NOT EXISTS picked "
		       "(port INTEGER PRIMARY KEY)", WHAT, err) < 0)
		return -1;
	for (i = 0; i < sizeof(pick_sql) / sizeof(pick_sql[0]); i++)
		if (run_pick(st, pick_sql[i], from, to, err) < 0)
			return -1;
	return 0;
}

int store_load_pair(struct store *st, int64_t a, int64_t b,
		    struct snapshot *sa, struct snapshot *sb, struct err *err)
{
	int is_ours = sqlite3_get_autocommit(st->db), rc = -1;

	snapshot_init(sa);
	snapshot_init(sb);
	if (is_ours && store_exec(st, "BEGIN", WHAT, err) < 0)
		return -1;
	if (!pick(st, a < b ? a : b, a < b ? b : a, err) &&
	    !store_load_part(st, a, STORE_NO_COUNTERS, 1, sa, err)) {
		rc = store_load_part(st, b, STORE_NO_COUNTERS, 1, sb, err);
		if (rc < 0)
			snapshot_free(sa);
	}
	if (is_ours)
		store_rollback(st);
	return rc;
}
