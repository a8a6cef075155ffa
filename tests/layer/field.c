/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <infiniband/mad.h>
#include <string.h>

/*
 * Notes
 *
 * Field names are libibmad's, so that a scenario reads as smpquery and
 * perfquery print.  libibmad does not tell where a field stands; encoding all
 * ones into zeros shows it.  What libibmad lacks or has in the wrong place is
 * in own[], which comes first.
 */

struct attr_row {
	const char *name;
	uint8_t mgmt_class;
	uint16_t id;
	struct {
		int first, end; /* of enum MAD_FIELDS */
	} range[2];
};

static const struct attr_row attrs[] = {
	{ "NodeDescription", CLASS_DR, 0x10,
	  { { IB_NODE_DESC_F, IB_NODE_DESC_F + 1 } } },
	{ "NodeInfo", CLASS_DR, 0x11,
	  { { IB_NODE_FIRST_F, IB_NODE_LAST_F } } },
	{ "SwitchInfo", CLASS_DR, 0x12, { { IB_SW_FIRST_F, IB_SW_LAST_F } } },
	{ "GUIDInfo", CLASS_DR, 0x14,
	  { { IB_GUID_GUID0_F, IB_GUID_GUID0_F + 1 } } },
	{ "PortInfo", CLASS_DR, 0x15,
	  { { IB_PORT_FIRST_F, IB_PORT_LAST_F },
	    { IB_PORT_CAPMASK2_F, IB_PORT_LINK_SPEED_EXT_LAST_F } } },
	{ "SMInfo", CLASS_DR, 0x20,
	  { { IB_SMINFO_GUID_F, IB_SMINFO_STATE_F + 1 } } },
	{ "PortInfoExtended", CLASS_DR, 0x33,
	  { { IB_PORT_EXT_FIRST_F, IB_PORT_EXT_LAST_F } } },
	{ "MlnxExtPortInfo", CLASS_DR, 0xff90,
	  { { IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F,
	      IB_MLNX_EXT_PORT_LAST_F } } },
	{ "ClassPortInfo", CLASS_PMA, 0x01,
	  { { IB_CPI_BASEVER_F, IB_CPI_TRAP_QKEY_F + 1 } } },
	{ "PortSamplesControl", CLASS_PMA, 0x10,
	  { { IB_PSC_OPCODE_F, IB_PSC_LAST_F } } },
	{ "PortSamplesResult", CLASS_PMA, 0x11,
	  { { IB_PSR_TAG_F, IB_PSR_LAST_F } } },
	{ "PortCounters", CLASS_PMA, 0x12,
	  { { IB_PC_FIRST_F, IB_PC_LAST_F } } },
	{ "PortRcvErrorDetails", CLASS_PMA, 0x15,
	  { { IB_PC_RCV_LOCAL_PHY_ERR_F, IB_PC_RCV_ERR_LAST_F } } },
	{ "PortXmitDiscardDetails", CLASS_PMA, 0x16,
	  { { IB_PC_XMT_INACT_DISC_F, IB_PC_XMT_DISC_LAST_F } } },
	{ "PortCountersExtended", CLASS_PMA, 0x1d,
	  { { IB_PC_EXT_FIRST_F, IB_PC_EXT_LAST_F },
	    { IB_PC_EXT_COUNTER_SELECT2_F, IB_PC_EXT_ERR_LAST_F } } },
	{ "PortExtendedSpeedsCounters", CLASS_PMA, 0x1f,
	  { { IB_PESC_PORT_SELECT_F, IB_PESC_LAST_F },
	    { IB_PESC_RSFEC_FIRST_F, IB_PESC_RSFEC_LAST_F } } },
};

/* Offsets and widths in bits. */
static const struct own_row {
	uint8_t mgmt_class;
	uint16_t id;
	const char *name;
	uint16_t bit, width;
} own[] = {
	/* PortInfo byte 56: Active 6-5, Supported 4-3, Enabled 2-0 */
	{ CLASS_DR, 0x15, "LinkSpeedExtActive2", 449, 2 },
	{ CLASS_DR, 0x15, "LinkSpeedExtSupported2", 451, 2 },
	{ CLASS_DR, 0x15, "LinkSpeedExtEnabled2", 453, 3 },
	/* ib_port_counters_t: qp1_dropped at byte 20 */
	{ CLASS_PMA, 0x12, "QP1Dropped", 160, 16 },
	/* ib_port_info_ext_t: bytes 14, 16, 18, 20 */
	{ CLASS_DR, 0x33, "HDRFECModeSupported", 112, 16 },
	{ CLASS_DR, 0x33, "HDRFECModeEnabled", 128, 16 },
	{ CLASS_DR, 0x33, "NDRFECModeSupported", 144, 16 },
	{ CLASS_DR, 0x33, "NDRFECModeEnabled", 160, 16 },
};

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

bool field_attr(const char *name, uint8_t *mgmt_class, int *attr)
{
	for (size_t i = 0; i < LEN(attrs); i++)
		if (!strcmp(attrs[i].name, name)) {
			*mgmt_class = attrs[i].mgmt_class;
			*attr = attrs[i].id;
			return true;
		}
	return false;
}

static void probe(int field, unsigned *bit, unsigned *width)
{
	uint8_t ones[MAD_SIZE], data[2 * MAD_SIZE] = { 0 };
	unsigned n = 0, first = 0;

	memset(ones, 0xff, sizeof(ones));
	mad_encode_field(data, field, ones);
	for (unsigned i = 0; i < sizeof(data) * 8; i++)
		if (data[i / 8] & (0x80 >> i % 8) && n++ == 0)
			first = i;
	*bit = first;
	*width = n;
}

static bool find_in(const struct attr_row *row, const char *name,
		    unsigned *bit, unsigned *width)
{
	for (size_t r = 0; r < LEN(row->range); r++)
		for (int f = row->range[r].first; f < row->range[r].end; f++)
			if (!strcmp(mad_field_name(f), name)) {
				probe(f, bit, width);
				return true;
			}
	return false;
}

bool field_find(uint8_t mgmt_class, int attr, const char *name, unsigned *bit,
		unsigned *width)
{
	for (size_t i = 0; i < LEN(own); i++)
		if (own[i].mgmt_class == mgmt_class && own[i].id == attr &&
		    !strcmp(own[i].name, name)) {
			*bit = own[i].bit;
			*width = own[i].width;
			return true;
		}
	for (size_t i = 0; i < LEN(attrs); i++)
		if (attrs[i].mgmt_class == mgmt_class && attrs[i].id == attr)
			return find_in(&attrs[i], name, bit, width);
	return false;
}
