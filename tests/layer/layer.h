/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_LAYER_H
#define IBAUDIT_TESTS_LAYER_H

#include <infiniband/umad.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A library for LD_PRELOAD that stands between a libibumad client and
 * libumad2sim (which comes behind it in LD_PRELOAD):
 *
 *   LD_PRELOAD=iblayer.so:libumad2sim.so IBLAYER_SCENARIO=file ibaudit sweep
 *
 * It makes the simulator behave as the kernel does (time-outs, 24-byte
 * returns, whole MADs), lets replies be changed, lost, delayed and invented
 * by a scenario, keeps from the simulator what it cannot digest, counts the
 * traffic, and refuses whatever is not a Get.
 *
 * IBLAYER_SCENARIO  the scenario file (scenario.c has its language); optional
 * IBLAYER_REPORT    where to write what was counted (report.c); optional
 * IBLAYER_STRICT    "1": abort() on the first thing that is not a Get
 *
 * One thread only.  It never prints but for a broken scenario and for what
 * IBLAYER_STRICT aborts on.
 */

#define LAYER_EXPORT __attribute__((visibility("default")))

enum {
	MAD_SIZE = 256,
	UMAD_HEAD = sizeof(struct ib_user_mad), /* ABI 5 with P_Key index */
	UMAD_MAX = UMAD_HEAD + MAD_SIZE,
	MAD_HEAD = 24, /* common header; all that the kernel gives back of a
			  MAD that timed out */
	PATH_MAX_HOPS = 64,
	N_LIDS = 65536
};

/* Management classes, IBA 13.4.4. */
enum { CLASS_LID = 0x01, CLASS_SA = 0x03, CLASS_PMA = 0x04, CLASS_DR = 0x81 };

/* Attributes that the layer itself looks into. */
enum {
	ATTR_NODE_DESC = 0x10, /* SMPs, IBA 14.2.5 */
	ATTR_NODE_INFO = 0x11,
	ATTR_PORT_INFO = 0x15,
	ATTR_PKEYS = 0x16,
	ATTR_VL_ARB = 0x18,
	ATTR_PORT_INFO_EXT = 0x33,
	ATTR_MLNX_PORT_INFO = 0xff90,
	PMA_CLASS_PORT_INFO = 0x01, /* IBA 16.1.3 */
	PMA_SAMPLES_RESULT = 0x11
};

enum { TYPE_CA = 1, TYPE_SWITCH = 2, TYPE_ROUTER = 3 };

enum { STATUS_UNSUPPORTED = 0x000c }; /* method/attribute, IBA 13.4.7 */

#define NEVER UINT64_MAX

/* Big-endian words of a MAD. */
uint16_t get16(const uint8_t *p);
uint32_t get32(const uint8_t *p);
uint64_t get64(const uint8_t *p);

/* M_Key of an SMP, IBA 14.2.1.1: bytes 24 to 31. */
uint64_t mad_mkey(const uint8_t *mad);

void put16(uint8_t *p, uint16_t v);
void put32(uint8_t *p, uint32_t v);

/* Microseconds of a clock that never goes back. */
uint64_t now_us(void);

/* Print one line to stderr and end the process with status 98. */
void layer_die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* calloc() and reallocarray() that cannot fail. */
void *layer_alloc(size_t n, size_t size);
void *layer_resize(void *p, size_t n, size_t size);

/* known.c: what the traffic told about the fabric. */

struct rule;

struct node {
	struct node *chain;
	uint64_t guid;
	const struct rule **rules; /* that may concern it; NULL-ended */
	uint8_t type;
	char desc[65];
	uint8_t up[32]; /* a bit a port: its link is up */
	unsigned in_flight[2]; /* SMPs, GMPs */
	unsigned long mkey_violations;
};

/* Who answers a directed route or a LID, and at which port. */
struct place {
	struct node *node; /* NULL: not known yet */
	uint8_t port;      /* 0 for a switch */
	uint32_t route;    /* a number of the directed route's own; LIDs: 0 */
};

struct request;

/* The place at the end of a request's route or LID; it stays where it is. */
struct place *known_place(const uint8_t *mad, unsigned lid);

/* Learn from a reply that was not changed yet. */
void known_learn(const struct request *req, const uint8_t *mad);

/* The node of that GUID, made when it is new. */
struct node *known_node(uint64_t guid);

/* Call f for each known node. */
void known_each(void (*f)(const struct node *n, void *arg), void *arg);

bool known_is_up(const struct node *n, unsigned port);

/* request.c: requests in flight and replies that wait. */

enum request_state {
	REQ_WAITING, /* for ibsim; at its due time it has timed out */
	REQ_SILENT,  /* the reply was swallowed; it will time out */
	REQ_HELD,    /* umad holds the reply; it is given out when due */
	REQ_LOST     /* never answered; forgotten when due */
};

struct request {
	struct request *chain; /* of the table, or of the free list */
	struct handle *handle;
	struct place *place;
	struct node *counted; /* whose in_flight has it */
	uint64_t sent, due;   /* microseconds */
	uint64_t seq;         /* of equal due times the lower comes first */
	size_t heap_at;
	uint32_t tid; /* the lower half, the only one that is the client's */
	uint32_t modifier;
	uint16_t attr;
	uint16_t lid;
	uint8_t mgmt_class;
	uint8_t method;
	uint8_t port; /* that the request is about */
	bool in_table;
	enum request_state state;
	int length; /* of the MAD in umad */
	uint8_t umad[UMAD_MAX] __attribute__((aligned(8)));
};

/* One open port of the client. */
struct handle {
	int fd;
	bool open;
	bool ethernet; /* stands in for a port that is no InfiniBand port */
	struct request *table[1024];
	struct request **heap; /* by due time */
	size_t n_heap, cap_heap;
};

/* The handle of fd, made when it is new. */
struct handle *handle_get(int fd);

/* Forget all that belongs to fd. */
void handle_close(int fd);

/* Note a request (umad as the client gave it); it waits until due. */
struct request *request_add(struct handle *h, const void *umad, int length,
			    uint64_t due);

/* The newest request with that transaction id, or NULL. */
struct request *request_find(struct handle *h, uint32_t tid);

/* Set its port anew, when more may be known about its place. */
void request_find_port(struct request *req);

/* A reply that no request asked for, from a copy of umad; due now. */
struct request *request_extra(struct handle *h, const void *umad, int length);

/* Change when it is due. */
void request_set_due(struct request *req, uint64_t due);

/* Put a reply into a request, to be given out when due. */
void request_hold(struct request *req, const void *umad, int length,
		  uint64_t due);

/* Away with it. */
void request_drop(struct request *req);

/* The one that is due next, or NULL. */
struct request *request_next(const struct handle *h);

/* scenario.c: rules. */

enum verb {
	VERB_SET, VERB_ANSWER, VERB_DROP, VERB_LOSE, VERB_DELAY,
	VERB_DUPLICATE, VERB_REORDER, VERB_CORRUPT, VERB_STRAY, VERB_SHORT,
	VERB_STATUS, VERB_PROTECT
};

enum edit_op { EDIT_ASSIGN, EDIT_OR, EDIT_ADD, EDIT_ROUTE };

/* One change of an attribute's bits. */
struct edit {
	unsigned bit, width; /* from the attribute's first byte */
	enum edit_op op;
	uint64_t value; /* of fields up to 64 bits wide */
	uint8_t *bytes; /* of wider ones: width / 8 of them; else NULL */
};

struct rule {
	enum verb verb;
	unsigned line;
	/* what it concerns */
	bool any_node;
	uint64_t guid;
	char *desc;
	uint8_t type;           /* 0: any */
	int port_low, port_high; /* -1: any */
	uint8_t mgmt_class;     /* 0: any; CLASS_DR stands for all SMPs */
	int attr;               /* -1: any */
	bool only_up;
	double share;           /* percent of the nodes */
	double rate;
	unsigned long after, count; /* skip so many, then so many */
	/* what it does */
	unsigned us;
	uint16_t value;
	uint64_t mkey;
	int len;
	bool fast, header;
	struct edit *edits;
	size_t n_edits;
	/* how often it was asked, and did something */
	unsigned long seen, applied;
};

enum host { HOST_AS_IS, HOST_NONE, HOST_ETHERNET, HOST_ETHERNET_FIRST,
	    HOST_FORBIDDEN, HOST_DOWN };

extern struct rule *rules;
extern size_t n_rules;
extern enum host host;

/* Read the scenario file; dies when it is not right. */
void scenario_load(const char *path);

/* The rules that may concern n (NULL: a node that is not known yet). */
const struct rule **scenario_rules(struct node *n);

/* How many of the known nodes a rule may concern. */
unsigned long scenario_nodes(const struct rule *r);

/* Forget which rules concern n: its description has changed. */
void scenario_refresh(struct node *n);

/* field.c: names. */

/* Class and id of a named attribute.  Returns false when there is none. */
bool field_attr(const char *name, uint8_t *mgmt_class, int *attr);

/* Where a field stands, in bits.  Returns false when there is none. */
bool field_find(uint8_t mgmt_class, int attr, const char *name, unsigned *bit,
		unsigned *width);

/* apply.c: what becomes of a reply. */

enum fate { FATE_PASS, FATE_KEPT };

/*
 * Let the rules act on a reply, in place.  FATE_PASS: give it to the client
 * now; else the request holds it, waits for its time-out, or is lost.
 */
enum fate apply_rules(struct request *req, uint8_t *umad, int *length);

/* True when a rule answers this request in ibsim's stead. */
bool apply_answers(const struct request *req);

/* report.c: what was seen. */

void report_sent(struct request *req);
void report_done(struct request *req); /* no more in flight */
void report_mkey_violation(struct node *n); /* NULL: not known */
void report_violation(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
void report_write(void);

extern struct tally {
	unsigned long timed_out, late, answered, lost, database_calls;
} tally;

/* kill.c: the end of the process. */

enum kill_what { KILL_NEVER, KILL_SEND, KILL_WRITE };

extern struct kill_at {
	enum kill_what what;
	unsigned long after; /* so many are let pass */
	bool half;
} kill_at;

/* A MAD is about to be sent. */
void kill_at_send(void);

#endif
