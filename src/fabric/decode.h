/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_DECODE_H
#define IBAUDIT_FABRIC_DECODE_H

#include <stdint.h>

#include "model/snapshot.h"

/*
 * Attributes of SMPs and of PerformanceMgt, from their first byte, decoded
 * and checked: nothing that these give can index beyond what it describes.
 * Each takes the whole attribute (64 bytes of an SMP, 192 of a GMP).
 */

/* NodeInfo, IBA 14.2.5.3. */
struct node_info {
	uint64_t node_guid, port_guid, system_image_guid;
	uint8_t type, nports, local_port;
	uint16_t device_id;
	uint32_t revision, vendor_id;
};

/*
 * Returns 0, or -1 when the reply cannot be true: an unknown node type, no
 * GUID, more than 254 ports or none, or a local port that the node has not.
 */
int decode_node_info(const uint8_t *data, struct node_info *out);

/* Capability words that hold for a port; of a switch port those of port 0.
 * known is 0 where they were not read: then every field counts. */
struct port_caps {
	int known;
	uint32_t mask;
	uint16_t mask2;
};

/*
 * PortInfo, IBA 14.2.5.6, into p.  is_end says that the port has a LID of its
 * own: the others hold zeros there, which are left unread.  Active fields are
 * unread unless the physical state is LinkUp.  caps may be NULL: the port's
 * own words are used.
 */
void decode_port_info(const uint8_t *data, int is_end,
		      const struct port_caps *caps, struct port *p);

/* Do they announce the extended speeds?  0 where they were not read. */
int port_caps_have_ext(const struct port_caps *caps);

/* The base LID that a PortInfo brings; 0: none. */
int32_t decode_port_lid(const uint8_t *data);

/* The capability words that a PortInfo brings. */
void decode_port_caps(const uint8_t *data, struct port_caps *out);

/*
 * True when the extended speeds are announced (caps), the link is up and
 * LinkSpeedExtActive is 0: some switches fill that field only when the
 * attribute modifier has bit 31 set (PORT_INFO_EXT).
 */
int port_info_wants_ext(const uint8_t *data, const struct port_caps *caps);
#define PORT_INFO_EXT 0x80000000u

/*
 * FDR10 is a speed of NVIDIA's (Mellanox's) that PortInfo calls QDR; their
 * own attribute MlnxExtPortInfo tells the two apart (opensm's
 * ib_mlnx_ext_port_info_t).  True when p looks like QDR and the device knows
 * the attribute; others may answer it with silence.
 */
int port_wants_fdr10(const struct node *n, const struct port *p);

/* MlnxExtPortInfo into p, whose PortInfo was decoded before. */
void decode_mlnx_port_info(const uint8_t *data, struct port *p);

/* SwitchInfo, IBA 14.2.5.4, into n. */
void decode_switch_info(const uint8_t *data, struct node *n);

/* SMInfo, IBA 14.2.5.13, into sm; the SM_Key is not looked at. */
void decode_sm_info(const uint8_t *data, struct sm *sm);

/* ClassPortInfo, IBA 13.4.8.1, of a PMA. */
void decode_pma_caps(const uint8_t *data, struct pma_caps *out);

#endif
