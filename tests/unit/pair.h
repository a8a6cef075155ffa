/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_PAIR_H
#define IBAUDIT_TESTS_PAIR_H

#include <infiniband/umad.h>

/* What <infiniband/umad.h> has from rdma-core 56 on, where it is older. */
#ifndef HAVE_UMAD_PAIR
#define HAVE_UMAD_PAIR 1

struct umad_ca_pair {
	char smi_name[UMAD_CA_NAME_LEN];
	uint32_t smi_preferred_port;
	char gsi_name[UMAD_CA_NAME_LEN];
	uint32_t gsi_preferred_port;
};

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum,
				     struct umad_ca_pair *ca,
				     unsigned enforce_smi);
#endif

#endif
