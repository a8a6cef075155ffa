/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/internal.h"

#include <stdio.h>
#include <string.h>

#include "model/snapshot.h"
#include "model/speed.h"
#include "util/clock.h"
#include "util/guid.h"

/*
 * Notes
 *
 * The SQL functions under the views give the program's own tables their
 * words, so that neither views nor rules repeat them.  NULL in, NULL out.
 * They are part of the rule author's interface: ibaudit-rules(7).
 */

static int is_null(sqlite3_value **arg, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (sqlite3_value_type(arg[i]) == SQLITE_NULL)
			return 1;
	return 0;
}

static void result_static(sqlite3_context *ctx, const char *s)
{
	sqlite3_result_text(ctx, s, -1, SQLITE_STATIC);
}

static void fn_guid(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	char text[GUID_STRLEN + 1];

	if (is_null(arg, n))
		return;
	guid_format((uint64_t)sqlite3_value_int64(arg[0]), text);
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

/* One integer into one word of a table. */
static void word(sqlite3_context *ctx, int n, sqlite3_value **arg,
		 const char *(*name)(int))
{
	if (!is_null(arg, n))
		result_static(ctx, name(sqlite3_value_int(arg[0])));
}

static void fn_node_type(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, node_type_name);
}

static void fn_state(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, port_state_name);
}

static void fn_phys(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, phys_state_name);
}

/* A state that the specification does not have is shown raw. */
static void fn_sm_state(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	int state = sqlite3_value_int(arg[0]);
	char text[32];

	if (is_null(arg, n) || (state >= 0 && state <= SM_MASTER)) {
		word(ctx, n, arg, sm_state_name);
		return;
	}
	snprintf(text, sizeof(text), "unknown %d", state);
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

static void fn_fail_status(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, fail_status_name);
}

static void fn_speed(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, speed_name);
}

static void fn_width(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	word(ctx, n, arg, width_name);
}

static void fn_attribute(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	if (!is_null(arg, n))
		result_static(ctx,
			      mad_attribute_name(sqlite3_value_int(arg[0]),
						 sqlite3_value_int(arg[1])));
}

static void fn_gbps(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	double gbps = link_gbps(sqlite3_value_int(arg[0]),
				sqlite3_value_int(arg[1]));

	if (!is_null(arg, n) && gbps > 0)
		sqlite3_result_double(ctx, gbps);
}

/* "400 Gb/s (4X NDR)" */
static void fn_rate(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	int speed = sqlite3_value_int(arg[0]);
	int width = sqlite3_value_int(arg[1]);
	double gbps = link_gbps(speed, width);
	char text[64];

	if (is_null(arg, n) || gbps <= 0)
		return;
	snprintf(text, sizeof(text), "%g Gb/s (%s %s)", gbps,
		 width_name(width), speed_name(speed));
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

/* The highest rank of a mask; NULL for an empty one. */
static void fn_top(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	unsigned mask = (unsigned)sqlite3_value_int(arg[0]);

	if (!is_null(arg, n) && mask)
		sqlite3_result_int(ctx, 31 - __builtin_clz(mask));
}

/* The lower of two ranks; one that is NULL or 0 is not known. */
static void fn_lower(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	int a = sqlite3_value_int(arg[0]), b = sqlite3_value_int(arg[1]);

	(void)n;
	if (a > 0 && (b <= 0 || a <= b))
		sqlite3_result_int(ctx, a);
	else if (b > 0)
		sqlite3_result_int(ctx, b);
}

/* ib_host(name, system image GUID, NodeGUID): the first of two words of the
 * name, else the system image GUID, else the NodeGUID. */
static void fn_host(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	const char *name = (const char *)sqlite3_value_text(arg[0]);
	const char *blank = name ? strchr(name, ' ') : NULL;
	int has_image = sqlite3_value_int64(arg[1]) != 0;

	(void)n;
	if (blank && blank != name && blank[1] && !strchr(blank + 1, ' '))
		sqlite3_result_text(ctx, name, (int)(blank - name),
				    SQLITE_TRANSIENT);
	else
		fn_guid(ctx, 1, &arg[has_image ? 1 : 2]);
}

static void fn_duration(sqlite3_context *ctx, int n, sqlite3_value **arg)
{
	char text[CLOCK_SPAN_LEN + 1];

	if (!is_null(arg, n))
		sqlite3_result_text(ctx,
				    clock_span(sqlite3_value_double(arg[0]),
					       text), -1, SQLITE_TRANSIENT);
}

static const struct function_row {
	const char *name;
	int args;
	void (*call)(sqlite3_context *, int, sqlite3_value **);
} functions[] = {
	{ "ib_guid", 1, fn_guid },
	{ "ib_node_type", 1, fn_node_type },
	{ "ib_state", 1, fn_state },
	{ "ib_phys", 1, fn_phys },
	{ "ib_sm_state", 1, fn_sm_state },
	{ "ib_fail_status", 1, fn_fail_status },
	{ "ib_speed", 1, fn_speed },
	{ "ib_width", 1, fn_width },
	{ "ib_attribute", 2, fn_attribute },
	{ "ib_gbps", 2, fn_gbps },
	{ "ib_rate", 2, fn_rate },
	{ "ib_top", 1, fn_top },
	{ "ib_lower", 2, fn_lower },
	{ "ib_duration", 1, fn_duration },
	{ "ib_host", 3, fn_host },
};

#define N_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))
#define FUNCTION_FLAGS (SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)

int functions_add(struct check *c, struct err *err)
{
	size_t i;

	for (i = 0; i < N_FUNCTIONS; i++)
		if (sqlite3_create_function(c->db, functions[i].name,
					    functions[i].args, FUNCTION_FLAGS,
					    NULL, functions[i].call, NULL,
					    NULL) != SQLITE_OK)
			return store_err(c->st, err, "preparing the rules");
	return 0;
}

void functions_remove(sqlite3 *db)
{
	size_t i;

	for (i = 0; i < N_FUNCTIONS; i++)
		sqlite3_create_function(db, functions[i].name,
					functions[i].args, FUNCTION_FLAGS, NULL,
					NULL, NULL, NULL);
}
