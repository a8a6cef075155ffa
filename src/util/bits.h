/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_UTIL_BITS_H
#define IBAUDIT_UTIL_BITS_H

#include <stdint.h>

/*
 * The width (1 to 64) bits that begin bit bits into data, counted as the
 * InfiniBand specification counts them: big-endian, the first bit is the most
 * significant of the first byte.  The caller checks the length.
 */
uint64_t bits_get(const uint8_t *data, unsigned bit, unsigned width);

#endif
