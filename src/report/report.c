/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/writer.h"
#include "util/alloc.h"

/*
 * Notes
 *
 * This is the seam between those who walk (findings.c, rows.c, ...) and those
 * who render (write_*.c).  Nothing is held back here: a document of 61,440
 * ports passes through one row at a time.
 */

static const struct writer *find_writer(const char *format)
{
	size_t i;

	for (i = 0; writer_table[i]; i++)
		if (!strcmp(writer_table[i]->name, format))
			return writer_table[i];
	return NULL;
}

int report_has_format(const char *format)
{
	return !!find_writer(format);
}

struct report *report_create(const char *format,
			     const struct report_options *options)
{
	const struct writer *writer = find_writer(format);
	struct report *r;

	if (!writer)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->writer = writer;
	r->opt = *options;
	return r;
}

void report_destroy(struct report *r)
{
	if (!r)
		return;
	if (r->writer->destroy)
		r->writer->destroy(r);
	free(r);
}

void report_begin(struct report *r, json_t *head)
{
	r->writer->begin(r, head);
	json_decref(head);
}

static char *format_text(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		return xstrdup("");
	return s;
}

int report_is_terminal(const struct report *r)
{
	return r->writer->say && r->opt.terminal;
}

int report_is_quiet(const struct report *r)
{
	return r->opt.quiet && r->writer->say;
}

void report_speak(struct report *r)
{
	r->opt.quiet = 0;
}

void report_say(struct report *r, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!r->writer->say || r->opt.quiet)
		return;
	va_start(ap, fmt);
	s = format_text(fmt, ap);
	va_end(ap);
	r->writer->say(r, s);
	free(s);
}

void report_field(struct report *r, const char *label, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!r->writer->field || r->opt.quiet)
		return;
	va_start(ap, fmt);
	s = format_text(fmt, ap);
	va_end(ap);
	r->writer->field(r, label, s);
	free(s);
}

void report_verbatim(struct report *r, const char *text)
{
	if (r->writer->verbatim)
		r->writer->verbatim(r, text);
}

void report_list_begin(struct report *r, const struct list *list)
{
	r->list = list;
	r->n_rows = 0;
	r->writer->list_begin(r, list);
}

int report_row(struct report *r, json_t *row)
{
	r->writer->row(r, row);
	r->n_rows++;
	json_decref(row);
	if (!ferror(r->opt.out))
		return 0;
	if (!r->failure)
		r->failure = errno;
	return -1;
}

void report_list_end(struct report *r)
{
	r->writer->list_end(r);
	r->list = NULL;
}

int report_end(struct report *r, struct err *err)
{
	if (r->writer->end)
		r->writer->end(r);
	errno = 0;
	if (fflush(r->opt.out) == EOF && !r->failure)
		r->failure = errno;
	errno = r->failure;
	if (errno == EPIPE) /* the reader has seen enough */
		return err_set(err, "%s", "");
	if (errno)
		return err_errno(err, "cannot write the report");
	if (ferror(r->opt.out))
		return err_set(err, "cannot write the whole report: the pipe "
			       "was closed, or the disk is full");
	return 0;
}
