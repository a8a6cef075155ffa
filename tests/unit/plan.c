/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <unistd.h>

#include "model/plan_file.h"
#include "model/snapshot.h"
#include "model/speed.h"
#include "tap.h"
#include "util/strbuf.h"

static int parse(const char *text, struct plan *p, struct err *err)
{
	err->text[0] = '\0';
	return plan_parse("plan", text, strlen(text), p, err);
}

/* --- What is read ----------------------------------------------------- */

/* "GUID or name PORT - GUID or name PORT speed width @line" of a cable. */
static void describe(const struct plan_link *l, struct strbuf *b)
{
	int i;

	for (i = 0; i < 2; i++) {
		const struct plan_end *end = &l->end[i];

		strbuf_addf(b, i ? " - " : "");
		if (end->guid)
			strbuf_addf(b, "%llx",
				    (unsigned long long)end->guid);
		else
			strbuf_addf(b, "<%s>", end->name);
		strbuf_addf(b, " %d", end->port);
	}
	strbuf_addf(b, " %s %s @%zu",
		    l->speed == VAL_NONE ? "any" : speed_name(l->speed),
		    l->width == VAL_NONE ? "any" : width_name(l->width),
		    l->line);
}

/* The plan's only cable. */
static void reads(const char *text, const char *want, const char *name)
{
	struct strbuf got = STRBUF_INIT;
	struct plan p;
	struct err err;

	if (!is_int(parse(text, &p, &err), 0, "%s", name))
		printf("# %s\n", err.text);
	is_int((long long)p.n, 1, "%s: one cable", name);
	if (p.n)
		describe(&p.links[0], &got);
	is_str(got.s, want, "%s: that one", name);
	strbuf_free(&got);
	plan_free(&p);
}

static void rows(void)
{
	reads("leaf1,1,node1,2\n", "<leaf1> 1 - <node1> 2 any any @1", "names");
	reads("leaf1,254,node1,2,NDR,4X\n",
	      "<leaf1> 254 - <node1> 2 NDR 4X @1", "speed and width");
	reads("a,1,b,2,fdr10,12x", "<a> 1 - <b> 2 FDR10 12X @1",
	      "in small letters, no line end");
	reads("a,1,b,2,,", "<a> 1 - <b> 2 any any @1", "empty ones");
	reads("a,1,b,2,,2X", "<a> 1 - <b> 2 any 2X @1", "a width alone");
	reads("0x2000,1,0X00000000000ABCDE,2",
	      "2000 1 - abcde 2 any any @1", "GUIDs");
	reads("0002c90300abcdef,1,0002c90300abcde,2",
	      "2c90300abcdef 1 - <0002c90300abcde> 2 any any @1",
	      "16 digits are a GUID, 15 a name");
	reads("\t a b \t, 1 ,  c,2  ,  NDR , 4X ",
	      "<a b> 1 - <c> 2 NDR 4X @1", "blanks around fields");
	reads("\"a,\"\"b\"\"\" , \"1\",\" c \",2,\"NDR\"",
	      "<a,\"b\"> 1 - < c > 2 NDR any @1", "quotes");
	reads("MF0;x:MQM9701/U1,1,t\xc3\xa4st \\ #3,2",
	      "<MF0;x:MQM9701/U1> 1 - <t\xc3\xa4st \\ #3> 2 any any @1",
	      "other characters");
	reads("a,01,b,002", "<a> 1 - <b> 2 any any @1", "leading zeros");
}

static void lines(void)
{
	reads("\xef\xbb\xbfNode,Port,Node,Port\r\n\r\n# x\r\n  # y\r\n"
	      " \t\r\n,,,,,\r\na,1,b,2\r\n",
	      "<a> 1 - <b> 2 any any @7", "a spreadsheet's");
	reads("#\n\"node\",x\na,1,b,2\n", "<a> 1 - <b> 2 any any @3",
	      "a short heading");
	reads("node,1,b,2\n", "<node> 1 - <b> 2 any any @1",
	      "a node of that name");
}

static void many(void)
{
	struct strbuf b = STRBUF_INIT;
	struct plan p;
	struct err err;
	int i;

	for (i = 0; i < 254 * 100; i++)
		strbuf_addf(&b, "leaf%d,%d,spine%d,%d\n", i / 254, i % 254 + 1,
			    i / 254, i % 254 + 1);
	is_int(parse(b.s, &p, &err), 0, "25400 cables");
	is_int((long long)p.n, 25400, "all of them");
	is_int((long long)p.links[25399].line, 25400, "in their order");
	plan_free(&p);
	strbuf_free(&b);
}

/* --- What is refused --------------------------------------------------- */

static void refuses(const char *text, size_t n, const char *want,
		    const char *name)
{
	struct plan p;
	struct err err;

	is_int(plan_parse("plan", text, n, &p, &err), -1, "%s", name);
	is_str(err.text, want, "%s: the message", name);
	ok(!p.links && !p.n, "%s: nothing is left", name);
}

static void refused(const char *text, const char *want, const char *name)
{
	refuses(text, strlen(text), want, name);
}

#define WRITE "; write node,port,node,port[,speed[,width]]"
#define NO_PORT_HERE                                                          \
	"has a port that is no number from 1 to 254; write IB port numbers, " \
	"not labels"
#define NO_GUID "has a GUID that is none; write 0x and 16 hex digits"
#define NO_TEXT                                                               \
	"has control characters or is no UTF-8; save the plan as UTF-8 text"
#define NO_QUOTE                                                              \
	"has a quote that is not closed, or text behind one; write \"\" for " \
	"a quote"
#define NO_SPEED                                                              \
	"has a speed that is unknown here; write one as NDR, or nothing for " \
	"any"
#define NO_WIDTH                                                              \
	"has a width that is unknown here; write one as 4X, or nothing for any"

static void bad_rows(void)
{
	refused("a,1,b\n", "plan:1: has 3 fields" WRITE, "three fields");
	refused("#\na\n", "plan:2: has 1 field" WRITE, "one");
	refused("a;1;b;2\n", "plan:1: has 1 field" WRITE, "semicolons");
	refused("a,1,b,2,,,\n", "plan:1: has 7 fields" WRITE, "seven");
	refused("a,1,b,2\nnode,port,node,port\n", "plan:2: " NO_PORT_HERE,
		"a heading below");
	refused("node\nnode\n", "plan:2: has 1 field" WRITE, "two headings");
	refused("a,0,b,2", "plan:1: " NO_PORT_HERE, "port 0");
	refused("a,1,b,255", "plan:1: " NO_PORT_HERE, "port 255");
	refused("a,1,b,18446744073709551617", "plan:1: " NO_PORT_HERE,
		"2^64 + 1");
	refused("a,-1,b,2", "plan:1: " NO_PORT_HERE, "a sign");
	refused("a,1,b,1/2", "plan:1: " NO_PORT_HERE, "a label");
	refused("a,,b,2", "plan:1: " NO_PORT_HERE, "no port");
	refused(",1,b,2", "plan:1: names no node; write its GUID or its name",
		"no node");
	refused("0x,1,b,2", "plan:1: " NO_GUID, "0x alone");
	refused("0xg,1,b,2", "plan:1: " NO_GUID, "0x and other letters");
	refused("0x0,1,b,2", "plan:1: " NO_GUID, "GUID 0");
	refused("0x00000000000000001,1,b,2", "plan:1: " NO_GUID, "17 digits");
	refused("a,1,b,2,ZDR", "plan:1: " NO_SPEED, "no speed");
	refused("a,1,b,2,4X", "plan:1: " NO_SPEED, "a width for a speed");
	refused("a,1,b,2,NDR,3X", "plan:1: " NO_WIDTH, "no width");
	refused("a,1,b,2,NDR,4", "plan:1: " NO_WIDTH, "a number for a width");
}

static void bad_text(void)
{
	static const char nul[] = "a,1,b,2\na\0,2,b,3\n";

	refused("a\033[2J,1,b,2", "plan:1: " NO_TEXT, "an escape");
	refused("a\tb,1,b,2", "plan:1: " NO_TEXT, "a tab in a name");
	refused("a\r,1,b,2", "plan:1: " NO_TEXT, "a lone CR");
	refused("a,1,b,2\rc,1,d,2\r", "plan:1: " NO_TEXT,
		"lines that end in CR");
	refused("a\xe4,1,b,2", "plan:1: " NO_TEXT, "ISO 8859-1");
	refused("a\xe2\x80\xae,1,b,2", "plan:1: " NO_TEXT, "an override");
	refused("\"a,1,b,2", "plan:1: " NO_QUOTE, "an open quote");
	refused("\"a\nb\",1,b,2", "plan:1: " NO_QUOTE, "a line break");
	refused("\"a\"b,1,b,2", "plan:1: " NO_QUOTE, "text behind a quote");
	refused("a,1,b,\"", "plan:1: " NO_QUOTE, "a quote at the end");
	refuses(nul, sizeof(nul) - 1, "plan:2: has a NUL byte; save the plan "
		"as UTF-8 text", "a NUL");
}

static void bad_plans(void)
{
	static const char none[] = "ends without any cable; write rows of "
				   "node,port,node,port";
	char want[128];

	snprintf(want, sizeof(want), "plan: %s", none);
	refused("", want, "an empty file");
	snprintf(want, sizeof(want), "plan:3: %s", none);
	refused("node,port\n# x\n,,,\n", want, "a plan without a row");
	refused("a,1,a,1", "plan:1: has one port at both ends of the cable; "
		"correct one of them", "a cable of one end");
	refused("0x10,1,0x0010,1", "plan:1: has one port at both ends of the "
		"cable; correct one of them", "the same by GUID");
	refused("a,1,b,1\nc,1,d,1\n\nd,2,a,1\ne,1,f,1\n",
		"plan:4: uses a port that line 1 uses; correct one of them",
		"a port twice");
	refused("a,1,b,1\nb,1,a,1\n",
		"plan:2: uses a port that line 1 uses; correct one of them",
		"a cable from both its ends");
	refused("0x10,1,b,1\n0x20,1,b,2\n0x00010,1,b,3\n",
		"plan:3: uses a port that line 1 uses; correct one of them",
		"a port twice, by GUID");
}

static void files(void)
{
	char path[] = "/tmp/plan.XXXXXX", want[128];
	int fd = mkstemp(path);
	struct plan p;
	struct err err;

	if (fd < 0 || write(fd, "a,1,b,2\n", 8) != 8 || close(fd) < 0)
		exit(1);
	is_int(plan_read(path, &p, &err), 0, "a file");
	is_int((long long)p.n, 1, "is read");
	plan_free(&p);
	unlink(path);
	is_int(plan_read(path, &p, &err), -1, "none");
	snprintf(want, sizeof(want), "%s: cannot be read: No such file or "
		 "directory; name another file", path);
	is_str(err.text, want, "is not");
	plan_free(&p);
}

int main(void)
{
	rows();
	lines();
	many();
	bad_rows();
	bad_text();
	bad_plans();
	files();
	return done_testing();
}
