/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expect_file.h"
#include "model/expectation.h"
#include "util/alloc.h"
#include "util/guid.h"
#include "util/text.h"

/*
 * Notes
 *
 * A plan says for each cable which node is at its ends, by GUID or by name,
 * and maybe one node by both.  So its ends are sorted by those words, each
 * word is looked up once in the fabric's last snapshot, and words for one node
 * of it become one.  What that does not know stands for itself.
 */

struct known_name {
	char *name;    /* owned */
	uint32_t node; /* index in last */
};

struct word {
	const struct plan_end *end;
	size_t at; /* 2 * link + end */
};

struct planner {
	const char *path;
	const struct plan *plan;
	const struct snapshot *last;
	struct expectation *x;
	struct err *err;
	struct known_name *names; /* sorted */
	size_t n_names, cap_names;
	uint32_t *mine; /* expected node + 1, by node of last */
	uint32_t *theirs; /* node of last, or NO_NODE, by expected node */
	size_t n_known;
};

static void add_name(struct planner *p, char *name, uint32_t node)
{
	p->names = xgrow(p->names, p->n_names, &p->cap_names,
			 sizeof(*p->names));
	p->names[p->n_names].name = name;
	p->names[p->n_names++].node = node;
}

static char *safe_desc(const struct node *n)
{
	struct strbuf b = STRBUF_INIT;

	text_safe(&b, n->desc, n->desc_len);
	return strbuf_take(&b);
}

static int compare_names(const void *a, const void *b)
{
	const struct known_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->node > y->node) - (x->node < y->node);
}

static void index_names(struct planner *p)
{
	uint32_t i;

	for (i = 0; i < p->last->n_nodes; i++) {
		const struct node *n = p->last->nodes[i];

		add_name(p, safe_desc(n), i);
		if (n->name && strcmp(n->name, p->names[p->n_names - 1].name))
			add_name(p, xstrdup(n->name), i);
	}
	if (p->n_names)
		qsort(p->names, p->n_names, sizeof(*p->names), compare_names);
}

static void free_names(struct planner *p)
{
	while (p->n_names)
		free(p->names[--p->n_names].name);
	free(p->names);
}

static int compare_to_name(const void *key, const void *element)
{
	return strcmp(key, ((const struct known_name *)element)->name);
}

static int is_read(const struct planner *p, const struct known_name *k)
{
	return p->last->nodes[k->node]->seen == SEEN_READ;
}

/* The node of last with that name, or NO_NODE.  One that was read comes before
 * those that were not; *n is how many share it. */
static uint32_t find_name(const struct planner *p, const char *name, size_t *n)
{
	const struct known_name *end = p->names + p->n_names, *k = NULL;
	uint32_t found = NO_NODE;
	size_t read = 0, unread = 0;

	*n = 0;
	if (p->n_names)
		k = bsearch(name, p->names, p->n_names, sizeof(*k),
			    compare_to_name);
	if (!k)
		return NO_NODE;
	while (k > p->names && !strcmp(k[-1].name, name))
		k--;
	for (; k < end && !strcmp(k->name, name); k++) {
		if (is_read(p, k) ? !read : !read && !unread)
			found = k->node;
		if (is_read(p, k))
			read++;
		else
			unread++;
	}
	*n = read ? read : unread;
	return found;
}

static int refuse(struct planner *p, size_t at, const char *what)
{
	return err_set(p->err, "%s:%zu: %s", p->path,
		       p->plan->links[at / 2].line, what);
}

static int look_up(struct planner *p, const struct word *w, uint32_t *node)
{
	struct strbuf b = STRBUF_INIT;
	size_t n;

	if (w->end->guid) {
		*node = snapshot_find(p->last, w->end->guid, 0);
		return 0;
	}
	*node = find_name(p, w->end->name, &n);
	if (n <= 1)
		return 0;
	strbuf_addf(&b, "'%s' is the name of %zu nodes: write its GUID",
		    w->end->name, n);
	refuse(p, w->at, b.s);
	strbuf_free(&b);
	return -1;
}

/* The expected node of a word, which is new unless another word has led to the
 * same node of last. */
static uint32_t take_node(struct planner *p, const struct plan_end *end,
			  uint32_t node)
{
	const struct node *n = node == NO_NODE ? NULL : p->last->nodes[node];
	char *name = end->name || !n ? xstrdup(end->name) : safe_desc(n);
	struct expect_node *x;

	if (n && p->mine[node]) {
		free(name);
		x = &p->x->nodes[p->mine[node] - 1];
		if (!x->guid)
			x->guid = end->guid;
		return p->mine[node] - 1;
	}
	x = expectation_add_node(p->x, end->guid,
				 name && *name ? name : NULL);
	free(name);
	p->theirs[p->x->n_nodes - 1] = node;
	if (n) {
		x->type = n->type;
		p->mine[node] = (uint32_t)p->x->n_nodes;
		p->n_known++;
	}
	return (uint32_t)p->x->n_nodes - 1;
}

static int compare_words(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	if (x->end->guid != y->end->guid)
		return x->end->guid < y->end->guid ? -1 : 1;
	if (!x->end->guid && strcmp(x->end->name, y->end->name))
		return strcmp(x->end->name, y->end->name);
	return (x->at > y->at) - (x->at < y->at);
}

static int is_same_word(const struct word *a, const struct word *b)
{
	return a->end->guid == b->end->guid &&
	       (a->end->guid || !strcmp(a->end->name, b->end->name));
}

static int take_words(struct planner *p, const struct word *w, size_t n)
{
	uint32_t node = NO_NODE, mine = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		struct expect_link *l = &p->x->links[w[i].at / 2];

		if (!i || !is_same_word(&w[i - 1], &w[i])) {
			if (look_up(p, &w[i], &node) < 0)
				return -1;
			mine = take_node(p, w[i].end, node);
		}
		l->node[w[i].at % 2] = mine;
		l->port[w[i].at % 2] = w[i].end->port;
	}
	return 0;
}

static int take_links(struct planner *p)
{
	size_t n = 2 * p->plan->n, i;
	struct word *words = xcalloc(n ? n : 1, sizeof(*words));
	int rc;

	for (i = 0; i < p->plan->n; i++) {
		struct expect_link *l = expectation_add_link(p->x);

		l->speed = p->plan->links[i].speed;
		l->width = p->plan->links[i].width;
	}
	for (i = 0; i < n; i++) {
		words[i].end = &p->plan->links[i / 2].end[i % 2];
		words[i].at = i;
	}
	if (n)
		qsort(words, n, sizeof(*words), compare_words);
	p->theirs = xcalloc(n ? n : 1, sizeof(*p->theirs));
	rc = take_words(p, words, n);
	free(words);
	return rc;
}

/* "leaf1 port 3", of the end at. */
static void add_place(struct planner *p, struct strbuf *b, size_t at)
{
	const struct expect_link *l = &p->x->links[at / 2];
	const struct expect_node *n = &p->x->nodes[l->node[at % 2]];
	char guid[GUID_STRLEN + 1];

	strbuf_addf(b, "%s port %d",
		    n->name ? n->name : guid_format(n->guid, guid),
		    l->port[at % 2]);
}

static int refuse_place(struct planner *p, size_t at, const char *why)
{
	struct strbuf b = STRBUF_INIT;

	add_place(p, &b, at);
	strbuf_add(&b, why);
	refuse(p, at, b.s);
	strbuf_free(&b);
	return -1;
}

static int check_ports(struct planner *p)
{
	char why[80];
	size_t at;

	for (at = 0; at < 2 * p->x->n_links; at++) {
		const struct expect_link *l = &p->x->links[at / 2];
		uint32_t node = p->theirs[l->node[at % 2]];

		if (node == NO_NODE ||
		    l->port[at % 2] <= p->last->nodes[node]->nports)
			continue;
		snprintf(why, sizeof(why), " does not exist: the node has %d "
			 "ports", p->last->nodes[node]->nports);
		return refuse_place(p, at, why);
	}
	return 0;
}

/* A port, and the row that uses it. */
struct use {
	uint32_t node;
	uint8_t port;
	size_t at;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* One port, by two words, in two rows, or at both ends of one. */
static int check_uses(struct planner *p)
{
	size_t n = 2 * p->x->n_links, i;
	struct use *uses = xcalloc(n ? n : 1, sizeof(*uses));
	char why[80];
	int rc = 0;

	for (i = 0; i < n; i++) {
		uses[i].node = p->x->links[i / 2].node[i % 2];
		uses[i].port = p->x->links[i / 2].port[i % 2];
		uses[i].at = i;
	}
	if (n)
		qsort(uses, n, sizeof(*uses), compare_uses);
	for (i = 1; !rc && i < n; i++) {
		if (uses[i - 1].node != uses[i].node ||
		    uses[i - 1].port != uses[i].port)
			continue;
		snprintf(why, sizeof(why), " is used in line %zu already; "
			 "correct one of them",
			 p->plan->links[uses[i - 1].at / 2].line);
		rc = refuse_place(p, uses[i].at, why);
	}
	free(uses);
	return rc;
}

static int refuse_unknown(const char *path, size_t n,
			  const struct snapshot *last, struct err *err)
{
	return err_set(err, "%s: names %zu nodes, and snapshot %lld of fabric "
		       "%s has none of them: the file of another fabric? Say "
		       "--force to take it all the same", path, n,
		       (long long)last->id, last->fabric ? last->fabric : "");
}

static int of_plan(const char *path, const struct plan *plan,
		   const struct snapshot *last, int force,
		   struct expectation *x, struct err *err)
{
	struct planner p = { .path = path, .plan = plan, .last = last,
			     .x = x, .err = err };
	int rc;

	p.mine = xcalloc(last->n_nodes ? last->n_nodes : 1, sizeof(*p.mine));
	index_names(&p);
	rc = take_links(&p);
	if (!rc && !p.n_known && !force)
		rc = refuse_unknown(path, x->n_nodes, last, err);
	if (!rc)
		rc = check_ports(&p);
	if (!rc)
		rc = check_uses(&p);
	free_names(&p);
	free(p.mine);
	free(p.theirs);
	return rc;
}

/* Its own NumPorts were looked at when it was read. */
static int check_topology(const char *path, const struct expectation *x,
			  const struct snapshot *last, int force,
			  struct err *err)
{
	size_t known = 0, i;

	for (i = 0; i < x->n_nodes; i++)
		known += snapshot_find(last, x->nodes[i].guid, 0) != NO_NODE;
	if (!known && !force)
		return refuse_unknown(path, x->n_nodes, last, err);
	for (i = 0; i < 2 * x->n_links; i++) {
		const struct expect_link *l = &x->links[i / 2];
		const struct expect_node *n = &x->nodes[l->node[i % 2]];
		uint32_t at = snapshot_find(last, n->guid, 0);

		if (at != NO_NODE && l->port[i % 2] > last->nodes[at]->nports)
			return err_set(err, "%s: " GUID_FMT " port %d does not "
				       "exist: the node has %d ports", path,
				       GUID_ARG(n->guid), l->port[i % 2],
				       last->nodes[at]->nports);
	}
	return 0;
}

int expectation_of_file(const char *path, const struct expect_file *f,
			const struct snapshot *last, int force,
			struct expectation *x, struct err *err)
{
	x->kind = f->is_plan ? "plan" : "topology";
	if (f->is_plan)
		return of_plan(path, &f->plan, last, force, x, err);
	expectation_of_snapshot(&f->topology, x);
	return check_topology(path, x, last, force, err);
}
