/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/summary.h"

#include "report/doc.h"
#include "util/clock.h"
#include "util/strbuf.h"

const char *plural(int64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

static void add_count(struct strbuf *b, int64_t n, const char *one,
		      const char *many)
{
	strbuf_addf(b, "%s%lld %s", b->len ? ", " : "", (long long)n,
		    plural(n, one, many));
}

static void add_nodes(struct strbuf *b, const struct counts *c)
{
	add_count(b, c->switches, "switch", "switches");
	add_count(b, c->cas, "channel adapter", "channel adapters");
	add_count(b, c->aggregation_nodes, "aggregation node",
		  "aggregation nodes");
	add_count(b, c->routers, "router", "routers");
}

static void add_links(struct strbuf *b, const struct counts *c)
{
	add_count(b, c->links, "link", "links");
	add_count(b, c->ports, "port", "ports");
	add_count(b, c->sms, "subnet manager", "subnet managers");
}

void summary_say_counts(struct report *r, const struct counts *c)
{
	struct strbuf b = STRBUF_INIT;

	add_nodes(&b, c);
	add_links(&b, c);
	report_say(r, "Read: %s.", b.s);
	strbuf_free(&b);
}

void summary_say_gaps(struct report *r, const struct store_snapshot *row)
{
	int64_t unread = row->pma_asked - row->pma_answered;

	if (!row->complete)
		report_say(r, "Incomplete: %lld %s failed. Nothing is said "
			   "about what was not read.",
			   (long long)row->counts.failures,
			   plural(row->counts.failures, "query", "queries"));
	if (row->counts.unread_nodes)
		report_say(r, "Not read, and known from before: %lld %s.",
			   (long long)row->counts.unread_nodes,
			   plural(row->counts.unread_nodes, "node", "nodes"));
	if (!row->with_counters)
		report_say(r, "Counters were not asked for; nothing is said "
			   "about errors on links.");
	else if (unread > 0)
		report_say(r, "The counters of %lld of %lld ports were not "
			   "read.",
			   (long long)unread, (long long)row->pma_asked);
}

static void fields(struct report *r, const struct store_snapshot *row)
{
	char at[CLOCK_STRLEN + 1];
	struct strbuf b = STRBUF_INIT;

	report_field(r, "started", "%s",
		     clock_format(row->started_ms, at));
	report_field(r, "took", "%.1f s, %lld MADs sent (%s discovery)",
		     doc_seconds(row),
		     (long long)row->mads_sent, row->discovery);
	add_nodes(&b, &row->counts);
	report_field(r, "nodes", "%s", b.s);
	strbuf_reset(&b);
	add_links(&b, &row->counts);
	report_field(r, "links", "%s", b.s);
	strbuf_free(&b);
	report_field(r, "failed", "%lld %s; %s",
		     (long long)row->counts.failures,
		     plural(row->counts.failures, "query", "queries"),
		     row->complete ? "the topology is complete" :
				     "the topology is incomplete");
	if (row->counts.unread_nodes)
		report_field(r, "not read", "%lld known %s",
			     (long long)row->counts.unread_nodes,
			     plural(row->counts.unread_nodes, "node",
				    "nodes"));
	if (row->with_counters)
		report_field(r, "counters", "of %lld of %lld ports",
			     (long long)row->pma_answered,
			     (long long)row->pma_asked);
	else
		report_field(r, "counters", "not asked for");
	if (row->note)
		report_field(r, "note", "%s", row->note);
}

void summary_begin(struct report *r, const struct store_snapshot *row)
{
	report_begin(r, json_pack("{s:o, s:o}", "snapshot", doc_snapshot(row),
				  "counts", doc_counts(&row->counts)));
	report_say(r, "Snapshot %lld of fabric %s", (long long)row->id,
		   row->fabric);
	fields(r, row);
}

static const struct column list_columns[] = {
	{ "ID", "id", 1 },
	{ "STARTED", "started", 0 },
	{ "SWITCHES", "counts.switches", 1 },
	{ "CAS", "counts.cas", 1 },
	{ "LINKS", "counts.links", 1 },
	{ "FAILED", "counts.failures", 1 },
	{ "COMPLETE", "complete", 0 },
	{ "FABRIC", "fabric", 0 },
	{ "NOTE", "note", 0 },
	{ NULL, NULL, 0 },
};

void summary_list(struct report *r, const struct store_snapshot *rows,
		  size_t n)
{
	static const struct list list = {
		"snapshots", LIST_TABLE, list_columns,
		"No snapshot yet: run ibaudit sweep.", 0,
	};
	size_t i;

	report_begin(r, json_object());
	report_list_begin(r, &list);
	for (i = 0; i < n; i++) {
		json_t *row = doc_snapshot(&rows[i]);

		json_object_set_new(row, "counts",
				    doc_counts(&rows[i].counts));
		if (report_row(r, row) < 0)
			break;
	}
	report_list_end(r);
}
