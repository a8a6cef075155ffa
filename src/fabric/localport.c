/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/localport.h"

#include <endian.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

#include "model/snapshot.h"

/*
 * Notes
 *
 * An XDR adapter has one device for GMPs (GSI), with a port that stands for
 * all planes of the link, and one for SMPs (SMI), with a port a plane.
 * libibumad tells which belong together.  Whichever is found first, the port
 * of the SMI device decides whether a sweep is possible, and of the other
 * device a port that is up is preferred.  An SMI device may be without a GID,
 * so that the subnet prefix is the GSI device's.
 */

/* Why no port was taken; a later one says more about what to do. */
enum verdict {
	NO_DEVICE, NO_SUCH_PORT, ETHERNET, LINK_DOWN, NO_GSI, NO_SMI, USABLE
};

struct search {
	const char *ca;
	int port;
	int is_partner; /* it looks for the other device of a pair */
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

static enum verdict pair_up(struct local_port *lp, enum verdict own);

static void consider(struct search *s, const umad_port_t *p)
{
	struct local_port lp = { .port = p->portnum,
				 .subnet_prefix = be64toh(p->gid_prefix) };
	enum verdict v = judge(p);

	if (s->port && p->portnum != s->port)
		return;
	snprintf(lp.ca, sizeof(lp.ca), "%s", p->ca_name);
	if (!s->is_partner && v >= LINK_DOWN)
		v = pair_up(&lp, v);
	if (v <= s->best)
		return;
	s->best = v;
	s->found = lp;
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

/* --- pairs ------------------------------------------------------------ */

#ifdef HAVE_UMAD_PAIR
/* The two devices of the pair that lp belongs to, "" for one that is missing.
 * Port 0 leaves it open: the GSI device has no port of a plane's number. */
static int get_pair(const struct local_port *lp, struct local_port *smi,
		    struct local_port *gsi)
{
	struct umad_ca_pair p = { .smi_preferred_port = 0 };

	if (umad_get_smi_gsi_pair_by_ca_name(lp->ca, (uint8_t)lp->port, &p,
					     0) &&
	    umad_get_smi_gsi_pair_by_ca_name(lp->ca, 0, &p, 0))
		return 0;
	snprintf(smi->ca, sizeof(smi->ca), "%s", p.smi_name);
	smi->port = (int)p.smi_preferred_port;
	snprintf(gsi->ca, sizeof(gsi->ca), "%s", p.gsi_name);
	gsi->port = (int)p.gsi_preferred_port;
	return 1;
}
#else
static int get_pair(const struct local_port *lp, struct local_port *smi,
		    struct local_port *gsi)
{
	*smi = *gsi = *lp;
	return 0;
}
#endif

/* The other device of a pair, and its port out->port if that is up, else the
 * first that is.  Returns its verdict, or own when it cannot be read. */
static enum verdict find_partner(struct local_port *out, enum verdict own)
{
	struct search s = { .ca = out->ca, .port = out->port, .is_partner = 1 };

	consider_ca(&s, out->ca);
	s.port = 0;
	if (s.best < USABLE)
		consider_ca(&s, out->ca);
	if (s.best <= NO_SUCH_PORT)
		return own;
	*out = s.found;
	return s.best;
}

/* Let lp be both devices of the pair that it belongs to.  Returns the verdict
 * about the pair; own is that about lp alone. */
static enum verdict pair_up(struct local_port *lp, enum verdict own)
{
	struct local_port smi = { .port = 0 }, gsi = { .port = 0 };

	if (!get_pair(lp, &smi, &gsi) || !strcmp(smi.ca, gsi.ca))
		return own;
	if (!smi.ca[0] || !gsi.ca[0])
		return smi.ca[0] ? NO_GSI : NO_SMI;
	if (!strcmp(lp->ca, smi.ca)) {
		smi = *lp;
		find_partner(&gsi, own);
	} else {
		gsi = *lp;
		own = find_partner(&smi, own);
	}
	*lp = smi;
	memcpy(lp->gmp_ca, gsi.ca, sizeof(lp->gmp_ca));
	lp->gmp_port = gsi.port;
	if (gsi.subnet_prefix)
		lp->subnet_prefix = gsi.subnet_prefix;
	return own;
}

/* --- the choice ------------------------------------------------------- */

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
	case NO_GSI:
		return err_set(err, "%s port %d is for SMPs only, and the "
			       "device for GMPs that belongs to it is missing: "
			       "see ibstat -l, or choose another port with -C "
			       "and -P", s->found.ca, s->found.port);
	case NO_SMI:
		return err_set(err, "%s port %d is for GMPs only, and the "
			       "device for SMPs that belongs to it is missing: "
			       "add it (rdma dev add NAME type SMI parent %s), "
			       "or choose another port with -C and -P",
			       s->found.ca, s->found.port, s->found.ca);
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
