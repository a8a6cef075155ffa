/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_PLAN_FILE_H
#define IBAUDIT_MODEL_PLAN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/*
 * Cabling plans: CSV (RFC 4180) with a cable a row,
 *
 *     node,port,node,port[,speed[,width]]
 *
 * A node is a GUID (0x and hex digits, or 16 of them) or a name, a port an IB
 * port number, a speed one of model/speed.h ("NDR"), a width one too ("4X");
 * both may be empty.  A heading whose first field is "node", blank rows, lines
 * that begin with #, and blanks around fields are skipped.
 */
struct plan_end {
	uint64_t guid; /* 0: by name */
	char *name;    /* as written, safe to print; owned, NULL: by GUID */
	uint8_t port;  /* 1 to 254 */
};

struct plan_link {
	struct plan_end end[2];
	int16_t speed, width; /* ranks; VAL_NONE: any */
	size_t line;          /* of the file, for messages */
};

/* All zero it is empty; plan_free() releases it. */
struct plan {
	struct plan_link *links;
	size_t n, cap;
};

#define PLAN_FILE_MIB 64

/*
 * Read the plan at path (a FIFO will do) into p, which is set anew and whose
 * owner the caller is.  No port is in it twice, as far as the same words name
 * it: names are not resolved.  Returns 0, or -1 with err set to "PATH:LINE: ",
 * what is wrong and what to do, and p empty.
 */
int plan_read(const char *path, struct plan *p, struct err *err);

/* The same of the n octets of text; name stands for the path. */
int plan_parse(const char *name, const char *text, size_t n, struct plan *p,
	       struct err *err);

void plan_free(struct plan *p);

#endif
