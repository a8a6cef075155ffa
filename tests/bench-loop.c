/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * bench-loop WINDOW SMPS GMPS LIDS HOPS UP
 *
 * The least that a client can do: sends so many SMPs and GMPs, mixed, keeps
 * WINDOW of them in flight, counts the replies and looks at none.  What a
 * sweep of as many MADs takes longer is its own work.
 *
 * They go as far as a sweep's, since a simulator works for each hop.  SMPs
 * take HOPS: to the switch next to this host, up by its port UP, down by port 1
 * of the switch there, and so on; NodeInfo and PortInfo in turn.  GMPs go to
 * LID 1 to LIDS in turn: PortCounters of port 1.  A reply that does not come
 * ends it with status 1.
 */

enum {
	HEAD = sizeof(struct ib_user_mad),
	MAD = 256,
	CLASS_SMP = 0x81, /* IBA 13.4.4, by directed route */
	CLASS_PMA = 0x04,
	QKEY = 0x80010000, /* of QP1, IBA 3.5.3 */
	PORTS = 64,
	WAIT_MS = 200 /* libumad2sim hears no signal while it waits */
};

static int fd, agent[2];
static unsigned lids, hops, up;

static void die(const char *what)
{
	fprintf(stderr, "bench-loop: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void open_port(void)
{
	if (umad_init() < 0 || (fd = umad_open_port(NULL, 0)) < 0)
		die("umad_open_port");
	agent[0] = umad_register(fd, CLASS_SMP, 1, 0, NULL);
	agent[1] = umad_register(fd, CLASS_PMA, 1, 0, NULL);
	if (agent[0] < 0 || agent[1] < 0)
		die("umad_register");
}

static void fill_smp(uint8_t *umad, unsigned i)
{
	uint8_t *mad = umad + HEAD;

	unsigned hop;

	mad[7] = hops;
	mad[17] = i % 2 ? 0x15 : 0x11; /* PortInfo, NodeInfo */
	mad[23] = i % 2 ? i / 2 % PORTS + 1 : 0;
	memset(mad + 32, 0xff, 4); /* permissive LIDs */
	for (hop = 1; hop <= hops; hop++)
		mad[128 + hop] = hop % 2 ? 1 : up;
	umad_set_addr(umad, 0xffff, 0, 0, 0);
}

static void fill_gmp(uint8_t *umad, unsigned i)
{
	uint8_t *mad = umad + HEAD;

	mad[17] = 0x12; /* PortCounters */
	mad[65] = 1;
	umad_set_addr(umad, 1 + i % lids, 1, 0, QKEY);
}

static void send_mad(unsigned i, int is_gmp)
{
	uint8_t umad[HEAD + MAD] __attribute__((aligned(8))) = { 0 };
	uint8_t *mad = umad + HEAD;

	mad[0] = mad[2] = 1; /* base and class version */
	mad[1] = is_gmp ? CLASS_PMA : CLASS_SMP;
	mad[3] = 1; /* Get */
	mad[12] = i >> 24, mad[13] = i >> 16, mad[14] = i >> 8, mad[15] = i;
	if (is_gmp)
		fill_gmp(umad, i);
	else
		fill_smp(umad, i);
	if (umad_send(fd, agent[is_gmp], umad, MAD, 1000, 3) < 0)
		die("umad_send");
}

static void receive(void)
{
	uint8_t umad[HEAD + MAD] __attribute__((aligned(8)));
	int n, tries = 0;

	do {
		n = MAD;
		if (umad_recv(fd, umad, &n, WAIT_MS) >= 0) {
			if (umad_status(umad))
				errno = umad_status(umad), die("reply");
			return;
		}
	} while ((errno == ETIMEDOUT || errno == EWOULDBLOCK) && ++tries < 50);
	die("umad_recv");
}

/* SMP or GMP, so that both kinds are spread evenly over the whole. */
static int next_is_gmp(unsigned i, unsigned gmps, unsigned total)
{
	return (uint64_t)(i + 1) * gmps / total > (uint64_t)i * gmps / total;
}

int main(int argc, char **argv)
{
	unsigned window, gmps, total, sent = 0, got;

	if (argc != 7) {
		fputs("usage: bench-loop WINDOW SMPS GMPS LIDS HOPS UP\n",
		      stderr);
		return 2;
	}
	window = atoi(argv[1]);
	gmps = atoi(argv[3]);
	total = atoi(argv[2]) + gmps;
	lids = atoi(argv[4]);
	hops = atoi(argv[5]);
	up = atoi(argv[6]);
	open_port();
	for (got = 0; got < total; got++) {
		for (; sent < total && sent - got < window; sent++)
			send_mad(sent, next_is_gmp(sent, gmps, total));
		receive();
	}
	printf("%u MADs\n", got);
	umad_close_port(fd);
	return 0;
}
