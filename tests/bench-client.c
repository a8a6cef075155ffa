/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/*
 * bench-client [-w WINDOW] [-t MS] [-r RETRIES] [-n TIMES] [-g MS] [-k MKEY]
 *              [-q] QUERY...
 *
 * Sends the queries, in order, TIMES times over, at most WINDOW (1) in flight,
 * and prints a line for each MAD that comes:
 *
 *   N status=S length=L us=T mad=HEX
 *
 * N is the query's number from 0, or "stray"; S is umad_status(), T the time
 * since it was sent.  Gives up after -g MS (5000) without a MAD and prints
 * "nothing" then.  SMPs carry MKEY (0).  -q prints only "N MADs, processor us each".
 *
 * A query is METHOD:CLASS:ATTRIBUTE:MODIFIER:TO, all numbers but TO, which is
 * a directed route ("0,1,2") for class 0x81 and a LID otherwise.  For class
 * 0x04 the modifier is PortSelect.
 */

enum { HEAD = sizeof(struct ib_user_mad), MAD = 256, MAX_QUERIES = 4096 };

struct query {
	unsigned method, mgmt_class, attr, modifier, lid;
	unsigned hops, hop[64];
};

static int fd, agents[256], timeout_ms = 500, retries;
static unsigned long long mkey;
static struct query queries[MAX_QUERIES];
static unsigned n_queries;
static double sent_at[1 << 20];

static void die(const char *what)
{
	fprintf(stderr, "bench-client: %s: %s\n", what, strerror(errno));
	exit(2);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static double processor(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static void parse(struct query *q, char *s)
{
	unsigned *v[] = { &q->method, &q->mgmt_class, &q->attr, &q->modifier };

	for (int i = 0; i < 4; i++, s++)
		*v[i] = strtoul(s, &s, 0);
	if (q->mgmt_class != 0x81) {
		q->lid = strtoul(s, NULL, 0);
		return;
	}
	strtoul(s, &s, 0); /* the leading 0 of a route */
	while (*s == ',' && q->hops < 63)
		q->hop[q->hops++] = strtoul(s + 1, &s, 0);
}

static int agent(unsigned mgmt_class)
{
	int *a = &agents[mgmt_class & 0xff];

	if (!*a) {
		*a = 1 + umad_register(fd, mgmt_class,
				       mgmt_class == 0x03 ? 2 : 1, 0, NULL);
		if (*a <= 0)
			die("umad_register");
	}
	return *a - 1;
}

static void send_query(const struct query *q, unsigned tid)
{
	uint8_t buf[HEAD + MAD] __attribute__((aligned(8))) = { 0 };
	uint8_t *mad = buf + HEAD;

	mad[0] = 1;
	mad[1] = q->mgmt_class;
	mad[2] = q->mgmt_class == 0x03 ? 2 : 1;
	mad[3] = q->method;
	mad[12] = tid >> 24, mad[13] = tid >> 16, mad[14] = tid >> 8;
	mad[15] = tid;
	mad[16] = q->attr >> 8, mad[17] = q->attr;
	if (q->mgmt_class == 0x04) {
		mad[65] = q->modifier;
	} else {
		mad[20] = q->modifier >> 24, mad[21] = q->modifier >> 16;
		mad[22] = q->modifier >> 8, mad[23] = q->modifier;
	}
	if (q->mgmt_class == 0x81) {
		mad[7] = q->hops;
		for (int i = 0; i < 8; i++)
			mad[24 + i] = mkey >> (56 - 8 * i);
		memset(mad + 32, 0xff, 4); /* permissive LIDs */
		for (unsigned i = 0; i < q->hops; i++)
			mad[129 + i] = q->hop[i];
		umad_set_addr(buf, 0xffff, 0, 0, 0);
	} else {
		umad_set_addr(buf, q->lid, q->mgmt_class == 0x01 ? 0 : 1, 0,
			      q->mgmt_class == 0x01 ? 0 : 0x80010000);
	}
	sent_at[tid % (1 << 20)] = seconds();
	if (umad_send(fd, agent(q->mgmt_class), buf, MAD, timeout_ms,
		      retries) < 0)
		die("umad_send");
}

static void print_mad(const uint8_t *buf, int length, unsigned tid,
		      unsigned total)
{
	const uint8_t *mad = buf + HEAD;

	if (tid < total)
		printf("%u", tid);
	else
		printf("stray");
	printf(" status=%d length=%d us=%.0f mad=", umad_status((void *)buf),
	       length, (seconds() - sent_at[tid % (1 << 20)]) * 1e6);
	for (int i = 0; i < length; i++)
		printf("%02x", mad[i]);
	putchar('\n');
	fflush(stdout);
}

/* One MAD; returns 1 for an answer, 0 for a stray, -1 for nothing. */
static int receive(unsigned total, int give_up_ms, bool quiet)
{
	uint8_t buf[HEAD + MAD] __attribute__((aligned(8)));
	const uint8_t *t = buf + HEAD + 12;
	double until = seconds() + give_up_ms * 1e-3;
	int n;
	unsigned tid;

	for (;;) {
		n = MAD;
		if (umad_recv(fd, buf, &n, 100) >= 0)
			break;
		if (errno != ETIMEDOUT && errno != EWOULDBLOCK)
			die("umad_recv");
		if (seconds() > until)
			return -1;
	}
	tid = (unsigned)t[0] << 24 | t[1] << 16 | t[2] << 8 | t[3];
	if (!quiet)
		print_mad(buf, n, tid, total);
	return tid < total;
}

int main(int argc, char **argv)
{
	unsigned window = 1, times = 1, sent = 0, got = 0, total;
	int give_up_ms = 5000, opt, r;
	bool quiet = false;
	double start;

	while ((opt = getopt(argc, argv, "w:t:r:n:g:k:q")) != -1)
		switch (opt) {
		case 'w': window = atoi(optarg); break;
		case 't': timeout_ms = atoi(optarg); break;
		case 'r': retries = atoi(optarg); break;
		case 'n': times = atoi(optarg); break;
		case 'g': give_up_ms = atoi(optarg); break;
		case 'k': mkey = strtoull(optarg, NULL, 0); break;
		case 'q': quiet = true; break;
		default: return 2;
		}
	for (; optind < argc && n_queries < MAX_QUERIES; optind++)
		parse(&queries[n_queries++], argv[optind]);
	total = times * n_queries;
	if (umad_init() < 0 || (fd = umad_open_port(NULL, 0)) < 0)
		die("umad_open_port");
	start = processor();
	while (got < total) {
		for (; sent < total && sent - got < window; sent++)
			send_query(&queries[sent % n_queries], sent);
		r = receive(total, give_up_ms, quiet);
		if (r < 0) {
			puts("nothing");
			break;
		}
		got += r;
	}
	if (!quiet) /* what comes uncalled */
		while (receive(total, 50, false) >= 0)
			;
	if (quiet)
		printf("%u MADs, %.2f us each\n", got,
		       (processor() - start) * 1e6 / got);
	umad_close_port(fd);
	return 0;
}
