/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_WALK_H
#define IBAUDIT_FABRIC_WALK_H

#include "fabric/sweep.h"

/* Inside the engine's discovery: discover_engine.c walks, duplicates.c tells
 * nodes of one NodeGUID apart. */

/* What NodeInfo said is behind a port that was probed. */
struct half {
	uint64_t guid; /* NodeGUID */
	uint8_t port;  /* its port that the probe came in by */
	uint8_t told;
	uint8_t again; /* was asked a second time */
};

/* A port that leads to a node which is known, or to another of its GUID. */
struct claim {
	struct claim *next;
	struct sweep *sw;
	struct node_info info;
	uint32_t node;
	uint32_t not_node; /* not that one: its LID is another */
	uint32_t verified; /* that one, and no other */
	uint8_t port;
	uint8_t done;
};

/* The half of a port, NULL where none is probed. */
struct half *walk_half(struct sweep *sw, uint32_t node, uint8_t port);

/* An SMP to the node at the end of r. */
struct mad_query walk_smp(struct sweep *sw, uint32_t node, struct reach *r,
			  uint8_t port, uint16_t attribute, mad_done_fn *done);

/* Ask for PortInfo; of a switch for the ports behind that one, too. */
void walk_ask_port(struct sweep *sw, uint32_t node, struct reach *r,
		   uint8_t port);

/* Probe a port, and walk on there.  quiet: silence is no failed query. */
void walk_probe_port(struct sweep *sw, uint32_t node, uint8_t port, int quiet);

/* A probe of what is behind `port` of a node; done as for mad_submit(). */
struct mad_query walk_probe(struct sweep *sw, uint32_t node, uint8_t port,
			    mad_done_fn *done);

/* Send it, or put it off. */
void walk_submit_probe(struct sweep *sw, const struct mad_query *q);

/*
 * With M_Keys one node is tried first (trial.c): the first probe goes out
 * alone, and the others when it was answered.  Returns 1 when it took the
 * probe over.
 */
int trial_takes(struct sweep *sw, const struct mad_query *q);

/* Rows for the probes that were put off for ever. */
void trial_finish(struct sweep *sw);

/* Append a node and its target. */
uint32_t walk_add_node(struct sweep *sw, const struct node_info *info,
		       int32_t instance, const struct route *route);

/* A link from (node, port) to node i: join them, and where it is the first
 * arrival at that port ask it.  is_new: ask for the node, too. */
void walk_arrive(struct sweep *sw, uint32_t node, uint8_t port, uint32_t i,
		 const struct node_info *info, int is_new);

/* Take in PortInfo, and ask for what it is known to lack. */
void walk_take_port(struct sweep *sw, const struct mad_query *q,
		    const uint8_t *data);

/* An answer to a probe. */
void walk_take_node(struct sweep *sw, const struct mad_query *q,
		    const struct node_info *info);
void walk_on_node_info(void *sw, const struct mad_query *q,
		       const struct mad_reply *r);

/* Ask PortInfo again, and probe the port if it is up after all. */
void walk_ask_port_again(struct sweep *sw, uint32_t node, uint8_t port);

/* (node, port) leads to a NodeGUID that is known: join it with the node that
 * it must be, or keep the claim until more is known. */
void duplicates_claim(struct sweep *sw, uint32_t node, uint8_t port,
		      const struct node_info *info);

/* Decide all claims; runs the engine. */
int duplicates_settle(struct sweep *sw, struct err *err);

void duplicates_free(struct sweep *sw);

#endif
