/* SPDX-License-Identifier: BSD-2-Clause */
#include "store/history_internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clock.h"

/*
 * Notes
 *
 * The managers of each snapshot beside those of the one before it.  A reign
 * goes on while its manager is master, and while it does not answer, since
 * nobody can tell then.  A failover lies between the last snapshot with the old
 * master and the first with the new one.
 */

#define WHAT HISTORY_WHAT

struct sm_seen {
	int64_t snapshot, port;
	int answered;
	int32_t priority, state;
	int64_t act_count;
};

struct sm_list {
	struct sm_seen *list;
	size_t n, cap;
};

/* One walk over the snapshots. */
struct walk {
	struct history *h;
	struct history_sms *out;
	struct err *err;
	const struct sm_seen *was, *now; /* of the snapshots before and here */
	size_t n_was, n_now;
	int64_t before, here;            /* their ids */
	struct history_mark without;     /* the first without a master, if the
					    one before had none */
	struct history_mark with;        /* the last that had one */
	char *masters;                   /* of that; owned, may be NULL */
};

static int load_sms(struct history *h, struct sm_list *out, struct err *err)
{
	sqlite3_stmt *stmt = store_prepare(h->st,
		"SELECT r.snapshot, r.port, r.answered, r.priority, r.state, "
		"r.act_count FROM snapshot s CROSS JOIN sm_row r "
		"ON r.snapshot = s.id WHERE s.fabric = ?1 "
		"ORDER BY s.id, r.port", WHAT, err);
	int rc;

	if (!stmt)
		return -1;
	sqlite3_bind_int64(stmt, 1, h->fabric);
	while ((rc = store_step(h->st, stmt, WHAT, err)) == 1) {
		struct sm_seen *s;

		out->list = xgrow(out->list, out->n, &out->cap, sizeof(*s));
		s = &out->list[out->n++];
		s->snapshot = sqlite3_column_int64(stmt, 0);
		s->port = sqlite3_column_int64(stmt, 1);
		s->answered = sqlite3_column_int(stmt, 2);
		s->priority = (int32_t)store_column(stmt, 3, VAL_NONE);
		s->state = (int32_t)store_column(stmt, 4, VAL_NONE);
		s->act_count = store_column(stmt, 5, VAL_NONE64);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static const struct sm_seen *find(const struct sm_seen *list, size_t n,
				  int64_t port)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (list[i].port == port)
			return &list[i];
	return NULL;
}

static int is_master(const struct sm_seen *s)
{
	return s->answered && s->state == SM_MASTER;
}

static char *name_of(struct walk *w, int64_t port)
{
	struct strbuf b = STRBUF_INIT;
	struct history_end end;

	if (history_end(w->h, 0, port, w->here, &end, w->err) < 0)
		return NULL;
	history_add_end(&b, &end);
	history_end_free(&end);
	return strbuf_take(&b);
}

/* Was the port read in this snapshot, or is it gone?  1, 0 or -1. */
static int is_known(struct walk *w, int64_t port)
{
	int64_t seen = SEEN_GONE;

	if (store_int(w->h->st, "SELECT seen FROM port_rev WHERE port = ?1 AND "
		      "snapshot <= ?2 ORDER BY snapshot DESC LIMIT 1", port,
		      w->here, &seen, w->err) < 0)
		return -1;
	return seen != SEEN_UNREAD;
}

static int tell_new(struct walk *w, const struct sm_seen *s)
{
	char *name = name_of(w, s->port);

	if (!name)
		return -1;
	if (s->answered)
		history_tell(w->h, &w->out->events, w->here, "manager",
			     "subnet manager on %s: %s, priority %d", name,
			     sm_state_name(s->state), (int)s->priority);
	else
		history_tell(w->h, &w->out->events, w->here, "manager",
			     "subnet manager on %s, which does not answer",
			     name);
	free(name);
	return 0;
}

static int tell_changed(struct walk *w, const struct sm_seen *a,
			const struct sm_seen *b)
{
	char *name = name_of(w, b->port);
	struct strbuf text = STRBUF_INIT;

	if (!name)
		return -1;
	if (a->answered != b->answered)
		strbuf_add(&text, b->answered ? ", answers again" :
						", does not answer");
	if (a->answered && b->answered && a->priority != b->priority)
		strbuf_addf(&text, ", priority %d -> %d", (int)a->priority,
			    (int)b->priority);
	if (a->answered && b->answered && a->state != b->state)
		strbuf_addf(&text, ", %s -> %s", sm_state_name(a->state),
			    sm_state_name(b->state));
	if (a->answered && b->answered && b->act_count < a->act_count)
		strbuf_add(&text, ", restarted (its ActCount fell)");
	if (text.len)
		history_tell(w->h, &w->out->events, w->here, "manager",
			     "subnet manager on %s: %s", name, text.s + 2);
	strbuf_free(&text);
	free(name);
	return 0;
}

static int tell_went(struct walk *w, const struct sm_seen *a)
{
	int known = is_known(w, a->port);
	char *name = known < 0 ? NULL : name_of(w, a->port);

	if (!name)
		return -1;
	history_tell(w->h, &w->out->events, w->here, "manager",
		     "subnet manager on %s %s", name,
		     known ? "went" : "was not read");
	free(name);
	return 0;
}

static int tell_managers(struct walk *w)
{
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < w->n_now; i++) {
		const struct sm_seen *a = find(w->was, w->n_was,
					       w->now[i].port);

		rc = a ? tell_changed(w, a, &w->now[i]) :
			 tell_new(w, &w->now[i]);
	}
	for (i = 0; !rc && i < w->n_was; i++)
		if (!find(w->now, w->n_now, w->was[i].port))
			rc = tell_went(w, &w->was[i]);
	return rc;
}

/* "node1 port 1, node2 port 1"; empty without one. */
static char *masters_of(struct walk *w)
{
	struct strbuf b = STRBUF_INIT;
	size_t i;

	strbuf_add(&b, "");
	for (i = 0; i < w->n_now; i++) {
		char *name = is_master(&w->now[i]) ?
				     name_of(w, w->now[i].port) : NULL;

		if (name)
			strbuf_addf(&b, "%s%s", b.len ? ", " : "", name);
		free(name);
	}
	return strbuf_take(&b);
}

static int any_silent(const struct walk *w)
{
	size_t i;

	for (i = 0; i < w->n_now; i++)
		if (!w->now[i].answered)
			return 1;
	return 0;
}

/* " within 5 min", ", at least 10 min without a master": how long it took. */
static void add_length(const struct walk *w, struct strbuf *b)
{
	struct history_mark now = history_mark(w->h, w->here);
	struct history_mark last = history_mark(w->h, w->before);
	char span[CLOCK_SPAN_LEN + 1];

	if (now.ms > w->with.ms && w->with.snapshot)
		strbuf_addf(b, " within %s",
			    clock_span((double)(now.ms - w->with.ms) / 1000,
				       span));
	if (w->without.snapshot && last.ms >= w->without.ms + 1000)
		strbuf_addf(b, ", without a master for %s at least",
			    clock_span((double)(last.ms - w->without.ms) / 1000,
				       span));
}

static void tell_masters(struct walk *w, char *masters)
{
	struct history_mark here = history_mark(w->h, w->here);
	int several = strchr(masters, ',') != NULL;
	struct strbuf b = STRBUF_INIT;

	if (!*masters) {
		if (!w->without.snapshot && w->with.snapshot && !any_silent(w))
			history_tell(w->h, &w->out->events, w->here, "master",
				     "no master; it was %s", w->masters);
		if (!w->without.snapshot)
			w->without = here;
		free(masters);
		return;
	}
	if (!w->masters) {
		strbuf_addf(&b, "%s %s", several ? "several masters:" :
						   "master is", masters);
	} else if (strcmp(w->masters, masters)) {
		strbuf_addf(&b, "%s from %s to %s",
			    several ? "SPLIT BRAIN:" : "master went",
			    w->masters, masters);
		add_length(w, &b);
	} else if (w->without.snapshot) {
		strbuf_addf(&b, "master is %s again", masters);
		add_length(w, &b);
	}
	if (b.len)
		history_tell(w->h, &w->out->events, w->here, "master", "%s",
			     b.s);
	strbuf_free(&b);
	free(w->masters);
	w->masters = masters;
	w->with = here;
	memset(&w->without, 0, sizeof(w->without));
}

static struct history_reign *open_reign(struct walk *w, int64_t port)
{
	size_t i;

	for (i = w->out->n; i-- > 0;)
		if (w->out->reigns[i].open && w->out->reigns[i].port == port)
			return &w->out->reigns[i];
	return NULL;
}

static int begin_reign(struct walk *w, int64_t port)
{
	struct history_sms *out = w->out;
	struct history_reign *r;

	out->reigns = xgrow(out->reigns, out->n, &out->cap,
			    sizeof(*out->reigns));
	r = &out->reigns[out->n++];
	memset(r, 0, sizeof(*r));
	r->port = port;
	r->open = 1;
	r->from = r->last = history_mark(w->h, w->here);
	return history_end(w->h, 0, port, w->here, &r->end, w->err);
}

static int reign(struct walk *w)
{
	struct history_mark here = history_mark(w->h, w->here);
	struct history_reign *r;
	size_t i;

	for (i = 0; i < w->out->n; i++) {
		const struct sm_seen *s;

		r = &w->out->reigns[i];
		s = find(w->now, w->n_now, r->port);
		if (r->open && (!s || (s->answered && !is_master(s))))
			r->open = 0;
	}
	for (i = 0; i < w->n_now; i++) {
		if (!is_master(&w->now[i]))
			continue;
		r = open_reign(w, w->now[i].port);
		if (r)
			r->last = here;
		else if (begin_reign(w, w->now[i].port) < 0)
			return -1;
	}
	return 0;
}

static int walk_snapshot(struct walk *w)
{
	if (tell_managers(w) < 0 || reign(w) < 0)
		return -1;
	tell_masters(w, masters_of(w));
	return 0;
}

static int walk_all(struct walk *w, const struct sm_list *sms)
{
	struct history *h = w->h;
	size_t i, at = 0;
	int rc = 0;

	for (i = 0; !rc && i < h->n_marks; i++) {
		size_t from = at;

		w->here = h->marks[i].snapshot;
		while (at < sms->n && sms->list[at].snapshot == w->here)
			at++;
		w->now = sms->list + from;
		w->n_now = at - from;
		rc = walk_snapshot(w);
		w->was = w->now;
		w->n_was = w->n_now;
		w->before = w->here;
	}
	return rc;
}

/* Reigns that ended before what was asked for. */
static void settle_reigns(const struct history *h, struct history_sms *out)
{
	size_t i, kept = 0;

	for (i = 0; i < out->n; i++)
		if (out->reigns[i].last.snapshot < h->since &&
		    !out->reigns[i].open)
			history_end_free(&out->reigns[i].end);
		else
			out->reigns[kept++] = out->reigns[i];
	out->n = kept;
}

int history_sms(struct history *h, struct history_sms *out, struct err *err)
{
	struct sm_list sms = { NULL, 0, 0 };
	struct walk w = { .h = h, .out = out, .err = err };
	int rc;

	memset(out, 0, sizeof(*out));
	rc = load_sms(h, &sms, err);
	if (!rc && sms.n)
		rc = walk_all(&w, &sms);
	free(sms.list);
	free(w.masters);
	if (rc < 0) {
		history_sms_free(out);
		return -1;
	}
	settle_reigns(h, out);
	history_settle(h, &out->events);
	return 0;
}
