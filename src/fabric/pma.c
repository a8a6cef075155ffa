/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "fabric/sweep.h"
#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * The counters of a port are asked for as soon as its LID is known, while the
 * discovery goes on.  ClassPortInfo goes first to each node: what its
 * capability words do not announce is not asked, and a node whose PMA is
 * silent costs one query rather than one a port.  Then PortCounters, and
 * PortCountersExtended where it is announced, of each wanted port: one that
 * is up, or was up in the snapshot before.
 *
 * A switch is asked at the LID of port 0, with PortSelect; an adapter's or
 * router's port at its own base LID (IBA 16.1.1), never at LID + 1.  Where
 * two ports hold one LID the answer could be the other's: it is not asked
 * for, or thrown away when the second holder turns up later.
 */

#define LID_UNICAST_MAX 0xbfff /* IBA 4.1.1 */

static void on_counters(void *arg, const struct mad_query *q,
			const struct mad_reply *r);

static int is_wanted(struct sweep *sw, uint32_t i, int port)
{
	const struct node *n = sw->snap->nodes[i];
	const struct port *p = &n->ports[port], *was;

	if (n->type == NODE_SWITCH && !port)
		return n->enhanced_port0 == 1;
	if (!sweep_reach(sw, i, (uint8_t)port))
		return 0;
	if (p->present && port_is_up(p))
		return 1;
	was = sweep_prev_port(sw, i, port);
	return was && port_is_up(was);
}

/* The LID at which a port's PMA answers; VAL_NONE when it has none. */
static int32_t pma_lid(const struct node *n, int port)
{
	int32_t lid = n->ports[n->type == NODE_SWITCH ? 0 : port].lid;

	return lid > 0 && lid <= LID_UNICAST_MAX ? lid : VAL_NONE;
}

/* An answer from a LID that two ports hold can be the other's. */
static int is_shared(const struct sweep *sw, const struct node *n, int port)
{
	return sweep_lid_holders(sw, pma_lid(n, port)) > 1;
}

static int may_ask(struct sweep *sw, uint32_t i, int port)
{
	const struct node *n = sw->snap->nodes[i];

	return is_wanted(sw, i, port) && pma_lid(n, port) != VAL_NONE &&
	       !is_shared(sw, n, port);
}

void sweep_ask_pma(struct sweep *sw, uint32_t node, uint8_t port,
		   uint8_t select, uint16_t attribute, mad_done_fn *done)
{
	struct mad_query q = {
		.dest = &sweep_target(sw, node)->gmp, .done = done, .arg = sw,
		.node = node, .port = port, .attribute = attribute,
		.lid = (uint16_t)pma_lid(sw->snap->nodes[node], port),
		.mgmt_class = CLASS_PMA, .select = select,
	};
	struct mad_reply gone = {
		.failed = 1 + FAIL_NOT_SENT, .text = "its LID is gone",
	};

	/* It may have been taken away since the port was first asked. */
	if (pma_lid(sw->snap->nodes[node], port) == VAL_NONE)
		done(sw, &q, &gone);
	else
		mad_submit(sw->mad, &q);
}

/* --- counters --------------------------------------------------------- */

/* The counters of the node's next port that waits for it. */
static void ask_next(struct sweep *sw, uint32_t i)
{
	struct target *t = sweep_target(sw, i);
	int p;

	t->pma_busy = 0;
	while ((p = port_set_first(&t->pma_waiting)) >= 0) {
		port_set_del(&t->pma_waiting, (uint8_t)p);
		if (t->pma_state == PMA_READY && may_ask(sw, i, p)) {
			t->pma_busy = 1;
			sweep_ask_pma(sw, i, (uint8_t)p, (uint8_t)p,
				      ATTR_PORT_COUNTERS, on_counters);
			return;
		}
		sw->progress.pma_read++;
	}
}

static struct counters *counters_of(struct snapshot *s, struct port *p)
{
	if (!p->counters) {
		p->counters = xcalloc(1, sizeof(*p->counters));
		counters_init(p->counters);
		s->pma_answered++;
	}
	return p->counters;
}

static void take_counters(struct sweep *sw, const struct mad_query *q,
			  const struct mad_reply *r)
{
	struct port *p = &sw->snap->nodes[q->node]->ports[q->port];
	const struct pma_caps *caps = &sweep_target(sw, q->node)->pma;
	struct counters *c = counters_of(sw->snap, p);

	c->at_ms = clock_wall_ms();
	if (q->attribute == ATTR_PORT_COUNTERS)
		counters_decode_pc(c, r->data, r->len, caps);
	else
		counters_decode_ext(c, r->data, r->len, caps);
}

static void on_counters(void *arg, const struct mad_query *q,
			const struct mad_reply *r)
{
	struct sweep *sw = arg;
	const struct pma_caps *caps = &sweep_target(sw, q->node)->pma;

	sw->progress.pma_read += q->attribute == ATTR_PORT_COUNTERS;
	if (r->failed)
		sweep_fail(sw, q, r);
	else if (r->data[1] != q->select)
		sweep_malformed(sw, q, "counters of another port");
	else
		take_counters(sw, q, r);
	/* A PMA that fell silent is not asked twice about the same port. */
	if (q->attribute == ATTR_PORT_COUNTERS && pma_has_ext(caps) &&
	    r->failed != 1 + FAIL_NO_ANSWER && r->failed != 1 + FAIL_GIVEN_UP)
		sweep_ask_pma(sw, q->node, q->port, q->port,
			      ATTR_PORT_COUNTERS_EXT, on_counters);
	else
		ask_next(sw, q->node);
}

/* --- nodes ------------------------------------------------------------ */

/* Ports of one adapter can have a ClassPortInfo each; the first stands for
 * all, they are one device. */
static void on_class_port_info(void *arg, const struct mad_query *q,
			       const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct target *t = sweep_target(sw, q->node);

	t->pma_state = PMA_READY;
	if (!r->failed) {
		decode_pma_caps(r->data, &t->pma);
	} else {
		sweep_fail(sw, q, r);
		/* An old device without it still has PortCounters. */
		if (!mad_reply_is_refusal(r))
			t->pma_state = PMA_SILENT;
	}
	ask_next(sw, q->node);
}

void pma_port_known(struct sweep *sw, uint32_t i, uint8_t port)
{
	struct target *t = sweep_target(sw, i);

	if (!sw->opt->counters || port_set_has(&t->pma_known, port) ||
	    !may_ask(sw, i, port))
		return;
	port_set_add(&t->pma_known, port);
	sw->progress.pma_known++;
	port_set_add(&t->pma_waiting, port);
	if (t->pma_state == PMA_UNASKED) {
		t->pma_state = PMA_ASKED;
		sweep_ask_pma(sw, i, port, 0, ATTR_CLASS_PORT_INFO,
			      on_class_port_info);
	} else if (t->pma_state != PMA_ASKED && !t->pma_busy) {
		ask_next(sw, i);
	}
}

/* --- what could not be asked ------------------------------------------ */

/* A row for a port, or with NO_PORT a node, whose PMA cannot be asked. */
static void refuse(struct sweep *sw, uint32_t i, uint8_t port, const char *why)
{
	struct mad_query q = {
		.dest = &sweep_target(sw, i)->reach.dest, .node = i,
		.port = port, .attribute = ATTR_CLASS_PORT_INFO,
		.mgmt_class = CLASS_PMA,
	};
	struct mad_reply r = {
		.failed = 1 + FAIL_NOT_SENT,
		.text = why,
	};

	sweep_fail(sw, &q, &r);
}

static void forget_counters(struct snapshot *s, struct port *p)
{
	if (!p->counters)
		return;
	counters_free(p->counters);
	p->counters = NULL;
	s->pma_answered--;
}

void pma_forget(struct sweep *sw, uint32_t i)
{
	struct target *t = sweep_target(sw, i);
	int p;

	for (p = 0; p <= sw->snap->nodes[i]->nports; p++)
		forget_counters(sw->snap, &sw->snap->nodes[i]->ports[p]);
	t->pma_state = PMA_UNASKED;
	t->pma_known = t->pma_waiting = (struct port_set){ { 0 } };
}

/* Of a switch all ports are asked at one LID: one row. */
static void refuse_once(struct sweep *sw, uint32_t i, int port,
			const char *why, int *told)
{
	const struct node *n = sw->snap->nodes[i];

	if (n->type == NODE_SWITCH && (*told)++)
		return;
	refuse(sw, i, n->type == NODE_SWITCH ? NO_PORT : (uint8_t)port, why);
}

static void refuse_shared(struct sweep *sw, uint32_t i, int port, int *told)
{
	forget_counters(sw->snap, &sw->snap->nodes[i]->ports[port]);
	refuse_once(sw, i, port, "another port has the same LID: its counters "
		    "could be the other's", told);
}

static const char *no_lid(const struct node *n, int port)
{
	return n->ports[n->type == NODE_SWITCH ? 0 : port].present ?
		       "no unicast LID: has a subnet manager set it up?" :
		       "its LID could not be read";
}

static void finish_node(struct sweep *sw, uint32_t i)
{
	const struct node *n = sw->snap->nodes[i];
	int p, wanted = 0, told = 0;

	for (p = 0; p <= n->nports; p++) {
		int is_read = !!n->ports[p].counters;

		/* It may have gone down, or lost its LID, since it was read. */
		if (!is_read && !is_wanted(sw, i, p))
			continue;
		wanted++;
		if (is_shared(sw, n, p))
			refuse_shared(sw, i, p, &told);
		else if (!is_read && pma_lid(n, p) == VAL_NONE)
			refuse_once(sw, i, p, no_lid(n, p), &told);
	}
	sw->snap->pma_asked += wanted;
}

int sweep_pma(struct sweep *sw, struct err *err)
{
	uint32_t i;
	int p;

	for (i = 0; i < sw->snap->n_nodes; i++)
		for (p = 0; p <= sw->snap->nodes[i]->nports; p++)
			pma_port_known(sw, i, (uint8_t)p);
	if (mad_run(sw->mad, sw->deadline_us, err) < 0)
		return -1;
	for (i = 0; i < sw->snap->n_nodes; i++)
		finish_node(sw, i);
	return 0;
}
