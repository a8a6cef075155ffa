/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * Discovery, subnet managers and counters run side by side on one MAD engine:
 * a port that is known is asked for what else it has.  With libibnetdisc all
 * ports become known at once.  What the errors were is asked last.  Callbacks
 * fill the snapshot.
 *
 * The defaults are those of a polite guest: opensm shares the local port's
 * send queue of 128 places, VL15 has no flow control, and firmware serialises
 * what one node is asked.
 */
#define SMP_WINDOW 8
#define GMP_WINDOW 64
#define SMP_RATE 4000 /* a second */
#define GMP_RATE 8000
#define TIMEOUT_MS 200
#define RETRIES 3
#define LIDS 0x10000 /* they have 16 bits */
#define PARK_MAX 256 /* silent nodes, of which the kernel asks each again */

int route_extend(const struct route *r, uint8_t exit, struct route *out)
{
	if (r->hops + 1 >= ROUTE_MAX)
		return -1;
	*out = *r;
	out->hop[++out->hops] = exit;
	return 0;
}

uint32_t sweep_lid_holders(const struct sweep *sw, int32_t lid)
{
	return lid > 0 && lid < LIDS ? sw->holders[lid] : 0;
}

void sweep_lid_hold(struct sweep *sw, const struct node *n,
		    const struct port *p, int more)
{
	if (port_is_end(n, p) && p->lid > 0 && p->lid < LIDS)
		sw->holders[p->lid] += (uint32_t)more;
}

void sweep_port_known(struct sweep *sw, uint32_t i, uint8_t port)
{
	const struct node *n = sw->snap->nodes[i];
	const struct port *p = &n->ports[port];

	if (port_set_add(&sweep_target(sw, i)->known, port))
		return;
	sweep_lid_hold(sw, n, p, 1);
	sm_port_known(sw, i, port);
	pma_port_known(sw, i, port);
}

static struct failure *add_failure(struct sweep *sw, const struct mad_query *q,
				   const char *text)
{
	struct failure *f = snapshot_add_failure(sw->snap);

	f->node = q->node;
	f->port = q->port == NO_PORT ? VAL_NONE : q->port;
	if (q->mgmt_class == CLASS_SMP && q->dest->route)
		f->route = *q->dest->route;
	else if (q->node != NO_NODE)
		f->route = sw->snap->nodes[q->node]->route;
	if (q->exit)
		route_extend(q->dest->route, q->exit, &f->route);
	f->mgmt_class = q->mgmt_class;
	f->attribute = q->attribute;
	f->modifier = q->modifier;
	snprintf(f->text, sizeof(f->text), "%s", text);
	if (q->mgmt_class == CLASS_SMP)
		sw->snap->complete = 0;
	return f;
}

void sweep_fail(struct sweep *sw, const struct mad_query *q,
		const struct mad_reply *r)
{
	struct failure *f = add_failure(sw, q, r->text);

	f->status = (uint8_t)(r->failed - 1);
	f->mad_status = r->mad_status;
}

void sweep_malformed(struct sweep *sw, const struct mad_query *q,
		     const char *text)
{
	add_failure(sw, q, text)->status = FAIL_MALFORMED;
}

void sweep_tick(void *arg)
{
	struct sweep *sw = arg;
	struct mad_stats stats;

	watch_look(sw);
	if (!sw->opt->progress)
		return;
	mad_stats(sw->mad, &stats);
	sw->progress.mads_sent = sw->snap->mads_sent + stats.sent;
	sw->progress.nodes = (int64_t)sw->snap->n_nodes;
	sw->progress.seconds =
		(double)(clock_mono_us() - sw->started_us) / 1e6;
	sw->opt->progress(sw->opt->arg, &sw->progress);
}

static int or_default(int given, int fallback)
{
	return given > 0 ? given : fallback;
}

/* lp must outlive the engine. */
static void set_ports(struct mad_options *opt, const struct local_port *lp)
{
	opt->ca = lp->ca;
	opt->port = lp->port;
	opt->gmp_ca = lp->gmp_ca[0] ? lp->gmp_ca : NULL;
	opt->gmp_port = lp->gmp_port;
}

static void set_mad_options(struct sweep *sw)
{
	const struct sweep_options *opt = sw->opt;
	int fast = opt->fast;

	sw->mad_opt = (struct mad_options){
		.smp_window = or_default(opt->smp_window,
					 fast ? MAD_WINDOW_MAX : SMP_WINDOW),
		.gmp_window = or_default(opt->gmp_window,
					 fast ? MAD_WINDOW_MAX : GMP_WINDOW),
		.park_max = fast ? MAD_PARK_MAX : PARK_MAX,
		.smp_rate = fast ? 0 : SMP_RATE,
		.gmp_rate = fast ? 0 : GMP_RATE,
		.timeout_ms = or_default(opt->timeout_ms, TIMEOUT_MS),
		.retries = opt->retries >= 0 ? opt->retries : RETRIES,
		.sl = opt->sl,
		.tick = sweep_tick,
		.arg = sw,
	};
	set_ports(&sw->mad_opt, &sw->local);
}

/* Add the engine's counts to the snapshot's and let it go. */
static void close_engine(struct sweep *sw)
{
	struct mad_stats stats;

	if (!sw->mad)
		return;
	mad_stats(sw->mad, &stats);
	sw->snap->mads_sent += stats.sent;
	sw->snap->mads_unmatched += stats.unmatched;
	mad_close(sw->mad);
	sw->mad = NULL;
}

static int open_engine(struct sweep *sw, struct err *err)
{
	sw->mad = mad_open(&sw->mad_opt, err);
	return sw->mad ? 0 : -1;
}

static int discover(struct sweep *sw, struct err *err)
{
	if (sw->opt->discovery == DISCOVER_ENGINE)
		return open_engine(sw, err) < 0 ? -1 : discover_engine(sw, err);
	strcpy(sw->snap->discovery, "libibnetdisc");
	return discover_ibnd(sw, err) < 0 ? -1 : open_engine(sw, err);
}

/* All ports of libibnetdisc's. */
static void tell_ports(struct sweep *sw)
{
	uint32_t i;
	int p;

	for (i = 0; i < sw->snap->n_nodes; i++)
		for (p = 0; p <= sw->snap->nodes[i]->nports; p++)
			if (sweep_reach(sw, i, (uint8_t)p))
				sweep_port_known(sw, i, (uint8_t)p);
}

static int run_phases(struct sweep *sw, struct err *err)
{
	if (discover(sw, err) < 0)
		return -1;
	if (sw->opt->discovery == DISCOVER_LIBIBNETDISC)
		tell_ports(sw);
	snapshot_renumber_instances(sw->snap, sw->opt->prev);
	sweep_sms(sw);
	if (!sw->opt->counters)
		return mad_run(sw->mad, sw->deadline_us, err);
	return sweep_pma(sw, err) < 0 ? -1 : sweep_details(sw, err);
}

int fabric_probe(const char *ca, int port, struct err *err)
{
	struct local_port local;
	struct mad_options opt = { .smp_window = 1, .gmp_window = 1 };
	struct mad_engine *mad;

	if (local_port_find(ca, port, &local, err) < 0)
		return -1;
	set_ports(&opt, &local);
	mad = mad_open(&opt, err);
	mad_close(mad);
	return mad ? 0 : -1;
}

int fabric_sweep(const struct sweep_options *opt, struct snapshot *out,
		 struct err *err)
{
	static const struct route here = { 0 };
	struct sweep sw = { .opt = opt, .snap = out, .first.route = &here,
			    .watch.dropped = VAL_NONE };
	int rc;

	snapshot_init(out);
	if (local_port_find(opt->ca, opt->port, &sw.local, err) < 0)
		return -1;
	set_mad_options(&sw);
	out->started_ms = clock_wall_ms();
	out->complete = 1;
	out->with_counters = opt->counters;
	out->subnet_prefix = sw.local.subnet_prefix;
	sw.started_us = clock_mono_us();
	sw.holders = xcalloc(LIDS, sizeof(*sw.holders));
	if (opt->limit_s > 0)
		sw.deadline_us = sw.started_us + (int64_t)opt->limit_s * 1000000;

	rc = run_phases(&sw, err);
	close_engine(&sw);
	duplicates_free(&sw);
	sweep_free_targets(&sw);
	free(sw.holders);
	out->finished_ms = clock_wall_ms();
	return rc;
}
