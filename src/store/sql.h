/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_STORE_SQL_H
#define IBAUDIT_STORE_SQL_H

/* An SQL file as it was when the program was built (sql/embed.sh). */
struct sql_file {
	const char *name; /* without directory */
	const char *text;
};

/*
 * The migrations NNNN-*.sql in the order of their numbers, and views.sql.
 * Ends with a NULL name.
 */
extern const struct sql_file store_sql[];

#endif
