/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzz target: cabling plans.  What is accepted names each port once, by a GUID
 * or a name that is safe to print, and reads the same when it is written down
 * again; what is refused leaves nothing, and one line that is safe to print.
 */
#include "fuzz.h"
#include "model/plan_file.h"
#include "model/snapshot.h"
#include "model/speed.h"
#include "util/strbuf.h"
#include "util/text.h"

static int is_same(const struct plan_end *a, const struct plan_end *b)
{
	if (a->port != b->port || a->guid != b->guid)
		return 0;
	return a->guid || !strcmp(a->name, b->name);
}

static const struct plan_end *end_at(const struct plan *p, size_t i)
{
	return &p->links[i / 2].end[i % 2];
}

static void check_end(const struct plan *p, size_t i)
{
	const struct plan_end *end = end_at(p, i);
	struct strbuf clean = STRBUF_INIT;
	size_t k;

	CHECK(end->port >= 1 && end->port <= 254);
	CHECK(!end->guid == !!end->name);
	for (k = 0; k < i; k++)
		CHECK(!is_same(end, end_at(p, k)));
	if (end->name) {
		text_clean(&clean, end->name, strlen(end->name));
		CHECK(*end->name && !strcmp(clean.s, end->name));
		CHECK(!strpbrk(end->name, "\n\t"));
	}
	strbuf_free(&clean);
}

static void write_end(const struct plan_end *end, struct strbuf *b)
{
	const char *s;

	if (end->guid)
		strbuf_addf(b, "0x%llx", (unsigned long long)end->guid);
	else
		strbuf_add(b, "\"");
	for (s = end->name; s && *s; s++) {
		strbuf_add(b, *s == '"' ? "\"" : "");
		strbuf_addn(b, s, 1);
	}
	strbuf_addf(b, "%s,%d,", end->guid ? "" : "\"", end->port);
}

static const char *or_any(const char *name)
{
	return name ? name : "";
}

static void check_again(const struct plan *p)
{
	struct strbuf b = STRBUF_INIT;
	struct plan again;
	struct err err;
	size_t i;

	strbuf_add(&b, "node,port,node,port,speed,width\n");
	for (i = 0; i < p->n; i++) {
		write_end(&p->links[i].end[0], &b);
		write_end(&p->links[i].end[1], &b);
		strbuf_addf(&b, "%s,%s\n",
			    or_any(speed_name(p->links[i].speed)),
			    or_any(width_name(p->links[i].width)));
	}
	CHECK(plan_parse("again", b.s, b.len, &again, &err) == 0);
	CHECK(again.n == p->n);
	for (i = 0; i < 2 * p->n; i++)
		CHECK(is_same(end_at(p, i), end_at(&again, i)));
	for (i = 0; i < p->n; i++)
		CHECK(p->links[i].speed == again.links[i].speed &&
		      p->links[i].width == again.links[i].width);
	plan_free(&again);
	strbuf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct plan p;
	struct err err;
	size_t i;

	if (plan_parse("plan", (const char *)data, len, &p, &err) == 0) {
		CHECK(p.n);
		if (is_broken("port"))
			p.links[0].end[1].port = 0;
		for (i = 0; i < 2 * p.n; i++)
			check_end(&p, i);
		check_again(&p);
	} else {
		if (is_broken("message"))
			strcat(err.text, "\n");
		CHECK(!p.links && !p.n);
		check_message(err.text, "plan:");
	}
	plan_free(&p);
	return 0;
}
