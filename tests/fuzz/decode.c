/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz target: the decoders.  Each gets the input as its attribute, in a
 * buffer that is just as long as it may be, and gives what its callers rely
 * on: indices within the tables, names for every code.
 */
#include "fabric/decode.h"

#include <math.h>

#include "fuzz.h"
#include "model/speed.h"
#include "util/text.h"

#define SMP_LEN 64
#define GMP_LEN 192

static void fill(struct input *in, uint8_t *out, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = take(in);
}

static uint32_t take32(struct input *in)
{
	uint8_t b[4];

	fill(in, b, sizeof(b));
	return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

static void check_node_info(const uint8_t *d)
{
	struct node_info n;

	if (decode_node_info(d, &n) < 0 && !is_broken("node-info"))
		return;
	CHECK(n.type >= NODE_CA && n.type <= NODE_ROUTER);
	CHECK(n.nports >= 1 && n.nports <= 254);
	CHECK(n.local_port <= n.nports);
	CHECK(n.local_port || n.type == NODE_SWITCH);
	CHECK(n.node_guid);
	CHECK(n.vendor_id <= 0xffffff);
}

/* A rank that the table has, or not read. */
static void check_rank(int32_t rank, int end, const char *(*name)(int))
{
	CHECK(rank == VAL_NONE || (rank > 0 && rank < end && name(rank)));
}

static void check_mask(int32_t mask, int end)
{
	CHECK(mask >= 0 && mask < 1 << end && !(mask & 1));
}

static void check_speeds(const struct port *p)
{
	double gbps = link_gbps(p->speed, p->width);

	check_rank(p->speed, SPEED_END, speed_name);
	check_rank(p->width, WIDTH_END, width_name);
	check_mask(p->speed_supported, SPEED_END);
	check_mask(p->speed_enabled, SPEED_END);
	check_mask(p->width_supported, WIDTH_END);
	check_mask(p->width_enabled, WIDTH_END);
	CHECK(isfinite(gbps) && gbps >= 0);
	CHECK((gbps > 0) == (p->speed != VAL_NONE && p->width != VAL_NONE));
}

static int is_mtu(int32_t octets)
{
	return octets == VAL_NONE || octets == 256 || octets == 512 ||
	       octets == 1024 || octets == 2048 || octets == 4096;
}

static int is_inactive(const struct port *p)
{
	return p->speed == VAL_NONE && p->speed_code == VAL_NONE &&
	       p->width == VAL_NONE && p->mtu == VAL_NONE &&
	       p->op_vls == VAL_NONE;
}

static void check_port(const struct port *p, int is_end)
{
	CHECK(p->present && p->seen == SEEN_READ);
	CHECK(port_state_name(p->state) && phys_state_name(p->phys));
	check_speeds(p);
	CHECK(is_mtu(p->mtu) && is_mtu(p->mtu_cap));
	CHECK(port_is_up(p) || is_inactive(p));
	if (is_end) {
		CHECK(p->lid >= 0 && p->lid <= 0xffff);
		CHECK(p->sm_lid >= 0 && p->sm_lid <= 0xffff);
		CHECK(p->lmc >= 0 && p->lmc <= 7);
		CHECK(p->cap_mask >= 0 && p->cap_mask2 >= 0);
	} else {
		CHECK(p->lid == VAL_NONE && p->sm_lid == VAL_NONE);
		CHECK(p->cap_mask == VAL_NONE64);
	}
}

/* One node that owns the port, as the sweep has it. */
static void check_port_info(struct input *in, const uint8_t *d)
{
	struct port_caps caps = { take(in) & 1, take32(in),
				  (uint16_t)take32(in) };
	int with_caps = take(in) & 1, is_end = take(in) & 1;
	struct snapshot s = { 0 };
	struct node *n;
	struct port *p;

	snapshot_init(&s);
	n = snapshot_add_node(&s, 1, 0, 1);
	p = &n->ports[1];
	n->vendor_id = (int32_t)(take32(in) & 0xffffff);
	n->device_id = (int32_t)(take32(in) & 0xffff);
	decode_port_info(d, is_end, with_caps ? &caps : NULL, p);
	if (is_broken("port-info"))
		p->speed = SPEED_END;
	check_port(p, is_end);
	if (port_info_wants_ext(d, with_caps ? &caps : NULL))
		CHECK(port_is_up(p));
	if (port_wants_fdr10(n, p))
		CHECK(p->speed == SPEED_QDR);
	decode_mlnx_port_info(d, p);
	check_speeds(p);
	snapshot_free(&s);
}

static void check_switch_info(const uint8_t *d)
{
	struct node n = { 0 };

	decode_switch_info(d, &n);
	CHECK(n.lft_cap >= 0 && n.lft_cap <= 0xffff);
	CHECK(n.lft_top >= 0 && n.lft_top <= 0xffff);
	CHECK(n.enhanced_port0 == 0 || n.enhanced_port0 == 1);
}

static void check_sm_info(const uint8_t *d)
{
	struct sm sm = { 0 };

	decode_sm_info(d, &sm);
	CHECK(sm.answered);
	CHECK(sm.priority >= 0 && sm.priority <= 15);
	CHECK(sm.act_count >= 0);
	CHECK(sm.state >= 0 && sm_state_name(sm.state));
}

/* --- text ------------------------------------------------------------- */

/* The next code point of UTF-8 in its shortest form; -1 when it is none. */
static int32_t code_point(const uint8_t **at)
{
	static const int32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	const uint8_t *s = *at;
	int more = *s < 0x80 ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 :
		   *s >> 3 == 30 ? 3 : -1;
	int32_t v;
	int i;

	if (more < 0)
		return -1;
	v = more ? *s & (0x3f >> more) : *s;
	for (i = 1; i <= more; i++) {
		if (s[i] >> 6 != 2)
			return -1;
		v = v << 6 | (s[i] & 0x3f);
	}
	*at += more + 1;
	if (v < least[more] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return -1;
	return v;
}

/* Neither a control character nor one that turns the line around. */
static int is_harmless(int32_t c)
{
	return c >= 0x20 && !(c >= 0x7f && c <= 0x9f) &&
	       c != 0x61c && c != 0xfeff && !(c >= 0x200e && c <= 0x200f) &&
	       !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && (c & 0xfffe) != 0xfffe;
}

static void check_text(const char *text, const char *allowed)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t columns = 0;

	while (*at) {
		int32_t c = code_point(&at);

		CHECK(c > 0);
		CHECK(is_harmless(c) || (c < 0x80 && strchr(allowed, c)));
		columns++;
	}
	CHECK(text_width(text) == columns);
}

static void check_desc(const uint8_t *d)
{
	struct strbuf safe = { 0 }, clean = { 0 };
	struct node n = { 0 };

	node_set_desc(&n, (const char *)d);
	CHECK(n.desc_read && n.desc_len <= NODE_DESC_LEN);
	CHECK(!n.desc_len || n.desc[n.desc_len - 1]);
	text_safe(&safe, n.desc, n.desc_len);
	if (is_broken("text"))
		strbuf_add(&safe, "\x1b");
	if (safe.s)
		check_text(safe.s, "");
	text_clean(&clean, n.desc, n.desc_len);
	if (clean.s)
		check_text(clean.s, "\n\t");
	strbuf_free(&safe);
	strbuf_free(&clean);
}

static void check_route(struct input *in)
{
	struct route r = { .hops = take(in) % ROUTE_MAX };
	char *out = malloc(ROUTE_STRLEN + 1);
	const char *at;
	int commas = 0;

	fill(in, r.hop, sizeof(r.hop));
	CHECK(route_format(&r, out) == out);
	for (at = out; *at; at++)
		commas += *at == ',';
	CHECK(commas == r.hops);
	free(out);
}

static void check_names(struct input *in)
{
	int code = (int)take32(in), attribute = (int)(take32(in) & 0xffff);

	CHECK(node_type_name(code) && port_state_name(code));
	CHECK(phys_state_name(code) && sm_state_name(code));
	CHECK(fail_status_name(code));
	CHECK(mad_attribute_name(take(in), attribute));
	CHECK(!speed_name(code) == (code < 1 || code >= SPEED_END));
	CHECK(!width_name(code) == (code < 1 || code >= WIDTH_END));
}

/* --- counters --------------------------------------------------------- */

static void check_counters(const struct counters *c)
{
	int i;

	for (i = 0; i < COUNTER_COUNT; i++) {
		int width = counter_width(i, c->src);
		int64_t v = counters_get(c, i);

		if (v == COUNTER_UNREAD)
			continue;
		CHECK(width > 0);
		CHECK(v >= 0 && v <= counter_max(width));
	}
}

/* What a port's PMA answered, each in a buffer of its own. */
struct answers {
	struct pma_caps caps;
	uint8_t *pc, *ext, *details;
	size_t pc_len, ext_len, details_len;
};

static uint8_t *part(struct input *in, const uint8_t *d, size_t *len)
{
	uint8_t *copy;

	*len = take(in) % (GMP_LEN + 1);
	copy = malloc(*len);
	memcpy(copy, d, *len);
	return copy;
}

static struct counters *read_counters(const struct answers *a, int ext_first)
{
	struct counters *c = malloc(sizeof(*c));
	int i;

	counters_init(c);
	for (i = 0; i < 2; i++) {
		if (i == ext_first)
			counters_decode_pc(c, a->pc, a->pc_len, &a->caps);
		else
			counters_decode_ext(c, a->ext, a->ext_len, &a->caps);
		check_counters(c);
	}
	counters_decode_details(c, SRC_XMIT_DETAILS, a->details,
				a->details_len);
	check_counters(c);
	counters_decode_details(c, SRC_RCV_DETAILS, a->details,
				a->details_len);
	return c;
}

/* The widest value wins, whichever attribute came first. */
static void check_pma(struct input *in, const uint8_t *d)
{
	struct answers answers;
	struct counters *a, *b;
	int i;

	decode_pma_caps(d, &answers.caps);
	CHECK(answers.caps.cap_mask2 < 1u << 27);
	CHECK(pma_has_ext(&answers.caps) ||
	      !pma_has_ext_errors(&answers.caps));
	answers.pc = part(in, d, &answers.pc_len);
	answers.ext = part(in, d, &answers.ext_len);
	answers.details = part(in, d, &answers.details_len);
	a = read_counters(&answers, 0);
	b = read_counters(&answers, 1);
	if (is_broken("counters"))
		counters_set(b, 0, -1);
	check_counters(a);
	check_counters(b);
	for (i = 0; i < COUNTER_COUNT; i++)
		CHECK(counters_get(a, i) == counters_get(b, i));
	counters_free(a);
	counters_free(b);
	free(answers.pc);
	free(answers.ext);
	free(answers.details);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct input in = { data, len };
	uint8_t *smp = malloc(SMP_LEN), *gmp = malloc(GMP_LEN);

	fill(&in, gmp, GMP_LEN);
	memcpy(smp, gmp, SMP_LEN);
	check_node_info(smp);
	check_port_info(&in, smp);
	check_switch_info(smp);
	check_sm_info(smp);
	check_desc(smp);
	check_pma(&in, gmp);
	check_route(&in);
	check_names(&in);
	free(smp);
	free(gmp);
	return 0;
}
