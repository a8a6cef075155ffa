/* SPDX-License-Identifier: BSD-2-Clause */
#include "fake.h"

#include <string.h>

#include "model/snapshot.h"

#define ATTR_CLASS_PORT_INFO 0x01
#define ATTR_NODE_DESC 0x10
#define ATTR_NODE_INFO 0x11
#define ATTR_SWITCH_INFO 0x12
#define ATTR_PORT_INFO 0x15
#define ATTR_SM_INFO 0x20
#define ATTR_PORT_COUNTERS 0x12
#define ATTR_RCV_ERROR_DETAILS 0x15
#define ATTR_XMIT_DISCARD_DETAILS 0x16
#define ATTR_PORT_COUNTERS_EXT 0x1d
#define CLASS_SMP 0x81
#define STATUS_NOT_SUPPORTED 0x000c /* IBA 13.4.7 */
#define STATUS_BUSY 0x0001
#define STATUS_DIRECTION 0x8000
#define MAX_LIES 16
#define LOOSE (-1)
#define MADE_UP FAKE_NODES /* a node of the endless fabric */

struct end {
	int node;
	uint8_t port;
};

struct fake {
	uint64_t guid;
	uint8_t type, nports;
	uint16_t device;
	uint16_t lid; /* of the first port; the next has the next */
	struct end peer[FAKE_PORTS + 1];
};

/* Host 3 is a ConnectX-3, which knows FDR10. */
static const struct fake built[FAKE_NODES] = {
	[HOST1] = { 0x100, NODE_CA, 1, 0x101b, 10, { { LOOSE, 0 } } },
	[SWITCH1] = { 0x200, NODE_SWITCH, 5, 0xd2f0, 2, { { LOOSE, 0 } } },
	[HOST2] = { 0x300, NODE_CA, 1, 0x101b, 20, { { LOOSE, 0 } } },
	[SWITCH2] = { 0x400, NODE_SWITCH, 4, 0xd2f2, 4, { { LOOSE, 0 } } },
	[HOST3] = { 0x500, NODE_CA, 2, 0x1003, 30, { { LOOSE, 0 } } },
};

struct lie {
	int node;
	uint16_t attribute;
	uint8_t at, value;
};

static struct {
	struct fake node[FAKE_NODES];
	struct end local;
	uint8_t is_silent[FAKE_NODES], is_busy[FAKE_NODES];
	struct lie lies[MAX_LIES];
	int n_lies;
	uint8_t endless; /* ports of a made-up switch; 0: none */
	int bits;
} fabric;

/* Who is asked, and the port that the question came in by. */
struct place {
	int node;
	uint8_t port;
	uint64_t guid; /* of one that is made up */
};

/* --- cables ----------------------------------------------------------- */

static void unplug(struct end e)
{
	struct end *at, far;

	at = &fabric.node[e.node].peer[e.port];
	far = *at;
	*at = (struct end){ LOOSE, 0 };
	if (far.node != LOOSE)
		fabric.node[far.node].peer[far.port] = *at;
}

void fabric_cable(int a, uint8_t a_port, int b, uint8_t b_port)
{
	struct end near = { a, a_port }, far = { b, b_port };

	unplug(near);
	unplug(far);
	fabric.node[a].peer[a_port] = far;
	fabric.node[b].peer[b_port] = near;
}

void fabric_reset(int on_switch)
{
	int i, p;

	memset(&fabric, 0, sizeof(fabric));
	memcpy(fabric.node, built, sizeof(built));
	for (i = 0; i < FAKE_NODES; i++)
		for (p = 0; p <= FAKE_PORTS; p++)
			fabric.node[i].peer[p].node = LOOSE;
	fabric_cable(HOST1, 1, SWITCH1, 1);
	fabric_cable(HOST2, 1, SWITCH1, 2);
	fabric_cable(HOST3, 2, SWITCH1, 3);
	fabric_cable(HOST3, 1, SWITCH2, 1);
	fabric_cable(SWITCH1, 4, SWITCH2, 3);
	fabric_cable(SWITCH1, 5, SWITCH2, 4);
	fabric.local.node = on_switch ? SWITCH1 : HOST1;
	fabric.local.port = on_switch ? 0 : 1;
}

void fabric_silence(int node)
{
	fabric.is_silent[node] = 1;
}

void fabric_busy(int node)
{
	fabric.is_busy[node] = 1;
}

void fabric_twin(int node, int other)
{
	fabric.node[node].guid = fabric.node[other].guid;
}

void fabric_lie(int node, uint16_t attribute, uint8_t at, uint8_t value)
{
	if (fabric.n_lies < MAX_LIES)
		fabric.lies[fabric.n_lies++] =
			(struct lie){ node, attribute, at, value };
}

void fabric_endless(uint8_t nports, int bits)
{
	fabric.endless = nports;
	fabric.bits = bits;
}

/* --- where a question goes -------------------------------------------- */

static uint64_t hash(const uint8_t *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	while (n--)
		h = (h ^ *s++) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* A made-up switch at the end of the path so far. */
static struct place make_up(const uint8_t *path, int hops)
{
	uint64_t mask = ((uint64_t)1 << fabric.bits) - 1;
	uint64_t h = hash(path, (size_t)hops + 1);

	return (struct place){ MADE_UP, (uint8_t)(1 + h % fabric.endless),
			       0x10000 + (h & mask) };
}

/* One hop on.  Returns 0 when it leads nowhere. */
static int step(struct place *at, const uint8_t *path, int hop)
{
	const struct fake *n;
	uint8_t exit = path[hop];
	struct end next = { LOOSE, 0 };

	if (at->node != MADE_UP) {
		n = &fabric.node[at->node];
		if (!exit || exit > n->nports)
			return 0;
		if (hop > 1 && n->type != NODE_SWITCH)
			return 0; /* an adapter passes nothing on */
		next = n->peer[exit];
	}
	if (next.node == LOOSE && !fabric.endless)
		return 0;
	if (next.node == LOOSE)
		*at = make_up(path, hop);
	else
		*at = (struct place){ next.node, next.port, 0 };
	return 1;
}

/* InitialPath of `hops` hops, IBA 14.2.2. */
static int find_by_path(const uint8_t *path, int hops, struct place *at)
{
	int i;

	*at = (struct place){ fabric.local.node, fabric.local.port, 0 };
	for (i = 1; i <= hops; i++)
		if (!step(at, path, i))
			return 0;
	return 1;
}

static int find_by_lid(uint16_t lid, struct place *at)
{
	int i;

	for (i = 0; i < FAKE_NODES; i++) {
		const struct fake *n = &fabric.node[i];
		int ports = n->type == NODE_SWITCH ? 1 : n->nports;

		if (lid < n->lid || lid >= n->lid + ports)
			continue;
		*at = (struct place){ i, (uint8_t)(lid - n->lid + 1), 0 };
		if (n->type == NODE_SWITCH)
			at->port = 0;
		return 1;
	}
	return 0;
}

/* --- attributes ------------------------------------------------------- */

static void put(uint8_t *at, uint64_t v, int bytes)
{
	while (bytes--) {
		at[bytes] = (uint8_t)v;
		v >>= 8;
	}
}

static struct fake fake_at(const struct place *at)
{
	if (at->node != MADE_UP)
		return fabric.node[at->node];
	return (struct fake){ .guid = at->guid, .type = NODE_SWITCH,
			      .nports = fabric.endless, .device = 0xd2f0,
			      .lid = (uint16_t)(0x1000 + at->guid % 0xa000) };
}

static void node_info(const struct place *at, uint8_t *d)
{
	struct fake n = fake_at(at);

	d[0] = d[1] = 1;
	d[2] = n.type;
	d[3] = n.nports;
	put(d + 4, n.guid, 8);
	put(d + 12, n.guid, 8);
	put(d + 20, n.guid + (n.type == NODE_SWITCH ? 0 : at->port), 8);
	put(d + 30, n.device, 2);
	put(d + 36, 0x0002c9, 4);
	d[36] = at->port;
}

void fabric_node_info(int node, uint8_t port, uint8_t *d)
{
	struct place at = { node, port, 0 };

	memset(d, 0, 64);
	node_info(&at, d);
}

static int is_plugged(const struct place *at, const struct fake *n, int port)
{
	if (at->node == MADE_UP || fabric.endless)
		return 1;
	return port <= FAKE_PORTS && n->peer[port].node != LOOSE;
}

/* Switch 2 says its extended speed only when it is asked for; host 3 is QDR,
 * or FDR10.  Host 1 has the subnet manager. */
static void port_info(const struct place *at, uint32_t modifier, uint8_t *d)
{
	struct fake n = fake_at(at);
	int port = modifier & 0xff, up = is_plugged(at, &n, port);
	int is_switch = n.type == NODE_SWITCH, is_end = !is_switch || !port;
	int has_ext = at->node != HOST3;

	if (is_end) {
		put(d + 16, n.lid + (is_switch ? 0 : port - 1), 2);
		put(d + 18, 10, 2);
		put(d + 20, (has_ext ? 0x4000 : 0) |
			    (at->node == HOST1 ? CAPMASK_IS_SM : 0), 4);
	}
	up |= is_switch && !port;
	d[29] = d[30] = 3;
	d[31] = up ? 2 : 0;
	d[32] = 0x70 | (up ? STATE_ACTIVE : STATE_DOWN);
	d[33] = (uint8_t)(up ? PHYS_LINKUP : PHYS_POLLING) << 4;
	d[35] = (uint8_t)((up ? 4 : 0) << 4 | 7);
	d[36] = 0x50;
	d[37] = 0x40;
	d[41] = 5;
	d[43] = 0x40;
	d[62] = has_ext ? 0x07 : 0;
	d[63] = has_ext ? 7 : 0;
	if (has_ext && up && (at->node != SWITCH2 || modifier >> 31))
		d[62] |= 4 << 4;
}

static void sm_info(uint8_t *d)
{
	put(d, 0x101, 8);
	put(d + 16, 77, 4);
	d[20] = 5 << 4 | SM_MASTER;
}

/* Returns the status. */
static uint16_t smp_attribute(const struct place *at, uint16_t attribute,
			      uint32_t modifier, uint8_t *d)
{
	struct fake n = fake_at(at);

	switch (attribute) {
	case ATTR_NODE_DESC:
		strcpy((char *)d, n.type == NODE_SWITCH ? "switch" : "host");
		return 0;
	case ATTR_NODE_INFO:
		node_info(at, d);
		return 0;
	case ATTR_SWITCH_INFO:
		if (n.type != NODE_SWITCH)
			return STATUS_NOT_SUPPORTED;
		put(d, 0xc000, 2);
		d[16] = 8; /* enhanced port 0 */
		return 0;
	case ATTR_PORT_INFO:
		port_info(at, modifier, d);
		return 0;
	case ATTR_SM_INFO:
		if (at->node != HOST1)
			return STATUS_NOT_SUPPORTED;
		sm_info(d);
		return 0;
	default: /* Mellanox's 0xff90 among them */
		return STATUS_NOT_SUPPORTED;
	}
}

/* PortRcvErrors and PortXmitDiscards are 1 everywhere; switch 2 cannot tell
 * what they were. */
static uint16_t pma_attribute(const struct place *at, uint16_t attribute,
			      uint8_t select, uint8_t *d)
{
	d[1] = select;
	switch (attribute) {
	case ATTR_CLASS_PORT_INFO:
		d[0] = d[1] = 1;
		put(d + 2, 0x9200, 2);  /* extended, XmitWait, QP1Dropped */
		put(d + 4, 2u << 5, 4); /* 64-bit error counters */
		return 0;
	case ATTR_PORT_COUNTERS:
		put(d + 8, 1, 2);
		put(d + 14, 1, 2);
		return 0;
	case ATTR_PORT_COUNTERS_EXT:
		put(d + 96, 1, 8);
		put(d + 120, 1, 8);
		return 0;
	case ATTR_RCV_ERROR_DETAILS:
	case ATTR_XMIT_DISCARD_DETAILS:
		put(d + 4, 1, 2);
		return at->node == SWITCH2 ? STATUS_NOT_SUPPORTED : 0;
	default:
		return STATUS_NOT_SUPPORTED;
	}
}

static void apply_lies(int node, uint16_t attribute, uint8_t *d)
{
	int i;

	for (i = 0; i < fabric.n_lies; i++)
		if (fabric.lies[i].node == node &&
		    fabric.lies[i].attribute == attribute)
			d[fabric.lies[i].at] = fabric.lies[i].value;
}

int fabric_answer(const uint8_t request[MAD_LEN], uint16_t lid,
		  uint8_t reply[MAD_LEN])
{
	uint16_t attribute = (uint16_t)(request[16] << 8 | request[17]);
	uint32_t modifier = (uint32_t)request[20] << 24 | request[21] << 16 |
			    request[22] << 8 | request[23];
	int is_smp = request[1] == CLASS_SMP;
	struct place at;
	uint16_t status;

	if (is_smp ? !find_by_path(request + 128, request[7], &at) :
		     !find_by_lid(lid, &at))
		return 0;
	if (at.node != MADE_UP && fabric.is_silent[at.node])
		return 0;
	memcpy(reply, request, MAD_LEN);
	reply[3] |= 0x80; /* response */
	status = is_smp ? smp_attribute(&at, attribute, modifier,
					reply + MAD_DATA) :
			  pma_attribute(&at, attribute, request[MAD_DATA + 1],
					reply + MAD_DATA);
	if (at.node != MADE_UP && fabric.is_busy[at.node])
		status = STATUS_BUSY;
	put(reply + 4, status | (is_smp ? STATUS_DIRECTION : 0), 2);
	apply_lies(at.node, attribute, reply + MAD_DATA);
	return 1;
}
