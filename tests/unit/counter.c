/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counter table against opensm's structs of the two attributes, and
 * against libibmad's fields of the details, which opensm has no structs of.
 */
#include "model/counter.h"

#include <infiniband/mad.h>
#include <iba/ib_types.h> /* its macros are names in mad.h */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define BYTES(x) ((const uint8_t *)&(x))

static const struct pma_caps all = { 0x9200, 0x2 };
static const struct pma_caps plain = { 0, 0 };

static int64_t value(const struct counters *c, const char *column)
{
	return counters_get(c, counter_find(column));
}

static void pc(void)
{
	ib_port_counters_t w;
	struct counters c;

	memset(&w, 0, sizeof(w));
	w.symbol_err_cnt = cl_hton16(0x0102);
	w.link_err_recover = 3;
	w.link_downed = 4;
	w.rcv_err = cl_hton16(5);
	w.rcv_rem_phys_err = cl_hton16(6);
	w.rcv_switch_relay_err = cl_hton16(7);
	w.xmit_discards = cl_hton16(8);
	w.xmit_constraint_err = 9;
	w.rcv_constraint_err = 10;
	w.link_int_buffer_overrun = 11 << 4 | 12;
	w.qp1_dropped = cl_hton16(13);
	w.vl15_dropped = cl_hton16(14);
	w.xmit_data = cl_hton32(0xfffffff1u);
	w.rcv_data = cl_hton32(16);
	w.xmit_pkts = cl_hton32(17);
	w.rcv_pkts = cl_hton32(18);
	w.xmit_wait = cl_hton32(19);

	counters_init(&c);
	counters_decode_pc(&c, BYTES(w), sizeof(w), &all);
	is_int(c.src, SRC_PC, "source");
	is_int(value(&c, "symbol_error"), 0x0102, "SymbolErrorCounter");
	is_int(value(&c, "link_error_recovery"), 3, "LinkErrorRecovery");
	is_int(value(&c, "link_downed"), 4, "LinkDowned");
	is_int(value(&c, "rcv_errors"), 5, "PortRcvErrors");
	is_int(value(&c, "rcv_remote_physical_errors"), 6, "RemotePhysical");
	is_int(value(&c, "rcv_switch_relay_errors"), 7, "SwitchRelay");
	is_int(value(&c, "xmit_discards"), 8, "PortXmitDiscards");
	is_int(value(&c, "xmit_constraint_errors"), 9, "XmitConstraint");
	is_int(value(&c, "rcv_constraint_errors"), 10, "RcvConstraint");
	is_int(value(&c, "local_link_integrity_errors"), 11, "LocalIntegrity");
	is_int(value(&c, "excessive_buffer_overrun_errors"), 12, "Overrun");
	is_int(value(&c, "qp1_dropped"), 13, "QP1Dropped");
	is_int(value(&c, "vl15_dropped"), 14, "VL15Dropped");
	is_int(value(&c, "xmit_data"), 0xfffffff1u, "PortXmitData above 2^31");
	is_int(value(&c, "rcv_data"), 16, "PortRcvData");
	is_int(value(&c, "xmit_pkts"), 17, "PortXmitPkts");
	is_int(value(&c, "rcv_pkts"), 18, "PortRcvPkts");
	is_int(value(&c, "xmit_wait"), 19, "PortXmitWait");
	ok(value(&c, "unicast_xmit_pkts") == COUNTER_UNREAD,
	   "what PortCounters lacks is unread");

	counters_init(&c);
	counters_decode_pc(&c, BYTES(w), sizeof(w), &plain);
	ok(value(&c, "xmit_wait") == COUNTER_UNREAD,
	   "PortXmitWait counts only when announced");
	ok(value(&c, "qp1_dropped") == COUNTER_UNREAD,
	   "QP1Dropped counts only when announced");
	is_int(value(&c, "vl15_dropped"), 14, "VL15Dropped always counts");
}

static void ext(void)
{
	ib_port_counters_ext_t w;
	ib_port_counters_t narrow;
	struct counters c;

	memset(&w, 0, sizeof(w));
	memset(&narrow, 0, sizeof(narrow));
	narrow.symbol_err_cnt = 0xffff;
	w.xmit_data = cl_hton64(101);
	w.rcv_data = cl_hton64(102);
	w.xmit_pkts = cl_hton64(103);
	w.rcv_pkts = cl_hton64(104);
	w.unicast_xmit_pkts = cl_hton64(105);
	w.unicast_rcv_pkts = cl_hton64(106);
	w.multicast_xmit_pkts = cl_hton64(107);
	w.multicast_rcv_pkts = cl_hton64(UINT64_MAX);
	w.symbol_err_cnt = cl_hton64(70000);
	w.link_err_recover = cl_hton64(109);
	w.link_downed = cl_hton64(110);
	w.rcv_err = cl_hton64(111);
	w.rcv_rem_phys_err = cl_hton64(112);
	w.rcv_switch_relay_err = cl_hton64(113);
	w.xmit_discards = cl_hton64(114);
	w.xmit_constraint_err = cl_hton64(115);
	w.rcv_constraint_err = cl_hton64(116);
	w.link_integrity_err = cl_hton64(117);
	w.buffer_overrun = cl_hton64(118);
	w.vl15_dropped = cl_hton64(119);
	w.xmit_wait = cl_hton64(120);
	w.qp1_dropped = cl_hton64(121);

	counters_init(&c);
	counters_decode_pc(&c, BYTES(narrow), sizeof(narrow), &all);
	counters_decode_ext(&c, BYTES(w), sizeof(w), &all);
	is_int(c.src, SRC_PC | SRC_EXT | SRC_EXT_ERR, "sources");
	is_int(value(&c, "xmit_data"), 101, "64-bit PortXmitData");
	is_int(value(&c, "rcv_pkts"), 104, "64-bit PortRcvPkts");
	is_int(value(&c, "unicast_rcv_pkts"), 106, "PortUnicastRcvPkts");
	is_int(value(&c, "multicast_xmit_pkts"), 107, "PortMulticastXmitPkts");
	ok(value(&c, "multicast_rcv_pkts") == INT64_MAX,
	   "more than 2^63-1 is held at that");
	is_int(value(&c, "symbol_error"), 70000, "the wider counter wins");
	is_int(value(&c, "link_error_recovery"), 109, "LinkErrorRecovery");
	is_int(value(&c, "link_downed"), 110, "LinkDowned");
	is_int(value(&c, "rcv_errors"), 111, "PortRcvErrors");
	is_int(value(&c, "rcv_remote_physical_errors"), 112, "RemotePhysical");
	is_int(value(&c, "rcv_switch_relay_errors"), 113, "SwitchRelay");
	is_int(value(&c, "xmit_discards"), 114, "PortXmitDiscards");
	is_int(value(&c, "xmit_constraint_errors"), 115, "XmitConstraint");
	is_int(value(&c, "rcv_constraint_errors"), 116, "RcvConstraint");
	is_int(value(&c, "local_link_integrity_errors"), 117, "Integrity");
	is_int(value(&c, "excessive_buffer_overrun_errors"), 118, "Overrun");
	is_int(value(&c, "vl15_dropped"), 119, "VL15Dropped");
	is_int(value(&c, "xmit_wait"), 120, "PortXmitWait");
	is_int(value(&c, "qp1_dropped"), 121, "QP1Dropped");
}

static void widths(void)
{
	int sym = counter_find("symbol_error"), data = counter_find("xmit_data");
	ib_port_counters_ext_t w;
	ib_port_counters_t narrow;
	struct pma_caps no_errors = { 0x0200, 0 }, no_split = { 0x0400, 0 };
	struct counters c;

	is_int(counter_width(sym, SRC_PC), 16, "16 bits in PortCounters");
	is_int(counter_width(sym, SRC_PC | SRC_EXT), 16,
	       "and with Extended that has no errors");
	is_int(counter_width(sym, SRC_PC | SRC_EXT | SRC_EXT_ERR), 64,
	       "64 where it has");
	is_int(counter_width(data, SRC_PC | SRC_EXT), 64, "data: 64");
	is_int(counter_width(data, 0), 0, "nothing was read: 0");
	is_int(counter_max(4), 15, "4 bits stand still at 15");
	ok(counter_max(64) == INT64_MAX, "64 bits at what is stored of them");

	memset(&w, 0, sizeof(w));
	memset(&narrow, 0, sizeof(narrow));
	narrow.symbol_err_cnt = cl_hton16(7);
	w.symbol_err_cnt = cl_hton64(9);
	w.unicast_xmit_pkts = cl_hton64(5);
	counters_init(&c);
	counters_decode_ext(&c, BYTES(w), sizeof(w), &no_errors);
	counters_decode_pc(&c, BYTES(narrow), sizeof(narrow), &no_errors);
	is_int(c.value[sym], 7, "errors in Extended count only if announced");
	is_int(c.value[data], 0, "a late PortCounters does not narrow data");
	is_int(value(&c, "unicast_xmit_pkts"), 5, "the split is announced");
	counters_init(&c);
	counters_decode_ext(&c, BYTES(w), sizeof(w), &no_split);
	ok(value(&c, "unicast_xmit_pkts") == COUNTER_UNREAD,
	   "the split is not announced");
	counters_init(&c);
	counters_decode_ext(&c, BYTES(w), 64, &all);
	ok(c.value[sym] == COUNTER_UNREAD, "a short reply gives what it has");
}

/* Each detail: a name of ours, and a field of libibmad. */
static const struct {
	unsigned src;
	const char *column;
	enum MAD_FIELDS field;
} details[] = {
	{ SRC_RCV_DETAILS, "rcv_local_physical_errors",
	  IB_PC_RCV_LOCAL_PHY_ERR_F },
	{ SRC_RCV_DETAILS, "rcv_malformed_packet_errors",
	  IB_PC_RCV_MALFORMED_PKT_ERR_F },
	{ SRC_RCV_DETAILS, "rcv_buffer_overrun_errors",
	  IB_PC_RCV_BUF_OVR_ERR_F },
	{ SRC_RCV_DETAILS, "rcv_dlid_mapping_errors",
	  IB_PC_RCV_DLID_MAP_ERR_F },
	{ SRC_RCV_DETAILS, "rcv_vl_mapping_errors", IB_PC_RCV_VL_MAP_ERR_F },
	{ SRC_RCV_DETAILS, "rcv_looping_errors", IB_PC_RCV_LOOPING_ERR_F },
	{ SRC_XMIT_DETAILS, "xmit_inactive_discards", IB_PC_XMT_INACT_DISC_F },
	{ SRC_XMIT_DETAILS, "xmit_neighbor_mtu_discards",
	  IB_PC_XMT_NEIGH_MTU_DISC_F },
	{ SRC_XMIT_DETAILS, "xmit_sw_lifetime_discards",
	  IB_PC_XMT_SW_LIFE_DISC_F },
	{ SRC_XMIT_DETAILS, "xmit_sw_hoq_lifetime_discards",
	  IB_PC_XMT_SW_HOL_DISC_F },
};

#define N_DETAILS (sizeof(details) / sizeof(details[0]))

/* Decode one attribute, with 0x8000 + its index in each of its fields. */
static void decode(struct counters *c, unsigned src)
{
	uint8_t data[192] = { 0 };
	uint32_t i, v;

	for (i = 0; i < N_DETAILS; i++) {
		v = 0x8000 + i;
		if (details[i].src == src)
			mad_encode_field(data, details[i].field, &v);
	}
	counters_decode_details(c, src, data, sizeof(data));
}

static void detail(void)
{
	struct counters *c = calloc(1, sizeof(*c));
	static const uint8_t none[192];
	size_t i;

	is_int(N_DETAILS, COUNTER_DETAILS, "all details");
	counters_init(c);
	counters_decode_pc(c, none, sizeof(none), &all);
	ok(!c->details && value(c, "rcv_looping_errors") == COUNTER_UNREAD,
	   "nothing is kept while none was read");
	decode(c, SRC_RCV_DETAILS);
	is_int(c->src, SRC_PC | SRC_RCV_DETAILS, "sources");
	ok(value(c, "xmit_inactive_discards") == COUNTER_UNREAD,
	   "what the other attribute has stays unread");
	decode(c, SRC_XMIT_DETAILS);
	for (i = 0; i < N_DETAILS; i++) {
		int at = counter_find(details[i].column);

		is_int(counters_get(c, at), 0x8000 + (int)i, "%s",
		       details[i].column);
		is_int(counter_width(at, c->src), 16, "of 16 bits");
		is_int(counter_width(at, SRC_PC | SRC_EXT), 0, "not of others");
		is_int(counter_detail_src(at), details[i].src, "its source");
	}
	counters_decode_details(c, SRC_RCV_DETAILS, none, 5);
	ok(value(c, "rcv_local_physical_errors") == COUNTER_UNREAD,
	   "a short reply gives what it has");
	is_str(counter_table[counter_parent(SRC_RCV_DETAILS)].name,
	       "PortRcvErrors", "parent of what was received");
	is_str(counter_table[counter_parent(SRC_XMIT_DETAILS)].name,
	       "PortXmitDiscards", "parent of what was discarded");
	is_int(counter_detail_src(counter_find("rcv_errors")), 0,
	       "a parent is no detail");
	counters_free(c);
	counters_free(NULL);
}

int main(void)
{
	pc();
	ext();
	detail();
	widths();
	return done_testing();
}
