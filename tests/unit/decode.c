/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decoders against opensm's structs of the same attributes: each field
 * gets a value of its own through ib_types.h, and must come out in its place.
 */
#include "fabric/decode.h"

#include <iba/ib_types.h>
#include <string.h>

#include "model/speed.h"
#include "tap.h"

#define BYTES(x) ((const uint8_t *)&(x))

static void node_info(void)
{
	ib_node_info_t wire;
	struct node_info got;

	memset(&wire, 0, sizeof(wire));
	wire.node_type = NODE_SWITCH;
	wire.num_ports = 65;
	wire.sys_guid = cl_hton64(0x1111222233334444ULL);
	wire.node_guid = cl_hton64(0xfedcba9876543210ULL);
	wire.port_guid = cl_hton64(0x5555666677778888ULL);
	wire.device_id = cl_hton16(0xd2f2);
	wire.revision = cl_hton32(0x800000a0u);
	wire.port_num_vendor_id = cl_hton32(0x410002c9u);

	is_int(decode_node_info(BYTES(wire), &got), 0, "NodeInfo is taken");
	ok(got.node_guid == 0xfedcba9876543210ULL, "NodeGUID");
	ok(got.port_guid == 0x5555666677778888ULL, "PortGUID");
	ok(got.system_image_guid == 0x1111222233334444ULL, "SystemImageGUID");
	is_int(got.type, NODE_SWITCH, "NodeType");
	is_int(got.nports, 65, "NumPorts");
	is_int(got.device_id, 0xd2f2, "DeviceID");
	is_int(got.revision, 0x800000a0u, "Revision above 2^31");
	is_int(got.local_port, 65, "LocalPortNum");
	is_int(got.vendor_id, 0x2c9, "VendorID");

	wire.port_num_vendor_id = cl_hton32(0x420002c9u);
	is_int(decode_node_info(BYTES(wire), &got), -1,
	       "a local port beyond NumPorts is refused");
	wire.port_num_vendor_id = cl_hton32(0x000002c9u);
	is_int(decode_node_info(BYTES(wire), &got), 0,
	       "a switch answers for port 0");
	wire.node_type = NODE_CA;
	is_int(decode_node_info(BYTES(wire), &got), -1,
	       "an adapter has no port 0");
	wire.node_type = 4;
	is_int(decode_node_info(BYTES(wire), &got), -1,
	       "an unknown node type is refused");
	wire.node_type = NODE_SWITCH;
	wire.num_ports = 255;
	is_int(decode_node_info(BYTES(wire), &got), -1,
	       "255 ports are refused");
	wire.num_ports = 0;
	is_int(decode_node_info(BYTES(wire), &got), -1, "0 ports are refused");
	wire.num_ports = 65;
	wire.node_guid = 0;
	is_int(decode_node_info(BYTES(wire), &got), -1,
	       "a NodeGUID of 0 is refused");
}

/* A port that is up at 4X NDR, made with opensm's setters where it has them. */
static void ndr_port(ib_port_info_t *wire)
{
	memset(wire, 0, sizeof(*wire));
	wire->base_lid = cl_hton16(0x1234);
	wire->master_sm_base_lid = cl_hton16(0x0042);
	wire->capability_mask = IB_PORT_CAP_IS_SM | IB_PORT_CAP_HAS_EXT_SPEEDS;
	wire->capability_mask2 = cl_hton16(0x00a5);
	wire->link_width_enabled = 0x13;
	wire->link_width_supported = 0x1f;
	wire->link_width_active = 2;
	ib_port_info_set_port_state(wire, IB_LINK_ACTIVE);
	ib_port_info_set_port_phys_state(IB_PORT_PHYS_STATE_LINKUP, wire);
	wire->state_info1 |= 7 << 4;   /* LinkSpeedSupported */
	wire->link_speed = 4 << 4 | 3; /* Active QDR, Enabled SDR and DDR */
	ib_port_info_set_lmc(wire, 3);
	ib_port_info_set_neighbor_mtu(wire, IB_MTU_LEN_4096);
	ib_port_info_set_master_smsl(wire, 5);
	wire->vl_cap = 4 << 4;
	wire->mtu_cap = IB_MTU_LEN_2048;
	wire->vl_enforce = 3 << 4;
	wire->link_speed_ext = 8 << 4 | 0xf;
	wire->link_speed_ext_enabled = 0xc;
}

static void port_info(void)
{
	ib_port_info_t wire;
	struct port p;

	ndr_port(&wire);
	memset(&p, 0, sizeof(p));
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.lid, 0x1234, "LID");
	is_int(p.sm_lid, 0x42, "MasterSMLID");
	is_int(p.lmc, 3, "LMC");
	is_int(p.sm_sl, 5, "MasterSMSL");
	is_int(p.state, STATE_ACTIVE, "PortState");
	is_int(p.phys, PHYS_LINKUP, "PortPhysicalState");
	is_int(p.speed, SPEED_NDR, "Ext is believed before the old field");
	is_int(p.speed_code, 8 << 4 | 4, "the raw code");
	is_int(p.speed_supported,
	       1 << SPEED_SDR | 1 << SPEED_DDR | 1 << SPEED_QDR |
		       1 << SPEED_FDR | 1 << SPEED_EDR | 1 << SPEED_HDR |
		       1 << SPEED_NDR,
	       "LinkSpeedSupported and Ext");
	is_int(p.speed_enabled,
	       1 << SPEED_SDR | 1 << SPEED_DDR | 1 << SPEED_HDR |
		       1 << SPEED_NDR,
	       "LinkSpeedEnabled and Ext");
	is_int(p.width, WIDTH_4X, "LinkWidthActive");
	is_int(p.width_enabled, 1 << WIDTH_1X | 1 << WIDTH_2X | 1 << WIDTH_4X,
	       "LinkWidthEnabled, 2X in its place");
	is_int(p.mtu, 4096, "NeighborMTU");
	is_int(p.mtu_cap, 2048, "MTUCap");
	is_int(p.vl_cap, 4, "VLCap");
	is_int(p.op_vls, 3, "OperationalVLs");
	is_int(p.cap_mask, 0x4002, "CapabilityMask");
	is_int(p.cap_mask2, 0xa5, "CapabilityMask2");
}

static void port_info_unread(void)
{
	ib_port_info_t wire;
	struct port p;

	ndr_port(&wire);
	memset(&p, 0, sizeof(p));
	p.lid = p.sm_lid = VAL_NONE;
	p.cap_mask = VAL_NONE64;
	decode_port_info(BYTES(wire), 0, NULL, &p);
	is_int(p.lid, VAL_NONE, "an external port has no LID");
	is_int(p.sm_lid, VAL_NONE, "nor a MasterSMLID");
	ok(p.cap_mask == VAL_NONE64, "nor a CapabilityMask");

	ib_port_info_set_port_phys_state(IB_PORT_PHYS_STATE_POLLING, &wire);
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.speed, VAL_NONE, "a port that is down has no speed");
	is_int(p.width, VAL_NONE, "nor a width");
	is_int(p.mtu, VAL_NONE, "nor a neighbour's MTU");
	ok(p.speed_enabled > 0, "what is enabled is read all the same");
}

static void port_caps(void)
{
	ib_port_info_t wire;
	struct port_caps none = { 1, 0, 0 }, unknown = { 0, 0, 0 }, own;
	struct port p;

	ndr_port(&wire);
	memset(&p, 0, sizeof(p));
	decode_port_info(BYTES(wire), 0, &none, &p);
	is_int(p.speed, SPEED_QDR,
	       "Ext does not count when port 0 does not announce it");
	decode_port_info(BYTES(wire), 0, &unknown, &p);
	is_int(p.speed, SPEED_NDR, "Ext counts when port 0 was not read");

	decode_port_caps(BYTES(wire), &own);
	ok(!port_info_wants_ext(BYTES(wire), &own), "Ext is there: ask once");
	wire.link_speed_ext = 0xf;
	ok(port_info_wants_ext(BYTES(wire), &own), "Ext is 0: ask again");
	ok(!port_info_wants_ext(BYTES(wire), &none),
	   "Ext is not announced: ask once");
}

static void xdr(void)
{
	ib_port_info_t wire;
	struct port p;
	uint8_t *bytes = (uint8_t *)&wire;

	ndr_port(&wire);
	memset(&p, 0, sizeof(p));
	wire.capability_mask |= IB_PORT_CAP_HAS_CAP_MASK2;
	wire.capability_mask2 = cl_hton16(0x0800);
	bytes[56] = 1 << 5 | 1 << 3 | 1;
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.speed, SPEED_XDR, "Ext2 is believed before Ext");
	ok(p.speed_enabled & 1 << SPEED_XDR, "Ext2 enabled");
	ok(p.speed_supported & 1 << SPEED_XDR, "Ext2 supported");
	wire.capability_mask2 = 0;
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.speed, SPEED_NDR, "Ext2 counts only when announced");
}

static void odd_codes(void)
{
	ib_port_info_t wire;
	struct port p;

	ndr_port(&wire);
	memset(&p, 0, sizeof(p));
	wire.link_speed_ext = 3 << 4;
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.speed, VAL_NONE, "two bits at once are no speed");
	is_int(p.speed_code, 3 << 4 | 4, "but the code is kept");
	wire.link_speed_ext = 8 << 4 | 0xf;
	wire.link_speed_ext_enabled = 30;
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.speed_enabled, 1 << SPEED_SDR | 1 << SPEED_DDR,
	       "LinkSpeedExtEnabled 30 is: none");
	wire.link_width_active = 6;
	decode_port_info(BYTES(wire), 1, NULL, &p);
	is_int(p.width, VAL_NONE, "two bits at once are no width");
}

static void fdr10(void)
{
	ib_mlnx_ext_port_info_t wire;
	struct node n = { .vendor_id = 0x2c9, .device_id = 0xc738 };
	struct port p = { .speed = SPEED_QDR, .speed_enabled = 1 << SPEED_QDR,
			  .speed_supported = 1 << SPEED_QDR };

	ok(port_wants_fdr10(&n, &p), "QDR on a SwitchX may be FDR10");
	n.device_id = 0xd2f2;
	ok(!port_wants_fdr10(&n, &p), "on a Quantum-2 it is QDR");
	memset(&wire, 0, sizeof(wire));
	decode_mlnx_port_info(BYTES(wire), &p);
	is_int(p.speed, SPEED_QDR, "QDR it is");
	wire.link_speed_active = wire.link_speed_enabled =
		wire.link_speed_supported = 1;
	decode_mlnx_port_info(BYTES(wire), &p);
	is_int(p.speed, SPEED_FDR10, "FDR10 it is");
	is_int(p.speed_enabled, 1 << SPEED_QDR | 1 << SPEED_FDR10, "enabled");
	is_int(p.speed_supported, 1 << SPEED_QDR | 1 << SPEED_FDR10,
	       "supported");
	p.speed = SPEED_SDR;
	decode_mlnx_port_info(BYTES(wire), &p);
	is_int(p.speed, SPEED_SDR, "only what looks like QDR is FDR10");
}

static void others(void)
{
	ib_switch_info_t sw;
	ib_sm_info_t wire_sm;
	ib_class_port_info_t cpi;
	struct node n;
	struct sm sm;
	struct pma_caps caps;

	memset(&sw, 0, sizeof(sw));
	sw.lin_cap = cl_hton16(49152);
	sw.lin_top = cl_hton16(777);
	sw.flags = 1 << 3; /* EnhancedPort0 */
	decode_switch_info(BYTES(sw), &n);
	is_int(n.lft_cap, 49152, "LinearFDBCap");
	is_int(n.lft_top, 777, "LinearFDBTop");
	is_int(n.enhanced_port0, 1, "EnhancedPort0");

	memset(&wire_sm, 0, sizeof(wire_sm));
	wire_sm.guid = cl_hton64(0xabcdULL);
	wire_sm.act_count = cl_hton32(0xfffffff0u);
	wire_sm.pri_state = 14 << 4 | SM_MASTER;
	decode_sm_info(BYTES(wire_sm), &sm);
	ok(sm.guid == 0xabcd, "SMInfo GUID");
	ok(sm.act_count == 0xfffffff0LL, "ActCount above 2^31");
	is_int(sm.priority, 14, "Priority");
	is_int(sm.state, SM_MASTER, "SMState");

	memset(&cpi, 0, sizeof(cpi));
	cpi.cap_mask = cl_hton16(0x1200);
	cpi.cap_mask2_resp_time = cl_hton32(2 << 5 | 18);
	decode_pma_caps(BYTES(cpi), &caps);
	is_int(caps.cap_mask, 0x1200, "PMA CapabilityMask");
	is_int(caps.cap_mask2, 2, "CapabilityMask2 is the upper 27 bits");
}

int main(void)
{
	node_info();
	port_info();
	port_info_unread();
	port_caps();
	xdr();
	odd_codes();
	fdr10();
	others();
	return done_testing();
}
