/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <unistd.h>

#include "cmd/checking.h"
#include "cmd/output.h"
#include "model/expect_file.h"
#include "model/expectation.h"
#include "model/names.h"
#include "model/speed.h"
#include "report/doc.h"
#include "report/summary.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/text.h"

/* The rules that judge by an expectation. */
static const char *const rules[] = {
	"link-below-expected", "link-miscabled", "link-missing",
	"link-unexpected",     "node-missing",	 "node-unexpected",
};

struct expecting {
	const struct invocation *inv;
	struct store *st;
	struct store_snapshot row; /* that is marked, or the fabric's last */
	struct snapshot s;
	struct expectation x;
	struct err *err;
};

/* ---- set ---- */

static int is_file(const char *arg)
{
	return !strcmp(arg, "-") || strchr(arg, '/') ||
	       access(arg, F_OK) == 0;
}

static int load(struct expecting *e)
{
	if (store_load(e->st, e->row.id, STORE_NO_COUNTERS, &e->s, e->err) < 0)
		return -1;
	return names_apply(e->inv->set->node_name_map.text, &e->s, e->err);
}

static int take_snapshot(struct expecting *e, const char *name)
{
	const char *fabric = e->inv->set->fabric;
	struct err why = { "" };
	char at[CLOCK_STRLEN + 1];

	if (store_find(e->st, fabric, name, &e->row, &why) < 0)
		return err_set(e->err, "%.400s; nor is there a file of that "
			       "name", why.text);
	if (fabric && strcmp(fabric, e->row.fabric))
		return err_set(e->err, "snapshot %lld is of fabric %s, not of "
			       "%s", (long long)e->row.id, e->row.fabric,
			       fabric);
	if (!e->row.complete && !given_count(e->inv, "force"))
		return err_set(e->err, "snapshot %lld is incomplete: what it "
			       "did not read would not be expected; take "
			       "another one, or say --force",
			       (long long)e->row.id);
	if (load(e) < 0)
		return -1;
	expectation_of_snapshot(&e->s, &e->x);
	e->x.kind = "snapshot";
	e->x.snapshot = e->row.id;
	/* Its number may be another one after a merge. */
	e->x.source = xstrdup(clock_format(e->row.started_ms, at));
	return 0;
}

static char *safe_path(const char *path)
{
	struct strbuf b = STRBUF_INIT;

	text_safe(&b, path, strlen(path));
	return strbuf_take(&b);
}

static int take_file(struct expecting *e, const char *arg)
{
	const char *path = strcmp(arg, "-") ? arg : "/dev/stdin";
	struct expect_file f;
	int rc;

	if (store_find(e->st, e->inv->set->fabric, "latest", &e->row,
		       e->err) < 0 ||
	    load(e) < 0 || expect_file_read(path, &f, e->err) < 0)
		return -1;
	e->x.source = safe_path(path);
	rc = expectation_of_file(e->x.source, &f, &e->s,
				 given_count(e->inv, "force"), &e->x, e->err);
	expect_file_free(&f);
	return rc;
}

static json_t *head(const char *fabric, const struct expectation *x)
{
	if (!x)
		return json_pack("{s:o, s:n}", "fabric", doc_string(fabric),
				 "expectation");
	return json_pack("{s:o, s:{s:s, s:o, s:o, s:o, s:I, s:I}}",
			 "fabric", doc_string(fabric), "expectation",
			 "kind", x->kind,
			 "source", doc_string(x->source),
			 "snapshot", x->snapshot ? json_integer(x->snapshot) :
						   json_null(),
			 "set", doc_time(x->set_ms),
			 "nodes", (json_int_t)x->n_nodes,
			 "links", (json_int_t)x->n_links);
}

static void say_what(struct report *r, const char *fabric,
		     const struct expectation *x)
{
	struct strbuf what = STRBUF_INIT;
	char at[CLOCK_STRLEN + 1];

	if (x->snapshot)
		strbuf_addf(&what, "snapshot %lld (%s)",
			    (long long)x->snapshot, x->source);
	else
		strbuf_addf(&what, "the %s %s",
			    strcmp(x->kind, "plan") ? "topology file" : "plan",
			    x->source);
	report_say(r, "Fabric %s should be as %s has it: %zu %s, %zu %s. Set "
		   "at %s.", fabric, what.s, x->n_nodes,
		   plural((int64_t)x->n_nodes, "node", "nodes"), x->n_links,
		   plural((int64_t)x->n_links, "link", "links"),
		   clock_format(x->set_ms, at));
	strbuf_free(&what);
}

static int set(struct expecting *e)
{
	const char *arg = e->inv->args[1];
	struct report *r;
	int had;

	if ((is_file(arg) ? take_file(e, arg) : take_snapshot(e, arg)) < 0)
		return EXIT_TROUBLE;
	e->x.set_ms = clock_wall_ms();
	if (store_set_expectation(e->st, e->row.fabric, &e->x, &had,
				  e->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(e->inv);
	report_begin(r, head(e->row.fabric, &e->x));
	say_what(r, e->row.fabric, &e->x);
	if (had)
		report_say(r, "What was expected before is replaced.");
	return output_close(r, EXIT_CLEAN, e->err);
}

/* ---- show, clear ---- */

static json_t *end_of(const struct expectation *x, const struct expect_link *l,
		      int side)
{
	const struct expect_node *n = &x->nodes[l->node[side]];

	return json_pack("{s:o, s:i, s:i, s:o, s:n, s:n, s:n}",
			 "node_guid", doc_guid(n->guid),
			 "instance", (int)n->instance,
			 "port", (int)l->port[side],
			 "node", n->name ? doc_string(n->name) :
					   doc_guid(n->guid),
			 "lid", "label", "place");
}

static json_t *link_row(const struct expectation *x,
			const struct expect_link *l)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "a", end_of(x, l, 0), "b", end_of(x, l, 1),
			 "speed", doc_string(speed_name(l->speed)),
			 "gbps", doc_rate(link_gbps(l->speed, l->width)),
			 "width", doc_string(width_name(l->width)));
}

static const struct column columns[] = {
	{ "NODE", "a.node#", 0 },  { "PORT", "a.port", 1 },
	{ "NODE", "b.node#", 0 },  { "PORT", "b.port", 1 },
	{ "SPEED", "speed", 0 },   { "WIDTH", "width", 0 },
	{ NULL, NULL, 0 },
};

/* Rows tell nodes of one NodeGUID apart. */
static int has_instances(const struct expectation *x)
{
	size_t i;

	for (i = 0; i < x->n_nodes; i++)
		if (x->nodes[i].instance)
			return 1;
	return 0;
}

static int show(struct expecting *e)
{
	struct list list = { "links", LIST_TABLE, columns, NULL, 0 };
	struct report *r;
	size_t i;
	int rc = store_find(e->st, e->inv->set->fabric, "latest", &e->row,
			    e->err);

	if (!rc)
		rc = store_load_expectation(e->st, e->row.fabric, &e->x,
					    e->err);
	if (rc < 0)
		return EXIT_TROUBLE;
	r = output_open(e->inv);
	report_begin(r, head(e->row.fabric, rc ? &e->x : NULL));
	if (rc)
		say_what(r, e->row.fabric, &e->x);
	else
		report_say(r, "Nothing is expected of fabric %s; see ibaudit "
			   "expect set.", e->row.fabric);
	list.instances = has_instances(&e->x);
	report_list_begin(r, &list);
	for (i = 0; i < e->x.n_links; i++)
		if (report_row(r, link_row(&e->x, &e->x.links[i])) < 0)
			break;
	report_list_end(r);
	return output_close(r, EXIT_CLEAN, e->err);
}

static int clear(struct expecting *e)
{
	struct report *r;
	int had;

	if (store_find(e->st, e->inv->set->fabric, "latest", &e->row,
		       e->err) < 0 ||
	    store_set_expectation(e->st, e->row.fabric, NULL, &had,
				  e->err) < 0)
		return EXIT_TROUBLE;
	r = output_open(e->inv);
	report_begin(r, head(e->row.fabric, NULL));
	report_say(r, "Nothing is expected of fabric %s any more%s.",
		   e->row.fabric, had ? "" : ", nor was it before");
	return output_close(r, EXIT_CLEAN, e->err);
}

/* ---- diff ---- */

static int only_ours(struct ruleset *rs, struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (ruleset_only(rs, rules[i], err) < 0)
			return -1;
	return 0;
}

static int diff(struct expecting *e)
{
	const char *name = e->inv->n_args > 1 ? e->inv->args[1] : "latest";
	struct checking c;
	int status = EXIT_TROUBLE, rc;

	memset(&c, 0, sizeof(c));
	rc = store_find(e->st, e->inv->set->fabric, name, &c.snapshot, e->err);
	if (!rc)
		rc = store_load_expectation(e->st, c.snapshot.fabric, &e->x,
					    e->err);
	if (!rc)
		err_set(e->err, "nothing is expected of fabric %s; say what "
			"with ibaudit expect set", c.snapshot.fabric);
	if (rc == 1 && checking_load(e->inv->set, &c.rules, e->err) == 0 &&
	    only_ours(&c.rules, e->err) == 0 &&
	    checking_run(&c, e->st, e->inv->set, NULL, e->err) == 0)
		status = checking_tell(e->inv, e->st, &c, report_check,
				       e->err);
	checking_free(&c);
	return status;
}

/* ---- verbs ---- */

static const struct verb {
	const char *name;
	int min_args, max_args; /* the verb itself is one */
	enum store_mode mode;
	int (*run)(struct expecting *e);
} verbs[] = {
	{ "set", 2, 2, STORE_WRITE, set },
	{ "show", 1, 1, STORE_READ, show },
	{ "diff", 1, 2, STORE_READ, diff },
	{ "clear", 1, 1, STORE_WRITE, clear },
};

static const struct verb *find_verb(const struct invocation *inv,
				    struct err *err)
{
	const char *name = inv->n_args ? inv->args[0] : "show";
	int n = inv->n_args ? inv->n_args : 1;
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, name) && n >= verbs[i].min_args &&
		    n <= verbs[i].max_args)
			return &verbs[i];
	err_set(err, "expect: there are set SNAPSHOT|FILE, show, diff "
		"[SNAPSHOT] and clear");
	return NULL;
}

static int run(const struct invocation *inv, struct err *err)
{
	struct expecting e = { .inv = inv, .err = err };
	const struct verb *verb = find_verb(inv, err);
	int status = EXIT_TROUBLE;

	if (!verb || settings_check_names(inv->set, err) < 0)
		return EXIT_TROUBLE;
	snapshot_init(&e.s);
	e.st = store_open(inv->set->db, verb->mode, err);
	if (e.st)
		status = verb->run(&e);
	store_close(e.st);
	snapshot_free(&e.s);
	store_snapshot_free(&e.row);
	expectation_free(&e.x);
	return status;
}

static const struct option_row options[] = {
	{ "force", 0, NULL,
	  "set: an incomplete snapshot, a file of unknown nodes" },
	{ NULL, 0, NULL, NULL },
};

const struct cmd cmd_expect = {
	.name = "expect",
	.args = "[set SNAPSHOT|FILE|show|diff [SNAPSHOT]|clear]",
	.summary = "Say what the fabric should be, and tell where it is not",
	.formats = "text json",
	.help = "FILE is what ibnetdiscover printed, or a plan in CSV; - is "
		"standard input:\nnode,port,node,port[,speed[,width]]. "
		"From then on check and run judge by it.",
	.options = options,
	.max_args = 2,
	.run = run,
};
