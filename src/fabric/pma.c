/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/sweep.h"

#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * ClassPortInfo goes first to each node: what its capability words do not
 * announce is not asked, and a node whose PMA is silent costs one query
 * rather than one a port.  Then PortCounters, and PortCountersExtended where
 * it is announced, of each wanted port: one that is up, or was up in the
 * snapshot before.
 *
 * A switch is asked at the LID of port 0, with PortSelect; an adapter's or
 * router's port at its own base LID (IBA 16.1.1), never at LID + 1.
 */

#define LID_UNICAST_MAX 0xbfff /* IBA 4.1.1 */

static void on_counters(void *arg, const struct mad_query *q,
			const struct mad_reply *r);

static int was_up(const struct sweep *sw, const struct node *n, int port)
{
	const struct snapshot *prev = sw->opt->prev;
	uint32_t i;

	if (!prev)
		return 0;
	i = snapshot_find(prev, n->guid, n->instance);
	return i != NO_NODE && port <= prev->nodes[i]->nports &&
	       port_is_up(&prev->nodes[i]->ports[port]);
}

static int is_wanted(struct sweep *sw, uint32_t i, int port)
{
	const struct node *n = sw->snap->nodes[i];
	const struct port *p = &n->ports[port];

	if (n->type == NODE_SWITCH && !port)
		return n->enhanced_port0 == 1;
	if (!sweep_reach(sw, i, (uint8_t)port))
		return 0;
	return (p->present && port_is_up(p)) || was_up(sw, n, port);
}

/* The LID at which a port's PMA answers; VAL_NONE when it has none. */
static int32_t pma_lid(const struct node *n, int port)
{
	int32_t lid = n->ports[n->type == NODE_SWITCH ? 0 : port].lid;

	return lid > 0 && lid <= LID_UNICAST_MAX ? lid : VAL_NONE;
}

/* The route is not used to get there; it tells the reader of a failed query
 * where the node is. */
static struct mad_dest *gmp_of(struct sweep *sw, uint32_t i)
{
	struct mad_dest *d = &sweep_target(sw, i)->gmp;

	d->route = sw->snap->nodes[i]->route;
	return d;
}

static void ask(struct sweep *sw, uint32_t i, uint8_t port, uint8_t select,
		uint16_t attribute, mad_done_fn *done)
{
	struct mad_query q = {
		.dest = gmp_of(sw, i), .done = done, .arg = sw,
		.node = i, .port = port, .attribute = attribute,
		.lid = (uint16_t)pma_lid(sw->snap->nodes[i], port),
		.mgmt_class = CLASS_PMA, .select = select,
	};

	mad_submit(sw->mad, &q);
}

static void ask_counters(struct sweep *sw, uint32_t i, uint8_t port,
			 uint16_t attribute)
{
	ask(sw, i, port, port, attribute, on_counters);
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
		ask_counters(sw, q->node, q->port, ATTR_PORT_COUNTERS_EXT);
}

/* An answer from a LID that two ports hold can be the other's. */
static int is_shared(const struct sweep *sw, const struct node *n, int port)
{
	uint32_t holders = map_get(&sw->lids, (uint64_t)pma_lid(n, port));

	return holders != MAP_NONE && holders > 1;
}

/* Ports of one adapter can have a ClassPortInfo each; the first stands for
 * all, they are one device. */
static void on_class_port_info(void *arg, const struct mad_query *q,
			       const struct mad_reply *r)
{
	struct sweep *sw = arg;
	struct target *t = sweep_target(sw, q->node);
	const struct node *n = sw->snap->nodes[q->node];
	int p;

	if (!r->failed) {
		decode_pma_caps(r->data, &t->pma);
	} else {
		sweep_fail(sw, q, r);
		/* An old device without it still has PortCounters. */
		if (!mad_reply_is_refusal(r)) {
			sw->progress.pma_read += t->pma_wanted;
			return;
		}
	}
	for (p = 0; p <= n->nports; p++)
		if (is_wanted(sw, q->node, p) &&
		    pma_lid(n, p) != VAL_NONE && !is_shared(sw, n, p))
			ask_counters(sw, q->node, (uint8_t)p,
				     ATTR_PORT_COUNTERS);
}

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

/* Can the port be asked?  A LID that is shared is a row. */
static int may_ask(struct sweep *sw, uint32_t i, int p)
{
	const struct node *n = sw->snap->nodes[i];

	if (pma_lid(n, p) == VAL_NONE)
		return 0;
	if (!is_shared(sw, n, p))
		return 1;
	/* Of a switch all ports are asked at one LID: one row. */
	if (n->type != NODE_SWITCH || sweep_target(sw, i)->pma_wanted == 1)
		refuse(sw, i, n->type == NODE_SWITCH ? NO_PORT : (uint8_t)p,
		       "another port has the same LID: its counters could be "
		       "the other's");
	sw->progress.pma_read++;
	return 0;
}

static void start_node(struct sweep *sw, uint32_t i)
{
	const struct node *n = sw->snap->nodes[i];
	struct target *t = sweep_target(sw, i);
	int p, first = -1, has_lid = 0;

	for (p = 0; p <= n->nports; p++) {
		if (!is_wanted(sw, i, p))
			continue;
		t->pma_wanted++;
		has_lid |= pma_lid(n, p) != VAL_NONE;
		if (may_ask(sw, i, p) && first < 0)
			first = p;
	}
	sw->snap->pma_asked += t->pma_wanted;
	sw->progress.pma_known += t->pma_wanted;
	if (first >= 0)
		ask(sw, i, (uint8_t)first, 0, ATTR_CLASS_PORT_INFO,
		    on_class_port_info);
	else if (t->pma_wanted && !has_lid)
		refuse(sw, i, NO_PORT, "no unicast LID: has a subnet manager "
		       "set it up?");
}

/* Count the holders of each LID, among the end ports that were reached. */
static void count_lids(struct sweep *sw)
{
	uint32_t i, holders;
	int p;

	for (i = 0; i < sw->snap->n_nodes; i++) {
		const struct node *n = sw->snap->nodes[i];

		for (p = 0; p <= n->nports; p++) {
			if (!port_is_end(n, &n->ports[p]) ||
			    !sweep_reach(sw, i, (uint8_t)p) ||
			    n->ports[p].lid <= 0)
				continue;
			holders = map_get(&sw->lids,
					  (uint64_t)n->ports[p].lid);
			map_set(&sw->lids, (uint64_t)n->ports[p].lid,
				holders == MAP_NONE ? 1 : holders + 1);
		}
	}
}

int sweep_pma(struct sweep *sw, struct err *err)
{
	uint32_t i;

	count_lids(sw);
	for (i = 0; i < sw->snap->n_nodes; i++)
		start_node(sw, i);
	return mad_run(sw->mad, sw->deadline_us, err);
}
