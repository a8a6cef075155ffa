/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_CHECK_EXPECT_H
#define IBAUDIT_CHECK_EXPECT_H

#include <stdint.h>

#include "check/internal.h"
#include "model/expectation.h"
#include "util/strbuf.h"

/*
 * What the files check/expect*.c share: the expectation of the snapshot's
 * fabric laid over the snapshot.
 *
 * Nodes and ports of the snapshot, nodes and links of the expectation are
 * indices; NONE is none.  A port of a node is node->ports + its number.
 */

#define NONE UINT32_MAX

/* A node of the snapshot, or one that is gone since. */
struct now_node {
	int64_t key;
	uint64_t guid;
	int32_t instance;
	int32_t type;
	int32_t seen; /* enum seen */
	int64_t last_read;
	int32_t nports;
	int32_t device;
	char *name;      /* owned */
	char *desc;      /* owned, NULL */
	int is_shared;   /* others have its name */
	int is_namesake; /* it has one that is expected, as others have */
	uint32_t ports;  /* its port 0 */
	uint32_t wanted; /* what is expected to be it */
	uint32_t root;   /* not expected: whose line tells of it */
	uint32_t behind; /* and how many others that line tells of */
};

struct now_port {
	int64_t key;
	uint32_t node;
	uint32_t peer; /* as read now */
	uint32_t want; /* expected at the other end, where that node was read */
	uint32_t link; /* the expected link that ends here */
	int16_t state, phys, speed, width;
	uint8_t num;
	uint8_t is_read;
	uint8_t is_told; /* of its cable */
};

enum want_state {
	WANT_READ,
	WANT_UNREAD,
	WANT_GONE,
	WANT_NEVER,
	WANT_AMBIGUOUS
};

struct want_node {
	const struct expect_node *x;
	enum want_state state;
	uint32_t now;       /* the node that it is, or was, or that replaced
			       it */
	uint32_t was;       /* the one that was replaced, when it is known */
	int is_replaced;
	int is_uncertain;   /* of a port where it should be, not all is known */
	int n_of_name;      /* ambiguous: how many there are */
	uint32_t at;        /* the port of a node that was read, where it
			       should be */
	uint32_t root, behind; /* as of now_node */
};

enum link_state { LINK_UNKNOWN, LINK_THERE, LINK_MISSING, LINK_MISCABLED };

struct want_link {
	const struct expect_link *x;
	enum link_state state;
	uint32_t port[2]; /* NONE: the node was not read, or has none such */
};

struct expecting {
	struct check *c;
	struct err *err;
	struct expectation x;
	struct now_node *nodes;
	size_t n_nodes, cap_nodes;
	struct now_port *ports;
	size_t n_ports, cap_ports;
	struct want_node *wants;
	struct want_link *links;
	struct odd_cable *odd;
	size_t n_odd, cap_odd;
};

/* ---- reading (expect_now.c) ---- */

/* Fill nodes and ports.  -1 with err set. */
int expect_read(struct expecting *e);
void expect_free_now(struct expecting *e);

/* Was it read that no cable is at the port, or which one? */
int expect_is_certain(const struct now_port *p);

/* Append the words for a node or port: "leaf1", "leaf1 port 3". */
void expect_add_node(struct strbuf *b, const struct expecting *e,
		     uint32_t node);
void expect_add_port(struct strbuf *b, const struct expecting *e,
		     uint32_t port);

void expect_add_want(struct strbuf *b, const struct expecting *e,
		     uint32_t want);

/* What is at a port: "Polling", "up, and leads to node1 port 1".  Nothing
 * where it was not read. */
void expect_add_what(struct strbuf *b, const struct expecting *e,
		     uint32_t port);

/* ---- nodes (expect_nodes.c, expect_group.c) ---- */

/* Find who is there, who is not, and who stands in another's place. */
void expect_match(struct expecting *e);

/* The port of that number where the node was read; NONE: it was not, or has no
 * such port. */
uint32_t expect_port(const struct expecting *e, uint32_t want, int num);

/* The node's first port with a cable to an expected node, else with any. */
uint32_t expect_entry(const struct expecting *e, uint32_t node);

/* Edges between things that are numbered from 0. */
struct edges {
	uint32_t (*ends)[2];
	size_t n, cap;
};

void edges_add(struct edges *g, uint32_t a, uint32_t b);

/*
 * Of n things those that are marked in `in` make groups: what hangs together
 * is told of in one line, that of the root.  Roots are those in `edge` first,
 * the busiest of them first; root[] of the others, and of what is in no group,
 * is NONE.  behind[] counts a root's others.
 */
void expect_group(const struct edges *g, size_t n, const uint8_t *in,
		  const uint8_t *edge, uint32_t *root, uint32_t *behind);

/* ---- links (expect_links.c, expect_chain.c) ---- */

/* A cable that nobody expects, or a chain of such, as a rule tells it. */
struct odd_cable {
	uint32_t port[2]; /* its ends, or the first two places to touch */
	char *text;       /* NULL: nothing is expected at either end; owned */
	uint32_t cables;  /* that are expected there */
};

/* Judge each expected link, and find the cables that nobody expects. */
void expect_judge_links(struct expecting *e);

/* Cables that are where they should not be: the ports in the order in which
 * expected and real cables join them by turns. */
struct chain {
	uint32_t *port;
	size_t n, cap;
	int is_ring;     /* a real cable leads from the last to the first */
	int begins_real; /* the first step is a cable that is there */
};

/* Put the chain the way in which a technician has least to do; then the words
 * for it go to b, and the two places to touch first to place[]. */
void chain_tell(const struct expecting *e, struct chain *c, struct strbuf *b,
		uint32_t place[2]);

#endif
