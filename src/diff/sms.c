/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>

#include "diff/internal.h"
#include "util/alloc.h"

/* A subnet manager in both snapshots; NULL: it is not in this one. */
struct diff_sm {
	uint32_t port;
	const struct sm *a, *b;
};

static int compare_sms(const void *va, const void *vb)
{
	const struct diff_sm *p = va, *q = vb;

	if (p->port != q->port)
		return p->port < q->port ? -1 : 1;
	return (p->b != NULL) - (q->b != NULL);
}

static size_t add_all(struct diff_sm *list, const struct diff *d,
		      const struct snapshot *s, const uint32_t *nodes, int in_a)
{
	size_t i;

	for (i = 0; i < s->n_sms; i++) {
		const struct sm *sm = &s->sms[i];

		list[i].port = d->nodes[nodes[sm->node]].ports + sm->port;
		*(in_a ? &list[i].a : &list[i].b) = sm;
	}
	return s->n_sms;
}

/* Both snapshots' in the order of their ports.  Returns how many. */
static size_t join_sms(struct diff_sm *list, const struct diff *d)
{
	size_t n, i, m = 0;

	n = add_all(list, d, d->a, d->node_of_a, 1);
	n += add_all(list + n, d, d->b, d->node_of_b, 0);
	if (n)
		qsort(list, n, sizeof(*list), compare_sms);
	for (i = 0; i < n; i++)
		if (m && list[m - 1].port == list[i].port)
			list[m - 1].b = list[i].b;
		else
			list[m++] = list[i];
	return m;
}

static int is_master(const struct sm *sm)
{
	return sm && sm->answered && sm->state == SM_MASTER;
}

/* Is the port known to have no subnet manager? */
static int is_off(const struct port *p)
{
	return p && p->present && p->cap_mask != VAL_NONE64 &&
	       !(p->cap_mask & CAPMASK_IS_SM);
}

static int is_gone(const struct diff *d, const struct diff_sm *sm)
{
	const struct diff_node *n = node_of(d, sm->port);

	if (sm->b || !n->b)
		return !sm->b;
	return node_was_read(n) && is_off(d->ports[sm->port].b) &&
	       d->ports[sm->port].b->seen == SEEN_READ;
}

static int is_new(const struct diff *d, const struct diff_sm *sm)
{
	return !sm->a && (!node_of(d, sm->port)->a ||
			  is_off(d->ports[sm->port].a));
}

/* Did it become master, or cease to be, as far as both snapshots know? */
static int changed_hands(const struct diff *d, const struct diff_sm *sm)
{
	if (is_master(sm->a) == is_master(sm->b))
		return 0;
	if (is_master(sm->a))
		return sm->b ? sm->b->answered : is_gone(d, sm);
	return sm->a ? sm->a->answered : is_new(d, sm);
}

static const struct sm *in(const struct diff_sm *sm, int in_a)
{
	return in_a ? sm->a : sm->b;
}

/* The masters of one snapshot; "unknown" where one may not have answered. */
static void add_masters(struct strbuf *b, const struct diff *d,
			const struct diff_sm *list, size_t n, int in_a)
{
	size_t i;
	int silent = 0;

	for (i = 0; i < n; i++) {
		const struct sm *sm = in(&list[i], in_a);

		silent |= sm && !sm->answered;
		if (!is_master(sm))
			continue;
		strbuf_add(b, b->len ? ", " : "");
		add_port(b, d, list[i].port);
	}
	if (!b->len)
		strbuf_add(b, silent ? "unknown" : "none");
}

static void tell_master(struct diff *d, const struct diff_sm *list, size_t n)
{
	struct change *c;
	size_t i, changed = 0;

	for (i = 0; i < n; i++)
		changed += (size_t)changed_hands(d, &list[i]);
	if (!changed)
		return;
	add_masters(&d->before, d, list, n, 1);
	add_masters(&d->after, d, list, n, 0);
	strbuf_addf(&d->line, "SM master: %s -> %s", d->before.s, d->after.s);
	c = tell(d, CHANGE_SM_MASTER);
	for (i = 0; i < n; i++)
		if (is_master(list[i].b))
			tell_port(d, c, list[i].port);
	for (i = 0; i < n; i++)
		if (is_master(list[i].a) && !is_master(list[i].b))
			tell_port(d, c, list[i].port);
}

static void add_subject(struct strbuf *b, const struct diff *d,
			const struct diff_sm *sm)
{
	strbuf_add(b, "SM on ");
	add_port(b, d, sm->port);
}

/* "STANDBY, priority 5" */
static void describe(struct strbuf *b, const struct sm *sm)
{
	if (!sm->answered)
		strbuf_add(b, "no answer");
	else
		strbuf_addf(b, "%s, priority %d", sm_state_name(sm->state),
			    (int)sm->priority);
}

static void tell_came_or_went(struct diff *d, const struct diff_sm *sm)
{
	struct strbuf *what = sm->b ? &d->after : &d->before;

	describe(what, sm->b ? sm->b : sm->a);
	add_subject(&d->line, d, sm);
	strbuf_addf(&d->line, "%s%s", sm->b ? " new: " : " gone: was ",
		    what->s);
	tell_port(d, tell(d, sm->b ? CHANGE_SM_NEW : CHANGE_SM_GONE), sm->port);
}

static void tell_value(struct diff *d, const struct diff_sm *sm,
		       enum change_kind kind)
{
	if (!has_fields(d))
		return;
	add_subject(&d->line, d, sm);
	strbuf_add(&d->line, kind == CHANGE_SM_RESTARTED ? " restarted: " :
							   ": ");
	tell_port(d, tell(d, kind), sm->port);
}

static void compare_answers(struct diff *d, const struct diff_sm *sm)
{
	const struct sm *a = sm->a, *b = sm->b;

	field_add_int(d, "priority", "%" PRId64, a->priority,
		      b->priority, VAL_NONE);
	tell_value(d, sm, CHANGE_SM_PRIORITY);
	if (is_change(a->state, b->state, VAL_NONE) && !is_master(a) &&
	    !is_master(b))
		field_add(d, "state", sm_state_name(a->state),
			  sm_state_name(b->state));
	tell_value(d, sm, CHANGE_SM_STATE);
	if (b->act_count < a->act_count && b->guid == a->guid)
		field_add_int(d, "ActCount", "%" PRId64, a->act_count,
			      b->act_count, VAL_NONE64);
	tell_value(d, sm, CHANGE_SM_RESTARTED);
}

static void compare(struct diff *d, const struct diff_sm *sm)
{
	if (is_gone(d, sm) || is_new(d, sm)) {
		tell_came_or_went(d, sm);
	} else if (sm->a && sm->b && sm->a->answered && sm->b->answered) {
		compare_answers(d, sm);
	} else if (sm->a && sm->b && sm->a->answered) {
		add_subject(&d->line, d, sm);
		strbuf_add(&d->line, " does not answer");
		tell_port(d, tell(d, CHANGE_SM_UNANSWERED), sm->port);
	}
}

void diff_sms(struct diff *d)
{
	size_t n = d->a->n_sms + d->b->n_sms, i;
	struct diff_sm *list = xcalloc(n + 1, sizeof(*list));

	n = join_sms(list, d);
	tell_master(d, list, n);
	for (i = 0; i < n; i++)
		compare(d, &list[i]);
	free(list);
}
