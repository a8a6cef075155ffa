/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/file.h"
#include "util/text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* U+FEFF */

int lines_read(const char *path, size_t mib, struct strbuf *text,
	       struct err *err)
{
	struct strbuf name = STRBUF_INIT;
	struct err why;
	int rc = file_read(path, FILE_ANY, mib, text, &why);

	if (rc < 0) {
		text_safe(&name, path, strlen(path));
		err_set(err, "%s: %s; name another file", name.s, why.text);
		strbuf_free(&name);
	}
	return rc;
}

void lines_init(struct lines *l, const char *name, const char *text, size_t n)
{
	size_t mark = strlen(BYTE_ORDER_MARK);

	memset(l, 0, sizeof(*l));
	text_safe(&l->name, name, strlen(name));
	l->text = text;
	l->end = text + n;
	if (n >= mark && !memcmp(text, BYTE_ORDER_MARK, mark))
		l->text += mark;
	lines_rewind(l);
}

void lines_free(struct lines *l)
{
	strbuf_free(&l->name);
	strbuf_free(&l->line);
}

void lines_rewind(struct lines *l)
{
	l->at = l->text;
	l->number = 0;
	l->is_cut = 0;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

char *lines_next(struct lines *l)
{
	size_t left = (size_t)(l->end - l->at), n;
	const char *lf;

	if (!left)
		return NULL;
	lf = memchr(l->at, '\n', left);
	n = lf ? (size_t)(lf - l->at) : left;
	strbuf_reset(&l->line);
	strbuf_addn(&l->line, l->at, n);
	while (l->line.len && is_blank(l->line.s[l->line.len - 1]))
		l->line.s[--l->line.len] = '\0';
	l->at += n + !!lf;
	l->is_cut = !lf;
	l->number++;
	return l->line.s;
}

int lines_has_nul(const struct lines *l)
{
	return memchr(l->line.s, '\0', l->line.len) != NULL;
}

int lines_refuse(const struct lines *l, struct err *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!l->number)
		return err_set(err, "%s: %s", l->name.s, text);
	return err_set(err, "%s:%zu: %s", l->name.s, l->number, text);
}
