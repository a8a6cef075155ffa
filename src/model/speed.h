/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_SPEED_H
#define IBAUDIT_MODEL_SPEED_H

#include <stddef.h>
#include <stdint.h>

#define CAP_EXTENDED_SPEEDS 0x4000u /* PortInfo.CapabilityMask, IBA 14.2.5.6 */

/*
 * Link speeds and widths in their true order: a larger number is faster or
 * wider.  PortInfo spreads speeds over three fields and orders width bits by
 * age (2X is bit 16); everything behind the decoder uses these ranks.  A mask
 * has bit (1 << rank).
 */
enum speed {
	SPEED_SDR = 1,
	SPEED_DDR,
	SPEED_QDR,
	SPEED_FDR10,
	SPEED_FDR,
	SPEED_EDR,
	SPEED_HDR,
	SPEED_NDR,
	SPEED_XDR,
	SPEED_END
};

enum width {
	WIDTH_1X = 1,
	WIDTH_2X,
	WIDTH_4X,
	WIDTH_8X,
	WIDTH_12X,
	WIDTH_END
};

/* One row a rank; row 0 is unused.  Static. */
struct speed_row {
	const char *name;
	double lane_gbps; /* signalling rate of one lane */
	double sold_gbps; /* the round rate a lane is sold under */
};

struct width_row {
	const char *name;
	int lanes;
	int wire; /* bit in PortInfo.LinkWidth*, IBA 14.2.5.6 */
};

extern const struct speed_row speed_table[SPEED_END];
extern const struct width_row width_table[WIDTH_END];

/*
 * The speed fields of one PortInfo, raw.  caps are CapabilityMask and
 * CapabilityMask2 that hold for the port: of a switch port those of port 0.
 */
struct speed_wire {
	uint32_t cap_mask;
	uint16_t cap_mask2;
	uint8_t active, supported, enabled;             /* LinkSpeed* */
	uint8_t ext_active, ext_supported, ext_enabled; /* LinkSpeedExt* */
	uint8_t ext2_active, ext2_supported, ext2_enabled;
};

/*
 * The rank of the active speed: Ext2 when non-zero, else Ext, else the
 * original field; fields whose capability bit is clear do not count.  0 when
 * no code is set or the code is unknown.  *code is the raw code, as
 * ext2 << 8 | ext << 4 | original, of the fields that count.
 */
int speed_active(const struct speed_wire *w, int *code);

/* Rank masks of the supported and the enabled speeds. */
int speed_supported(const struct speed_wire *w);
int speed_enabled(const struct speed_wire *w);

/* The rank of LinkWidthActive (one bit); 0 when it is none or unknown. */
int width_active(uint8_t wire);

/* A rank mask of LinkWidthSupported or LinkWidthEnabled. */
int width_mask(uint8_t wire);

/* Name of a rank, or NULL outside the table. */
const char *speed_name(int rank);
const char *width_name(int rank);

/* Rank of a name, whatever its case; the n octets at s are all of it.  0 when
 * there is none. */
int speed_find(const char *s, size_t n);
int width_find(const char *s, size_t n);

/* Rate of a link in Gb/s (NDR 4X is 400); 0 when either rank is unknown. */
double link_gbps(int speed, int width);

#endif
