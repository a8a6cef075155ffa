/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/bits.h"

#include <endian.h>
#include <string.h>

uint64_t bits_get(const uint8_t *data, unsigned bit, unsigned width)
{
	unsigned end = bit + width, first = bit / 8, last = (end - 1) / 8, i;
	unsigned __int128 v = 0;
	uint64_t whole;

	if (width == 64 && !(bit & 7)) {
		memcpy(&whole, data + first, sizeof(whole));
		return be64toh(whole);
	}
	/* 64 bits that begin inside a byte span nine. */
	for (i = first; i <= last; i++)
		v = v << 8 | data[i];
	v >>= (last + 1) * 8 - end;
	return width == 64 ? (uint64_t)v :
			     (uint64_t)v & ((UINT64_C(1) << width) - 1);
}
