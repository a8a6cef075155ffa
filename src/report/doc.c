/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/doc.h"

#include <stdio.h>
#include <string.h>

#include "model/speed.h"
#include "util/clock.h"
#include "util/guid.h"
#include "util/strbuf.h"
#include "util/text.h"

json_t *doc_string(const char *s)
{
	struct strbuf b = STRBUF_INIT;
	json_t *v;

	if (!s)
		return json_null();
	text_clean(&b, s, strlen(s));
	v = json_string(b.s);
	strbuf_free(&b);
	return v;
}

json_t *doc_guid(uint64_t guid)
{
	char s[GUID_STRLEN + 1];

	return guid ? json_string(guid_format(guid, s)) : json_null();
}

json_t *doc_time(int64_t wall_ms)
{
	char s[CLOCK_STRLEN + 1];

	return json_string(clock_format(wall_ms, s));
}

json_t *doc_int32(int32_t v)
{
	return v == VAL_NONE ? json_null() : json_integer(v);
}

json_t *doc_int64(int64_t v)
{
	return v == VAL_NONE64 ? json_null() : json_integer(v);
}

json_t *doc_rate(double v)
{
	if (v <= 0)
		return json_null();
	return v == (double)(int64_t)v ? json_integer((int64_t)v) :
					 json_real(v);
}

static json_t *names(int32_t mask, int end, const char *(*name)(int rank))
{
	json_t *array;
	int rank;

	if (mask == VAL_NONE)
		return json_null();
	array = json_array();
	for (rank = 1; rank < end; rank++)
		if (mask & 1 << rank)
			json_array_append_new(array, json_string(name(rank)));
	return array;
}

json_t *doc_speeds(int32_t mask)
{
	return names(mask, SPEED_END, speed_name);
}

json_t *doc_widths(int32_t mask)
{
	return names(mask, WIDTH_END, width_name);
}

json_t *doc_speed(const struct port *p)
{
	const char *name = speed_name(p->speed);

	if (name)
		return json_string(name);
	if (p->speed_code == VAL_NONE)
		return json_null();
	return json_sprintf("unknown 0x%03x", (unsigned)p->speed_code);
}

json_t *doc_node_name(const struct node *n)
{
	return n->name ? json_string(n->name) : doc_description(n);
}

json_t *doc_description(const struct node *n)
{
	struct strbuf b = STRBUF_INIT;
	json_t *v;

	if (!n->desc_read && !n->desc_len)
		return json_null();
	text_safe(&b, n->desc, n->desc_len);
	v = json_string(b.s);
	strbuf_free(&b);
	return v;
}

int32_t doc_lid(const struct node *n, int32_t port)
{
	if (n->type == NODE_SWITCH)
		port = 0;
	if (port == VAL_NONE || port > n->nports)
		return VAL_NONE;
	return n->ports[port].lid;
}

json_t *doc_end(const struct node *n, int32_t port)
{
	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:n, s:n}",
			 "node_guid", doc_guid(n->guid),
			 "instance", (int)n->instance,
			 "port", doc_int32(port),
			 "node", doc_node_name(n),
			 "lid", doc_int32(doc_lid(n, port)),
			 "label", "place");
}

json_t *doc_counts(const struct counts *c)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "switches", (json_int_t)c->switches,
			 "cas", (json_int_t)c->cas,
			 "aggregation_nodes", (json_int_t)c->aggregation_nodes,
			 "routers", (json_int_t)c->routers,
			 "ports", (json_int_t)c->ports,
			 "links", (json_int_t)c->links,
			 "sms", (json_int_t)c->sms,
			 "failures", (json_int_t)c->failures);
}

double doc_seconds(const struct store_snapshot *row)
{
	return ((double)row->finished_ms - (double)row->started_ms) / 1000;
}

json_t *doc_snapshot(const struct store_snapshot *row)
{
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:f, s:b, s:b, "
			 "s:{s:I, s:I}, s:I, s:I, s:o, s:o}",
			 "id", (json_int_t)row->id,
			 "fabric", doc_string(row->fabric),
			 "subnet_prefix", doc_guid(row->subnet_prefix),
			 "started", doc_time(row->started_ms),
			 "finished", doc_time(row->finished_ms),
			 "seconds", doc_seconds(row),
			 "complete", row->complete,
			 "with_counters", row->with_counters,
			 "pma", "asked", (json_int_t)row->pma_asked,
			 "answered", (json_int_t)row->pma_answered,
			 "mads_sent", (json_int_t)row->mads_sent,
			 "unread_nodes", (json_int_t)row->counts.unread_nodes,
			 "discovery", doc_string(row->discovery),
			 "note", doc_string(row->note));
}
