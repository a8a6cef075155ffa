/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * Notes
 *
 * The local adapter, as `host` in the scenario wants it, and the guard of
 * /dev/infiniband/issm*: who opens that tells the fabric that an SM is here.
 */

#define ETHERNET_CA "ethernet0" /* sorts before ibsim's ibsim0 */

struct real real;

static void load(void *to, const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	memcpy(to, &p, sizeof(p));
}

void real_load(void)
{
	static bool done;
	const char *path = getenv("IBLAYER_SCENARIO");

	if (done)
		return;
	done = true;
#define LOAD(name) load(&real.name, #name)
	LOAD(umad_get_cas_names);
	LOAD(umad_get_ca);
	LOAD(umad_get_port);
	LOAD(umad_get_ca_portguids);
	LOAD(umad_get_ca_device_list);
	LOAD(umad_get_issm_path);
	LOAD(umad_open_port);
	LOAD(umad_close_port);
	LOAD(umad_register);
	LOAD(umad_register2);
	LOAD(umad_send);
	LOAD(umad_recv);
	if (path && *path)
		scenario_load(path);
}

static bool is_ethernet(const char *name)
{
	if (host == HOST_ETHERNET)
		return true;
	return host == HOST_ETHERNET_FIRST &&
	       (!name || !strcmp(name, ETHERNET_CA));
}

static void make_ethernet(umad_port_t *p)
{
	memset(p->link_layer, 0, sizeof(p->link_layer));
	strcpy(p->link_layer, "Ethernet");
	p->base_lid = p->sm_lid = 0;
	p->state = 4;
	p->phys_state = 5;
	p->rate = 100;
}

static void change_port(umad_port_t *p)
{
	if (host == HOST_ETHERNET)
		make_ethernet(p);
	if (host == HOST_DOWN) {
		p->state = 1;	   /* Down */
		p->phys_state = 2; /* Polling */
	}
}

static void invent_port(umad_port_t *p)
{
	memset(p, 0, sizeof(*p));
	strcpy(p->ca_name, ETHERNET_CA);
	p->portnum = 1;
	make_ethernet(p);
}

LAYER_EXPORT int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	int first = 0, n;

	real_load();
	if (host == HOST_NONE)
		return 0;
	if (host == HOST_ETHERNET_FIRST && max > 0)
		strcpy(cas[first++], ETHERNET_CA);
	n = real.umad_get_cas_names(cas + first, max - first);
	return n < 0 ? n : n + first;
}

LAYER_EXPORT int umad_get_ca(const char *name, umad_ca_t *ca)
{
	int r;

	real_load();
	if (host == HOST_NONE)
		return -ENODEV;
	if (host == HOST_ETHERNET_FIRST && is_ethernet(name)) {
		memset(ca, 0, sizeof(*ca));
		strcpy(ca->ca_name, ETHERNET_CA);
		ca->node_type = ca->numports = 1;
		ca->ports[1] = layer_alloc(1, sizeof(*ca->ports[1]));
		invent_port(ca->ports[1]);
		return 0;
	}
	r = real.umad_get_ca(name, ca);
	for (int i = 0; !r && i <= ca->numports; i++)
		if (ca->ports[i])
			change_port(ca->ports[i]);
	return r;
}

LAYER_EXPORT int umad_get_port(const char *name, int port, umad_port_t *p)
{
	int r;

	real_load();
	if (host == HOST_NONE)
		return -ENODEV;
	if (host == HOST_ETHERNET_FIRST && is_ethernet(name)) {
		invent_port(p);
		return 0;
	}
	r = real.umad_get_port(name, port, p);
	if (!r)
		change_port(p);
	return r;
}

LAYER_EXPORT int umad_get_ca_portguids(const char *name, __be64 *guids, int max)
{
	real_load();
	return host == HOST_NONE ? -ENODEV :
				   real.umad_get_ca_portguids(name, guids, max);
}

LAYER_EXPORT struct umad_device_node *umad_get_ca_device_list(void)
{
	real_load();
	return host == HOST_NONE ? NULL : real.umad_get_ca_device_list();
}

LAYER_EXPORT int umad_open_port(const char *name, int port)
{
	bool ethernet;
	int fd;

	real_load();
	if (host == HOST_NONE)
		return -ENODEV;
	if (host == HOST_FORBIDDEN) { /* libibumad's way to say so */
		errno = EACCES;
		return -EIO;
	}
	ethernet = is_ethernet(name);
	fd = host == HOST_ETHERNET_FIRST && ethernet ?
		     real.umad_open_port(NULL, 0) :
		     real.umad_open_port(name, port);
	if (fd >= 0)
		handle_get(fd)->ethernet = ethernet;
	return fd;
}

LAYER_EXPORT int umad_close_port(int fd)
{
	real_load();
	handle_close(fd);
	report_write();
	return real.umad_close_port(fd);
}

/* The kernel has no QP0 on an Ethernet port. */
LAYER_EXPORT int umad_register(int fd, int mgmt_class, int version,
			       uint8_t rmpp, long mask[16 / sizeof(long)])
{
	real_load();
	if (handle_get(fd)->ethernet) {
		errno = EINVAL;
		return -EPERM;
	}
	return real.umad_register(fd, mgmt_class, version, rmpp, mask);
}

LAYER_EXPORT int umad_register2(int fd, struct umad_reg_attr *attr,
				uint32_t *agent)
{
	real_load();
	return handle_get(fd)->ethernet ?
		       EINVAL :
		       real.umad_register2(fd, attr, agent);
}

LAYER_EXPORT int umad_get_issm_path(const char *name, int port, char path[],
				    int max)
{
	real_load();
	report_violation("umad_get_issm_path()");
	return real.umad_get_issm_path(name, port, path, max);
}

static bool refused(const char *path)
{
	if (strncmp(path, "/dev/infiniband/issm", 20))
		return false;
	report_violation("open of %s", path);
	errno = EPERM;
	return true;
}

/* The third argument, which is there only when a file may be made. */
#define MODE(flags, mode) do { \
		va_list ap; \
		va_start(ap, flags); \
		mode = (flags) & (O_CREAT | __O_TMPFILE) ? \
			va_arg(ap, mode_t) : 0; \
		va_end(ap); \
	} while (0)

LAYER_EXPORT int open(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	if (!real.open)
		LOAD(open);
	return refused(path) ? -1 : real.open(path, flags, mode);
}

LAYER_EXPORT int open64(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	if (!real.open64)
		LOAD(open64);
	return refused(path) ? -1 : real.open64(path, flags, mode);
}

LAYER_EXPORT int openat(int dir, const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	if (!real.openat)
		LOAD(openat);
	return refused(path) ? -1 : real.openat(dir, path, flags, mode);
}

__attribute__((destructor)) static void at_exit(void)
{
	report_write();
}
