/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_ERRORS_H
#define IBAUDIT_STORE_ERRORS_H

#include "model/counter.h"
#include "store/internal.h"
#include "util/map.h"

/* Error counters are stored as changes (sql/0004-history.sql).  What the files
 * that read and write them share. */

/* Any of these in src: the reading has error counters. */
#define SRC_ERRORS (SRC_PC | SRC_EXT_ERR)

/* The error counters of one reading. */
struct error_row {
	uint8_t src; /* of SRC_ERRORS */
	int64_t value[COUNTER_ERRORS];
};

/* The last known error counters of ports, by their key. */
struct errors;

struct errors *errors_create(void);
void errors_destroy(struct errors *e); /* NULL is fine */

/* NULL when none are known; lives until the next errors_set(). */
const struct error_row *errors_get(const struct errors *e, int64_t port);
void errors_set(struct errors *e, int64_t port, const struct error_row *row);

/*
 * The last known ones as of the fabric's newest snapshot, which is that one.
 * The store's own, until a snapshot is saved or the store closed; kept, since
 * a sweep loads them before it asks the fabric and needs them to store what it
 * got.  NULL with err set.
 */
struct errors *store_errors(struct store *st, int64_t fabric, int64_t snapshot,
			    struct err *err);

/* ", src, full, reset, COLUMN..." with a prefix as "e.". */
void errors_add_columns(struct strbuf *sql, const char *prefix);

/* The row in columns i (src) and from i + 3 on. */
void errors_read(sqlite3_stmt *stmt, int i, struct error_row *row);

/* The width in bits of error counter i in a row from src. */
int error_width(int i, unsigned src);

/* Does the list of what was cleared, which begins and ends with a blank, name
 * error counter i, or all? */
int error_was_cleared(const char *resets, int i);

/*
 * Compare v->value with v->prev, which may be COUNTER_UNREAD, of a counter of
 * v->width bits that was cleared in between, or not: sets delta, reset,
 * saturated and saturated_before.  True when it is worth telling.
 */
int judge_move(struct store_move *v, int cleared);

/* ---- writing them (errors_save.c) ---- */

struct error_saver {
	struct store *st;
	struct errors *errors; /* grows along */
	struct err *err;
	int64_t fabric, snapshot;
	sqlite3_stmt *insert, *data;
	struct map written; /* ports that have a row of the snapshot */
};

/* Both 0, or -1 with es->err set; close in any case. */
int error_saver_open(struct error_saver *es);
void error_saver_close(struct error_saver *es);

/*
 * Store the error counters of a port's reading if they differ from what is
 * known: 1 when there is a row, 0, or -1.
 */
int errors_save(struct error_saver *es, int64_t port,
		const struct counters *c);

/* The same of a port whose error counters stand still, when it began anew
 * nevertheless: its neighbour's counters tell of an event. */
int errors_save_epoch(struct error_saver *es, int64_t port,
		      const struct counters *c);

/* Move the counters of a schema 3 into their two tables (split.c). */
int store_split_counters(struct store *st, struct err *err);

#endif
