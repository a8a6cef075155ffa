/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_STRBUF_H
#define IBAUDIT_UTIL_STRBUF_H

#include <stddef.h>

/*
 * A string that grows.  Start with STRBUF_INIT; s is NUL-terminated and never
 * NULL once something was added; strbuf_free() releases it.
 */
struct strbuf {
	char *s;
	size_t len;
	size_t cap;
};

#define STRBUF_INIT { NULL, 0, 0 }

void strbuf_addn(struct strbuf *b, const char *s, size_t n);
void strbuf_add(struct strbuf *b, const char *s);
void strbuf_addf(struct strbuf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Cut to length zero, keep the memory. */
void strbuf_reset(struct strbuf *b);

/* The string, for the caller to free(); b is empty afterwards.  Not NULL. */
char *strbuf_take(struct strbuf *b);

void strbuf_free(struct strbuf *b);

#endif
