/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/attr.h"

#include <string.h>

#include "model/snapshot.h"

#define NODE(field, type, doc)                                                \
	{ #field, type, offsetof(struct node, field), doc }
#define PORT(field, type, doc)                                                \
	{ #field, type, offsetof(struct port, field), doc }

const struct attr_row node_attrs[] = {
	NODE(type, ATTR_INT32, "1 channel adapter, 2 switch, 3 router"),
	NODE(system_image_guid, ATTR_GUID, "nodes of one box share it"),
	NODE(device_id, ATTR_INT32, "the vendor's device type"),
	NODE(revision, ATTR_INT64, "the device's revision"),
	NODE(vendor_id, ATTR_INT32, "IEEE OUI of the vendor"),
	NODE(enhanced_port0, ATTR_INT32, "1: port 0 of the switch is a full port"),
	NODE(lft_cap, ATTR_INT32, "entries of the forwarding table"),
	NODE(lft_top, ATTR_INT32, "highest LID in the forwarding table"),
};
const size_t n_node_attrs = sizeof(node_attrs) / sizeof(node_attrs[0]);

const struct attr_row port_attrs[] = {
	PORT(guid, ATTR_GUID, "PortGUID, where it is known"),
	PORT(lid, ATTR_INT32, "base LID (end ports)"),
	PORT(lmc, ATTR_INT16, "LID mask control (end ports)"),
	PORT(sm_lid, ATTR_INT32, "MasterSMLID (end ports)"),
	PORT(sm_sl, ATTR_INT16, "MasterSMSL (end ports)"),
	PORT(state, ATTR_INT16, "1 down, 2 init, 3 armed, 4 active"),
	PORT(phys, ATTR_INT16, "2 polling, 3 disabled, 5 link up"),
	PORT(speed, ATTR_INT16, "rank of the active speed"),
	PORT(speed_code, ATTR_INT32, "raw: ext2 << 8 | ext << 4 | original"),
	PORT(speed_supported, ATTR_INT16, "mask of ranks"),
	PORT(speed_enabled, ATTR_INT16, "mask of ranks"),
	PORT(width, ATTR_INT16, "rank of the active width"),
	PORT(width_supported, ATTR_INT16, "mask of ranks"),
	PORT(width_enabled, ATTR_INT16, "mask of ranks"),
	PORT(mtu, ATTR_INT16, "NeighborMTU, octets"),
	PORT(mtu_cap, ATTR_INT16, "MTUCap, octets"),
	PORT(vl_cap, ATTR_INT16, "VLCap, code"),
	PORT(op_vls, ATTR_INT16, "OperationalVLs, code"),
	PORT(cap_mask, ATTR_INT64, "CapabilityMask (end ports)"),
	PORT(cap_mask2, ATTR_INT64, "CapabilityMask2 (end ports)"),
};
const size_t n_port_attrs = sizeof(port_attrs) / sizeof(port_attrs[0]);

int64_t attr_get(const struct attr_row *row, const void *base, int *null)
{
	const char *at = (const char *)base + row->offset;
	int16_t v16;
	int32_t v32;
	int64_t v64;

	if (row->type == ATTR_INT16) {
		memcpy(&v16, at, sizeof(v16));
		*null = v16 == VAL_NONE;
		return v16;
	}
	if (row->type == ATTR_INT32) {
		memcpy(&v32, at, sizeof(v32));
		*null = v32 == VAL_NONE;
		return v32;
	}
	memcpy(&v64, at, sizeof(v64));
	*null = row->type == ATTR_GUID ? !v64 : v64 == VAL_NONE64;
	return v64;
}

void attr_set(const struct attr_row *row, void *base, int64_t value, int null)
{
	char *at = (char *)base + row->offset;
	int16_t v16 = null ? VAL_NONE : (int16_t)value;
	int32_t v32 = null ? VAL_NONE : (int32_t)value;
	int64_t none = row->type == ATTR_GUID ? 0 : VAL_NONE64;
	int64_t v64 = null ? none : value;

	if (row->type == ATTR_INT16)
		memcpy(at, &v16, sizeof(v16));
	else if (row->type == ATTR_INT32)
		memcpy(at, &v32, sizeof(v32));
	else
		memcpy(at, &v64, sizeof(v64));
}

void attr_copy(const struct attr_row *rows, size_t n, void *to,
	       const void *from)
{
	size_t i;
	int null;

	for (i = 0; i < n; i++) {
		int64_t v = attr_get(&rows[i], from, &null);

		attr_set(&rows[i], to, v, null);
	}
}

int attr_same(const struct attr_row *rows, size_t n, const void *a,
	      const void *b)
{
	size_t i;
	int null;

	for (i = 0; i < n; i++)
		if (attr_get(&rows[i], a, &null) != attr_get(&rows[i], b, &null))
			return 0;
	return 1;
}
