/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_DIFF_INTERNAL_H
#define IBAUDIT_DIFF_INTERNAL_H

#include "diff/diff.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * diff_join() lays both snapshots over each other: nodes[] has each node once,
 * ports[] each port once, whichever snapshot it is in, and far_a, far_b lead
 * along the cables.  Nodes stand in the order in which changes are listed, so
 * that whoever walks them by index does not depend on the snapshots' order.
 * A port is named by its index in ports[].
 *
 * Then each event is told once: what explains most comes first (replaced
 * nodes, swapped cables, moves), and marks what it told on the ports.
 */

#define NONE UINT32_MAX /* no node, no port */

enum mark {
	MARK_LOST = 1,    /* far_a's cable is shown to be away in b */
	MARK_GAINED = 2,  /* far_b's cable is shown to be new */
	MARK_TOLD_A = 4,  /* an event told that far_a's cable went */
	MARK_TOLD_B = 8,  /* and that far_b's came */
	MARK_WALKED = 16, /* no ring begins here */
	MARK_UNREAD = 32  /* an event told that the port was not read */
};

/* A node in both snapshots; NULL: it is not in this one. */
struct diff_node {
	const struct node *a, *b;
	uint32_t index_a, index_b;
	char *name;  /* the later one, safe to show; owned */
	char *label; /* with the instance, where there are several; owned */
	uint32_t ports; /* index of its port 0 */
	uint32_t n_ports;
	uint32_t heir; /* what replaced it, and what it replaced; NONE */
	int told;      /* a line about its host told that it came or went */
	uint32_t front; /* the switch behind which it was not read; NONE */
	uint32_t behind; /* how many were not read behind it */
};

struct diff_port {
	const struct port *a, *b;
	uint32_t node;
	uint32_t far_a, far_b; /* the other end of the cable, NONE */
	unsigned marks;        /* enum mark */
};

struct diff {
	const struct snapshot *a, *b;
	struct diff_node *nodes;
	uint32_t n_nodes;
	struct diff_port *ports;
	uint32_t n_ports;
	uint32_t *node_of_a, *node_of_b; /* by index in the snapshot */
	struct strbuf line, values, before, after; /* of the next change */
	struct changes *out;
};

/* Fill nodes, ports and node_of_*; marks of cables as well. */
void diff_join(struct diff *d, const struct snapshot *a,
	       const struct snapshot *b);
void diff_release(struct diff *d);

const struct diff_node *node_of(const struct diff *d, uint32_t port);
int port_number(const struct diff *d, uint32_t port);

/* Nodes that both have. */
int node_stays(const struct diff_node *n);
/* Its struct: b's, where it has it. */
const struct node *node_in(const struct diff_node *n);
int node_is_switch(const struct diff_node *n);
/* Its queries were answered in b. */
int node_was_read(const struct diff_node *n);

/* PortInfo was read in b, and is known of a. */
int port_compares(const struct diff *d, uint32_t port);

/* The end of the cable p - q that is named first: a switch's. */
uint32_t first_end(const struct diff *d, uint32_t p, uint32_t q);

/* far_a's cable is away, far_b's is new, and no event has told it. */
int is_lost(const struct diff *d, uint32_t port);
int is_gained(const struct diff *d, uint32_t port);
void tell_lost(struct diff *d, uint32_t port);
void tell_gained(struct diff *d, uint32_t port);

/*
 * Append a change; it lives until the next one is added.  What was written to
 * d->line and behind it d->values becomes its text, d->before and d->after
 * become its values, and all four are empty.  Where it is comes next, the first
 * of them places it in the list.
 */
struct change *tell(struct diff *d, enum change_kind kind);
void tell_node(struct diff *d, struct change *c, uint32_t node);
void tell_port(struct diff *d, struct change *c, uint32_t port);

/* A number that is not negative; strbuf_addf() takes long for so many. */
void add_number(struct strbuf *b, int v);

/* "leaf1 port 5", "leaf1 port 5 to h1 port 1", "leaf1 (0x0002c9...)". */
void add_port(struct strbuf *b, const struct diff *d, uint32_t port);
void add_cable(struct strbuf *b, const struct diff *d, uint32_t p, uint32_t q);
void add_node(struct strbuf *b, const struct diff_node *n);

/* Where a node hangs, in a or in b: "leaf1 port 1, leaf2 port 1", behind what
 * is there and a comma. */
void add_places(struct strbuf *b, const struct diff *d, uint32_t node,
		int in_a);

/* The rate of a cable between ports of one snapshot, "400 Gb/s (4X NDR)": the
 * slower speed and the narrower width of both.  Nothing where it is not known. */
void add_cable_rate(struct strbuf *b, const struct port *p,
		    const struct port *q);
/* "ACTIVE", "Polling", "INIT (LinkErrorRecovery)" */
void add_state(struct strbuf *b, const struct port *p);

/* One of the values of a thing that changed: "LID 3 -> 4" in d->values, "LID 3"
 * in d->before, "LID 4" in d->after, behind those that are there. */
void field_add(struct diff *d, const char *name, const char *before,
	       const char *after);
/* Only if they are known and differ.  The format takes one int64_t. */
void field_add_int(struct diff *d, const char *name, const char *format,
		   int64_t before, int64_t after, int64_t none)
	__attribute__((format(printf, 3, 0)));
/* Has d->values any? */
int has_fields(const struct diff *d);

/* Both values are known, and differ. */
int is_change(int64_t before, int64_t after, int64_t none);

/* The smaller of what is known; VAL_NONE when neither is. */
int lesser(int a, int b);

/* Release what one change owns. */
void change_free(struct change *c);

/* Each tells of its part; in this order. */
void diff_replaced(struct diff *d);
void diff_hosts(struct diff *d);
void diff_swaps(struct diff *d);
void diff_moves(struct diff *d);
void diff_nodes(struct diff *d);
void diff_links(struct diff *d);
void diff_ports(struct diff *d);
void diff_sms(struct diff *d);

#endif
