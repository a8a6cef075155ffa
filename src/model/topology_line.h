/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_TOPOLOGY_LINE_H
#define IBAUDIT_MODEL_TOPOLOGY_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * One line of what ibnetdiscover prints (infiniband-diags, ibnetdiscover.c),
 * or of a network of ibsim's (ibsim, sim_net.c).  Strings point into the line.
 */
enum topology_kind {
	TOPOLOGY_NOTHING, /* blank, a comment, a heading of a chassis */
	TOPOLOGY_TITLE,   /* the comment that ibnetdiscover begins with */
	TOPOLOGY_ID,      /* vendid=, devid=, sysimgguid=, switchguid=, ... */
	TOPOLOGY_NODE,    /* Switch 36 "S-GUID" # "description" ... */
	TOPOLOGY_LINK,    /* [1](GUID) "S-GUID"[3] # ... */
	TOPOLOGY_PORTS,   /* of `ibnetdiscover -p` */
	TOPOLOGY_LIST,    /* of `ibnetdiscover -l` */
	TOPOLOGY_UNKNOWN
};

/* What tells of a node in front of its own line. */
enum topology_id {
	ID_VENDOR,
	ID_DEVICE,
	ID_SYSTEM_IMAGE,
	ID_NODE,
	ID_COUNT
};

/* How a line names a node: by type and GUID, or (ibsim) by any name. */
struct topology_ref {
	int type;      /* enum node_type; 0: by name */
	uint64_t guid;
	const char *name;
	size_t n;
};

struct topology_line {
	enum topology_kind kind;
	enum topology_id id;
	uint64_t value;       /* of the id */
	uint64_t port_guid;   /* in parentheses, 0 where there is none */
	struct topology_ref ref; /* the node; of a link the other end's */
	int type;             /* of the node, enum node_type */
	uint8_t nports;
	const char *desc;     /* NULL where there is none */
	size_t desc_len;
	uint8_t port, peer_port;
	int32_t lid;          /* of the node's, or the link's, own port */
	int16_t speed, width; /* ranks */
};

/* What kind of line it is, by how it begins. */
enum topology_kind topology_line_kind(const char *line);

/*
 * Take a line apart.  What it does not tell is 0, or VAL_NONE for lid, speed
 * and width.  Returns NULL, or what is wrong with it and what to do (static).
 */
const char *topology_line_parse(const char *line, struct topology_line *t);

#endif
