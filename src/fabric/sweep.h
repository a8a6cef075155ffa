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
	struct route *own; /* but for the first, which has the node's */
	uint8_t port;
};

/* A set of port numbers. */
struct port_set {
	uint64_t bits[4];
};

/* How far a node's counters are. */
enum pma_state {
	PMA_UNASKED,
	PMA_ASKED, /* for its ClassPortInfo */
	PMA_READY, /* pma holds what it said */
	PMA_SILENT
};

/* What a sweep needs to know of a node while it runs. */
struct target {
	struct reach reach;
	struct mad_dest gmp;
	struct port_caps caps;     /* of port 0; switches only */
	struct pma_caps pma;
	enum pma_state pma_state;
	struct port_set known;     /* sweep_port_known() was called */
	struct port_set pma_known; /* counted in progress.pma_known */
	struct port_set pma_waiting;
	struct half *halves; /* of the engine's discovery; 0 .. nports, NULL */
	uint32_t next_same;  /* another node of the same NodeGUID; NO_NODE */
	uint32_t prev;       /* index in opt->prev; NO_NODE */
	uint8_t no_ext;      /* refused PORT_INFO_EXT */
	uint8_t misled;      /* what it was asked went to another node */
	uint8_t pma_busy;    /* its ports are being asked for counters */
	uint8_t lacks;       /* SRC_* of details that it refused */
};

/* A look now and then at what the local leaf dropped of our SMPs. */
struct watch {
	int64_t next_us;
	int32_t dropped; /* VL15Dropped, VAL_NONE before the first answer */
	int rises;       /* in a row */
	uint8_t is_asked;
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
	uint32_t *holders;     /* by LID: how many end ports hold it */
	struct claim *claims;  /* of the engine's discovery */
	struct watch watch;
	enum { TRIAL_NONE, TRIAL_RUNS, TRIAL_WON, TRIAL_LOST } trial;
	struct port_set held; /* exits of the own node */
};

/* The target of node i, made when it is not there. */
struct target *sweep_target(struct sweep *sw, uint32_t i);

void sweep_free_targets(struct sweep *sw);

/* The node's way to that port, or to the node where it is a switch; NULL
 * when the sweep did not arrive there. */
struct reach *sweep_reach(struct sweep *sw, uint32_t i, uint8_t port);

/* The same, added when it is not there.  *added tells which. */
struct reach *sweep_add_reach(struct sweep *sw, uint32_t i, uint8_t port,
			      const struct route *route, int *added);

/* The port as it was in the snapshot before; NULL when there is none. */
const struct port *sweep_prev_port(struct sweep *sw, uint32_t i, int port);

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

/* All about a port that the sweep arrived at was read or given up: ask for
 * its counters and its subnet manager. */
void sweep_port_known(struct sweep *sw, uint32_t i, uint8_t port);

/* Forget all that a node of one way in was asked: it was another one. */
void sweep_start_over(struct sweep *sw, uint32_t i, const struct route *route,
		      uint8_t arrival);

/* How many of the ports that are known have that LID? */
uint32_t sweep_lid_holders(const struct sweep *sw, int32_t lid);

/* One more of them, or with -1 one less, if the port has an own LID. */
void sweep_lid_hold(struct sweep *sw, const struct node *n,
		    const struct port *p, int more);

int port_set_has(const struct port_set *set, uint8_t port);
void port_set_del(struct port_set *set, uint8_t port);
/* The lowest in it, -1 when it is empty. */
int port_set_first(const struct port_set *set);
/* Returns 0 when it was in there. */
int port_set_add(struct port_set *set, uint8_t port);

/*
 * The discovery seam.  Each fills snap's nodes, ports and links, the targets
 * and their reaches, and returns 0, or -1 with err set when the local port
 * cannot be used.  discover_engine() runs on sw->mad, and calls
 * sweep_port_known() as it goes; discover_ibnd() needs sw->mad closed, since a
 * simulator serves one handle a class.
 */
int discover_engine(struct sweep *sw, struct err *err);
int discover_ibnd(struct sweep *sw, struct err *err);

/* Ask a port for its subnet manager when it says that it hosts one. */
void sm_port_known(struct sweep *sw, uint32_t i, uint8_t port);

/* The rest of the subnet managers: of ports that MasterSMLID names, and of
 * those that hosted one and were not read.  Submits only. */
void sweep_sms(struct sweep *sw);

/* Ask for the counters of a port that is up, or was. */
void pma_port_known(struct sweep *sw, uint32_t i, uint8_t port);

/* Forget the counters of a node that are another's. */
void pma_forget(struct sweep *sw, uint32_t i);

/* The rest of the counters, and rows for what could not be asked. */
int sweep_pma(struct sweep *sw, struct err *err);

/* Queue one PMA query of a node, at the LID of that port of it; select is its
 * PortSelect. */
void sweep_ask_pma(struct sweep *sw, uint32_t node, uint8_t port,
		   uint8_t select, uint16_t attribute, mad_done_fn *done);

/* Ask what the errors and discards were, where they rose since opt->prev;
 * after sweep_pma(). */
int sweep_details(struct sweep *sw, struct err *err);

/* Look whether the fabric suffers from us; called now and then. */
void watch_look(struct sweep *sw);

#endif
