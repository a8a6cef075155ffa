/* SPDX-License-Identifier: BSD-2-Clause */
#include "host.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/ibnetdisc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fake.h"

#define SMP 0x81
#define MAX_REPLIES 256 /* more than both windows hold */
#define FD 10           /* of the first handle */

struct host host;

static struct reply {
	struct ib_user_mad umad;
	uint8_t mad[MAD_LEN];
} replies[MAX_HANDLES][MAX_REPLIES];

void set_host(const struct device *a, const struct device *b,
	      const struct umad_ca_pair *pair)
{
	memset(&host, 0, sizeof(host));
	host.devices[0] = *a;
	if (b)
		host.devices[1] = *b;
	if (pair)
		host.pairs[0] = *pair;
	fabric_reset(0);
}

static const struct device *find_device(const char *name)
{
	int i;

	for (i = 0; i < MAX_DEVICES; i++)
		if (host.devices[i].name &&
		    !strcmp(host.devices[i].name, name))
			return &host.devices[i];
	return NULL;
}

static struct handle *handle_of(int fd)
{
	return &host.handles[fd - FD];
}

/* --- libibumad -------------------------------------------------------- */

int umad_init(void)
{
	return 0;
}

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	int n;

	for (n = 0; n < max && n < MAX_DEVICES && host.devices[n].name; n++)
		snprintf(cas[n], UMAD_CA_NAME_LEN, "%s", host.devices[n].name);
	return n;
}

int umad_get_ca(const char *name, umad_ca_t *ca)
{
	const struct device *d = find_device(name);
	int i;

	memset(ca, 0, sizeof(*ca));
	if (!d || d->unread)
		return -EIO;
	for (i = 0; i < MAX_PORTS && d->state[i]; i++) {
		umad_port_t *p = calloc(1, sizeof(*p));

		snprintf(p->ca_name, sizeof(p->ca_name), "%s", name);
		p->portnum = i + 1;
		p->gid_prefix = htobe64(d->prefix);
		p->state = (unsigned)d->state[i];
		strcpy(p->link_layer, "InfiniBand");
		ca->ports[i + 1] = p;
	}
	host.unreleased++;
	return 0;
}

int umad_release_ca(umad_ca_t *ca)
{
	int i;

	for (i = 0; i <= MAX_PORTS; i++)
		free(ca->ports[i]);
	host.unreleased--;
	return 0;
}

/* Only the GSI device's port, or none, finds it. */
int umad_get_smi_gsi_pair_by_ca_name(const char *name, uint8_t port,
				     struct umad_ca_pair *out,
				     unsigned enforce_smi)
{
	const struct umad_ca_pair *p;

	for (p = host.pairs; p->smi_name[0] || p->gsi_name[0]; p++) {
		if (strcmp(p->smi_name, name) && strcmp(p->gsi_name, name))
			continue;
		if (port > 1 || (enforce_smi && !p->smi_name[0]))
			continue;
		*out = *p;
		return 0;
	}
	return 1;
}

int umad_open_port(const char *name, int port)
{
	const struct device *d = find_device(name);
	struct handle *h = &host.handles[host.n_handles];

	if (!d || d->forbidden) {
		errno = d ? EACCES : ENODEV;
		return -EIO;
	}
	if (host.n_handles == MAX_HANDLES)
		return -EINVAL;
	h->device = d;
	h->port = port;
	h->is_open = 1;
	return FD + host.n_handles++;
}

int umad_close_port(int fd)
{
	host.strays += handle_of(fd)->is_open != 1;
	handle_of(fd)->is_open--;
	return 0;
}

/* The number is the class's on that handle; it may be that of both. */
int umad_register(int fd, int class, int version, uint8_t rmpp,
		  long mask[16 / sizeof(long)])
{
	struct handle *h = handle_of(fd);
	int is_smp = class == SMP;

	(void)version;
	(void)rmpp;
	(void)mask;
	if (is_smp ? !h->device->smp : !h->device->gmp) {
		host.strays++;
		return -EPROTONOSUPPORT;
	}
	*(is_smp ? &h->smp : &h->gmp) += 1;
	return h->smp + h->gmp - 1;
}

int umad_unregister(int fd, int agent)
{
	(void)agent;
	host.strays += !handle_of(fd)->is_open;
	return 0;
}

size_t umad_size(void)
{
	return sizeof(struct ib_user_mad);
}

void *umad_get_mad(void *umad)
{
	return ((struct ib_user_mad *)umad)->data;
}

int umad_status(void *umad)
{
	return (int)((struct ib_user_mad *)umad)->status;
}

int umad_set_addr(void *umad, int lid, int qp, int sl, int qkey)
{
	struct ib_user_mad *u = umad;

	(void)sl;
	(void)qkey;
	u->addr.lid = htobe16((uint16_t)lid);
	u->addr.qpn = htobe32((uint32_t)qp);
	return 0;
}

int umad_set_grh(void *umad, void *grh)
{
	((struct ib_user_mad *)umad)->addr.grh_present = !!grh;
	return 0;
}

int umad_set_pkey(void *umad, int index)
{
	((struct ib_user_mad *)umad)->addr.pkey_index = (uint16_t)index;
	return 0;
}

int umad_send(int fd, int agent, void *umad, int len, int timeout_ms,
	      int retries)
{
	struct ib_user_mad *u = umad;
	struct handle *h = handle_of(fd);
	int is_smp = u->data[1] == SMP;
	struct reply *r = &replies[fd - FD][(h->first + h->n) % MAX_REPLIES];

	(void)timeout_ms;
	(void)retries;
	if (!h->is_open || (is_smp ? !h->smp : !h->gmp) || agent < 0 ||
	    agent >= h->smp + h->gmp || h->n == MAX_REPLIES) {
		host.strays++;
		return -EINVAL;
	}
	*(is_smp ? &h->n_smp : &h->n_gmp) += 1;
	memset(r, 0, sizeof(*r));
	if (!fabric_answer(u->data, be16toh(u->addr.lid), r->mad)) {
		memcpy(r->mad, u->data, (size_t)len);
		r->umad.status = ETIMEDOUT;
	}
	h->n++;
	return 0;
}

int umad_recv(int fd, void *umad, int *len, int wait_ms)
{
	struct handle *h = handle_of(fd);
	struct reply *r = &replies[fd - FD][h->first];

	if (!h->n)
		return wait_ms ? -ETIMEDOUT : -EWOULDBLOCK;
	h->first = (h->first + 1) % MAX_REPLIES;
	h->n--;
	memcpy(umad, &r->umad, sizeof(r->umad));
	memcpy(umad_get_mad(umad), r->mad, MAD_LEN);
	*len = MAD_LEN;
	return 0;
}

int umad_poll(int fd, int wait_ms)
{
	(void)wait_ms;
	return handle_of(fd)->n ? 0 : -ETIMEDOUT;
}

/* libibnetdisc, which opens a handle of its own. */
ibnd_fabric_t *ibnd_discover_fabric(char *ca, int port, ib_portid_t *from,
				    ibnd_config_t *config)
{
	(void)from;
	(void)config;
	snprintf(host.ibnd, sizeof(host.ibnd), "%s %d", ca, port);
	return NULL;
}
