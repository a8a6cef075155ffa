/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_SNAPSHOT_H
#define IBAUDIT_MODEL_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "model/counter.h"
#include "util/map.h"

/*
 * One sight of a fabric: plain data, owned by the snapshot, indexed and never
 * pointed at from outside for longer than the snapshot lives.
 *
 * Nodes stand in discovery order; a link is two ports that name each other.
 * An attribute that was not read is VAL_NONE (16 and 32 bits) or VAL_NONE64.
 */

#define VAL_NONE INT16_MIN
#define VAL_NONE64 INT64_MIN
#define NO_NODE UINT32_MAX
#define NO_PORT 0xff     /* NumPorts is 254 at most, IBA 14.2.5.3 */
#define NODE_DESC_LEN 64 /* NodeDescription, IBA 14.2.5.2 */
#define ROUTE_MAX 64     /* InitialPath, IBA 14.2.1.2: 63 hops behind byte 0 */

/* NodeInfo.NodeType, IBA 14.2.5.3. */
enum node_type { NODE_CA = 1, NODE_SWITCH = 2, NODE_ROUTER = 3 };

/* PortInfo.PortState and PortPhysicalState, IBA 14.2.5.6. */
enum port_state { STATE_DOWN = 1, STATE_INIT, STATE_ARMED, STATE_ACTIVE };
enum phys_state {
	PHYS_SLEEP = 1,
	PHYS_POLLING,
	PHYS_DISABLED,
	PHYS_TRAINING,
	PHYS_LINKUP,
	PHYS_RECOVERY,
	PHYS_TEST
};

/* SMInfo.SMState, IBA 14.2.5.13. */
enum sm_state { SM_NOTACTIVE, SM_DISCOVERING, SM_STANDBY, SM_MASTER };

#define CAPMASK_IS_SM 0x2u           /* PortInfo.CapabilityMask */
#define CAPMASK_IS_SM_DISABLED 0x400u

/* What this snapshot knows about a thing that some snapshot has seen. */
enum seen {
	SEEN_READ,   /* its own queries were answered in this snapshot */
	SEEN_UNREAD, /* not read here; the values are the last that were */
	SEEN_GONE    /* shown to be away; no snapshot holds one in memory */
};

/* InitialPath of a directed route: hop[1] .. hop[hops]. */
struct route {
	uint8_t hops;
	uint8_t hop[ROUTE_MAX];
};

/* A large fabric has a hundred thousand of these, twice: mind the size. */
struct port {
	uint64_t guid; /* NodeInfo.PortGUID; 0 when not known */
	int64_t key;   /* the store's; 0 while it has none */
	struct counters *counters; /* NULL when they were not read */
	int64_t cap_mask, cap_mask2;
	uint32_t last_read; /* snapshot id, when unread */
	uint32_t peer_node; /* index, NO_NODE when none is known */
	int32_t lid, sm_lid, speed_code;
	int16_t lmc, sm_sl;
	int16_t state, phys;
	int16_t speed, speed_supported, speed_enabled;
	int16_t width, width_supported, width_enabled;
	int16_t mtu, mtu_cap; /* octets */
	int16_t vl_cap, op_vls; /* wire codes, IBA 14.2.5.6 */
	uint8_t peer_port;
	uint8_t num;
	uint8_t present; /* PortInfo was read, here or before */
	uint8_t seen;    /* enum seen, of PortInfo */
	uint8_t link_seen; /* enum seen, of the peer */
};

struct node {
	uint64_t guid;
	uint64_t system_image_guid;
	int64_t key;       /* the store's; 0 while it has none */
	int64_t last_read; /* snapshot id, when unread */
	struct route route; /* how this sweep reached it first; the store keeps
			       those of duplicates alone */
	struct port *ports; /* 0 .. nports; owned */
	char desc[NODE_DESC_LEN]; /* as on the wire; no NUL needed at its end */
	char *name; /* of a node name map, safe to show; owned, NULL */
	uint8_t desc_len;         /* bytes before the trailing NULs */
	uint8_t desc_read; /* NodeDescription was read, here or before */
	uint8_t nports;  /* NodeInfo.NumPorts */
	uint8_t seen;    /* enum seen, of NodeInfo */
	uint8_t arrival; /* its port that the sweep came in by */
	int32_t instance; /* 0 but for duplicates of a NodeGUID */
	int32_t type;     /* enum node_type */
	int32_t device_id, vendor_id;
	int64_t revision;
	int32_t enhanced_port0; /* SwitchInfo; switches only */
	int32_t lft_cap, lft_top; /* LinearFDBCap, LinearFDBTop */
};

/* A subnet manager as SMInfo by directed route tells it. */
struct sm {
	uint32_t node;
	uint8_t port;
	uint8_t answered; /* 0: IsSM is set, and nothing came back */
	uint64_t guid;
	int32_t priority, state;
	int64_t act_count;
};

/* How a query failed. */
enum fail_status {
	FAIL_NO_ANSWER, /* timed out after all retries */
	FAIL_MAD_STATUS, /* answered, with a status other than 0 */
	FAIL_MALFORMED, /* answered, with something that cannot be */
	FAIL_NOT_SENT,  /* could not be asked: no LID, no route, no time */
	FAIL_GIVEN_UP   /* not asked: the node had stopped answering */
};

struct failure {
	uint32_t node;  /* index; NO_NODE when it never told who it is */
	int32_t port;   /* VAL_NONE: the node as a whole */
	struct route route;
	uint8_t mgmt_class; /* 0x81 SMP by directed route, 0x04 PMA */
	uint8_t status;     /* enum fail_status */
	uint16_t attribute;
	uint16_t mad_status;
	uint32_t modifier;
	char text[80]; /* in words */
};

struct snapshot {
	int64_t id; /* the store's; 0 while it has none */
	char *fabric; /* name; owned, may be NULL */
	char *note;   /* owned, may be NULL */
	uint64_t subnet_prefix; /* of the local port */
	int64_t started_ms, finished_ms; /* wall clock */
	int complete;   /* every SMP was answered */
	int with_counters;
	int64_t pma_asked, pma_answered; /* ports */
	int64_t mads_sent, mads_unmatched;
	uint32_t local_node;
	uint8_t local_port;
	char discovery[16]; /* "engine", "libibnetdisc" or "file" */

	struct node **nodes;
	size_t n_nodes, cap_nodes;
	struct sm *sms;
	size_t n_sms, cap_sms;
	struct failure *failures;
	size_t n_failures, cap_failures;
	struct map by_guid; /* NodeGUID of instance 0 -> index */
	struct map by_instance; /* GUID and instance of the others -> index */
};

/* What a snapshot holds, counted among what was read in it. */
struct counts {
	int64_t switches, cas, aggregation_nodes, routers;
	int64_t ports; /* whose PortInfo was read */
	int64_t links, sms, failures;
	int64_t unread_nodes; /* carried over */
};

/* An empty snapshot is all zero; this sets what is not. */
void snapshot_init(struct snapshot *s);

/* Release what it owns, not s itself.  Fine on one that is only zeroed. */
void snapshot_free(struct snapshot *s);

/*
 * Append a node of nports ports (and port 0) whose values are all "not read".
 * Returns it; it lives, and does not move, until snapshot_free().  Its index
 * is n_nodes - 1.  No other node may have its GUID and instance; while a sweep
 * goes on any number above 0 that is free will do for a duplicate.
 */
struct node *snapshot_add_node(struct snapshot *s, uint64_t guid,
			       int32_t instance, int nports);

struct sm *snapshot_add_sm(struct snapshot *s);
struct failure *snapshot_add_failure(struct snapshot *s);

/* Index of the node with that GUID and instance, or NO_NODE. */
uint32_t snapshot_find(const struct snapshot *s, uint64_t guid,
		       int32_t instance);

/* Let snapshot_find() know of a node whose instance was set. */
void snapshot_index_node(struct snapshot *s, uint32_t i);

/*
 * Number the nodes that share a NodeGUID.  One that hangs at the port where an
 * instance of prev (may be NULL) did has its number; the others have the free
 * ones from 0, in the order of the smallest (NodeGUID, port) that any of their
 * links leads to, so that the numbers do not depend on who was met first;
 * those without a link come last, and routes settle what is equal.  Once, when
 * all links are known.  Returns how many nodes share their GUID with another.
 */
int snapshot_renumber_instances(struct snapshot *s,
				const struct snapshot *prev);

/*
 * Which nodes share their NodeGUID, or the PortGUID of an end port, with
 * another node: 1 or 0 by the node's index.  The caller frees it.
 */
uint8_t *snapshot_mark_duplicates(const struct snapshot *s);

/* The port at the other end, or NULL. */
struct port *snapshot_peer(const struct snapshot *s, const struct port *p);

/* Make two ports each other's peer, as read now.  Whoever was the peer of one
 * before has none any more. */
void snapshot_join(struct snapshot *s, uint32_t a, uint8_t a_port, uint32_t b,
		   uint8_t b_port);

void snapshot_count(const struct snapshot *s, struct counts *c);

/* Take the 64 bytes of a NodeDescription. */
void node_set_desc(struct node *n, const char bytes[NODE_DESC_LEN]);

/* Its attributes are all "not read"; the link stays. */
void port_clear(struct port *p);

/* PortPhysicalState is LinkUp. */
int port_is_up(const struct port *p);

/* It is one that has no link: not LinkErrorRecovery, nor a reserved code. */
int port_is_down(const struct port *p);

/* A port that has an own LID: port 0 of a switch, any port of the others. */
int port_is_end(const struct node *n, const struct port *p);

/* A SHARP aggregation node: it sits in a switch and is counted apart. */
int node_is_aggregation(const struct node *n);

/* Words for the codes above; static, never NULL, "unknown" where they are. */
const char *node_type_name(int type);
const char *port_state_name(int state); /* "ACTIVE" */
const char *phys_state_name(int phys);  /* "LinkUp" */
const char *sm_state_name(int state);   /* "MASTER" */
const char *fail_status_name(int status);
const char *mad_attribute_name(int mgmt_class, int attribute);

/* "0,1,5,2", as ibroute and smpquery -D write it. */
#define ROUTE_STRLEN (4 * ROUTE_MAX)
char *route_format(const struct route *r, char out[ROUTE_STRLEN + 1]);

#endif
