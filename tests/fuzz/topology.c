/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz target: topology files.  What is accepted has both ends of each link
 * and known codes, and reads the same when it is written down again; what is
 * refused leaves nothing, and one line that is safe to print.
 */
#include "fuzz.h"
#include "model/speed.h"
#include "model/topology_file.h"
#include "util/strbuf.h"

static void check_port(const struct snapshot *s, const struct port *p)
{
	const struct port *far = snapshot_peer(s, p);

	CHECK(!far || snapshot_peer(s, far) == p);
	CHECK(!far || (p->present && p->num && p->link_seen == SEEN_READ));
	CHECK(p->speed == VAL_NONE || speed_name(p->speed));
	CHECK(p->width == VAL_NONE || width_name(p->width));
	CHECK(p->lid == VAL_NONE || (p->lid >= 0 && p->lid <= 0xffff));
}

static void write_node(const struct snapshot *s, const struct node *n,
		       struct strbuf *b)
{
	static const char *const words[] = { "", "Ca", "Switch", "Rt" };
	int i;

	strbuf_addf(b, "caguid=0x%llx\n%s %d \"%llx\"\n",
		    (unsigned long long)n->guid, words[n->type], n->nports,
		    (unsigned long long)n->guid);
	for (i = 1; i <= n->nports; i++) {
		const struct port *p = &n->ports[i];

		if (snapshot_peer(s, p))
			strbuf_addf(b, "[%d] \"%llx\"[%d]\n", i,
				    (unsigned long long)
					    s->nodes[p->peer_node]->guid,
				    p->peer_port);
	}
}

static void check_again(const struct snapshot *s)
{
	struct strbuf b = STRBUF_INIT;
	struct counts was, is;
	struct snapshot again;
	struct err err;
	size_t i;

	for (i = 0; i < s->n_nodes; i++)
		write_node(s, s->nodes[i], &b);
	CHECK(topology_parse("again", b.s, b.len, &again, &err) == 0);
	snapshot_count(s, &was);
	snapshot_count(&again, &is);
	CHECK(was.switches == is.switches && was.cas + was.aggregation_nodes ==
					     is.cas + is.aggregation_nodes);
	CHECK(was.routers == is.routers && was.links == is.links);
	CHECK(is.links);
	snapshot_free(&again);
	strbuf_free(&b);
}

static void check_snapshot(struct snapshot *s)
{
	size_t i;
	int p;

	if (is_broken("peer"))
		s->nodes[0]->ports[1].peer_node = NO_NODE;
	for (i = 0; i < s->n_nodes; i++) {
		const struct node *n = s->nodes[i];

		CHECK(n->guid && snapshot_find(s, n->guid, 0) == i);
		CHECK(n->type >= NODE_CA && n->type <= NODE_ROUTER);
		for (p = 0; p <= n->nports; p++)
			check_port(s, &n->ports[p]);
	}
	check_again(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct snapshot s;
	struct err err;

	topology_is((const char *)data, len);
	if (topology_parse("net", (const char *)data, len, &s, &err) == 0) {
		check_snapshot(&s);
	} else {
		if (is_broken("message"))
			strcat(err.text, "\n");
		CHECK(!s.nodes && !s.n_nodes);
		check_message(err.text, "net:");
	}
	snapshot_free(&s);
	return 0;
}
