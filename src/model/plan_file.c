/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/plan_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/snapshot.h"
#include "model/speed.h"
#include "util/alloc.h"
#include "util/guid.h"
#include "util/lines.h"
#include "util/text.h"

/*
 * Notes
 *
 * A field with a line break in it is none that a plan has use for, so a line is
 * a row.  Each port is looked at for a second use when all are known: the ends
 * are sorted by what names them.
 */

#define FIELDS_MAX 6
#define LINKS_MAX (1u << 20) /* twice what topology files may have */

struct reader {
	struct lines lines;
	struct plan *plan;
	struct err *err;
	int is_begun; /* a row was met: no heading can follow */
};

#define REFUSE(r, ...) lines_refuse(&(r)->lines, (r)->err, __VA_ARGS__)

/* --- Fields ----------------------------------------------------------- */

static char *behind_blanks(char *s)
{
	return s + strspn(s, " \t");
}

/* The end of a field without quotes, cut where its trailing blanks begin.
 * Returns what stands behind it: a comma or the end. */
static char *end_plain(char *s, char *last)
{
	char *end = s + strcspn(s, ","), *cut = end;

	while (cut > s && (cut[-1] == ' ' || cut[-1] == '\t'))
		cut--;
	*last = *end;
	*cut = '\0';
	return end;
}

/* The same of a field whose first quote was taken, "" made one in place.
 * NULL: its last quote is missing, or more stands behind it. */
static char *end_quoted(char *s, char *last)
{
	char *to = s;

	for (; *s && (*s != '"' || s[1] == '"'); s++) {
		s += *s == '"';
		*to++ = *s;
	}
	if (!*s)
		return NULL;
	*to = '\0';
	s = behind_blanks(s + 1);
	*last = *s;
	return !*s || *s == ',' ? s : NULL;
}

/* Split a line in place.  Returns how many fields it has, of which the first
 * FIELDS_MAX are there, or 0 when a quote is wrong. */
static size_t split(char *s, char *field[FIELDS_MAX])
{
	size_t n = 0;
	char last;

	do {
		s = behind_blanks(s);
		if (n < FIELDS_MAX)
			field[n] = *s == '"' ? s + 1 : s;
		n++;
		s = *s == '"' ? end_quoted(s + 1, &last) : end_plain(s, &last);
	} while (s && last && s++);
	return s ? n : 0;
}

/* Does it hold what no terminal should get, or what is no UTF-8? */
static int is_unsafe(const char *s)
{
	struct strbuf clean = STRBUF_INIT;
	int rc;

	text_clean(&clean, s, strlen(s));
	rc = strcmp(clean.s, s) || strchr(s, '\t');
	strbuf_free(&clean);
	return rc;
}

static int is_digits(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

/* --- Rows ------------------------------------------------------------- */

/* A GUID, or a name, which does not begin as one does. */
static int read_node(struct reader *r, const char *s, struct plan_end *end)
{
	int is_hex = !strncasecmp(s, "0x", 2);

	if (!*s)
		return REFUSE(r, "names no node; write its GUID or its name");
	if (is_hex || (strlen(s) == 16 && !s[strspn(s, "0123456789abcdef"
						       "ABCDEF")])) {
		if (guid_parse(s, &end->guid) < 0 || !end->guid)
			return REFUSE(r, "has a GUID that is none; write 0x "
				      "and 16 hex digits");
		return 0;
	}
	end->name = xstrdup(s);
	return 0;
}

static int read_end(struct reader *r, char *const field[2],
		    struct plan_end *end)
{
	const char *s = field[1];
	unsigned long port = is_digits(s) ? strtoul(s, NULL, 10) : 0;

	if (port < 1 || port >= NO_PORT)
		return REFUSE(r, "has a port that is no number from 1 to 254; "
			      "write IB port numbers, not labels");
	end->port = (uint8_t)port;
	return read_node(r, field[0], end);
}

static int read_speed(struct reader *r, const char *s, int16_t *speed)
{
	int rank = speed_find(s, strlen(s));

	*speed = *s ? (int16_t)rank : VAL_NONE;
	if (*s && !rank)
		return REFUSE(r, "has a speed that is unknown here; write one "
			      "as NDR, or nothing for any");
	return 0;
}

static int read_width(struct reader *r, const char *s, int16_t *width)
{
	int rank = width_find(s, strlen(s));

	*width = *s ? (int16_t)rank : VAL_NONE;
	if (*s && !rank)
		return REFUSE(r, "has a width that is unknown here; write one "
			      "as 4X, or nothing for any");
	return 0;
}

static int compare_ends(const struct plan_end *a, const struct plan_end *b)
{
	int order;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	order = a->guid ? 0 : strcmp(a->name, b->name);
	return order ? order : a->port - b->port;
}

static struct plan_link *add_link(struct plan *p, size_t line)
{
	struct plan_link *link;

	p->links = xgrow(p->links, p->n, &p->cap, sizeof(*p->links));
	link = &p->links[p->n++];
	memset(link, 0, sizeof(*link));
	link->line = line;
	return link;
}

static int read_link(struct reader *r, char *const field[FIELDS_MAX])
{
	struct plan_link *link;

	if (r->plan->n == LINKS_MAX)
		return REFUSE(r, "is beyond %u cables, more than a subnet "
			      "has; name the plan of one fabric", LINKS_MAX);
	link = add_link(r->plan, r->lines.number);
	if (read_end(r, field, &link->end[0]) < 0 ||
	    read_end(r, field + 2, &link->end[1]) < 0 ||
	    read_speed(r, field[4], &link->speed) < 0 ||
	    read_width(r, field[5], &link->width) < 0)
		return -1;
	if (!compare_ends(&link->end[0], &link->end[1]))
		return REFUSE(r, "has one port at both ends of the cable; "
			      "correct one of them");
	return 0;
}

/* The first row names the columns; a node may be called "node". */
static int is_heading(const struct reader *r, char *const field[], size_t n)
{
	return !r->is_begun && !strcasecmp(field[0], "node") &&
	       (n < 2 || !is_digits(field[1]));
}

static int is_empty(char *const field[], size_t n)
{
	while (n)
		if (*field[--n])
			return 0;
	return 1;
}

static int read_row(struct reader *r, char *line)
{
	static char nothing[] = "";
	char *field[FIELDS_MAX] = { nothing, nothing, nothing,
				    nothing, nothing, nothing };
	size_t n = split(line, field), i;

	if (!n)
		return REFUSE(r, "has a quote that is not closed, or text "
			      "behind one; write \"\" for a quote");
	for (i = 0; i < n && i < FIELDS_MAX; i++)
		if (is_unsafe(field[i]))
			return REFUSE(r, "has control characters or is no "
				      "UTF-8; save the plan as UTF-8 text");
	if (n <= FIELDS_MAX && is_empty(field, n))
		return 0;
	if (is_heading(r, field, n)) {
		r->is_begun = 1;
		return 0;
	}
	r->is_begun = 1;
	if (n < 4 || n > FIELDS_MAX)
		return REFUSE(r, "has %zu field%s; write "
			      "node,port,node,port[,speed[,width]]", n,
			      n == 1 ? "" : "s");
	return read_link(r, field);
}

/* --- Plans ------------------------------------------------------------ */

/* A port, where a row of the plan uses it. */
struct use {
	const struct plan_end *end;
	size_t line;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = compare_ends(x->end, y->end);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int check_uses(struct reader *r)
{
	struct plan *p = r->plan;
	struct use *uses = xcalloc(2 * p->n, sizeof(*uses));
	size_t i;
	int rc = 0;

	for (i = 0; i < 2 * p->n; i++) {
		uses[i].end = &p->links[i / 2].end[i % 2];
		uses[i].line = p->links[i / 2].line;
	}
	qsort(uses, 2 * p->n, sizeof(*uses), compare_uses);
	for (i = 1; !rc && i < 2 * p->n; i++)
		if (!compare_ends(uses[i - 1].end, uses[i].end)) {
			r->lines.number = uses[i].line;
			rc = REFUSE(r, "uses a port that line %zu uses; "
				    "correct one of them", uses[i - 1].line);
		}
	free(uses);
	return rc;
}

static int read_rows(struct reader *r)
{
	char *line;

	while ((line = lines_next(&r->lines))) {
		if (lines_has_nul(&r->lines))
			return REFUSE(r, "has a NUL byte; save the plan as "
				      "UTF-8 text");
		line = behind_blanks(line);
		if (*line && *line != '#' && read_row(r, line) < 0)
			return -1;
	}
	if (!r->plan->n)
		return REFUSE(r, "ends without any cable; write rows of "
			      "node,port,node,port");
	return check_uses(r);
}

int plan_parse(const char *name, const char *text, size_t n, struct plan *p,
	       struct err *err)
{
	struct reader r = { .plan = p, .err = err };
	int rc;

	memset(p, 0, sizeof(*p));
	lines_init(&r.lines, name, text, n);
	rc = read_rows(&r);
	lines_free(&r.lines);
	if (rc < 0)
		plan_free(p);
	return rc;
}

int plan_read(const char *path, struct plan *p, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	memset(p, 0, sizeof(*p));
	rc = lines_read(path, PLAN_FILE_MIB, &text, err);
	if (!rc)
		rc = plan_parse(path, text.s, text.len, p, err);
	strbuf_free(&text);
	return rc;
}

void plan_free(struct plan *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->links[i].end[0].name);
		free(p->links[i].end[1].name);
	}
	free(p->links);
	memset(p, 0, sizeof(*p));
}
