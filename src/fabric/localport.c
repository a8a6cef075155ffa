/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/localport.h"

#include <endian.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

#include "model/snapshot.h"

/* Why no port was taken; a later one says more about what to do. */
enum verdict { NO_DEVICE, NO_SUCH_PORT, ETHERNET, LINK_DOWN, USABLE };

struct search {
	const char *ca;
	int port;
	enum verdict best;
	struct local_port found; /* of the best verdict */
};

/* "InfiniBand" from the kernel, "IB" from a simulated sysfs. */
static int is_infiniband(const umad_port_t *p)
{
	return !strcmp(p->link_layer, "InfiniBand") ||
	       !strcmp(p->link_layer, "IB") || !p->link_layer[0];
}

static enum verdict judge(const umad_port_t *p)
{
	if (!is_infiniband(p))
		return ETHERNET;
	return p->state >= STATE_INIT ? USABLE : LINK_DOWN;
}

static void consider(struct search *s, const umad_port_t *p)
{
	enum verdict v = judge(p);

	if ((s->port && p->portnum != s->port) || v <= s->best)
		return;
	s->best = v;
	snprintf(s->found.ca, sizeof(s->found.ca), "%s", p->ca_name);
	s->found.port = p->portnum;
	s->found.subnet_prefix = be64toh(p->gid_prefix);
}

static void consider_ca(struct search *s, const char *name)
{
	umad_ca_t ca;
	int i;

	if ((s->ca && strcmp(s->ca, name)) || umad_get_ca(name, &ca) < 0)
		return;
	if (s->best < NO_SUCH_PORT)
		s->best = NO_SUCH_PORT;
	for (i = 0; i < UMAD_CA_MAX_PORTS && s->best < USABLE; i++)
		if (ca.ports[i])
			consider(s, ca.ports[i]);
	umad_release_ca(&ca);
}

static int explain(const struct search *s, struct err *err)
{
	switch (s->best) {
	case NO_DEVICE:
		if (s->ca)
			return err_set(err, "no InfiniBand device %s: see "
				       "ibstat -l for the names", s->ca);
		return err_set(err, "no InfiniBand device: is an adapter "
			       "fitted and its driver loaded, with ib_umad?");
	case NO_SUCH_PORT:
		return err_set(err, "no such port%s%s: see ibstat for the "
			       "ports of this host", s->ca ? " of " : "",
			       s->ca ? s->ca : "");
	case ETHERNET:
		return err_set(err, "%s port %d is Ethernet, and no InfiniBand "
			       "port was found: choose one with -C and -P, or "
			       "run this on a node of the fabric", s->found.ca,
			       s->found.port);
	case LINK_DOWN:
		return err_set(err, "%s port %d has no link: check its cable, "
			       "or choose another port with -C and -P",
			       s->found.ca, s->found.port);
	case USABLE:
		break;
	}
	return 0;
}

int local_port_find(const char *ca, int port, struct local_port *out,
		    struct err *err)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct search s = { .ca = ca, .port = port };
	int i, n;

	if (umad_init() < 0)
		return err_set(err, "cannot read the InfiniBand devices: is "
			       "the kernel module ib_umad loaded?");
	n = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	for (i = 0; i < n && s.best < USABLE; i++)
		consider_ca(&s, names[i]);
	*out = s.found;
	return explain(&s, err);
}
