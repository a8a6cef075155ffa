/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_COUNTER_H
#define IBAUDIT_MODEL_COUNTER_H

#include <stddef.h>
#include <stdint.h>

/*
 * THE table of counters: one row each.  Decoding, the database's columns, the
 * views of the rules, `ibaudit counters` and the manual's table derive from
 * it.  The order is the order of display.
 */

enum counter_kind {
	COUNTER_ERROR,      /* a rise is a finding's business */
	COUNTER_CONGESTION, /* a rise is a matter of load */
	COUNTER_DATA,       /* octets and packets */
	/* What the events of another counter were, in an attribute of their
	 * own that is asked only where that counter rose. */
	COUNTER_RCV_DETAIL, /* PortRcvErrors, in PortRcvErrorDetails (0x15) */
	COUNTER_XMIT_DETAIL /* PortXmitDiscards, PortXmitDiscardDetails (0x16) */
};

/* What ClassPortInfo must say before a value is believed. */
enum counter_cap {
	CAP_NONE,      /* always there */
	CAP_XMIT_WAIT, /* CapabilityMask bit 12, IBA 16.1.3.1 */
	CAP_QP1_DROP,  /* CapabilityMask bit 15 */
	CAP_EXT_SPLIT  /* bit 9 only: the unicast and multicast split */
};

/* Where a value stands in an attribute, from the attribute's first byte. */
struct counter_field {
	uint16_t bit;  /* offset in bits */
	uint8_t width; /* in bits; 0: the attribute does not have it */
};

struct counter_row {
	const char *column; /* in the database, JSON and parameters */
	const char *name;   /* the specification's */
	struct counter_field pc;  /* in PortCounters (0x12), IBA 16.1.3.5; of
				     a detail in its own attribute */
	struct counter_field ext; /* in PortCountersExtended (0x1D), 16.1.4.11 */
	enum counter_kind kind;
	enum counter_cap cap;
	const char *unit;
	const char *doc; /* one line: what it means for a technician */
};

enum {
	COUNTER_ERRORS = 13,	/* the first rows: those of COUNTER_ERROR */
	COUNTER_MAIN = 22,	/* and those behind them: all but the details */
	COUNTER_DETAILS = 10,	/* the rows behind them */
	COUNTER_COUNT = COUNTER_MAIN + COUNTER_DETAILS
};

extern const struct counter_row counter_table[COUNTER_COUNT];

/* Which attributes a port's counters came from; stored beside them. */
#define SRC_PC 1u       /* PortCounters answered */
#define SRC_EXT 2u      /* PortCountersExtended: 64-bit data */
#define SRC_EXT_ERR 4u  /* and its 64-bit error counters are valid */
#define SRC_RCV_DETAILS 8u   /* PortRcvErrorDetails answered */
#define SRC_XMIT_DETAILS 16u /* PortXmitDiscardDetails answered */

#define COUNTER_UNREAD INT64_MIN

/* The counters of one port at one time. */
struct counters {
	int64_t at_ms; /* wall clock when read */
	int64_t *details; /* owned, NULL while none was read: few ports have
			     any; counters_get() and _set() hide it */
	uint8_t src;   /* SRC_* */
	int64_t value[COUNTER_MAIN]; /* COUNTER_UNREAD when not read;
					more than 2^63-1 is held at that */
};

/* ClassPortInfo of a port's PMA, host order. */
struct pma_caps {
	uint16_t cap_mask;
	uint32_t cap_mask2; /* 27 bits */
};

/* True when ClassPortInfo announces PortCountersExtended / its errors. */
int pma_has_ext(const struct pma_caps *caps);
int pma_has_ext_errors(const struct pma_caps *caps);

/*
 * Merge one attribute's 64-byte or longer payload (data, from its first byte;
 * len bytes) into c, the widest value winning.  caps says what may be
 * believed.
 */
void counters_decode_pc(struct counters *c, const uint8_t *data, size_t len,
			const struct pma_caps *caps);
void counters_decode_ext(struct counters *c, const uint8_t *data, size_t len,
			 const struct pma_caps *caps);

/* The same of a details' attribute, whose bit of src is given. */
void counters_decode_details(struct counters *c, unsigned src,
			     const uint8_t *data, size_t len);

/* All unread. */
void counters_init(struct counters *c);

/* Release c and what it owns; NULL is fine. */
void counters_free(struct counters *c);

/* The value of counter i, details too. */
int64_t counters_get(const struct counters *c, int i);
void counters_set(struct counters *c, int i, int64_t value);

/* The bit of src under which a detail is read; 0 of all other counters. */
unsigned counter_detail_src(int i);

/* The counter whose events those details split up. */
int counter_parent(unsigned src);

/* Width in bits of counter i when read from src; 0 when src has it not. */
int counter_width(int i, unsigned src);

/* The value at which a counter of that width stands still. */
int64_t counter_max(int width);

/* Index of a column name, or -1. */
int counter_find(const char *column);

#endif
