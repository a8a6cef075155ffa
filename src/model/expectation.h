/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_EXPECTATION_H
#define IBAUDIT_MODEL_EXPECTATION_H

#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "util/err.h"

struct expect_file;

/*
 * What a fabric should be: its nodes, and a cable between two of their ports
 * each.
 */
struct expect_node {
	uint64_t guid; /* 0: known by its name */
	int32_t instance;
	int32_t type; /* enum node_type; VAL_NONE: not known */
	char *name;   /* safe to show; owned, NULL */
};

struct expect_link {
	uint32_t node[2]; /* indices */
	uint8_t port[2];
	int16_t speed, width; /* the least that will do; VAL_NONE: any */
};

/* All zero it is empty; expectation_free() releases it. */
struct expectation {
	const char *kind; /* "snapshot", "topology", "plan"; static */
	char *source;     /* when the snapshot was, or the file's name, safe
			     to show; owned */
	int64_t snapshot; /* its id; 0: it is from a file */
	int64_t set_ms;   /* wall clock */
	struct expect_node *nodes;
	size_t n_nodes, cap_nodes;
	struct expect_link *links;
	size_t n_links, cap_links;
};

void expectation_free(struct expectation *x);

/* Append one; the node's name, which may be NULL, is copied. */
struct expect_node *expectation_add_node(struct expectation *x, uint64_t guid,
					 const char *name);
struct expect_link *expectation_add_link(struct expectation *x);

/* Into x, which is empty, the nodes and cables that s read; the speed and the
 * width of a cable are those of its lesser end. */
void expectation_of_snapshot(const struct snapshot *s, struct expectation *x);

/*
 * Into x, which is empty, what the file at path says, by last, the fabric's
 * last snapshot.  Returns 0, or -1 with err set where a name is that of
 * several nodes, a port is used twice or is above its node's NumPorts, or,
 * unless force is set, where last has none of the nodes.
 */
int expectation_of_file(const char *path, const struct expect_file *f,
			const struct snapshot *last, int force,
			struct expectation *x, struct err *err);

#endif
