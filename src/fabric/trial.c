/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/mkey.h"
#include "fabric/walk.h"

/*
 * Notes
 *
 * A wrong M_Key raises a violation counter at every node that sees it, and
 * may start its lease (IBA 14.2.4).  So one node behind the own one is asked
 * first, once, without the kernel's repeats; its silence ends the walk.  The
 * probes that wait for it are all of the own node, for nothing else is known
 * yet.
 */

static void on_trial(void *arg, const struct mad_query *q,
		     const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct mad_reply told = *r;
	int p;

	if (r->failed && r->failed != 1 + FAIL_MAD_STATUS) {
		sw->trial = TRIAL_LOST;
		if (r->failed == 1 + FAIL_NO_ANSWER)
			told.text = MKEYS_SILENCE;
		sweep_fail(sw, q, &told);
		return;
	}
	sw->trial = TRIAL_WON;
	walk_on_node_info(sw, q, r);
	while ((p = port_set_first(&sw->held)) >= 0) {
		struct mad_query next = walk_probe(sw, sw->snap->local_node,
						   (uint8_t)p,
						   walk_on_node_info);

		port_set_del(&sw->held, (uint8_t)p);
		walk_submit_probe(sw, &next);
	}
}

int trial_takes(struct sweep *sw, const struct mad_query *q)
{
	struct mad_query first = *q;

	if (!sw->opt->mkeys || sw->trial == TRIAL_WON)
		return 0;
	if (sw->trial != TRIAL_NONE) {
		port_set_add(&sw->held, q->exit);
		return 1;
	}
	sw->trial = TRIAL_RUNS;
	first.done = on_trial;
	first.once = 1;
	mad_submit(sw->mad, &first);
	return 1;
}

void trial_finish(struct sweep *sw)
{
	const struct mad_reply r = {
		.failed = 1 + FAIL_GIVEN_UP,
		.text = "not asked: the node tried first did not answer",
	};
	int p;

	while ((p = port_set_first(&sw->held)) >= 0) {
		struct mad_query q = walk_probe(sw, sw->snap->local_node,
						(uint8_t)p, NULL);

		port_set_del(&sw->held, (uint8_t)p);
		sweep_fail(sw, &q, &r);
	}
}
