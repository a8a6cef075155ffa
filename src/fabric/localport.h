/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_LOCALPORT_H
#define IBAUDIT_FABRIC_LOCALPORT_H

#include <stdint.h>

#include "util/err.h"

#define CA_NAME_LEN 20 /* UMAD_CA_NAME_LEN */

/* The port of this host that the sweep goes out by. */
struct local_port {
	char ca[CA_NAME_LEN];
	int port;
	/* The device of GMPs, where the one above is for SMPs only; "": the
	 * same. */
	char gmp_ca[CA_NAME_LEN];
	int gmp_port;
	uint64_t subnet_prefix;
};

/*
 * Choose it: the one that ca and port name, else the first whose link layer
 * is InfiniBand and whose state is at least INIT.  ca NULL and port 0 leave
 * the choice open.  Where SMPs and GMPs have a device each, either of the two
 * may be named.  Returns 0, or -1 with err set, which tells an absent device
 * from one that is Ethernet, from one that is down, and from one whose other
 * half is missing.
 */
int local_port_find(const char *ca, int port, struct local_port *out,
		    struct err *err);

#endif
