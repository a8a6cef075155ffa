/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_MAD_H
#define IBAUDIT_FABRIC_MAD_H

#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "util/err.h"

/*
 * The MAD engine: the only user of libibumad.  It keeps a window of queries
 * in flight, SMPs by directed route and PerformanceMgt GMPs by LID apart, at
 * most one a destination, and calls back for each.  Get is the only method
 * that it can send.
 */
struct mad_engine;
struct mad_query;

/* Management classes, <infiniband/umad_types.h>. */
#define CLASS_SMP 0x81 /* UMAD_CLASS_SUBN_DIRECTED_ROUTE */
#define CLASS_PMA 0x04 /* UMAD_CLASS_PERF_MGMT */

/* Attributes, IBA 14.2.5 and 16.1.3. */
#define ATTR_CLASS_PORT_INFO 0x01
#define ATTR_NODE_DESC 0x10
#define ATTR_NODE_INFO 0x11
#define ATTR_SWITCH_INFO 0x12
#define ATTR_PORT_INFO 0x15
#define ATTR_SM_INFO 0x20
#define ATTR_MLNX_PORT_INFO 0xff90 /* vendor's: ib_mlnx_ext_port_info_t */
#define ATTR_PORT_COUNTERS 0x12
#define ATTR_PORT_RCV_ERROR_DETAILS 0x15
#define ATTR_PORT_XMIT_DISCARD_DETAILS 0x16
#define ATTR_PORT_COUNTERS_EXT 0x1d

struct mad_options {
	const char *ca; /* as umad_open_port() takes them */
	int port;
	/* The device of GMPs, where it is another one; NULL: the same. */
	const char *gmp_ca;
	int gmp_port;
	int smp_window, gmp_window; /* in flight, 1 to MAD_WINDOW_MAX */
	int smp_rate, gmp_rate;     /* a second; 0: no limit */
	int park_max; /* silent ones beside the windows, to MAD_PARK_MAX */
	int timeout_ms, retries;    /* given to the kernel */
	int sl;                     /* of GMPs */
	/* Called between MADs, at most ten times a second; may be NULL. */
	void (*tick)(void *arg);
	void *arg;
};

/* Both windows together stay below what a simulator's socket takes. */
#define MAD_WINDOW_MAX 64
#define MAD_PARK_MAX 4096

/* Where queries go that must wait for each other.  Zero-initialised, with
 * the route set; it must outlive its queries. */
struct mad_dest {
	const struct route *route; /* of SMPs; GMPs go to a LID */
	uint64_t mkey;      /* of the node itself; 0 for none */
	/* the engine's own */
	struct mad_dest *next_ready;
	uint32_t first, last; /* queue of waiting queries, 0: empty */
	uint16_t seen_in, lost_in; /* number of the period */
	uint8_t in_flight;
	uint8_t silent;     /* time-outs in a row, all queries */
	uint8_t silent_own; /* the same of those that end at the node itself */
	uint8_t lost_own;   /* of those, in all */
	uint8_t is_tested;  /* a query that asks whether it lives is under way */
	uint8_t has_answered;
	uint8_t is_ready;
};

struct mad_reply {
	int failed; /* 0, or 1 + enum fail_status */
	uint16_t mad_status;
	const uint8_t *data; /* the attribute; valid during the call */
	size_t len;          /* 64 for SMPs, 192 for PMA */
	const char *text;    /* of a failure, in words */
};

/* True when the node answered that it does not know what was asked for:
 * method, attribute or modifier (IBA 13.4.7).  Busy is no refusal. */
int mad_reply_is_refusal(const struct mad_reply *r);
int mad_reply_is_busy(const struct mad_reply *r);

typedef void mad_done_fn(void *arg, const struct mad_query *q,
			 const struct mad_reply *r);

struct mad_query {
	struct mad_dest *dest;
	mad_done_fn *done;
	void *arg;
	uint64_t mkey;  /* SMPs: M_Key, IBA 14.2.4; 0 for none */
	uint32_t modifier;
	uint32_t node; /* whose, and of which port: the caller's business */
	uint16_t attribute;
	uint16_t lid;   /* GMPs: destination */
	uint8_t mgmt_class;
	uint8_t port;
	uint8_t exit;   /* SMPs: one more hop, out of this port; 0: none */
	uint8_t select; /* PMA: PortSelect */
	uint8_t once;   /* the kernel does not send it again, it waits as long */
	uint8_t busy;   /* the engine's: how often it was answered "busy" */
};

/*
 * Open the port and register both classes.  NULL with err set when that is
 * not possible; mad_close() releases it (NULL is fine).
 */
struct mad_engine *mad_open(const struct mad_options *opt, struct err *err);
void mad_close(struct mad_engine *e);

/* Forget that a destination was silent: it may be asked again. */
void mad_dest_forgive(struct mad_dest *d);

/*
 * Queue a query; q is copied.  Its done() is called from mad_run().  One that
 * is answered "busy" is sent again, a few times.  A destination that stopped
 * answering is given up: what still waits for it fails with FAIL_GIVEN_UP.
 */
void mad_submit(struct mad_engine *e, const struct mad_query *q);

/*
 * Send and receive until no query is left; done() may submit more.  With
 * deadline_us (clock_mono_us; 0: none) past, queries that were not sent fail
 * with FAIL_NOT_SENT.  Returns 0, or -1 with err set when the device is gone;
 * every query was called back then too.
 */
int mad_run(struct mad_engine *e, int64_t deadline_us, struct err *err);

/* The fabric suffers: halve the windows, which grow again when it does not.
 * Returns 0 when they could not be any smaller. */
int mad_narrow(struct mad_engine *e);

/* Send nothing more: what waits fails with FAIL_NOT_SENT and the words why,
 * of which the first call counts. */
void mad_stop(struct mad_engine *e, const char *why);

/* Those words, or NULL while it sends. */
const char *mad_stopped(const struct mad_engine *e);

struct mad_stats {
	int64_t sent;
	int64_t unmatched; /* came in, and nobody waited for it */
};
void mad_stats(const struct mad_engine *e, struct mad_stats *out);

#endif
