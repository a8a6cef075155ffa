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
 *   peak-10ms N                        most that were sent within 10 ms
 *   timed-out N  late N                time-outs; replies that came after one
 *   answered N   lost N                by the layer itself; by `lose`
 *   line N applied N                   how often a scenario line acted
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
	unsigned long sent;
} kinds[64];
static size_t n_kinds;

static unsigned long n_sent, in_flight[2], peak[2], peak_all, peak_node[2];
static unsigned long in_slot, peak_slot, n_mkey, n_mkey_violations;
static uint64_t slot; /* of 10 ms */

static char *violations;
static size_t violations_len;

static void count_kind(const struct request *req)
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
	}
	k->sent++;
}

static void count_rate(uint64_t now)
{
	if (slot != now / 10000) {
		slot = now / 10000;
		in_slot = 0;
	}
	if (++in_slot > peak_slot)
		peak_slot = in_slot;
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
	count_kind(req);
	count_rate(req->sent);
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

static void write_counts(FILE *f)
{
	fprintf(f, "sent %lu\n", n_sent);
	for (size_t i = 0; i < n_kinds; i++)
		fprintf(f, "sent class=0x%02x method=0x%02x attr=0x%04x %lu\n",
			kinds[i].mgmt_class, kinds[i].method, kinds[i].attr,
			kinds[i].sent);
	fprintf(f, "peak all %lu\npeak smp %lu\npeak gmp %lu\n", peak_all,
		peak[0], peak[1]);
	fprintf(f, "peak-node smp %lu\npeak-node gmp %lu\npeak-10ms %lu\n",
		peak_node[0], peak_node[1], peak_slot);
	fprintf(f, "timed-out %lu\nlate %lu\nanswered %lu\nlost %lu\n",
		tally.timed_out, tally.late, tally.answered, tally.lost);
	fprintf(f, "sent mkey %lu\nmkey-violations %lu\n", n_mkey,
		n_mkey_violations);
	known_each(write_mkey_violations, f);
	for (size_t i = 0; i < n_rules; i++)
		fprintf(f, "line %u applied %lu\n", rules[i].line,
			rules[i].applied);
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
