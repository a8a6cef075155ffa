/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

uint16_t get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

uint64_t mad_mkey(const uint8_t *mad)
{
	return get64(mad + 24);
}

void put16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

void layer_die(const char *fmt, ...)
{
	va_list ap;

	fputs("iblayer: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(98);
}

void *layer_alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		layer_die("out of memory");
	return p;
}

void *layer_resize(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		layer_die("out of memory");
	return p;
}
