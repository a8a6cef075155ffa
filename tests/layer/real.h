/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_LAYER_REAL_H
#define IBAUDIT_TESTS_LAYER_REAL_H

#include "layer.h"

/* What stands behind the layer: libibumad, and libumad2sim's open(). */
extern struct real {
	int (*umad_get_cas_names)(char cas[][UMAD_CA_NAME_LEN], int max);
	int (*umad_get_ca)(const char *name, umad_ca_t *ca);
	int (*umad_get_port)(const char *name, int port, umad_port_t *p);
	int (*umad_get_ca_portguids)(const char *name, __be64 *guids, int max);
	struct umad_device_node *(*umad_get_ca_device_list)(void);
	int (*umad_get_issm_path)(const char *name, int port, char path[],
				  int max);
	int (*umad_open_port)(const char *name, int port);
	int (*umad_close_port)(int fd);
	int (*umad_register)(int fd, int mgmt_class, int version, uint8_t rmpp,
			     long mask[16 / sizeof(long)]);
	int (*umad_register2)(int fd, struct umad_reg_attr *attr,
			      uint32_t *agent);
	int (*umad_send)(int fd, int agent, void *umad, int length,
			 int timeout_ms, int retries);
	int (*umad_recv)(int fd, void *umad, int *length, int timeout_ms);
	int (*open)(const char *path, int flags, ...);
	int (*open64)(const char *path, int flags, ...);
	int (*openat)(int dir, const char *path, int flags, ...);
} real;

/* Find them and read the scenario, once. */
void real_load(void);

#endif
