/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_ERR_H
#define IBAUDIT_UTIL_ERR_H

/*
 * The text of one failure: what happened and what to do, one line, no newline
 * at the end.  A function that can fail takes one as its last argument and
 * fills it only when it fails.
 */
struct err {
	char text[512];
};

/* Set the text.  Always returns -1, so that callers write return err_set(). */
int err_set(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* As err_set(), with ": " and strerror(errno) behind it.  Returns -1. */
int err_errno(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
