/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/decode.h"

#include <stddef.h>

#include "model/speed.h"
#include "util/bits.h"

/*
 * Notes
 *
 * Offsets are those of IBA 14.2.5; <infiniband/iba/ib_types.h> has the same
 * as structs, and a unit test compares the two.
 */

#define MAX_PORTS 254 /* NodeInfo.NumPorts; 255 addresses all ports */

static uint64_t byte8(const uint8_t *d, int at)
{
	return bits_get(d, (unsigned)at * 8, 64);
}

static uint32_t byte4(const uint8_t *d, int at)
{
	return (uint32_t)bits_get(d, (unsigned)at * 8, 32);
}

static uint16_t byte2(const uint8_t *d, int at)
{
	return (uint16_t)(d[at] << 8 | d[at + 1]);
}

int decode_node_info(const uint8_t *d, struct node_info *out)
{
	int first_port;

	out->type = d[2];
	out->nports = d[3];
	out->system_image_guid = byte8(d, 4);
	out->node_guid = byte8(d, 12);
	out->port_guid = byte8(d, 20);
	out->device_id = byte2(d, 30);
	out->revision = byte4(d, 32);
	out->local_port = d[36];
	out->vendor_id = byte4(d, 36) & 0xffffff;

	first_port = out->type == NODE_SWITCH ? 0 : 1;
	if (out->type < NODE_CA || out->type > NODE_ROUTER)
		return -1;
	if (!out->node_guid || !out->nports || out->nports > MAX_PORTS)
		return -1;
	if (out->local_port < first_port || out->local_port > out->nports)
		return -1;
	return 0;
}

void decode_port_caps(const uint8_t *d, struct port_caps *out)
{
	out->known = 1;
	out->mask = byte4(d, 20);
	out->mask2 = byte2(d, 60);
}

static struct port_caps effective(const uint8_t *d,
				  const struct port_caps *caps)
{
	struct port_caps own;

	if (!caps)
		decode_port_caps(d, &own);
	else if (caps->known)
		own = *caps;
	else
		own = (struct port_caps){ 1, UINT32_MAX, UINT16_MAX };
	return own;
}

/* LinkSpeedExt2 (IBA 1.7) shares byte 56 with the reserved bits before
 * LinkRoundTripLatency: Active bits 6-5, Supported 4-3, Enabled 2-0. */
static void speed_fields(const uint8_t *d, const struct port_caps *caps,
			 struct speed_wire *w)
{
	w->cap_mask = caps->mask;
	w->cap_mask2 = caps->mask2;
	w->supported = d[32] >> 4;
	w->active = d[35] >> 4;
	w->enabled = d[35] & 0xf;
	w->ext_active = d[62] >> 4;
	w->ext_supported = d[62] & 0xf;
	w->ext_enabled = d[63] & 0x1f;
	w->ext2_active = d[56] >> 5 & 3;
	w->ext2_supported = d[56] >> 3 & 3;
	w->ext2_enabled = d[56] & 7;
}

/* MTU codes 1 to 5 are 256 to 4096 octets. */
static int32_t mtu_octets(int code)
{
	return code >= 1 && code <= 5 ? 128 << code : VAL_NONE;
}

static void decode_end_fields(const uint8_t *d, struct port *p)
{
	p->lid = byte2(d, 16);
	p->sm_lid = byte2(d, 18);
	p->cap_mask = byte4(d, 20);
	p->cap_mask2 = byte2(d, 60);
	p->lmc = d[34] & 7;
	p->sm_sl = d[36] & 0xf;
}

void decode_port_info(const uint8_t *d, int is_end,
		      const struct port_caps *caps, struct port *p)
{
	struct port_caps own = effective(d, caps);
	struct speed_wire w;
	int code;

	speed_fields(d, &own, &w);
	p->present = 1;
	p->seen = SEEN_READ;
	p->state = d[32] & 0xf;
	p->phys = d[33] >> 4;
	p->speed_supported = speed_supported(&w);
	p->speed_enabled = speed_enabled(&w);
	p->width_enabled = width_mask(d[29]);
	p->width_supported = width_mask(d[30]);
	p->mtu_cap = mtu_octets(d[41] & 0xf);
	p->vl_cap = d[37] >> 4;
	if (is_end)
		decode_end_fields(d, p);

	p->speed = p->speed_code = p->width = p->mtu = p->op_vls = VAL_NONE;
	if (!port_is_up(p))
		return;
	p->speed = speed_active(&w, &code);
	p->speed_code = code;
	p->width = width_active(d[31]);
	p->mtu = mtu_octets(d[36] >> 4);
	p->op_vls = d[43] >> 4;
	if (!p->speed)
		p->speed = VAL_NONE;
	if (!p->width)
		p->width = VAL_NONE;
}

int32_t decode_port_lid(const uint8_t *d)
{
	return byte2(d, 16);
}

int port_caps_have_ext(const struct port_caps *caps)
{
	return caps->known && (caps->mask & CAP_EXTENDED_SPEEDS);
}

int port_info_wants_ext(const uint8_t *d, const struct port_caps *caps)
{
	struct port_caps own = effective(d, caps);
	struct speed_wire w;

	speed_fields(d, &own, &w);
	return (own.mask & CAP_EXTENDED_SPEEDS) && d[33] >> 4 == PHYS_LINKUP &&
	       !w.ext_active && !w.ext2_active;
}

#define VENDOR_MELLANOX 0x0002c9
#define MLNX_FDR10 1 /* the one bit of its speed fields */

int port_wants_fdr10(const struct node *n, const struct port *p)
{
	static const struct {
		int first, last;
	} devices[] = {
		{ 0x1003, 0x101b }, /* ConnectX-3 to ConnectX-6 */
		{ 0xc738, 0xc73b }, /* SwitchX */
		{ 0xcb20, 0xcb20 }, /* Switch-IB */
		{ 0xcf08, 0xcf08 }, /* Switch-IB 2 */
	};
	size_t i;

	if (n->vendor_id != VENDOR_MELLANOX || p->speed != SPEED_QDR)
		return 0;
	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (n->device_id >= devices[i].first &&
		    n->device_id <= devices[i].last)
			return 1;
	return 0;
}

void decode_mlnx_port_info(const uint8_t *d, struct port *p)
{
	if (d[7] & MLNX_FDR10)
		p->speed_supported |= 1 << SPEED_FDR10;
	if (d[11] & MLNX_FDR10)
		p->speed_enabled |= 1 << SPEED_FDR10;
	if ((d[15] & MLNX_FDR10) && p->speed == SPEED_QDR)
		p->speed = SPEED_FDR10;
}

void decode_switch_info(const uint8_t *d, struct node *n)
{
	n->lft_cap = byte2(d, 0);
	n->lft_top = byte2(d, 6);
	n->enhanced_port0 = d[16] >> 3 & 1;
}

void decode_sm_info(const uint8_t *d, struct sm *sm)
{
	sm->guid = byte8(d, 0);
	sm->act_count = byte4(d, 16);
	sm->priority = d[20] >> 4;
	sm->state = d[20] & 0xf;
	sm->answered = 1;
}

void decode_pma_caps(const uint8_t *d, struct pma_caps *out)
{
	out->cap_mask = byte2(d, 2);
	out->cap_mask2 = byte4(d, 4) >> 5; /* upper 27 bits of the word */
}
