/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz target: a whole sweep by the engine, behind a libibumad that plays
 * what the input says.  The first bytes choose the options, the others what
 * each umad_recv() brings (umad.h); behind their end everything is answered
 * properly.
 *
 * Whatever comes, the sweep ends in time and the snapshot is consistent; and
 * when the input was nothing but noise, the snapshot is the whole fabric.
 */
#include "fabric/fabric.h"

#include "fake.h"
#include "umad.h"

#define SLACK_US 10000000 /* beyond the limit and the last time-out */

/* --- what is consistent ------------------------------------------------ */

static void check_peer(const struct snapshot *s, uint32_t i,
		       const struct port *p)
{
	const struct port *far;

	if (p->peer_node == NO_NODE)
		return;
	CHECK(p->peer_node < s->n_nodes);
	CHECK(p->peer_port <= s->nodes[p->peer_node]->nports);
	far = &s->nodes[p->peer_node]->ports[p->peer_port];
	CHECK(far->peer_node == i && far->peer_port == p->num);
}

static void check_route(const struct route *r)
{
	char text[ROUTE_STRLEN + 1];

	CHECK(r->hops < ROUTE_MAX);
	CHECK(*route_format(r, text));
}

static void check_node(const struct snapshot *s, uint32_t i)
{
	const struct node *n = s->nodes[i];
	int p;

	CHECK(n->guid && n->nports >= 1 && n->nports <= 254);
	CHECK(n->type >= NODE_CA && n->type <= NODE_ROUTER);
	CHECK(n->arrival <= n->nports);
	CHECK(snapshot_find(s, n->guid, n->instance) == i);
	check_route(&n->route);
	for (p = 0; p <= n->nports; p++) {
		CHECK(n->ports[p].num == p);
		check_peer(s, i, &n->ports[p]);
	}
}

static int has_port(const struct snapshot *s, uint32_t node, int port)
{
	return node < s->n_nodes && port >= 0 && port <= s->nodes[node]->nports;
}

static void check_failure(const struct snapshot *s, const struct failure *f)
{
	CHECK(f->node == NO_NODE || f->node < s->n_nodes);
	CHECK(f->node == NO_NODE || f->port == VAL_NONE ||
	      has_port(s, f->node, f->port));
	CHECK(f->text[0] && memchr(f->text, '\0', sizeof(f->text)));
	CHECK(f->status <= FAIL_GIVEN_UP);
	check_route(&f->route);
}

static void check_snapshot(const struct snapshot *s, int rc)
{
	int has_smp_failure = 0;
	uint32_t i;

	for (i = 0; i < s->n_nodes; i++)
		check_node(s, i);
	for (i = 0; i < s->n_sms; i++)
		CHECK(has_port(s, s->sms[i].node, s->sms[i].port));
	for (i = 0; i < s->n_failures; i++) {
		check_failure(s, &s->failures[i]);
		has_smp_failure |= s->failures[i].mgmt_class == 0x81;
	}
	CHECK(!has_smp_failure || !s->complete);
	CHECK(s->local_node == NO_NODE ||
	      has_port(s, s->local_node, s->local_port));
	CHECK(rc < 0 || (s->pma_answered >= 0 &&
			 s->pma_answered <= s->pma_asked));
}

/* --- what is whole ----------------------------------------------------- */

/* By number of ports: neither the order of nodes nor who of two parallel
 * cables was seen first matters. */
static void check_same_port(const struct snapshot *a, const struct port *p,
			    const struct snapshot *b, const struct port *q)
{
	CHECK(p->present == q->present && p->state == q->state);
	CHECK(p->lid == q->lid && p->speed == q->speed);
	CHECK(p->width == q->width && p->cap_mask == q->cap_mask);
	CHECK(!p->counters == !q->counters || !a->with_counters);
	CHECK((p->peer_node == NO_NODE) == (q->peer_node == NO_NODE));
	if (p->peer_node == NO_NODE)
		return;
	CHECK(p->peer_port == q->peer_port);
	CHECK(a->nodes[p->peer_node]->guid == b->nodes[q->peer_node]->guid);
}

static void check_same(const struct snapshot *a, const struct snapshot *b)
{
	uint32_t i;
	int p;

	CHECK(a->complete && !a->n_failures);
	CHECK(a->n_nodes == b->n_nodes && a->n_sms == b->n_sms);
	for (i = 0; i < a->n_nodes; i++) {
		const struct node *n = a->nodes[i], *m;
		uint32_t j = snapshot_find(b, n->guid, 0);

		CHECK(!n->instance && j != NO_NODE);
		m = b->nodes[j];
		CHECK(n->type == m->type && n->nports == m->nports);
		CHECK(n->desc_read && n->desc_len == m->desc_len);
		for (p = 0; p <= n->nports; p++)
			check_same_port(a, &n->ports[p], b, &m->ports[p]);
	}
}

/* --- the sweep --------------------------------------------------------- */

static struct {
	struct sweep_progress last;
	int64_t last_us;
} told;

static void on_progress(void *arg, const struct sweep_progress *p)
{
	const struct sweep_progress *l = &told.last;

	(void)arg;
	CHECK(!told.last_us || umad_now() - told.last_us >= 100000);
	CHECK(p->nodes >= l->nodes && p->mads_sent >= l->mads_sent);
	CHECK(p->ports_known >= l->ports_known);
	CHECK(p->ports_read >= l->ports_read);
	CHECK(p->pma_known >= l->pma_known && p->pma_read >= l->pma_read);
	CHECK(p->ports_read <= p->ports_known && p->pma_read <= p->pma_known);
	CHECK(p->seconds >= l->seconds);
	told.last = *p;
	told.last_us = umad_now();
}

/* A sweep that nothing happens to, as the one before and as what is right. */
static const struct snapshot *reference(int on_switch)
{
	static struct snapshot kept[2];
	static int is_made[2];
	struct sweep_options opt = { .counters = 1, .retries = -1 };
	struct limits limits = { 8, 64 };
	struct input nothing = { NULL, 0 };
	struct err err;

	if (is_made[on_switch])
		return &kept[on_switch];
	fabric_reset(on_switch);
	umad_reset(&nothing, HOST_GOOD, &limits);
	CHECK(!fabric_sweep(&opt, &kept[on_switch], &err));
	CHECK(kept[on_switch].n_nodes == FAKE_NODES);
	CHECK(kept[on_switch].pma_answered == 2 * FAKE_LINKS + 2);
	check_same(&kept[on_switch], &kept[on_switch]);
	is_made[on_switch] = 1;
	return &kept[on_switch];
}

static void choose(struct input *in, struct sweep_options *opt)
{
	static const int timeouts[] = { 0, 1, 20, 500 };
	static const int retries[] = { -1, 0, 1, 7 };
	uint8_t a = take(in);

	opt->progress = on_progress;
	opt->fast = a & 1;
	opt->counters = !(a & 2);
	opt->timeout_ms = timeouts[a >> 2 & 3];
	opt->retries = retries[a >> 4 & 3];
	opt->limit_s = 1 + (a >> 6 & 3);
	opt->smp_window = take(in) % 65;
	opt->gmp_window = take(in) % 65;
}

/* The window of a class: as chosen, or the default. */
static int window(int chosen, int fast, int polite)
{
	return chosen ? chosen : fast ? 64 : polite;
}

/* The sweep may take its limit, and the queries sent by then their time. */
static int64_t time_allowed(const struct sweep_options *opt)
{
	int timeout = opt->timeout_ms ? opt->timeout_ms : 200;
	int retries = opt->retries >= 0 ? opt->retries : 3;

	return (int64_t)opt->limit_s * 1000000 + SLACK_US +
	       (int64_t)timeout * 1000 * (retries + 1) +
	       umad_story()->jumped_us;
}

static int is_usable(enum host host, const char *ca)
{
	return (host == HOST_GOOD && !ca) || host == HOST_MANY;
}

static void check_end(const struct sweep_options *opt, enum host host,
		      const struct snapshot *s, int rc, const struct err *err,
		      int64_t took)
{
	const struct umad_story *story = umad_story();
	int may_fail = story->gone || story->troubles || story->lies;

	CHECK(!story->open);
	CHECK(took <= time_allowed(opt));
	CHECK(s->mads_sent == story->sent);
	CHECK(rc == 0 || (rc == -1 && err->text[0]));
	CHECK(rc == 0 || may_fail || !is_usable(host, opt->ca));
	CHECK(rc < 0 || is_usable(host, opt->ca));
}

static void break_it(struct snapshot *s)
{
	if (is_broken("peer") && s->n_nodes > 1)
		s->nodes[1]->ports[1].peer_port ^= 1;
	if (is_broken("failure"))
		snapshot_add_failure(s)->node = (uint32_t)s->n_nodes;
	if (is_broken("complete"))
		s->complete = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct input in = { data, len };
	struct sweep_options opt = { .sl = 0 };
	struct limits limits;
	struct snapshot s;
	struct err err = { "" };
	uint8_t how = take(&in);
	int on_switch = how >> 4 & 1, rc;
	enum host host = how & 7;
	const struct snapshot *whole = reference(on_switch);
	int64_t start;

	choose(&in, &opt);
	opt.ca = how & 0x80 ? "mlx5_31" : NULL;
	opt.prev = how & 8 ? whole : NULL;
	limits.smp_window = window(opt.smp_window, opt.fast, 8);
	limits.gmp_window = window(opt.gmp_window, opt.fast, 64);
	memset(&told, 0, sizeof(told));
	fabric_reset(on_switch);
	umad_reset(&in, host, &limits);
	if (how & 0x20)
		fabric_probe(opt.ca, how >> 6 & 1, &err);
	start = umad_now();
	rc = fabric_sweep(&opt, &s, &err);
	break_it(&s);
	check_end(&opt, host, &s, rc, &err, umad_now() - start);
	check_snapshot(&s, rc);
	if (!rc && !umad_story()->lies && !umad_story()->troubles &&
	    umad_now() - start < (int64_t)opt.limit_s * 1000000)
		check_same(&s, whole);
	if (!is_broken("leak"))
		snapshot_free(&s);
	return 0;
}
