/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/topology_line.h"

#include <stdio.h>
#include <string.h>

#include "model/snapshot.h"
#include "model/speed.h"
#include "util/scan.h"

/*
 * Notes
 *
 * A description may hold quotes: it ends at the last one of its line.  Behind
 * it stand LIDs and the rate only.  What a description quotes is not looked
 * at for anything else.
 */

#define AGAIN "; make the file again with ibnetdiscover"

static const char bad_link[] =
	"is no link, [PORT] \"NODE\"[PORT] with ports from 1 to 254" AGAIN;
static const char bad_node[] =
	"is no node, Switch, Ca or Rt with 1 to 254 ports and \"NODE\"" AGAIN;
static const char bad_id[] =
	"has no number, 0x and hex digits, that fits" AGAIN;
static const char bad_lid[] = "has a LID that is none" AGAIN;
static const char bad_rate[] =
	"has a width or speed that is unknown here; write ??? where it is not "
	"known";

/* --- Pieces: each moves *s behind what it took, as util/scan.h does ----- */

static int take_port(const char **s, uint8_t *out)
{
	long port;

	if (scan_word(s, "[") < 0 ||
	    scan_number(s, 1, NO_PORT - 1, &port) < 0 || scan_word(s, "]") < 0)
		return -1;
	*out = (uint8_t)port;
	return 0;
}

/* "[ext 5]", the label of a port of a chassis, where there is one. */
static int take_label(const char **s)
{
	long label;

	if (scan_word(s, "[ext ") < 0)
		return 0;
	if (scan_number(s, 0, 999, &label) < 0)
		return -1;
	return scan_word(s, "]");
}

/* "(GUID)", where there is one. */
static int take_port_guid(const char **s, uint64_t *out)
{
	skip_blanks(s);
	if (**s != '(')
		return 0;
	++*s;
	if (scan_guid(s, out) < 0)
		return -1;
	return scan_word(s, ")");
}

/* S-, H- or R- and a GUID; anything else is a name. */
static void read_ref(struct topology_ref *ref)
{
	const char *s = ref->name + 2;
	uint64_t guid;

	if (ref->n < 3 || ref->name[1] != '-' || scan_guid(&s, &guid) < 0 ||
	    s != ref->name + ref->n)
		return;
	if (ref->name[0] == 'S')
		ref->type = NODE_SWITCH;
	else if (ref->name[0] == 'H')
		ref->type = NODE_CA;
	else if (ref->name[0] == 'R')
		ref->type = NODE_ROUTER;
	ref->guid = ref->type ? guid : 0;
}

/* "NODE", between quotes. */
static int take_ref(const char **s, struct topology_ref *ref)
{
	if (scan_word(s, "\"") < 0)
		return -1;
	ref->name = *s;
	ref->n = strcspn(*s, "\"");
	*s += ref->n;
	if (!ref->n || scan_word(s, "\"") < 0)
		return -1;
	read_ref(ref);
	return 0;
}

/* Nothing but a comment may follow; *s is what it says. */
static int take_comment(const char **s)
{
	skip_blanks(s);
	if (!**s)
		return 0;
	if (scan_word(s, "#") < 0)
		return -1;
	skip_blanks(s);
	return 0;
}

/* What stands between the first and the last quote of s.  Returns what follows
 * it, or NULL when the last quote is missing.  Without quotes, s. */
static const char *take_desc(const char *s, const char **desc, size_t *n)
{
	const char *first = strchr(s, '"'), *last = strrchr(s, '"');

	if (!first)
		return s;
	if (first == last)
		return NULL;
	*desc = first + 1;
	*n = (size_t)(last - first) - 1;
	return last + 1;
}

/* --- Lines ------------------------------------------------------------ */

static const struct id_row {
	const char *word;
	enum topology_id id;
	uint64_t most; /* IBA 14.2.5.3 */
} id_rows[] = {
	{ "vendid=", ID_VENDOR, 0xffffff },
	{ "devid=", ID_DEVICE, 0xffff },
	{ "sysimgguid=", ID_SYSTEM_IMAGE, UINT64_MAX },
	{ "switchguid=", ID_NODE, UINT64_MAX },
	{ "caguid=", ID_NODE, UINT64_MAX },
	{ "hcaguid=", ID_NODE, UINT64_MAX }, /* ibsim */
	{ "rtguid=", ID_NODE, UINT64_MAX },
};

/* The row whose word s begins with, or NULL. */
static const struct id_row *find_id(const char *s)
{
	size_t i;

	for (i = 0; i < sizeof(id_rows) / sizeof(id_rows[0]); i++)
		if (begins_with(s, id_rows[i].word))
			return &id_rows[i];
	return NULL;
}

static const char *parse_id(const char *s, struct topology_line *t)
{
	const struct id_row *row = find_id(s);

	s += strlen(row->word);
	t->id = row->id;
	if (t->id != ID_NODE && !begins_with(s, "0x")) /* ibsim: decimal */
		return bad_id;
	if (scan_guid(&s, &t->value) < 0 || t->value > row->most ||
	    take_port_guid(&s, &t->port_guid) < 0)
		return bad_id;
	if (t->port_guid) /* OFED 1.3: a chassis' name, without a # */
		return NULL;
	return take_comment(&s) < 0 ? bad_id : NULL;
}

static const char *take_lid(const char **s, int32_t *lid)
{
	long v;

	if (scan_word(s, "lid ") < 0)
		return NULL;
	if (scan_number(s, 0, 0xffff, &v) < 0)
		return bad_lid;
	*lid = (int32_t)v;
	return NULL;
}

static int type_of(const char *word, size_t n)
{
	if (n == 6 && !memcmp(word, "Switch", n))
		return NODE_SWITCH;
	if ((n == 2 && !memcmp(word, "Ca", n)) ||
	    (n == 3 && !memcmp(word, "Hca", n)))
		return NODE_CA;
	return n == 2 && !memcmp(word, "Rt", n) ? NODE_ROUTER : 0;
}

static const char *parse_node(const char *s, struct topology_line *t)
{
	size_t n = strcspn(s, " \t");
	const char *lid;
	long nports;

	t->type = type_of(s, n);
	s += n;
	skip_blanks(&s);
	if (scan_number(&s, 1, NO_PORT - 1, &nports) < 0)
		return bad_node;
	t->nports = (uint8_t)nports;
	skip_blanks(&s);
	if (take_ref(&s, &t->ref) < 0 || take_comment(&s) < 0)
		return bad_node;
	if (t->ref.type && t->ref.type != t->type)
		return bad_node;
	s = take_desc(s, &t->desc, &t->desc_len);
	if (!s)
		return bad_node;
	lid = t->desc ? strstr(s, " lid ") : NULL;
	if (!lid)
		return NULL;
	lid++;
	return take_lid(&lid, &t->lid);
}

/* "4xNDR", "4x ???", "??NDR"; the words of `ibnetdiscover -f` may follow. */
static const char *parse_rate(const char *s, struct topology_line *t)
{
	size_t width = strspn(s, "0123456789"), speed;

	if (begins_with(s, "??"))
		width = 2;
	else if (width && s[width] == 'x')
		t->width = (int16_t)width_find(s, ++width);
	if (!width || !t->width)
		return bad_rate;
	s += width;
	skip_blanks(&s);
	speed = strcspn(s, " \t");
	if (speed == 3 && !strncmp(s, "???", 3))
		return NULL;
	t->speed = (int16_t)speed_find(s, speed);
	return t->speed ? NULL : bad_rate;
}

/* lid 5 lmc 0 "description" lid 6 4xNDR: a switch's ports have no own LID. */
static const char *parse_link_comment(const char *s, struct topology_line *t)
{
	const char *desc = NULL, *wrong = take_lid(&s, &t->lid);
	int32_t peer_lid;
	size_t n;

	if (wrong)
		return wrong;
	s = take_desc(s, &desc, &n);
	if (!s)
		return "has a description without its end" AGAIN;
	skip_blanks(&s);
	if (!desc || !begins_with(s, "lid "))
		return NULL;
	wrong = take_lid(&s, &peer_lid);
	if (wrong)
		return wrong;
	skip_blanks(&s);
	return *s ? parse_rate(s, t) : NULL;
}

static const char *parse_link(const char *s, struct topology_line *t)
{
	uint64_t peer_guid;

	if (take_port(&s, &t->port) < 0 || take_label(&s) < 0 ||
	    take_port_guid(&s, &t->port_guid) < 0)
		return bad_link;
	skip_blanks(&s);
	if (take_ref(&s, &t->ref) < 0 || take_port(&s, &t->peer_port) < 0 ||
	    take_label(&s) < 0 || take_port_guid(&s, &peer_guid) < 0)
		return bad_link;
	skip_blanks(&s);
	while (begins_with(s, "s=") || begins_with(s, "w=")) { /* ibsim */
		s += strcspn(s, " \t");
		skip_blanks(&s);
	}
	if (take_comment(&s) < 0)
		return bad_link;
	return parse_link_comment(s, t);
}

/* --- Kinds ------------------------------------------------------------ */

static int is_among(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (begins_with(s, *words))
			return 1;
	return 0;
}

/* "Chassis 1 (guid 0x...)" and other headings of `ibnetdiscover -g`, and what
 * ibsim is told of all nodes to come. */
static int is_heading(const char *s)
{
	static const char *const words[] = {
		"Non-Chassis Nodes", "Hostname: ", "speed=", "width=",
		"extspeed=", NULL,
	};
	long number;

	if (scan_word(&s, "Chassis ") < 0)
		return is_among(s, words);
	return scan_number(&s, 0, 255, &number) == 0 && (!*s || *s == ' ');
}

/* "SW  1719 10 0x7cfe9003009ce5b0 4x EDR - ..." */
static int is_ports_line(const char *s)
{
	static const char *const words[] = { "CA ", "SW ", "RT ", "?? ", NULL };
	int n = 0;

	if (is_among(s, words))
		sscanf(s + 3, " %*u %*u 0x%n", &n);
	return n > 0;
}

/* A node's line, or one of a list: "Switch	 : 0x... ports 36 ..." */
static enum topology_kind node_kind(const char *s)
{
	size_t n = strcspn(s, " \t");
	int is_node = type_of(s, n) != 0;
	int may_list = is_node || (n == 6 && !memcmp(s, "Router", n));

	s += n;
	skip_blanks(&s);
	if (may_list && begins_with(s, ": 0x"))
		return TOPOLOGY_LIST;
	n = strspn(s, "0123456789");
	if (is_node && n && (s[n] == ' ' || s[n] == '\t'))
		return TOPOLOGY_NODE;
	return TOPOLOGY_UNKNOWN;
}

enum topology_kind topology_line_kind(const char *s)
{
	skip_blanks(&s);
	if (begins_with(s, "# Topology file"))
		return TOPOLOGY_TITLE;
	if (!*s || *s == '#' || is_heading(s))
		return TOPOLOGY_NOTHING;
	if (*s == '[')
		return TOPOLOGY_LINK;
	if (find_id(s))
		return TOPOLOGY_ID;
	return is_ports_line(s) ? TOPOLOGY_PORTS : node_kind(s);
}

const char *topology_line_parse(const char *line, struct topology_line *t)
{
	memset(t, 0, sizeof(*t));
	t->lid = VAL_NONE;
	t->speed = t->width = VAL_NONE;
	t->kind = topology_line_kind(line);
	skip_blanks(&line);
	switch (t->kind) {
	case TOPOLOGY_ID:
		return parse_id(line, t);
	case TOPOLOGY_NODE:
		return parse_node(line, t);
	case TOPOLOGY_LINK:
		return parse_link(line, t);
	case TOPOLOGY_PORTS:
		return "is a line of `ibnetdiscover -p`, which leaves out what "
		       "is needed; run ibnetdiscover without -p";
	case TOPOLOGY_LIST:
		return "is a line of a list without links; run ibnetdiscover "
		       "without -l, -H, -S and -R";
	case TOPOLOGY_UNKNOWN:
		return "is no line of a topology file" AGAIN;
	default:
		return NULL;
	}
}
