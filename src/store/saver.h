/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_SAVER_H
#define IBAUDIT_STORE_SAVER_H

#include "store/internal.h"

/* What the files that save a snapshot share (save.c tells how). */

#define SAVER_WHAT "storing the snapshot"

/* Its statements, prepared once (saver.c). */
enum {
	ST_FABRIC_ADD,
	ST_SNAPSHOT_ADD,
	ST_NODE_FIND,
	ST_NODE_ADD,
	ST_PORT_FIND,
	ST_PORT_ADD,
	ST_NODE_REV,
	ST_PORT_REV,
	ST_NODE_GONE,
	ST_PORT_GONE,
	ST_SM,
	ST_FAILURE,
	ST_DUPLICATE,
	ST_COUNTER,
	ST_COUNTERS, /* SAVER_AT_ONCE rows of them */
	ST_DETAIL,
	ST_COUNT
};

#define SAVER_AT_ONCE 24
#define SAVER_COUNTER_PARAMETERS (4 + COUNTER_MAIN - COUNTER_ERRORS) /* a row */

struct saver {
	struct store *st;
	struct snapshot *s;
	const struct snapshot *prev; /* may be NULL */
	struct err *err;
	int64_t fabric;
	uint8_t *fresh; /* by index: the node got its key just now */
	sqlite3_stmt *stmt[ST_COUNT];
	struct strbuf text;
};

/* Prepare all statements.  Every function here gives 0, or -1 with sv->err
 * set. */
int saver_prepare(struct saver *sv);
void saver_finalize(struct saver *sv);

/* Run a statement that is bound and gives no row. */
int saver_run(struct saver *sv, int which);

/* Give each node, and each port that will have a row, its key. */
int saver_keys(struct saver *sv);

/* Give one port its key; its node has one. */
int saver_port_key(struct saver *sv, uint32_t node, uint8_t num);

/* True while nothing at all is known of the port. */
int saver_is_blank(const struct port *p);

/* What differs from prev, and tombstones for what went (topology.c). */
int saver_topology(struct saver *sv);

#endif
