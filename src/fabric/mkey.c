/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/mkey.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/guid.h"
#include "util/map.h"
#include "util/strbuf.h"

/*
 * Notes
 *
 * opensm 3.3.23 writes guid2mkey as lines "0xPORTGUID 0xMKEY" and neighbors
 * as "0xPORTGUID:PORT 0xPORTGUID:PORT", a blank line behind each
 * (osm_db_pack.c); all ports of a switch have the GUID of its port 0 there.
 * It writes them anew, readable to all, with each change; so a file counts
 * as private in a directory that is, whatever its own mode.
 *
 * The keys are in the buffer that the file is read into and in keys[], of
 * which neither is ever moved: both are wiped.
 */

/* Fits guid2mkey, of 39 bytes a port, for all of a subnet's 49151 LIDs, and
 * neighbors, of 44 bytes a link end. */
#define FILE_MAX (32 << 20)
#define FILE_MAX_TEXT "32 MiB"

/* An end of a link, and the port GUID at the other. */
struct neighbor {
	uint64_t guid;
	uint64_t peer_guid;
	uint8_t port;
};

struct mkeys {
	uint64_t *keys;
	size_t n, room;
	struct map by_guid; /* port GUID -> place in keys */
	int is_single;      /* one key, without a GUID */
	uint64_t fallback;  /* the only key, 0 when there are several */
	struct neighbor *neighbors; /* sorted */
	size_t n_neighbors;
};

/* What a file holds, NUL-terminated. */
struct text {
	char *s;
	size_t n; /* of its octets */
	size_t size;
};

static void text_wipe(struct text *t)
{
	if (t->s)
		explicit_bzero(t->s, t->size);
	free(t->s);
}

/* --- Files ------------------------------------------------------------ */

static int cannot_read(const char *path, struct err *err)
{
	return err_errno(err, "%s: cannot read the M_Key file; name a file "
			 "that this user may read", path);
}

/* The mode of the directory that the file is in, whatever links lead there. */
static mode_t directory_mode(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat st;
	mode_t mode = S_IXGRP | S_IXOTH;

	if (real && stat(dirname(real), &st) == 0)
		mode = st.st_mode;
	free(real);
	return mode;
}

/* The group may read: whoever put the file there chose it. */
static int is_private(const char *path, mode_t mode)
{
	mode_t dir = directory_mode(path);

	return !(mode & S_IWGRP && dir & S_IXGRP) &&
	       !(mode & (S_IROTH | S_IWOTH) && dir & S_IXOTH);
}

static int check_file(const char *path, const struct stat *st,
		      struct err *err)
{
	if (!S_ISREG(st->st_mode))
		return err_set(err, "%s: an M_Key file must be a regular "
			       "file", path);
	if (!is_private(path, st->st_mode))
		return err_set(err, "%s: others may read or write the M_Key "
			       "file; chmod 600 it, or chmod 700 the directory "
			       "where opensm makes it", path);
	if (st->st_size > FILE_MAX)
		return err_set(err, "%s: larger than " FILE_MAX_TEXT ", so it "
			       "is no M_Key file", path);
	return 0;
}

/* All of an open file, of at most the size that it had when it was opened. */
static int read_all(int fd, size_t size, struct text *t)
{
	size_t n = 0;
	ssize_t got;

	t->size = size + 1;
	t->s = xcalloc(t->size, 1);
	while (n < size && (got = read(fd, t->s + n, size - n)) != 0) {
		if (got > 0)
			n += (size_t)got;
		else if (errno != EINTR)
			return -1;
	}
	t->n = n;
	return 0;
}

/* O_NONBLOCK: to open a FIFO waits for its writer otherwise. */
static int read_file(const char *path, struct text *t, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int rc;

	if (fd < 0)
		return cannot_read(path, err);
	if (fstat(fd, &st) < 0)
		rc = cannot_read(path, err);
	else
		rc = check_file(path, &st, err);
	if (!rc && read_all(fd, (size_t)st.st_size, t) < 0)
		rc = cannot_read(path, err);
	close(fd);
	return rc;
}

/* Cut the next line off, in place; NULL behind the last. */
static char *next_line(char **at)
{
	char *line = *at;

	if (!*line)
		return NULL;
	*at += strcspn(line, "\n");
	if (**at)
		*(*at)++ = '\0';
	return line;
}

static size_t count_lines(const char *s)
{
	size_t n = 1;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* --- Keys ------------------------------------------------------------- */

/* "0x" and 1 to 16 hex digits. */
static int parse_hex(const char *s, uint64_t *out)
{
	return strncmp(s, "0x", 2) ? -1 : guid_parse(s, out);
}

static int parse_single(struct mkeys *m, const char *word)
{
	if (m->n || parse_hex(word, &m->keys[0]) < 0)
		return -1;
	m->is_single = 1;
	m->n = 1;
	return 0;
}

static int parse_pair(struct mkeys *m, const char *guid_word,
		      const char *key_word)
{
	uint64_t guid;

	if (m->is_single || parse_hex(guid_word, &guid) < 0 ||
	    parse_hex(key_word, &m->keys[m->n]) < 0 ||
	    map_get(&m->by_guid, guid) != MAP_NONE)
		return -1;
	map_set(&m->by_guid, guid, (uint32_t)m->n++);
	return 0;
}

/* A key, or a port's GUID and its key, or nothing; a comment may follow. */
static int parse_line(struct mkeys *m, char *line)
{
	static const char blanks[] = " \t\r";
	char *rest, *first, *second;

	line[strcspn(line, "#")] = '\0';
	first = strtok_r(line, blanks, &rest);
	if (!first)
		return 0;
	second = strtok_r(NULL, blanks, &rest);
	if (!second)
		return parse_single(m, first);
	return strtok_r(NULL, blanks, &rest) ? -1 :
					       parse_pair(m, first, second);
}

/* The key that every port has which has one; 0 when they differ. */
static uint64_t only_key(const struct mkeys *m)
{
	uint64_t key = 0;
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (m->keys[i] && key && m->keys[i] != key)
			return 0;
		if (m->keys[i])
			key = m->keys[i];
	}
	return key;
}

static int parse_keys(struct mkeys *m, const char *path, char *text,
		      struct err *err)
{
	size_t number = 0;
	char *line;

	m->room = count_lines(text);
	m->keys = xcalloc(m->room, sizeof(*m->keys));
	while ((line = next_line(&text))) {
		number++;
		if (parse_line(m, line) < 0)
			return err_set(err, "%s:%zu: neither the file's only "
				       "M_Key (0x and hex digits) nor a line "
				       "of opensm's guid2mkey with a port of "
				       "its own; correct it", path, number);
	}
	if (!m->n)
		return err_set(err, "%s: there is no M_Key in it; write one "
			       "as 0x and hex digits", path);
	m->fallback = only_key(m);
	return 0;
}

/* --- Neighbors -------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct neighbor *x = a, *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->port - y->port;
}

/* "0xGUID:PORT"; the ports of a switch are 1 to 254, IBA 14.2.5.3. */
static int parse_end(char *word, uint64_t *guid, uint8_t *port)
{
	char *colon = word ? strchr(word, ':') : NULL, *end;
	unsigned long v;

	if (!colon)
		return -1;
	*colon = '\0';
	v = strtoul(colon + 1, &end, 10);
	if (end == colon + 1 || *end || v > 254)
		return -1;
	*port = (uint8_t)v;
	return parse_hex(word, guid);
}

static int parse_neighbor(struct mkeys *m, char *line)
{
	struct neighbor *nb = &m->neighbors[m->n_neighbors];
	char *rest, *word = strtok_r(line, " \t\r", &rest);
	uint8_t port;

	if (!word)
		return 0;
	if (parse_end(word, &nb->guid, &nb->port) < 0 ||
	    parse_end(strtok_r(NULL, " \t\r", &rest), &nb->peer_guid, &port) <
		    0)
		return -1;
	m->n_neighbors++;
	return 0;
}

static void parse_neighbors(struct mkeys *m, char *text)
{
	char *line;

	m->neighbors = xcalloc(count_lines(text), sizeof(*m->neighbors));
	while ((line = next_line(&text)))
		if (parse_neighbor(m, line) < 0) {
			m->n_neighbors = 0;
			return;
		}
	qsort(m->neighbors, m->n_neighbors, sizeof(*m->neighbors), compare);
}

/* Of the file beside path; without it nothing is known. */
static void load_neighbors(struct mkeys *m, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct strbuf beside = STRBUF_INIT;
	struct text t = { 0 };
	struct err ignored;

	strbuf_addn(&beside, path, slash ? (size_t)(slash - path) + 1 : 0);
	strbuf_add(&beside, "neighbors");
	if (read_file(beside.s, &t, &ignored) == 0)
		parse_neighbors(m, t.s);
	text_wipe(&t);
	strbuf_free(&beside);
}

/* The port GUID at the other end of a port, 0 when none is known. */
static uint64_t neighbor_of(const struct mkeys *m, uint64_t guid, uint8_t port)
{
	const struct neighbor key = { .guid = guid, .port = port }, *found;

	if (!m->n_neighbors)
		return 0;
	found = bsearch(&key, m->neighbors, m->n_neighbors, sizeof(key),
			compare);
	return found ? found->peer_guid : 0;
}

/* --- The interface ---------------------------------------------------- */

struct mkeys *mkeys_load(const char *path, struct err *err)
{
	struct mkeys *m = xcalloc(1, sizeof(*m));
	struct text t = { 0 };
	int rc = read_file(path, &t, err);

	if (!rc && t.n != strlen(t.s))
		rc = err_set(err, "%s: has a NUL byte, so it is no M_Key file",
			     path);
	if (!rc)
		rc = parse_keys(m, path, t.s, err);
	text_wipe(&t);
	if (rc < 0) {
		mkeys_free(m);
		return NULL;
	}
	if (!m->is_single)
		load_neighbors(m, path);
	return m;
}

void mkeys_free(struct mkeys *m)
{
	if (!m)
		return;
	if (m->keys)
		explicit_bzero(m->keys, m->room * sizeof(*m->keys));
	free(m->keys);
	free(m->neighbors);
	map_free(&m->by_guid);
	explicit_bzero(m, sizeof(*m));
	free(m);
}

int mkeys_is_single(const struct mkeys *m)
{
	return m->is_single;
}

uint64_t mkeys_of(const struct mkeys *m, uint64_t port_guid)
{
	uint32_t i;

	if (!m)
		return 0;
	i = map_get(&m->by_guid, port_guid);
	return i == MAP_NONE ? m->fallback : m->keys[i];
}

/* The port whose M_Key is checked where an SMP comes in by port. */
static uint64_t end_guid(const struct node *n, uint8_t port)
{
	if (n->type == NODE_SWITCH)
		port = 0;
	return port <= n->nports ? n->ports[port].guid : 0;
}

uint64_t mkeys_at(const struct mkeys *m, const struct node *n, uint8_t port)
{
	return mkeys_of(m, end_guid(n, port));
}

/* Who was behind that port in prev: his port's GUID, 0 when nobody was. */
static uint64_t guid_before(const struct snapshot *prev, const struct node *n,
			    uint8_t port)
{
	uint32_t i = prev ? snapshot_find(prev, n->guid, n->instance) :
			    NO_NODE;
	const struct port *p;

	if (i == NO_NODE || port > prev->nodes[i]->nports)
		return 0;
	p = &prev->nodes[i]->ports[port];
	if (p->peer_node == NO_NODE)
		return 0;
	return end_guid(prev->nodes[p->peer_node], p->peer_port);
}

uint64_t mkeys_behind(const struct mkeys *m, const struct snapshot *prev,
		      const struct node *n, uint8_t port)
{
	uint64_t guid;

	if (!m || m->is_single)
		return mkeys_of(m, 0);
	guid = guid_before(prev, n, port);
	if (!guid)
		guid = neighbor_of(m, end_guid(n, port), port);
	return mkeys_of(m, guid);
}
