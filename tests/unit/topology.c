/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model.h"
#include "model/expect_file.h"
#include "model/topology_file.h"
#include "tap.h"
#include "util/strbuf.h"

/*
 *     H1, whose second port has no cable, and H2 = LEAF = SPINE, by two cables
 *
 * as ibnetdiscover of rdma-core prints them, with a plug at SPINE that leads
 * back to its own port and an adapter without any link.
 */
#define TITLE                                                                 \
	"#\n"                                                                 \
	"# Topology file: generated on Wed Aug  6 16:11:23 2025\n"            \
	"#\n"                                                                 \
	"# Initiated from node 0000000000001000 port 0000000000001001\n"
#define LEAF                                                                  \
	"\n"                                                                  \
	"vendid=0x2c9\n"                                                      \
	"devid=0xd2f2\n"                                                      \
	"sysimgguid=0x2222\n"                                                 \
	"switchguid=0x2000(2002)\n"                                           \
	"Switch\t36 \"S-0000000000002000\"\t\t# \"leaf \"1\" lid 99\" "       \
	"enhanced port 0 lid 7 lmc 0\n"                                       \
	"[1]\t\"H-0000000000001000\"[1](1001) \t\t# \"h1 HCA-1\" lid 3 "      \
	"4xNDR\n"                                                             \
	"[2]\t\"H-0000000000001100\"[2](1102) \t\t# \"h2 HCA-1\" lid 4 "      \
	"1xFDR10\n"                                                           \
	"[35]\t\"S-0000000000003000\"[1]\t\t# \"spine\" lid 9 4x???\n"        \
	"[36]\t\"S-0000000000003000\"[2]\t\t# \"spine\" lid 9 ??NDR\n"
#define SPINE                                                                 \
	"\n"                                                                  \
	"vendid=0x2c9\n"                                                      \
	"devid=0xd2f0\n"                                                      \
	"switchguid=0x3000(3000)\n"                                           \
	"Switch\t40 \"S-0000000000003000\"\t\t# \"spine\" base port 0 lid 9 "  \
	"lmc 0\n"                                                             \
	"[1]\t\"S-0000000000002000\"[35]\t\t# \"leaf \"1\" lid 99\" lid 7 "   \
	"12xHDR\n"                                                            \
	"[2]\t\"S-0000000000002000\"[36]\t\t# \"leaf \"1\" lid 99\" lid 7 "   \
	"2x XDR s=4 w=2 v=4\n"                                                \
	"[40]\t\"S-0000000000003000\"[40]\t\t# \"spine\" lid 9 4xSDR\n"
#define H1                                                                    \
	"\n"                                                                  \
	"vendid=0x2c9\n"                                                      \
	"devid=0x1021\n"                                                      \
	"sysimgguid=0x1111\n"                                                 \
	"caguid=0x1000\n"                                                     \
	"Ca\t2 \"H-0000000000001000\"\t\t# \"h1 HCA-1\"\n"                    \
	"[1](1001) \t\"S-0000000000002000\"[1]\t\t# lid 3 lmc 0 "             \
	"\"leaf \"1\" lid 99\" lid 7 4xNDR\n"
#define H2                                                                    \
	"\n"                                                                  \
	"vendid=0x2c9\n"                                                      \
	"devid=0xcf09\n"                                                      \
	"caguid=0x1100\n"                                                     \
	"Ca\t2 \"H-0000000000001100\"\t\t# \"h2 HCA-1\"\n"                    \
	"[2](1102) \t\"S-0000000000002000\"[2]\t\t# lid 4 lmc 0 "             \
	"\"leaf \"1\" lid 99\" lid 7 1xFDR10\n"
#define R1                                                                    \
	"\n"                                                                  \
	"vendid=0x2c9\n"                                                      \
	"devid=0x1021\n"                                                      \
	"rtguid=0x4000\n"                                                     \
	"Rt\t1 \"R-0000000000004000\"\t\t# \"\"\n"

static const char whole[] = TITLE LEAF SPINE H1 H2 R1;

static char dir[] = "/tmp/topology.XXXXXX";

/* text with the first from made to; for the caller to free(). */
static char *edited(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct strbuf b = STRBUF_INIT;

	if (!at)
		exit(1);
	strbuf_addn(&b, text, (size_t)(at - text));
	strbuf_add(&b, to);
	strbuf_add(&b, at + strlen(from));
	return strbuf_take(&b);
}

/* All lines end in CR LF. */
static char *with_cr(const char *text)
{
	struct strbuf b = STRBUF_INIT;

	for (; *text; text++) {
		if (*text == '\n')
			strbuf_add(&b, "\r");
		strbuf_addn(&b, text, 1);
	}
	return strbuf_take(&b);
}

static int parse(const char *text, struct snapshot *s, struct err *err)
{
	err->text[0] = '\0';
	return topology_parse("net", text, strlen(text), s, err);
}

/* --- What is read ----------------------------------------------------- */

static void nodes(const struct snapshot *s)
{
	const struct node *leaf = node_at(s, 0x2000), *h1 = node_at(s, 0x1000);
	const struct node *router = node_at(s, 0x4000);

	is_int((long long)s->n_nodes, 5, "five nodes");
	ok(leaf && h1 && router && s->nodes[0] == leaf, "in the file's order");
	is_int(leaf->type, NODE_SWITCH, "Switch");
	is_int(h1->type, NODE_CA, "Ca");
	is_int(router->type, NODE_ROUTER, "Rt");
	is_int(leaf->nports, 36, "NumPorts");
	is_int(leaf->vendor_id, 0x2c9, "vendid");
	is_int(h1->device_id, 0x1021, "devid");
	is_int((long long)leaf->system_image_guid, 0x2222, "sysimgguid");
	is_int((long long)node_at(s, 0x3000)->system_image_guid, 0,
	       "none is not that of the node before");
	ok(leaf->desc_read && leaf->desc_len == 15 &&
		   !memcmp(leaf->desc, "leaf \"1\" lid 99", 15),
	   "a description with quotes, and what looks like a LID");
	ok(router->desc_read && !router->desc_len, "an empty one");
	is_int(leaf->ports[0].lid, 7, "a switch's LID is port 0's");
	is_int((long long)leaf->ports[0].guid, 0x2002, "and its PortGUID");
	is_int(leaf->revision == VAL_NONE64 && leaf->lft_cap == VAL_NONE, 1,
	       "what the file does not tell is not read");
}

static void rate(const struct snapshot *s, uint64_t guid, int num, int speed,
		 int width, const char *name)
{
	const struct port *p = port_at(s, guid, num);

	is_int(p->speed, speed, "%s: speed", name);
	is_int(p->width, width, "%s: width", name);
}

static void ports(const struct snapshot *s)
{
	const struct port *p = port_at(s, 0x1000, 1);

	is_int(p->lid, 3, "an adapter's LID");
	is_int((long long)p->guid, 0x1001, "its PortGUID");
	ok(p->present && p->state == VAL_NONE && p->phys == VAL_NONE &&
		   p->mtu == VAL_NONE && p->cap_mask == VAL_NONE64,
	   "and nothing else");
	p = port_at(s, 0x2000, 1);
	ok(p->present && p->lid == VAL_NONE && !p->guid,
	   "a switch's port has neither");
	p = port_at(s, 0x1000, 2);
	ok(!p->present && p->peer_node == NO_NODE, "a port without a cable");
	rate(s, 0x1000, 1, SPEED_NDR, WIDTH_4X, "4xNDR");
	rate(s, 0x2000, 2, SPEED_FDR10, WIDTH_1X, "1xFDR10");
	rate(s, 0x2000, 35, VAL_NONE, WIDTH_4X, "4x???");
	rate(s, 0x2000, 36, SPEED_NDR, VAL_NONE, "??NDR");
	rate(s, 0x3000, 1, SPEED_HDR, WIDTH_12X, "12xHDR, as this end tells");
	rate(s, 0x3000, 2, SPEED_XDR, WIDTH_2X, "a blank, and more behind");
}

static void leads(const struct snapshot *s, uint64_t a, int a_port, uint64_t b,
		  int b_port)
{
	const struct port *p = port_at(s, a, a_port);
	const struct port *q = port_at(s, b, b_port);

	ok(snapshot_peer(s, p) == q && snapshot_peer(s, q) == p &&
		   p->link_seen == SEEN_READ,
	   "%llx port %d leads to %llx port %d", (unsigned long long)a, a_port,
	   (unsigned long long)b, b_port);
}

static void counted(const struct snapshot *s, const char *want,
		    const char *name)
{
	struct counts c;
	char got[64];

	snapshot_count(s, &c);
	snprintf(got, sizeof(got), "%d %d %d %d %d", (int)c.switches,
		 (int)c.cas, (int)c.aggregation_nodes, (int)c.routers,
		 (int)c.links);
	is_str(got, want, "%s", name);
}

static void reads(void)
{
	struct snapshot s;
	struct err err;

	is_int(parse(whole, &s, &err), 0, "a file is read");
	is_str(err.text, "", "without complaint");
	nodes(&s);
	ports(&s);
	leads(&s, 0x1000, 1, 0x2000, 1);
	leads(&s, 0x1100, 2, 0x2000, 2);
	leads(&s, 0x2000, 35, 0x3000, 1);
	leads(&s, 0x2000, 36, 0x3000, 2);
	leads(&s, 0x3000, 40, 0x3000, 40);
	counted(&s, "2 1 1 1 5", "each link is counted once");
	is_str(s.discovery, "file", "and knows where it is from");
	is_int(s.complete, 0, "a file does not know what was not answered");
	snapshot_free(&s);
}

/* The same fabric in other words. */
static void same_as_whole(const char *text, const char *name)
{
	struct snapshot s;
	struct err err;

	if (!is_int(parse(text, &s, &err), 0, "%s", name)) {
		printf("# %s\n", err.text);
		return;
	}
	counted(&s, "2 1 1 1 5", name);
	snapshot_free(&s);
}

static void also(const char *from, const char *to, const char *name)
{
	char *text = edited(whole, from, to);

	same_as_whole(text, name);
	free(text);
}

static void dialects(void)
{
	char *text = with_cr(whole);

	same_as_whole(text, "lines that end in CR LF");
	free(text);
	same_as_whole(TITLE H2 R1 SPINE H1 LEAF "\n\n", "any order of nodes");
	also("#\n#", "\xef\xbb\xbf#\n#", "a byte order mark");
	also("#\n# Ini", "# Reported max hops discovered: 3\n"
	     "# Total MADs used: 60\n#\n# Ini", "ibnetdiscover -m");
	also("\nvendid", "\nChassis 1 (guid 0x99)\nHostname: a,b\n\n"
	     "# Spine Nodes\nvendid", "ibnetdiscover -g: headings");
	also("0x2222", "0x2222\t\t# Chassis 1 (x) slot 3", "a chassis");
	also("devid=0xd2f0\n", "devid=0xd2f0\n\t\t# Chassis 1\n",
	     "a chassis without a system image GUID");
	also("(2002)", "(2002)\t# ISR9288 Spine 1 Chip 2", "a slot");
	also("(2002)", "(2002)ISR9288 Spine 1 Chip 2", "a slot of OFED 1.3");
	also("[1]\t\"H-0000000000001000\"[1]",
	     "[1][ext 12]\t\"H-0000000000001000\"[1][ext 3]", "labels");
	also("\"h1 HCA-1\"\n", "\"h1 HCA-1\" (scp)\n", "Xsigo");
	also("4xNDR", "4xNDR slot 3", "Xsigo's slots");
	also("S-0000000000003000\"[1]", "S-3000\"[1]", "no leading zeros");
	also("H-0000000000001000", "H-0x1000", "0x");
	also("caguid=0x1000", "caguid=1000", "no 0x");
	also("caguid=0x1000\n", "", "the GUID from the node's line alone");
	also("[1](1001) ", "[1]", "no PortGUID");
	also("Ca\t2", "Hca 2", "Hca, and a blank");
	also(" lid 9 4x???", " lid 9", "no rate");
	also(" lid 9 4x???", "", "no LID");
	also("\t\t# \"spine\" lid 9 4x???", "", "no comment");
	also("\t\t# \"spine\" lid 9 4x???", " w=2 s=7 # \"x\"",
	     "ibsim's options");
}

/* fabric-gen's networks for ibsim: nodes have names. */
static void names(void)
{
	static const char net[] =
		"extspeed=4\nspeed=7\nwidth=2\n\n"
		"vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x10\nswitchguid=0x10\n"
		"Switch\t8 \"leaf1\"\t# \"leaf1\" enhanced port 0\n"
		"[1]\t\"node1\"[1]\n"
		"[2]\t\"node10\"[1]\n\n"
		"caguid=0x20\nCa\t1 \"node10\"\t# \"n10\"\n"
		"[1]\t\"leaf1\"[2]\n\n"
		"caguid=0x30\nCa\t1 \"node1\"\t# note\n[1]\t\"leaf1\"[1]\n";
	struct snapshot s;
	struct err err;

	is_int(parse(net, &s, &err), 0, "a network of ibsim's");
	counted(&s, "1 2 0 0 2", "all of it");
	leads(&s, 0x10, 1, 0x30, 1);
	leads(&s, 0x10, 2, 0x20, 1);
	is_int(s.nodes[0]->ports[0].lid, VAL_NONE, "LIDs it does not tell");
	ok(!s.nodes[2]->desc_read, "a note is no description");
	snapshot_free(&s);
}

#define PLUG "[1] \"H-1\"[1]\n"

static void long_names(void)
{
	char name[81], text[160];
	struct snapshot s;
	struct err err;

	memset(name, 'x', 80);
	name[80] = '\0';
	snprintf(text, sizeof(text), "Ca 1 \"H-1\" # \"%s\"\n" PLUG, name);
	is_int(parse(text, &s, &err), 0, "80 octets are no description");
	is_str(s.nodes[0]->name, name, "but a node name map's name");
	ok(!s.nodes[0]->desc_read, "and the description is not read");
	snapshot_free(&s);
	name[64] = '\0';
	snprintf(text, sizeof(text), "Ca 1 \"H-1\" # \"%s\"\n" PLUG, name);
	is_int(parse(text, &s, &err), 0, "64 octets are one");
	is_int(s.nodes[0]->desc_len, 64, "whole");
	snapshot_free(&s);
}

/* --- What is refused --------------------------------------------------- */

static void refuses(const char *text, size_t n, const char *want,
		    const char *name)
{
	struct snapshot s;
	struct err err;

	is_int(topology_parse("net", text, n, &s, &err), -1, "%s", name);
	is_str(err.text, want, "%s: the message", name);
	ok(!s.nodes && !s.n_nodes, "%s: nothing is left", name);
}

static void refused(const char *from, const char *to, const char *want,
		    const char *name)
{
	char *text = edited(whole, from, to);

	refuses(text, strlen(text), want, name);
	free(text);
}

#define AGAIN "; make the file again with ibnetdiscover"
#define NO_LINE "is no line of a topology file" AGAIN
#define NO_LINK                                                               \
	"is no link, [PORT] \"NODE\"[PORT] with ports from 1 to 254" AGAIN
#define NO_HEAD                                                               \
	"is no node, Switch, Ca or Rt with 1 to 254 ports and \"NODE\"" AGAIN
#define NO_ID "has no number, 0x and hex digits, that fits" AGAIN
#define NO_RATE                                                               \
	"has a width or speed that is unknown here; write ??? where it is "   \
	"not known"
#define ONE_END                                                               \
	"is a link that its other end does not tell of, so the file is not "  \
	"whole; make it again"
#define NO_NODE_THERE                                                         \
	"leads to a node that the file does not have, so it is not whole; "   \
	"make it again"

static void bad_nodes(void)
{
	refused("vendid", "vendid\n", "net:6: " NO_LINE, "an unknown line");
	refused("Switch", "witch", "net:10: " NO_LINE, "a damaged word");
	refused("36 \"S", "0 \"S", "net:10: " NO_HEAD, "no ports");
	refused("36 \"S", "255 \"S", "net:10: " NO_HEAD, "NumPorts 255");
	refused("36 \"S", "4294967297 \"S", "net:10: " NO_HEAD, "too many");
	refused("36 \"S", "36 \"H", "net:10: " NO_HEAD, "another type");
	refused("000\"\t\t# \"leaf", "000\" leaf", "net:10: " NO_HEAD,
		"text without a #");
	refused("\t\t# \"leaf \"1\" lid 99\"", "\t\t# \"leaf",
		"net:10: " NO_HEAD, "a description without its end");
	refused("lid 7", "lid x", "net:10: has a LID that is none" AGAIN,
		"no LID");
	refused("lid 7", "lid 65536", "net:10: has a LID that is none" AGAIN,
		"a LID of 17 bits");
	refused("0x2c9", "713", "net:6: " NO_ID, "a decimal vendid");
	refused("0x2c9", "0x1000000", "net:6: " NO_ID, "vendid of 25 bits");
	refused("0xd2f2", "0x10000", "net:7: " NO_ID, "devid of 17 bits");
	refused("0x2222", "0x00000000000022221", "net:8: " NO_ID, "17 digits");
	refused("0x2222", "0x22 22", "net:8: " NO_ID, "text behind a GUID");
	refused("(2002)", "(2002", "net:9: " NO_ID, "an open parenthesis");
	refused("0x2000", "0x2001",
		"net:10: names a node by another GUID than the line before it; "
		"correct one of them", "two GUIDs");
	refused("0x3000(3000)\nSwitch\t40 \"S-0000000000003000",
		"0x2000(3000)\nSwitch\t40 \"S-0000000000002000",
		"net:19: is a node that was told of before; remove one of them",
		"one node twice");
	refused("Ca\t2 \"H-0000000000001000\"\t\t# \"h1 HCA-1\"\n", "",
		"net:28: is a link without its node, whose line is missing; "
		"make the file again", "a lost line of a node");
	refused("rtguid=0x4000\nRt\t1 \"R-0000000000004000\"\t\t# \"\"\n",
		"devid=0x1\n",
		"net:39: tells an id again, so the line of the node before is "
		"missing; make the file again", "ids without a node");
	refused("Rt\t1 \"R-0000000000004000\"\t\t# \"\"\n", "",
		"net:39: is the last line, and its node is missing; make the "
		"file again", "ids at the end");
}

static void bad_links(void)
{
	refused("[1]\t\"H", "[0]\t\"H", "net:11: " NO_LINK, "port 0");
	refused("[1]\t\"H", "[255]\t\"H", "net:11: " NO_LINK, "port 255");
	refused("[1]\t\"H", "[1\t\"H", "net:11: " NO_LINK, "an open bracket");
	refused("[1]\t\"H", "[1]\tH", "net:11: " NO_LINK, "an open quote");
	refused("\"[1](1001)", "\"(1001)", "net:11: " NO_LINK, "no peer port");
	refused("[1](1001)", "[1](1001", "net:11: " NO_LINK, "no end");
	refused("[1](1001) ", "[1] x", "net:11: " NO_LINK, "text");
	refused("[1]\t\"H", "[1][ext x]\t\"H", "net:11: " NO_LINK, "a label");
	refused("h1 HCA-1\" lid 3 4xNDR", "h1",
		"net:11: has a description without its end" AGAIN,
		"a description without its end");
	refused("4xNDR", "4xND", "net:11: " NO_RATE, "an unknown speed");
	refused("4xNDR", "3xNDR", "net:11: " NO_RATE, "an unknown width");
	refused("4xNDR", "4x", "net:11: " NO_RATE, "no speed");
	refused("4xNDR", "NDR", "net:11: " NO_RATE, "no width");
	refused("lid 3", "lid 70000",
		"net:11: has a LID that is none" AGAIN, "no LID");
	refused("[36]\t", "[37]\t",
		"net:14: has a port that its node does not have; correct the "
		"port or the number of ports", "a port above NumPorts");
	refused("3000\"[2]", "3000\"[41]",
		"net:14: has a port that its node does not have; correct the "
		"port or the number of ports", "a peer's port above NumPorts");
	refused("[36]\t", "[35]\t",
		"net:14: is a second link of that port; remove one",
		"a port linked twice");
	refused("3000\"[2]", "3000\"[1]",
		"net:14: is a link whose other end leads elsewhere; correct "
		"one of the two lines", "ends that do not agree");
	refused("3000\"[2]", "3000\"[3]", "net:14: " ONE_END, "one end only");
	refused("\"S-0000000000003000\"[1]", "\"S-0000000000003001\"[1]",
		"net:13: " NO_NODE_THERE, "an unknown node");
	refused("\"S-0000000000003000\"[1]", "\"H-0000000000003000\"[1]",
		"net:13: " NO_NODE_THERE, "a node of another type");
	refused("\"S-0000000000003000\"[1]", "\"spine\"[1]",
		"net:13: " NO_NODE_THERE, "an unknown name");
}

#define GUIDLESS                                                              \
	"net:1: is a node without a GUID; write switchguid=, caguid= or "     \
	"rtguid= before it"

static void bad_names(void)
{
	static const char twice[] = "caguid=1\nCa 1 \"b\"\n"
				    "caguid=2\nCa 1 \"a\"\n"
				    "caguid=3\nCa 1 \"b\"\n";
	static const char guidless[] = "Ca 1 \"node1\"\n";
	static const char zero[] = "Ca 1 \"H-0\"\n";

	refuses(twice, strlen(twice), "net:6: is a node whose name another one "
		"has, in line 2; rename one of them", "a name twice");
	refuses(guidless, strlen(guidless), GUIDLESS, "a name without a GUID");
	refuses(zero, strlen(zero), GUIDLESS, "GUID 0");
}

static void other_files(void)
{
	static const char ports[] =
		"CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 "
		"0x7cfe9003009ce5b0 ( 'o1 HCA-1' - 'l1' )\n";
	static const char list[] =
		"Switch\t : 0x7cfe9003009ce5b0 ports 36 devid 0xcb20 vendid "
		"0x2c9 \"l1\"\n";
	static const char nul[] = "#\n#\0\n";
	static const char alone[] = "Switch 36 \"S-1\"\n";
	static const char junk[] = "\x7f\x45LF\x02\x01\n";

	refuses(ports, strlen(ports),
		"net:1: is a line of `ibnetdiscover -p`, which leaves out what "
		"is needed; run ibnetdiscover without -p", "-p");
	refuses(list, strlen(list),
		"net:1: is a line of a list without links; run ibnetdiscover "
		"without -l, -H, -S and -R", "-l");
	refuses(nul, sizeof(nul) - 1, "net:2: has a NUL byte, so the file is "
		"no text; name another", "a NUL");
	refuses(junk, strlen(junk), "net:1: " NO_LINE, "binary junk");
	refuses("", 0, "net: ends without any node; name a file that "
		"ibnetdiscover wrote", "an empty file");
	refuses(alone, strlen(alone), "net:1: ends without any link; name a "
		"file that ibnetdiscover wrote", "a node without links");
	refuses("#\n\n", 3, "net:2: ends without any node; name a file that "
		"ibnetdiscover wrote", "a file of comments");
}

/* A prefix of a file is refused, wherever it ends; but the adapter without a
 * link may be missing, whose absence nothing tells. */
static void truncated(void)
{
	size_t all = strlen(whole), enough = all - strlen(R1), n;
	struct snapshot s;
	struct err err;
	int accepted = 0, bad = 0;

	for (n = 0; n < all; n++) {
		if (topology_parse("net", whole, n, &s, &err) < 0) {
			bad += strncmp(err.text, "net:", 4) != 0;
			continue;
		}
		accepted++;
		bad += n < enough || n > enough + 1;
		snapshot_free(&s);
	}
	is_int(bad, 0, "no other part of a file passes for a whole one");
	is_int(accepted, 2, "before and behind the blank line");
}

static void too_many_ports(void)
{
	struct strbuf b = STRBUF_INIT;
	int i;

	for (i = 1; i <= 4113; i++)
		strbuf_addf(&b, "Switch 254 \"S-%x\"\n", (unsigned)i);
	refuses(b.s, b.len, "net:4113: is beyond 1048576 ports, more than a "
		"subnet has; name the file of one fabric", "too many ports");
	strbuf_free(&b);
}

/* --- Files ------------------------------------------------------------ */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(1);
}

static void paths(void)
{
	char path[64], want[128];
	struct snapshot s;
	struct err err;

	snprintf(path, sizeof(path), "%s/a\033[2Jb\n", dir);
	write_file(path, whole);
	is_int(topology_read(path, &s, &err), 0, "a file");
	counted(&s, "2 1 1 1 5", "all of it");
	snapshot_free(&s);
	write_file(path, "x\n");
	is_int(topology_read(path, &s, &err), -1, "a bad one");
	snprintf(want, sizeof(want), "%s/a\\x1b[2Jb\\x0a:1: " NO_LINE, dir);
	is_str(err.text, want, "its name is safe to print");
	unlink(path);
	is_int(topology_read(dir, &s, &err), -1, "a directory");
	snprintf(want, sizeof(want), "%s: cannot be read: Is a directory; "
		 "name another file", dir);
	is_str(err.text, want, "is none");
	ok(!s.nodes, "nothing is left");
	snprintf(path, sizeof(path), "%s/none", dir);
	is_int(topology_read(path, &s, &err), -1, "no file");
	snprintf(want, sizeof(want), "%s: cannot be read: No such file or "
		 "directory; name another file", path);
	is_str(err.text, want, "says so");
}

static void large(void)
{
	char path[64], want[128];
	struct snapshot s;
	struct err err;

	snprintf(path, sizeof(path), "%s/large", dir);
	write_file(path, "#");
	if (truncate(path, (TOPOLOGY_FILE_MIB << 20) + 1) < 0)
		exit(1);
	is_int(topology_read(path, &s, &err), -1, "a larger file");
	snprintf(want, sizeof(want), "%s: is larger than 64 MiB; name another "
		 "file", path);
	is_str(err.text, want, "is refused");
	unlink(path);
}

/* Write text into the FIFO at path, from a process of its own. */
static pid_t feed(const char *path, const char *text)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	write_file(path, text);
	_exit(0);
}

static void fifos(void)
{
	static const char plan[] = "leaf1,1,node1,1\n";
	struct expect_file e;
	char path[64];
	struct err err;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/fifo", dir);
	if (mkfifo(path, 0600) < 0)
		exit(1);
	pid = feed(path, whole);
	is_int(expect_file_read(path, &e, &err), 0, "a FIFO is read once");
	ok(!e.is_plan && e.topology.n_nodes == 5, "a topology file");
	expect_file_free(&e);
	waitpid(pid, NULL, 0);
	pid = feed(path, plan);
	is_int(expect_file_read(path, &e, &err), 0, "and once more");
	ok(e.is_plan && e.plan.n == 1, "a plan");
	expect_file_free(&e);
	waitpid(pid, NULL, 0);
	unlink(path);
	is_int(expect_file_read(path, &e, &err), -1, "no file is neither");
	expect_file_free(&e);
}

static void kind(const char *text, int is_topology, const char *name)
{
	is_int(topology_is(text, strlen(text)), is_topology, "%s", name);
}

static void kinds(void)
{
	kind(whole, 1, "what ibnetdiscover prints");
	kind("\n# x\n\nvendid=0x2c9\n", 1, "ids");
	kind("Switch\t36 \"S-1\"\n", 1, "Switch");
	kind("Ca 1 \"a,b\"", 1, "Ca");
	kind("Rt 1 \"R-1\"", 1, "Rt");
	kind("Chassis 1 (guid 0x1)\n\nvendid=0x1\n", 1, "Chassis");
	kind("[1] \"a\"[2]\n", 1, "a link");
	kind("SW  1719 10 0x7cfe9003009ce5b0 4x ???", 1, "ibnetdiscover -p");
	kind("Router\t : 0x1 ports 1", 1, "ibnetdiscover -l");
	kind("node,port,node,port\n", 0, "a heading");
	kind("# leaves\r\n\r\nleaf1,1,node1,1\r\n", 0, "a row");
	kind("Switch,1,Ca,1", 0, "nodes of such names");
	kind("Switch 36,1,Ca,1", 0, "with numbers");
	kind("Chassis 1,1,Ca,1", 0, "and this");
	kind("SW 12,1,Ca 1,1", 0, "and that");
	kind("\"Ca 1\",1,\"Ca 2\",1", 0, "or quoted");
	kind("", 0, "nothing");
}

/* --- For the scripts -------------------------------------------------- */

/* "GUID PORT GUID PORT" of each link end. */
static void print_ends(const struct snapshot *s)
{
	size_t i;
	int p;

	for (i = 0; i < s->n_nodes; i++)
		for (p = 1; p <= s->nodes[i]->nports; p++) {
			const struct port *port = &s->nodes[i]->ports[p];

			if (port->peer_node == NO_NODE)
				continue;
			printf("%016llx %d %016llx %d\n",
			       (unsigned long long)s->nodes[i]->guid, p,
			       (unsigned long long)
				       s->nodes[port->peer_node]->guid,
			       port->peer_port);
		}
}

/* Link ends that have that rate. */
static int count_rate(const struct snapshot *s, int speed, int width)
{
	size_t i;
	int p, n = 0;

	for (i = 0; i < s->n_nodes; i++)
		for (p = 1; p <= s->nodes[i]->nports; p++)
			n += s->nodes[i]->ports[p].speed == speed &&
			     s->nodes[i]->ports[p].width == width;
	return n;
}

static void print_rates(const struct snapshot *s)
{
	int speed, width, n;

	for (speed = 1; speed < SPEED_END; speed++)
		for (width = 1; width < WIDTH_END; width++) {
			n = count_rate(s, speed, width);
			if (n)
				printf("%d %s %s\n", n, width_name(width),
				       speed_name(speed));
		}
}

/* topology counts|ends|rates FILE: what is read of a file. */
static int print_file(const char *what, const char *path)
{
	struct snapshot s;
	struct counts c;
	struct err err;

	if (topology_read(path, &s, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	snapshot_count(&s, &c);
	if (!strcmp(what, "ends"))
		print_ends(&s);
	else if (!strcmp(what, "rates"))
		print_rates(&s);
	else
		printf("%d %d %d %d %d\n", (int)c.switches, (int)c.cas,
		       (int)c.aggregation_nodes, (int)c.routers, (int)c.links);
	snapshot_free(&s);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return print_file(argv[1], argv[2]);
	if (!mkdtemp(dir))
		return 1;
	reads();
	dialects();
	names();
	long_names();
	bad_nodes();
	bad_links();
	bad_names();
	other_files();
	truncated();
	too_many_ports();
	paths();
	large();
	fifos();
	kinds();
	rmdir(dir);
	return done_testing();
}
