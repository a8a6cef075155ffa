/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/topology_file.h"

#include <stdlib.h>
#include <string.h>

#include "model/topology_line.h"
#include "util/alloc.h"
#include "util/lines.h"
#include "util/text.h"

/*
 * Notes
 *
 * The lines are walked three times: nodes; the link of each port, as the
 * port's own line tells it; whether the other end's line tells the same.  So
 * a link may name a node that comes later, and each fault has its line.
 *
 * A node is known by its GUID, in ibsim's networks by a name, which stands for
 * the GUID of the id line before.  Nodes stand in the snapshot in the order of
 * their lines, so that the later walks know whose line they are at by counting.
 */

/* Bounds the memory.  Each node has a LID, of which a subnet has 49151; a fat
 * tree of so many, of switches with 129 ports, has under 600,000 ports. */
#define PORTS_MAX (1u << 20)

/* A node that the file knows by a name. */
struct named {
	char *name; /* owned */
	size_t line;
	uint32_t node;
};

/* What was told of a node before its own line. */
struct ids {
	unsigned told; /* bits (1 << enum topology_id) */
	uint64_t value[ID_COUNT];
	uint64_t port_guid;
};

struct reader {
	struct lines lines;
	struct snapshot *s;
	struct err *err;
	struct ids ids;
	size_t n_ports;
	uint32_t n_nodes; /* met in this walk; the last is whose line it is */
	int is_between;   /* behind a node's ids, before its line */
	int is_linked;    /* a link was met */
	struct named *named; /* sorted behind the first walk */
	size_t n_named, cap_named;
};

#define REFUSE(r, ...) lines_refuse(&(r)->lines, (r)->err, __VA_ARGS__)

/* --- Nodes ------------------------------------------------------------ */

static int take_id(struct reader *r, const struct topology_line *t)
{
	unsigned bit = 1u << t->id;

	r->is_between = 1;
	if (r->ids.told & bit)
		return REFUSE(r, "tells an id again, so the line of the node "
			      "before is missing; make the file again");
	r->ids.told |= bit;
	r->ids.value[t->id] = t->value;
	if (t->id == ID_NODE)
		r->ids.port_guid = t->port_guid;
	return 0;
}

/* The GUID of the node that t tells of, by its name or the line before. */
static int find_guid(struct reader *r, const struct topology_line *t,
		     uint64_t *guid)
{
	int told = r->ids.told & 1u << ID_NODE;

	*guid = t->ref.type ? t->ref.guid : r->ids.value[ID_NODE];
	if (told && r->ids.value[ID_NODE] != *guid)
		return REFUSE(r, "names a node by another GUID than the line "
			      "before it; correct one of them");
	if (!*guid)
		return REFUSE(r, "is a node without a GUID; write "
			      "switchguid=, caguid= or rtguid= before it");
	if (snapshot_find(r->s, *guid, 0) != NO_NODE)
		return REFUSE(r, "is a node that was told of before; "
			      "remove one of them");
	return 0;
}

static void set_desc(struct node *n, const struct topology_line *t)
{
	char bytes[NODE_DESC_LEN] = { 0 };
	struct strbuf safe = STRBUF_INIT;

	if (t->desc_len <= sizeof(bytes)) {
		memcpy(bytes, t->desc, t->desc_len);
		node_set_desc(n, bytes);
		return;
	}
	text_safe(&safe, t->desc, t->desc_len);
	n->name = strbuf_take(&safe);
}

static void set_ids(struct node *n, const struct ids *ids)
{
	if (ids->told & 1u << ID_VENDOR)
		n->vendor_id = (int32_t)ids->value[ID_VENDOR];
	if (ids->told & 1u << ID_DEVICE)
		n->device_id = (int32_t)ids->value[ID_DEVICE];
	n->system_image_guid = ids->value[ID_SYSTEM_IMAGE];
	if (n->type == NODE_SWITCH)
		n->ports[0].guid = ids->port_guid;
}

static void keep_name(struct reader *r, const struct topology_ref *ref)
{
	struct named *named;

	r->named = xgrow(r->named, r->n_named, &r->cap_named,
			 sizeof(*r->named));
	named = &r->named[r->n_named++];
	named->name = xcalloc(ref->n + 1, 1);
	memcpy(named->name, ref->name, ref->n);
	named->line = r->lines.number;
	named->node = r->n_nodes;
}

static int add_node(struct reader *r, const struct topology_line *t)
{
	struct node *n;
	uint64_t guid;

	if (find_guid(r, t, &guid) < 0)
		return -1;
	r->n_ports += t->nports + 1u;
	if (r->n_ports > PORTS_MAX)
		return REFUSE(r, "is beyond %u ports, more than a subnet has; "
			      "name the file of one fabric", PORTS_MAX);
	n = snapshot_add_node(r->s, guid, 0, t->nports);
	n->type = t->type;
	set_ids(n, &r->ids);
	if (t->desc)
		set_desc(n, t);
	if (t->type == NODE_SWITCH && t->lid != VAL_NONE) {
		n->ports[0].lid = t->lid;
		n->ports[0].present = 1;
	}
	if (!t->ref.type)
		keep_name(r, &t->ref);
	return 0;
}

static int take_node(struct reader *r, const struct topology_line *t)
{
	if (t->kind == TOPOLOGY_ID)
		return take_id(r, t);
	if (t->kind == TOPOLOGY_LINK && (!r->n_nodes || r->is_between))
		return REFUSE(r, "is a link without its node, whose line is "
			      "missing; make the file again");
	if (t->kind != TOPOLOGY_NODE)
		return 0;
	if (add_node(r, t) < 0)
		return -1;
	memset(&r->ids, 0, sizeof(r->ids));
	r->is_between = 0;
	r->n_nodes++;
	return 0;
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int sort_names(struct reader *r)
{
	size_t i;

	if (r->n_named)
		qsort(r->named, r->n_named, sizeof(*r->named), compare_named);
	for (i = 1; i < r->n_named; i++)
		if (!strcmp(r->named[i - 1].name, r->named[i].name)) {
			r->lines.number = r->named[i].line;
			return REFUSE(r, "is a node whose name another one "
				      "has, in line %zu; rename one of them",
				      r->named[i - 1].line);
		}
	return 0;
}

/* Behind the first walk: are all nodes there, as far as nodes tell it? */
static int end_nodes(struct reader *r)
{
	if (r->is_between)
		return REFUSE(r, "is the last line, and its node is missing; "
			      "make the file again");
	if (!r->n_nodes)
		return REFUSE(r, "ends without any node; name a file that "
			      "ibnetdiscover wrote");
	if (r->lines.is_cut)
		return REFUSE(r, "has no end, so the file may be cut off; "
			      "end the line if it is whole");
	return sort_names(r);
}

/* --- Links ------------------------------------------------------------ */

static uint32_t find_named(const struct reader *r,
			   const struct topology_ref *ref)
{
	size_t low = 0, high = r->n_named;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strncmp(ref->name, r->named[mid].name, ref->n);

		if (!order && !r->named[mid].name[ref->n])
			return r->named[mid].node;
		if (order > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NO_NODE;
}

static uint32_t find_peer(const struct reader *r,
			  const struct topology_ref *ref)
{
	uint32_t i;

	if (!ref->type)
		return find_named(r, ref);
	i = snapshot_find(r->s, ref->guid, 0);
	return i != NO_NODE && r->s->nodes[i]->type == ref->type ? i : NO_NODE;
}

static struct port *own_port(const struct reader *r,
			     const struct topology_line *t)
{
	return &r->s->nodes[r->n_nodes - 1]->ports[t->port];
}

static void set_port(struct port *p, int is_end, const struct topology_line *t)
{
	p->present = 1;
	p->speed = t->speed;
	p->width = t->width;
	if (is_end) {
		p->guid = t->port_guid;
		p->lid = t->lid;
	}
}

static int set_link(struct reader *r, const struct topology_line *t)
{
	const struct node *n = r->s->nodes[r->n_nodes - 1];
	uint32_t peer = find_peer(r, &t->ref);
	struct port *p;

	if (peer == NO_NODE)
		return REFUSE(r, "leads to a node that the file does not "
			      "have, so it is not whole; make it again");
	if (t->port > n->nports || t->peer_port > r->s->nodes[peer]->nports)
		return REFUSE(r, "has a port that its node does not have; "
			      "correct the port or the number of ports");
	p = own_port(r, t);
	if (p->peer_node != NO_NODE)
		return REFUSE(r, "is a second link of that port; remove one");
	set_port(p, port_is_end(n, p), t);
	p->peer_node = peer;
	p->peer_port = t->peer_port;
	r->is_linked = 1;
	return 0;
}

static int take_link(struct reader *r, const struct topology_line *t)
{
	r->n_nodes += t->kind == TOPOLOGY_NODE;
	return t->kind == TOPOLOGY_LINK ? set_link(r, t) : 0;
}

/* Does the other end tell of the link? */
static int check_link(struct reader *r, const struct topology_line *t)
{
	const struct port *p, *far;

	r->n_nodes += t->kind == TOPOLOGY_NODE;
	if (t->kind != TOPOLOGY_LINK)
		return 0;
	p = own_port(r, t);
	far = snapshot_peer(r->s, p);
	if (far->peer_node == NO_NODE)
		return REFUSE(r, "is a link that its other end does not tell "
			      "of, so the file is not whole; make it again");
	if (snapshot_peer(r->s, far) != p)
		return REFUSE(r, "is a link whose other end leads elsewhere; "
			      "correct one of the two lines");
	return 0;
}

/* --- Files ------------------------------------------------------------ */

static int walk(struct reader *r,
		int (*take)(struct reader *, const struct topology_line *))
{
	struct topology_line t;
	const char *line, *wrong;

	lines_rewind(&r->lines);
	r->n_nodes = 0;
	while ((line = lines_next(&r->lines))) {
		if (lines_has_nul(&r->lines))
			return REFUSE(r, "has a NUL byte, so the file is no "
				      "text; name another");
		wrong = topology_line_parse(line, &t);
		if (wrong)
			return REFUSE(r, "%s", wrong);
		if (take(r, &t) < 0)
			return -1;
	}
	return 0;
}

static int read_lines(struct reader *r)
{
	if (walk(r, take_node) < 0 || end_nodes(r) < 0)
		return -1;
	if (walk(r, take_link) < 0)
		return -1;
	if (!r->is_linked)
		return REFUSE(r, "ends without any link; name a file that "
			      "ibnetdiscover wrote");
	return walk(r, check_link);
}

int topology_parse(const char *name, const char *text, size_t n,
		   struct snapshot *s, struct err *err)
{
	struct reader r = { .s = s, .err = err };
	size_t i;
	int rc;

	snapshot_init(s);
	strcpy(s->discovery, "file");
	lines_init(&r.lines, name, text, n);
	rc = read_lines(&r);
	for (i = 0; i < r.n_named; i++)
		free(r.named[i].name);
	free(r.named);
	lines_free(&r.lines);
	if (rc < 0)
		snapshot_free(s);
	return rc;
}

int topology_read(const char *path, struct snapshot *s, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	memset(s, 0, sizeof(*s));
	rc = lines_read(path, TOPOLOGY_FILE_MIB, &text, err);
	if (!rc)
		rc = topology_parse(path, text.s, text.len, s, err);
	strbuf_free(&text);
	return rc;
}

int topology_is(const char *text, size_t n)
{
	enum topology_kind kind = TOPOLOGY_NOTHING;
	struct lines lines;
	const char *line;

	lines_init(&lines, "", text, n);
	while (kind == TOPOLOGY_NOTHING && (line = lines_next(&lines)))
		kind = topology_line_kind(line);
	lines_free(&lines);
	return kind != TOPOLOGY_NOTHING && kind != TOPOLOGY_UNKNOWN;
}
