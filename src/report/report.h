/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_REPORT_H
#define IBAUDIT_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "util/err.h"

/*
 * A document on its way to a file.  Whoever has something to report walks it
 * once: begin with the small members, say what a human wants to read on top,
 * then lists, row by row.  A writer for the chosen format renders the walk;
 * each writer takes what its format has a place for: JSON leaves the
 * sentences out, text shows of a row what the columns name.
 */
struct report;

/* How a human sees the rows of a list. */
enum list_kind {
	LIST_TABLE,    /* a line a row, cut into columns */
	LIST_FINDINGS, /* rows of report/findings.h, a block each */
	LIST_BROKEN,   /* rules that did not run */
	LIST_CHANGES   /* rows of report/changes.h, in groups */
};

struct column {
	const char *heading;
	const char *path; /* members of the row: "a.node"; "a.node#": with the
			     number beside it ("a.instance") that a duplicate
			     of a NodeGUID has */
	int right;        /* align to the right */
};

struct list {
	const char *key; /* the member of the document that holds the rows */
	enum list_kind kind;
	const struct column *columns; /* of a table; ends with a NULL heading */
	const char *empty; /* what to read when there is no row, or NULL */
	int instances; /* rows may have the number that "#" stands for */
};

struct report_options {
	FILE *out;
	int quiet; /* no sentences and fields */
	int color;
	int terminal; /* fold tables to its width */
};

/* True when there is a writer for a format of that name. */
int report_has_format(const char *format);

/* Returns NULL when there is no such format.  out stays the caller's. */
struct report *report_create(const char *format,
			     const struct report_options *options);
void report_destroy(struct report *r);

/* Open the document; head is an object and becomes the report's. */
void report_begin(struct report *r, json_t *head);

/* True when the format is for humans and they want to read of trouble alone;
 * report_speak() is for when there is trouble to tell of. */
int report_is_quiet(const struct report *r);
void report_speak(struct report *r);

/* True when the format is for humans, and one sits at a terminal. */
int report_is_terminal(const struct report *r);

/* A sentence for humans, a labelled value for humans, lines as they are. */
void report_say(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_field(struct report *r, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void report_verbatim(struct report *r, const char *text);

/* list must outlive the report_list_end() that closes it. */
void report_list_begin(struct report *r, const struct list *list);
/* row becomes the report's.  Returns -1 when the file takes no more, so that
 * a long walk can stop. */
int report_row(struct report *r, json_t *row);
void report_list_end(struct report *r);

/* Close the document.  -1: not all of it could be written. */
int report_end(struct report *r, struct err *err);

#endif
