/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_RANDOM_H
#define IBAUDIT_TESTS_RANDOM_H

#include "model.h"

/* A fabric's life, the same in each run: parts come, go and stay silent, error
 * counters creep, are cleared and saturate, devices begin anew. */

static inline unsigned roll(unsigned n)
{
	static uint64_t state = 42;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

#define LIFE_PORTS 16 /* more than the built fabric has links' ends */

/* What each port's counters are; zero-initialised it is a new fabric. */
struct life {
	int64_t sweeps;
	struct counters port[LIFE_PORTS];
};

static inline void live_port(struct counters *c, int64_t at_ms)
{
	int i, began_anew = !roll(40);

	c->at_ms = at_ms;
	c->src = SRC_PC | SRC_EXT;
	for (i = 0; i < COUNTER_MAIN; i++) {
		if (began_anew || (i < COUNTER_ERRORS && !roll(200)))
			c->value[i] = 0;
		else if (i >= COUNTER_ERRORS)
			c->value[i] += 1 + roll(1000000);
		else if (!roll(30))
			c->value[i] += roll(roll(6) ? 9 : 70000);
		if (i < COUNTER_ERRORS &&
		    c->value[i] > counter_max(counter_table[i].pc.width))
			c->value[i] = counter_max(counter_table[i].pc.width);
	}
	if (!roll(20))
		c->src = SRC_EXT; /* a lost reply */
	if (!roll(20))
		c->src = SRC_PC;
}

static inline void add_life(struct life *l, struct snapshot *s)
{
	int n = 0, p, i;
	size_t at;

	for (at = 0; at < s->n_nodes; at++)
		for (p = 1; p <= s->nodes[at]->nports; p++) {
			struct port *port = &s->nodes[at]->ports[p];
			struct counters *c;

			if (!port_is_up(port) || n >= LIFE_PORTS)
				continue;
			live_port(&l->port[n], s->started_ms + 100);
			c = xcalloc(1, sizeof(*c));
			*c = l->port[n++];
			for (i = 0; i < COUNTER_MAIN; i++)
				if (!counter_width(i, c->src))
					c->value[i] = COUNTER_UNREAD;
			port->counters = c;
		}
}

/* The next sweep of it, step_ms behind the last one. */
static inline void build_life(struct life *l, struct snapshot *s,
			      int64_t step_ms)
{
	static const uint64_t all[] = { SPINE, H2, LEAF2, H3, H4 };
	uint64_t missing[6];
	size_t i, n = 0;

	for (i = 0; i < 5; i++)
		if (!roll(12))
			missing[n++] = all[i];
	missing[n] = 0;
	build_without(s, missing, (enum front)roll(3));
	s->started_ms = 1700000000000 + l->sweeps++ * step_ms;
	s->finished_ms = s->started_ms + 500;
	for (i = 0; i < s->n_nodes; i++)
		if (!roll(10))
			s->nodes[i]->ports[1].lid = (int32_t)roll(3);
	s->with_counters = !!roll(8);
	if (s->with_counters)
		add_life(l, s);
}

#endif
