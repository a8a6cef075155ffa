/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_SWEEP_H
#define IBAUDIT_FABRIC_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include "fabric/decode.h"
#include "fabric/fabric.h"
#include "fabric/localport.h"
#include "fabric/mad.h"

/* A way to one port of a node; a channel adapter has one for each port that
 * the sweep arrived at, a switch one in all. */
struct reach {
	struct mad_dest dest;
	struct reach *next;
	uint8_t port;
};

/* What a sweep needs to know of a node while it runs. */
struct target {
	struct reach reach;
	struct mad_dest gmp;
	struct port_caps caps;     /* of port 0; switches only */
	struct pma_caps pma;
	int64_t pma_wanted;        /* ports */
};

/* One sweep.  Owned by fabric_sweep(); the parts below add to it. */
struct sweep {
	const struct sweep_options *opt;
	struct snapshot *snap;
	struct local_port local;
	struct mad_options mad_opt;
	struct mad_engine *mad;
	struct target **targets; /* one a node, same index */
	size_t n_targets, cap_targets;
	int64_t started_us, deadline_us;
	struct sweep_progress progress;
	struct mad_dest first; /* the local port */
	struct map lids;       /* unicast LID -> how many ports hold it */
};

/* The target of node i, made when it is not there. */
struct target *sweep_target(struct sweep *sw, uint32_t i);

/* The node's way to that port, or to the node where it is a switch; NULL
 * when the sweep did not arrive there. */
struct reach *sweep_reach(struct sweep *sw, uint32_t i, uint8_t port);

/* The same, added when it is not there.  *added tells which. */
struct reach *sweep_add_reach(struct sweep *sw, uint32_t i, uint8_t port,
			      const struct route *route, int *added);

/* Route behind `exit` of dest.  -1: longer than a directed route can be. */
int route_extend(const struct route *r, uint8_t exit, struct route *out);

/* A row for a query that failed. */
void sweep_fail(struct sweep *sw, const struct mad_query *q,
		const struct mad_reply *r);

/* A row for a reply that cannot be true. */
void sweep_malformed(struct sweep *sw, const struct mad_query *q,
		     const char *text);

/* Let the caller of fabric_sweep() see how far we are. */
void sweep_tick(void *sw);

/*
 * The discovery seam.  Each fills snap's nodes, ports and links, the targets
 * and their reaches, and returns 0, or -1 with err set when the local port
 * cannot be used.  discover_engine() runs on sw->mad; discover_ibnd() needs
 * it closed, since a simulator serves one handle a class.
 */
int discover_engine(struct sweep *sw, struct err *err);
int discover_ibnd(struct sweep *sw, struct err *err);

/* Ask every reached port with IsSM, and the one that MasterSMLID names. */
int sweep_sms(struct sweep *sw, struct err *err);

/* Ask ClassPortInfo and the counters of every port that is up, or was. */
int sweep_pma(struct sweep *sw, struct err *err);

#endif
