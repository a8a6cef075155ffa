/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/wrap.h"
#include "util/alloc.h"
#include "util/text.h"

/*
 * Notes
 *
 * cells holds n_held rows of n_columns strings; after the first write it
 * stays empty and width[] no longer changes.  A line is put together in line,
 * up to the last cell, which may be folded.
 */

#define HELD_MAX 500 /* rows whose cells settle the widths */
#define GAP "  "
#define FOLD_FROM 60 /* columns to the left of a cell that still is folded */

struct table {
	FILE *out;
	const struct column *columns;
	int instances; /* room for add_instance() in each row */
	size_t n_columns;
	size_t *width;
	char **cells;
	size_t n_held;
	int written; /* the heading is out */
	int fold;
	struct strbuf line;
};

struct table *table_create(FILE *out, const struct list *list, int fold)
{
	struct table *t = xcalloc(1, sizeof(*t));
	const struct column *columns = list->columns;
	size_t i;

	t->out = out;
	t->columns = columns;
	t->instances = list->instances;
	t->fold = fold;
	while (columns[t->n_columns].heading)
		t->n_columns++;
	t->width = xcalloc(t->n_columns, sizeof(size_t));
	for (i = 0; i < t->n_columns; i++)
		t->width[i] = text_width(columns[i].heading);
	t->cells = xcalloc(t->n_columns * HELD_MAX, sizeof(char *));
	return t;
}

static void add_cell(struct table *t, size_t i, const char *s)
{
	size_t w = text_width(s);
	size_t room = t->width[i] > w ? t->width[i] - w : 0;

	if (t->columns[i].right)
		strbuf_addf(&t->line, "%*s", (int)room, "");
	strbuf_add(&t->line, s);
	if (i + 1 == t->n_columns)
		return;
	if (!t->columns[i].right)
		strbuf_addf(&t->line, "%*s", (int)room, "");
	strbuf_add(&t->line, GAP);
}

/* The last cell of a line, the others standing in t->line. */
static void end_line(struct table *t, const char *s)
{
	size_t i = t->n_columns - 1, left = text_width(t->line.s);
	char *indent = NULL;

	if (!t->fold || t->columns[i].right || left > FOLD_FROM ||
	    asprintf(&indent, "%*s", (int)left, "") < 0) {
		add_cell(t, i, s);
		fprintf(t->out, "%s\n", t->line.s);
		return;
	}
	wrap(t->out, t->line.s, indent, s);
	free(indent);
}

static void write_heading(struct table *t)
{
	size_t i;

	strbuf_reset(&t->line);
	for (i = 0; i < t->n_columns; i++)
		add_cell(t, i, t->columns[i].heading);
	fprintf(t->out, "%s\n", t->line.s);
	t->written = 1;
}

static void write_row(struct table *t, char **cells)
{
	size_t i;

	strbuf_reset(&t->line);
	strbuf_add(&t->line, "");
	for (i = 0; i + 1 < t->n_columns; i++)
		add_cell(t, i, cells[i]);
	end_line(t, cells[i]);
	for (i = 0; i < t->n_columns; i++)
		free(cells[i]);
}

static void write_held(struct table *t)
{
	size_t row;

	if (!t->written && t->n_held)
		write_heading(t);
	for (row = 0; row < t->n_held; row++)
		write_row(t, &t->cells[row * t->n_columns]);
	t->n_held = 0;
}

/* " #1" behind what names one of several nodes that share a GUID. */
static void add_instance(struct strbuf *b, const json_t *row, const char *path)
{
	const char *dot = strrchr(path, '.');
	char beside[64];
	json_int_t i;

	if (!strchr(path, '#'))
		return;
	snprintf(beside, sizeof(beside), "%.*sinstance",
		 dot ? (int)(dot + 1 - path) : 0, path);
	i = json_integer_value(table_member(row, beside));
	if (i)
		strbuf_addf(b, " #%" JSON_INTEGER_FORMAT, i);
}

/* Room for " #1" in a column that may have it: it may come in rows that are
 * not held back, too. */
static size_t spare(const struct table *t, size_t i)
{
	return t->instances && strchr(t->columns[i].path, '#') ? 3 : 0;
}

void table_row(struct table *t, const json_t *row)
{
	size_t i;

	for (i = 0; i < t->n_columns; i++) {
		struct strbuf b = STRBUF_INIT;
		size_t w;

		table_cell(&b, table_member(row, t->columns[i].path));
		w = text_width(b.s) + spare(t, i);
		add_instance(&b, row, t->columns[i].path);
		if (text_width(b.s) > w)
			w = text_width(b.s);
		if (!t->written && w > t->width[i])
			t->width[i] = w;
		t->cells[t->n_held * t->n_columns + i] = strbuf_take(&b);
	}
	t->n_held++;
	if (t->written || t->n_held == HELD_MAX)
		write_held(t);
}

void table_destroy(struct table *t)
{
	if (!t)
		return;
	write_held(t);
	free(t->cells);
	free(t->width);
	strbuf_free(&t->line);
	free(t);
}

const json_t *table_member(const json_t *row, const char *path)
{
	char key[64];

	while (row && *path) {
		size_t n = strcspn(path, ".#");

		if (n >= sizeof(key))
			return NULL;
		memcpy(key, path, n);
		key[n] = '\0';
		row = json_object_get(row, key);
		path += n + !!path[n];
	}
	return row;
}

static void add_array(struct strbuf *b, const json_t *array)
{
	size_t i;

	if (!json_array_size(array))
		strbuf_add(b, "-");
	for (i = 0; i < json_array_size(array); i++) {
		if (i)
			strbuf_add(b, ",");
		table_cell(b, json_array_get(array, i));
	}
}

static int is_nothing(const json_t *v)
{
	return json_is_null(v) ||
	       (json_is_integer(v) && !json_integer_value(v));
}

static void add_object(struct strbuf *b, const json_t *object)
{
	const char *key;
	json_t *v;
	int n = 0;

	json_object_foreach((json_t *)object, key, v) {
		if (is_nothing(v))
			continue;
		strbuf_addf(b, "%s%s=", n++ ? " " : "", key);
		table_cell(b, v);
	}
	if (!n)
		strbuf_add(b, "-");
}

void table_cell(struct strbuf *b, const json_t *v)
{
	if (json_is_string(v))
		strbuf_add(b, json_string_value(v));
	else if (json_is_integer(v))
		strbuf_addf(b, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_real(v))
		strbuf_addf(b, "%.6g", json_real_value(v));
	else if (json_is_boolean(v))
		strbuf_add(b, json_is_true(v) ? "yes" : "no");
	else if (json_is_array(v))
		add_array(b, v);
	else if (json_is_object(v))
		add_object(b, v);
	else
		strbuf_add(b, "-");
}
