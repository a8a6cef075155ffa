/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/speed.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/*
 * Signalling rates of a lane: IBA 14.2.5.6 (LinkSpeed, LinkSpeedExt), XDR
 * from LinkSpeedExt2.  The rate a lane is sold under leaves out what coding
 * and FEC take from EDR on: four lanes of NDR are 400 Gb/s.
 */
const struct speed_row speed_table[SPEED_END] = {
	[SPEED_SDR] = { "SDR", 2.5, 2.5 },
	[SPEED_DDR] = { "DDR", 5, 5 },
	[SPEED_QDR] = { "QDR", 10, 10 },
	[SPEED_FDR10] = { "FDR10", 10.3125, 10 },
	[SPEED_FDR] = { "FDR", 14.0625, 14 },
	[SPEED_EDR] = { "EDR", 25.78125, 25 },
	[SPEED_HDR] = { "HDR", 53.125, 50 },
	[SPEED_NDR] = { "NDR", 106.25, 100 },
	[SPEED_XDR] = { "XDR", 212.5, 200 },
};

const struct width_row width_table[WIDTH_END] = {
	[WIDTH_1X] = { "1X", 1, 1 },   [WIDTH_2X] = { "2X", 2, 16 },
	[WIDTH_4X] = { "4X", 4, 2 },   [WIDTH_8X] = { "8X", 8, 4 },
	[WIDTH_12X] = { "12X", 12, 8 },
};

#define CAP_MASK2 0x8000u
#define CAP2_EXTENDED_SPEEDS2 0x0800u
#define EXT_DISABLED 30 /* LinkSpeedExtEnabled: extended speeds are off */

static int has_ext(const struct speed_wire *w)
{
	return !!(w->cap_mask & CAP_EXTENDED_SPEEDS);
}

static int has_ext2(const struct speed_wire *w)
{
	return has_ext(w) && (w->cap_mask & CAP_MASK2) &&
	       (w->cap_mask2 & CAP2_EXTENDED_SPEEDS2);
}

/* Ranks of the original field's bits 1, 2, 4. */
static int mask_original(uint8_t bits)
{
	return (bits & 1 ? 1 << SPEED_SDR : 0) |
	       (bits & 2 ? 1 << SPEED_DDR : 0) |
	       (bits & 4 ? 1 << SPEED_QDR : 0);
}

static int mask_ext(uint8_t bits)
{
	return (bits & 1 ? 1 << SPEED_FDR : 0) |
	       (bits & 2 ? 1 << SPEED_EDR : 0) |
	       (bits & 4 ? 1 << SPEED_HDR : 0) |
	       (bits & 8 ? 1 << SPEED_NDR : 0);
}

static int mask_ext2(uint8_t bits)
{
	return bits & 1 ? 1 << SPEED_XDR : 0;
}

/* The rank of a mask with exactly one bit, else 0. */
static int only_rank(int mask)
{
	return mask && !(mask & (mask - 1)) ? __builtin_ctz((unsigned)mask) : 0;
}

static int is_one_bit(int v)
{
	return v && !(v & (v - 1));
}

int speed_active(const struct speed_wire *w, int *code)
{
	int ext = has_ext(w) ? w->ext_active : 0;
	int ext2 = has_ext2(w) ? w->ext2_active : 0;

	*code = ext2 << 8 | ext << 4 | w->active;
	if (ext2)
		return is_one_bit(ext2) ? only_rank(mask_ext2(w->ext2_active)) :
					  0;
	if (ext)
		return is_one_bit(ext) ? only_rank(mask_ext(w->ext_active)) : 0;
	return is_one_bit(w->active) ? only_rank(mask_original(w->active)) : 0;
}

int speed_supported(const struct speed_wire *w)
{
	return mask_original(w->supported) |
	       (has_ext(w) ? mask_ext(w->ext_supported) : 0) |
	       (has_ext2(w) ? mask_ext2(w->ext2_supported) : 0);
}

int speed_enabled(const struct speed_wire *w)
{
	int ext = has_ext(w) && w->ext_enabled != EXT_DISABLED;

	return mask_original(w->enabled) |
	       (ext ? mask_ext(w->ext_enabled) : 0) |
	       (has_ext2(w) ? mask_ext2(w->ext2_enabled) : 0);
}

int width_mask(uint8_t wire)
{
	int rank, mask = 0;

	for (rank = WIDTH_1X; rank < WIDTH_END; rank++)
		if (wire & width_table[rank].wire)
			mask |= 1 << rank;
	return mask;
}

int width_active(uint8_t wire)
{
	return is_one_bit(wire) ? only_rank(width_mask(wire)) : 0;
}

const char *speed_name(int rank)
{
	return rank > 0 && rank < SPEED_END ? speed_table[rank].name : NULL;
}

const char *width_name(int rank)
{
	return rank > 0 && rank < WIDTH_END ? width_table[rank].name : NULL;
}

static int is_name(const char *name, const char *s, size_t n)
{
	return strlen(name) == n && !strncasecmp(name, s, n);
}

int speed_find(const char *s, size_t n)
{
	int rank;

	for (rank = SPEED_END - 1; rank; rank--)
		if (is_name(speed_table[rank].name, s, n))
			break;
	return rank;
}

int width_find(const char *s, size_t n)
{
	int rank;

	for (rank = WIDTH_END - 1; rank; rank--)
		if (is_name(width_table[rank].name, s, n))
			break;
	return rank;
}

double link_gbps(int speed, int width)
{
	if (!speed_name(speed) || !width_name(width))
		return 0;
	return speed_table[speed].sold_gbps * width_table[width].lanes;
}
