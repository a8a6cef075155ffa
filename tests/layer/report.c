/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Notes
 *
 * The report is lines of a key and a number, written anew each time a port is
 * closed and when the process ends:
 *
 *   sent N                             MADs that the client sent
 *   sent class=0x81 method=0x01 attr=0x0015 N
 *   peak all|smp|gmp N                 most of them in flight at once
 *   peak-node smp|gmp N                the same, to one node that is known
 *   first class=... N  last class=... N  the same of the first and the last
 *                                      MAD of that kind: which one it was
 *   repeated class=...|all N           that asked what was asked before: of the
 *                                      same node (NodeInfo: by the same route;
 *                                      GMPs: the same LID), attribute,
 *                                      modifier, port
 *   peak-10ms all|smp|gmp N            most that were sent within 10 ms
 *   timed-out N  late N                time-outs; replies that came after one
 *   answered N   lost N                by the layer itself; by `lose`
 *   database N                         calls that changed or synced one
 *   line N applied N                   how often a scenario line acted
 *   line N nodes N                     how many nodes it may concern
 *   sent mkey N                        SMPs with an M_Key other than 0
 *   mkey-violations N                  that `protect` found wrong
 *   mkey-violations 0xGUID N           the same, of one node
 *   violation TEXT                     what is not a Get
 *
 * In flight is what the kernel would hold: until the reply or the time-out.
 */

struct tally tally;

static struct kind {
	uint8_t mgmt_class, method;
	uint16_t attr;
	unsigned long sent, first, last, repeated;
} kinds[64];
static size_t n_kinds;

static unsigned long n_sent, in_flight[2], peak[2], peak_all, peak_node[2];
static unsigned long n_mkey, n_mkey_violations, n_repeated;

/* When MADs were sent: all, SMPs, GMPs; the ring is longer than what 10 ms
 * hold. */
enum { RING = 16384, WINDOW_US = 10000 };
static struct recent {
	uint64_t at[RING];
	unsigned long first, end, peak;
} recent[3];

/* What was asked; open addressing, at most half full. */
static struct asked {
	const void *of;
	uint32_t modifier;
	uint16_t attr;
	uint8_t mgmt_class, port;
} *asked;
static size_t n_asked, cap_asked;

static char *violations;
static size_t violations_len;

static struct kind *count_kind(const struct request *req)
{
	struct kind *k = kinds;

	while (k < kinds + n_kinds &&
	       (k->mgmt_class != req->mgmt_class || k->method != req->method ||
		k->attr != req->attr))
		k++;
	if (k == kinds + n_kinds) {
		if (n_kinds == 63) /* the last one takes what is left */
			k--;
		else
			n_kinds++;
		k->mgmt_class = req->mgmt_class;
		k->method = req->method;
		k->attr = req->attr;
		k->first = n_sent;
	}
	k->sent++;
	k->last = n_sent;
	return k;
}

static void count_rate(struct recent *r, uint64_t now)
{
	r->at[r->end++ % RING] = now;
	while (r->at[r->first % RING] + WINDOW_US <= now)
		r->first++;
	if (r->end - r->first > r->peak)
		r->peak = r->end - r->first;
}

static size_t asked_slot(const struct asked *a)
{
	uint64_t h = (uintptr_t)a->of ^ (uint64_t)a->modifier << 20 ^
		     (uint64_t)a->attr << 44 ^ (uint64_t)a->port << 8;
	size_t i = (h * 0x9e3779b97f4a7c15u) >> 32 & (cap_asked - 1);

	while (asked[i].of && memcmp(&asked[i], a, sizeof(*a)))
		i = (i + 1) & (cap_asked - 1);
	return i;
}

static void asked_grow(void)
{
	struct asked *old = asked;
	size_t n = cap_asked;

	cap_asked = n ? 2 * n : 4096;
	asked = layer_alloc(cap_asked, sizeof(*asked));
	for (size_t i = 0; i < n; i++)
		if (old[i].of)
			asked[asked_slot(&old[i])] = old[i];
	free(old);
}

static void count_repeated(const struct request *req, struct kind *k)
{
	bool by_node = req->mgmt_class == CLASS_DR && req->place->node &&
		       req->attr != ATTR_NODE_INFO;
	struct asked a;
	size_t i;

	memset(&a, 0, sizeof(a));
	a.of = by_node ? (void *)req->place->node : (void *)req->place;
	a.modifier = req->modifier;
	a.attr = req->attr;
	a.mgmt_class = req->mgmt_class;
	a.port = req->port;
	if (2 * n_asked >= cap_asked)
		asked_grow();
	i = asked_slot(&a);
	if (asked[i].of) {
		n_repeated++;
		k->repeated++;
	} else {
		n_asked++;
		asked[i] = a;
	}
}

static int is_gmp(const struct request *req)
{
	return req->mgmt_class != CLASS_DR && req->mgmt_class != CLASS_LID;
}

void report_sent(struct request *req)
{
	int gmp = is_gmp(req);

	n_sent++;
	n_mkey += !gmp && mad_mkey(req->umad + UMAD_HEAD);
	count_rate(&recent[0], req->sent);
	count_rate(&recent[1 + gmp], req->sent);
	count_repeated(req, count_kind(req));
	if (++in_flight[gmp] > peak[gmp])
		peak[gmp] = in_flight[gmp];
	if (in_flight[0] + in_flight[1] > peak_all)
		peak_all = in_flight[0] + in_flight[1];
	req->counted = req->place->node;
	if (req->counted && ++req->counted->in_flight[gmp] > peak_node[gmp])
		peak_node[gmp] = req->counted->in_flight[gmp];
}

void report_done(struct request *req)
{
	int gmp = is_gmp(req);

	if (!req->in_table)
		return;
	in_flight[gmp]--;
	if (req->counted)
		req->counted->in_flight[gmp]--;
}

void report_mkey_violation(struct node *n)
{
	n_mkey_violations++;
	if (n)
		n->mkey_violations++;
}

void report_violation(const char *fmt, ...)
{
	const char *strict = getenv("IBLAYER_STRICT");
	char text[160];
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strlen(text);
	violations = layer_resize(violations, violations_len + n + 12, 1);
	violations_len += sprintf(violations + violations_len,
				  "violation %s\n", text);
	report_write();
	if (strict && !strcmp(strict, "1")) {
		fprintf(stderr, "iblayer: refused: %s\n", text);
		abort();
	}
}

static void write_mkey_violations(const struct node *n, void *arg)
{
	if (n->mkey_violations)
		fprintf(arg, "mkey-violations 0x%016llx %lu\n",
			(unsigned long long)n->guid, n->mkey_violations);
}

static void write_kind(FILE *f, const struct kind *k, const char *what,
		       unsigned long n)
{
	fprintf(f, "%s class=0x%02x method=0x%02x attr=0x%04x %lu\n", what,
		k->mgmt_class, k->method, k->attr, n);
}

static void write_counts(FILE *f)
{
	fprintf(f, "sent %lu\n", n_sent);
	for (size_t i = 0; i < n_kinds; i++) {
		write_kind(f, &kinds[i], "sent", kinds[i].sent);
		write_kind(f, &kinds[i], "first", kinds[i].first);
		write_kind(f, &kinds[i], "last", kinds[i].last);
		write_kind(f, &kinds[i], "repeated", kinds[i].repeated);
	}
	fprintf(f, "repeated all %lu\n", n_repeated);
	fprintf(f, "peak all %lu\npeak smp %lu\npeak gmp %lu\n", peak_all,
		peak[0], peak[1]);
	fprintf(f, "peak-node smp %lu\npeak-node gmp %lu\n", peak_node[0],
		peak_node[1]);
	fprintf(f, "peak-10ms all %lu\npeak-10ms smp %lu\npeak-10ms gmp %lu\n",
		recent[0].peak, recent[1].peak, recent[2].peak);
	fprintf(f, "timed-out %lu\nlate %lu\nanswered %lu\nlost %lu\n",
		tally.timed_out, tally.late, tally.answered, tally.lost);
	fprintf(f, "database %lu\n", tally.database_calls);
	fprintf(f, "sent mkey %lu\nmkey-violations %lu\n", n_mkey,
		n_mkey_violations);
	known_each(write_mkey_violations, f);
	for (size_t i = 0; i < n_rules; i++)
		fprintf(f, "line %u applied %lu\nline %u nodes %lu\n",
			rules[i].line, rules[i].applied, rules[i].line,
			scenario_nodes(&rules[i]));
	if (violations)
		fputs(violations, f);
}

void report_write(void)
{
	const char *path = getenv("IBLAYER_REPORT");
	FILE *f;

	if (!path)
		return;
	f = fopen(path, "we");
	if (!f)
		layer_die("cannot write %s", path);
	write_counts(f);
	fclose(f);
}
