/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/counter.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/bits.h"

#define NO_FIELD { 0, 0 }
/* Byte offsets in the attributes; ib_types.h has the same as structs
 * (ib_port_counters_t, ib_port_counters_ext_t). */
#define AT(byte, width) { (byte) * 8, width }
#define AT_BIT(bit, width) { bit, width }

const struct counter_row counter_table[COUNTER_COUNT] = {
	{ "symbol_error", "SymbolErrorCounter", AT(4, 16), AT(72, 64),
	  COUNTER_ERROR, CAP_NONE, "errors",
	  "bit errors on the lanes: dust, a bad transceiver or cable" },
	{ "link_error_recovery", "LinkErrorRecoveryCounter", AT(6, 8),
	  AT(80, 64), COUNTER_ERROR, CAP_NONE, "events",
	  "the link retrained by itself: clean, reseat, replace the cable" },
	{ "link_downed", "LinkDownedCounter", AT(7, 8), AT(88, 64),
	  COUNTER_ERROR, CAP_NONE, "events",
	  "the link went down: a cable when both ends rise, one end alone is "
	  "usually a reboot" },
	{ "rcv_errors", "PortRcvErrors", AT(8, 16), AT(96, 64), COUNTER_ERROR,
	  CAP_NONE, "packets",
	  "packets received damaged: the cable or the far transmitter" },
	{ "rcv_remote_physical_errors", "PortRcvRemotePhysicalErrors",
	  AT(10, 16), AT(104, 64), COUNTER_ERROR, CAP_NONE, "packets",
	  "packets that were already marked bad: the fault is upstream" },
	{ "rcv_switch_relay_errors", "PortRcvSwitchRelayErrors", AT(12, 16),
	  AT(112, 64), COUNTER_ERROR, CAP_NONE, "packets",
	  "packets a switch could not forward: normally benign" },
	{ "xmit_discards", "PortXmitDiscards", AT(14, 16), AT(120, 64),
	  COUNTER_ERROR, CAP_NONE, "packets",
	  "packets dropped before sending: congestion or a dead peer" },
	{ "xmit_constraint_errors", "PortXmitConstraintErrors", AT(16, 8),
	  AT(128, 64), COUNTER_ERROR, CAP_NONE, "packets",
	  "packets not sent for a partition or raw rule: check partitions" },
	{ "rcv_constraint_errors", "PortRcvConstraintErrors", AT(17, 8),
	  AT(136, 64), COUNTER_ERROR, CAP_NONE, "packets",
	  "packets refused for a partition or raw rule: check partitions" },
	{ "local_link_integrity_errors", "LocalLinkIntegrityErrors",
	  AT_BIT(19 * 8, 4), AT(144, 64), COUNTER_ERROR, CAP_NONE, "events",
	  "local physical errors beyond the threshold: the cable" },
	{ "excessive_buffer_overrun_errors", "ExcessiveBufferOverrunErrors",
	  AT_BIT(19 * 8 + 4, 4), AT(152, 64), COUNTER_ERROR, CAP_NONE,
	  "events", "flow control failed for long: firmware or the far end" },
	{ "qp1_dropped", "QP1Dropped", AT(20, 16), AT(176, 64), COUNTER_ERROR,
	  CAP_QP1_DROP, "packets",
	  "management packets dropped at queue pair 1: a busy host" },
	{ "vl15_dropped", "VL15Dropped", AT(22, 16), AT(160, 64),
	  COUNTER_ERROR, CAP_NONE, "packets",
	  "subnet management packets dropped: too many at once" },
	{ "xmit_wait", "PortXmitWait", AT(40, 32), AT(168, 64),
	  COUNTER_CONGESTION, CAP_XMIT_WAIT, "ticks",
	  "time with data to send and no credit: congestion ahead" },
	{ "xmit_data", "PortXmitData", AT(24, 32), AT(8, 64), COUNTER_DATA,
	  CAP_NONE, "4 octets", "data sent" },
	{ "rcv_data", "PortRcvData", AT(28, 32), AT(16, 64), COUNTER_DATA,
	  CAP_NONE, "4 octets", "data received" },
	{ "xmit_pkts", "PortXmitPkts", AT(32, 32), AT(24, 64), COUNTER_DATA,
	  CAP_NONE, "packets", "packets sent" },
	{ "rcv_pkts", "PortRcvPkts", AT(36, 32), AT(32, 64), COUNTER_DATA,
	  CAP_NONE, "packets", "packets received" },
	{ "unicast_xmit_pkts", "PortUnicastXmitPkts", NO_FIELD, AT(40, 64),
	  COUNTER_DATA, CAP_EXT_SPLIT, "packets", "unicast packets sent" },
	{ "unicast_rcv_pkts", "PortUnicastRcvPkts", NO_FIELD, AT(48, 64),
	  COUNTER_DATA, CAP_EXT_SPLIT, "packets", "unicast packets received" },
	{ "multicast_xmit_pkts", "PortMulticastXmitPkts", NO_FIELD,
	  AT(56, 64), COUNTER_DATA, CAP_EXT_SPLIT, "packets",
	  "multicast packets sent" },
	{ "multicast_rcv_pkts", "PortMulticastRcvPkts", NO_FIELD, AT(64, 64),
	  COUNTER_DATA, CAP_EXT_SPLIT, "packets",
	  "multicast packets received" },
	/* IBA 16.1.4, and libibmad's fields; ibqueryerrors of infiniband-diags
	 * prints each of the two attributes under the other's name.  The last
	 * three of what was received count in PortRcvSwitchRelayErrors. */
	{ "rcv_local_physical_errors", "PortLocalPhysicalErrors", AT(4, 16),
	  NO_FIELD, COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received damaged on this very link: the cable or a transceiver" },
	{ "rcv_malformed_packet_errors", "PortMalformedPacketErrors",
	  AT(6, 16), NO_FIELD, COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received with an impossible header or length: a faulty sender" },
	{ "rcv_buffer_overrun_errors", "PortBufferOverrunErrors", AT(8, 16),
	  NO_FIELD, COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received with no buffer left: flow control, firmware" },
	{ "rcv_dlid_mapping_errors", "PortDLIDMappingErrors", AT(10, 16),
	  NO_FIELD, COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received for a LID that the switch has no way to: routing" },
	{ "rcv_vl_mapping_errors", "PortVLMappingErrors", AT(12, 16),
	  NO_FIELD, COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received with a service level that no lane is for: SL2VL tables" },
	{ "rcv_looping_errors", "PortLoopingErrors", AT(14, 16), NO_FIELD,
	  COUNTER_RCV_DETAIL, CAP_NONE, "packets",
	  "received to go out by the same port: a routing loop" },
	{ "xmit_inactive_discards", "PortInactiveDiscards", AT(4, 16),
	  NO_FIELD, COUNTER_XMIT_DETAIL, CAP_NONE, "packets",
	  "not sent since the port was not active: its link was down" },
	{ "xmit_neighbor_mtu_discards", "PortNeighborMTUDiscards", AT(6, 16),
	  NO_FIELD, COUNTER_XMIT_DETAIL, CAP_NONE, "packets",
	  "not sent since too long for the neighbour's MTU" },
	{ "xmit_sw_lifetime_discards", "PortSwLifetimeLimitDiscards",
	  AT(8, 16), NO_FIELD, COUNTER_XMIT_DETAIL, CAP_NONE, "packets",
	  "not sent since too long in the switch: congestion" },
	{ "xmit_sw_hoq_lifetime_discards", "PortSwHOQLifetimeLimitDiscards",
	  AT(10, 16), NO_FIELD, COUNTER_XMIT_DETAIL, CAP_NONE, "packets",
	  "not sent since too long at the head of the queue: a slow or dead "
	  "peer" },
};

/* ClassPortInfo.CapabilityMask of PerformanceMgt, IBA 16.1.3.1. */
#define PMA_EXT 0x0200u          /* bit 9 */
#define PMA_EXT_NO_SPLIT 0x0400u /* bit 10 */
#define PMA_XMIT_WAIT 0x1000u    /* bit 12 */
#define PMA_QP1_DROP 0x8000u     /* bit 15 */
#define PMA2_EXT_ERRORS 0x2u     /* CapabilityMask2 bit 1 */

int pma_has_ext(const struct pma_caps *caps)
{
	return !!(caps->cap_mask & (PMA_EXT | PMA_EXT_NO_SPLIT));
}

int pma_has_ext_errors(const struct pma_caps *caps)
{
	return pma_has_ext(caps) && (caps->cap_mask2 & PMA2_EXT_ERRORS);
}

static int is_announced(const struct counter_row *row,
			const struct pma_caps *caps)
{
	switch (row->cap) {
	case CAP_XMIT_WAIT:
		return !!(caps->cap_mask & PMA_XMIT_WAIT);
	case CAP_QP1_DROP:
		return !!(caps->cap_mask & PMA_QP1_DROP);
	case CAP_EXT_SPLIT:
		return !!(caps->cap_mask & PMA_EXT);
	case CAP_NONE:
		break;
	}
	return 1;
}

static int64_t read_field(const struct counter_field *f, const uint8_t *data,
			  size_t len)
{
	uint64_t v;

	if (!f->width || (size_t)(f->bit + f->width) > len * 8)
		return COUNTER_UNREAD;
	v = bits_get(data, f->bit, f->width);
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

void counters_init(struct counters *c)
{
	int i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < COUNTER_MAIN; i++)
		c->value[i] = COUNTER_UNREAD;
}

void counters_free(struct counters *c)
{
	if (c)
		free(c->details);
	free(c);
}

int64_t counters_get(const struct counters *c, int i)
{
	if (i < COUNTER_MAIN)
		return c->value[i];
	return c->details ? c->details[i - COUNTER_MAIN] : COUNTER_UNREAD;
}

void counters_set(struct counters *c, int i, int64_t value)
{
	int d;

	if (i < COUNTER_MAIN) {
		c->value[i] = value;
		return;
	}
	if (!c->details) {
		c->details = xcalloc(COUNTER_DETAILS, sizeof(*c->details));
		for (d = 0; d < COUNTER_DETAILS; d++)
			c->details[d] = COUNTER_UNREAD;
	}
	c->details[i - COUNTER_MAIN] = value;
}

unsigned counter_detail_src(int i)
{
	switch (counter_table[i].kind) {
	case COUNTER_RCV_DETAIL:
		return SRC_RCV_DETAILS;
	case COUNTER_XMIT_DETAIL:
		return SRC_XMIT_DETAILS;
	default:
		return 0;
	}
}

int counter_parent(unsigned src)
{
	return counter_find(src == SRC_RCV_DETAILS ? "rcv_errors" :
						     "xmit_discards");
}

/* Data and packets are 64 bits wide wherever the attribute is; the error and
 * congestion counters behind them only when CapabilityMask2 says so. */
static int ext_has(const struct counter_row *row, unsigned src)
{
	if (!row->ext.width || !(src & SRC_EXT))
		return 0;
	return row->kind == COUNTER_DATA || (src & SRC_EXT_ERR);
}

void counters_decode_pc(struct counters *c, const uint8_t *data, size_t len,
			const struct pma_caps *caps)
{
	int i;

	c->src |= SRC_PC;
	for (i = 0; i < COUNTER_MAIN; i++)
		if (is_announced(&counter_table[i], caps) &&
		    !ext_has(&counter_table[i], c->src))
			c->value[i] = read_field(&counter_table[i].pc, data,
						 len);
}

void counters_decode_ext(struct counters *c, const uint8_t *data, size_t len,
			 const struct pma_caps *caps)
{
	int i;

	c->src |= SRC_EXT | (pma_has_ext_errors(caps) ? SRC_EXT_ERR : 0);
	for (i = 0; i < COUNTER_MAIN; i++)
		if (is_announced(&counter_table[i], caps) &&
		    ext_has(&counter_table[i], c->src))
			c->value[i] = read_field(&counter_table[i].ext, data,
						 len);
}

void counters_decode_details(struct counters *c, unsigned src,
			     const uint8_t *data, size_t len)
{
	int i;

	c->src |= src;
	for (i = COUNTER_MAIN; i < COUNTER_COUNT; i++)
		if (counter_detail_src(i) == src)
			counters_set(c, i, read_field(&counter_table[i].pc,
						      data, len));
}

int counter_width(int i, unsigned src)
{
	if (i >= COUNTER_MAIN)
		return src & counter_detail_src(i) ?
			       counter_table[i].pc.width : 0;
	if (ext_has(&counter_table[i], src))
		return counter_table[i].ext.width;
	return src & SRC_PC ? counter_table[i].pc.width : 0;
}

int64_t counter_max(int width)
{
	return width >= 63 ? INT64_MAX : ((int64_t)1 << width) - 1;
}

int counter_find(const char *column)
{
	int i;

	for (i = 0; i < COUNTER_COUNT; i++)
		if (!strcmp(counter_table[i].column, column))
			return i;
	return -1;
}
