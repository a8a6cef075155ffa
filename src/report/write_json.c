/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/writer.h"

/*
 * Notes
 *
 * One member of the document, or one row of a list, a line: fit for diff(1),
 * and a list of any length is written as it comes.
 */

/* 12 digits hold every rate exactly, and no binary rounding shows. */
#define FLAGS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))

static void begin(struct report *r, const json_t *head)
{
	const char *key;
	json_t *value;

	fputs("{\n \"format\": 1", r->opt.out);
	json_object_foreach((json_t *)head, key, value) {
		fprintf(r->opt.out, ",\n \"%s\": ", key);
		json_dumpf(value, r->opt.out, FLAGS);
	}
}

static void list_begin(struct report *r, const struct list *list)
{
	fprintf(r->opt.out, ",\n \"%s\": [", list->key);
}

static void row(struct report *r, const json_t *value)
{
	fputs(r->n_rows ? ",\n  " : "\n  ", r->opt.out);
	json_dumpf(value, r->opt.out, FLAGS);
}

static void list_end(struct report *r)
{
	fputs(r->n_rows ? "\n ]" : "]", r->opt.out);
}

static void end(struct report *r)
{
	fputs("\n}\n", r->opt.out);
}

const struct writer write_json = {
	.name = "json",
	.begin = begin,
	.list_begin = list_begin,
	.row = row,
	.list_end = list_end,
	.end = end,
};
