/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fabric/mkey.h"
#include "tap.h"

/* Port GUIDs, as opensm has them: a switch has that of its port 0. */
#define HOST 0x0002c90100000101ULL
#define LEAF 0x0002c90200000100ULL
#define SPINE 0x0002c90300000100ULL
#define NODE_HOST 0x0002c90100000100ULL

#define KEY "0xfeedc0dedeadbeef"
#define KEY_HEX 0xfeedc0dedeadbeefULL

static char dir[] = "/tmp/mkey.XXXXXX";
static char file[64], beside[64];

static void write_file(const char *path, const char *text, size_t n,
		       mode_t mode)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, n, f) != n || fclose(f) ||
	    chmod(path, mode) < 0)
		exit(1);
}

static struct mkeys *load(const char *text, struct err *err)
{
	write_file(file, text, strlen(text), 0600);
	err->text[0] = '\0';
	return mkeys_load(file, err);
}

/* Refused, with these words, and without what the file holds. */
static void refused(const char *text, const char *words)
{
	struct err err;
	struct mkeys *m = load(text, &err);

	ok(!m && strstr(err.text, words) && strstr(err.text, file),
	   "refused: %s", words);
	ok(!strstr(err.text, "feedc0de") && !strchr(err.text, '\n'),
	   "without the key, on one line");
	if (m || !strstr(err.text, words))
		printf("# %s\n", err.text);
	mkeys_free(m);
}

static void single(const char *text, uint64_t key, const char *name)
{
	struct err err;
	struct mkeys *m = load(text, &err);

	ok(m && mkeys_is_single(m) && mkeys_of(m, HOST) == key &&
	   mkeys_of(m, 0) == key && mkeys_behind(m, NULL, NULL, 1) == key,
	   "%s", name);
	mkeys_free(m);
}

static void singles(void)
{
	single(KEY, KEY_HEX, "a key without a newline");
	single("# the fabric's\n\n  " KEY "\t# all\n\n", KEY_HEX,
	       "comments and blank lines");
	single(KEY "\r\n", KEY_HEX, "a file from elsewhere");
	single("0x0\n", 0, "zero");
	single("0xffffffffffffffff\n", UINT64_MAX, "the largest");
	ok(!mkeys_of(NULL, HOST) && !mkeys_behind(NULL, NULL, NULL, 1),
	   "without a file there is no key");
}

static void bad_lines(void)
{
	refused("", "no M_Key in it");
	refused("# nothing\n\n", "no M_Key in it");
	refused("feedc0dedeadbeef\n", ":1: neither");
	refused("\n0xfeedc0dedeadbeefa\n", ":2: neither");
	refused(KEY "\n" KEY "\n", ":2: neither");
	refused(KEY " " KEY " " KEY "\n", ":1: neither");
	refused("0x1 " KEY "\n" KEY "\n", ":2: neither");
	refused(KEY "\n0x1 " KEY "\n", ":2: neither");
	refused("0x1 " KEY "\n\n0x1 0xfeedc0de\n", ":3: neither");
	refused("0x1 secret-feedc0de\n", ":1: neither");
	refused("0x1 -1\n", ":1: neither");
	refused("0xfeedc0de\xff\xfe\n", ":1: neither");
}

static void mode(mode_t of_file, mode_t of_dir, int good)
{
	struct err err = { "" };
	struct mkeys *m;

	write_file(file, KEY, strlen(KEY), of_file);
	if (chmod(dir, of_dir) < 0)
		exit(1);
	m = mkeys_load(file, &err);
	ok(good ? !!m : !m && strstr(err.text, "chmod 600"),
	   "%04o in a directory of %04o: %s", of_file, of_dir,
	   good ? "taken" : "refused");
	mkeys_free(m);
}

static void modes(void)
{
	mode(0600, 0755, 1);
	mode(0400, 0755, 1);
	mode(0640, 0755, 1);
	mode(0660, 0755, 0);
	mode(0644, 0755, 0);
	mode(0602, 0755, 0);
	mode(0644, 0711, 0);
	mode(0644, 0700, 1);
	mode(0644, 0750, 1);
	mode(0664, 0750, 0);
	mode(0666, 0700, 1);
	mode(0600, 0700, 1);
}

static void not_a_file(const char *path, const char *words)
{
	struct err err = { "" };

	ok(!mkeys_load(path, &err) && strstr(err.text, words), "%s", words);
}

static void odd_files(void)
{
	char path[80], far[80];

	snprintf(path, sizeof(path), "%s/none", dir);
	not_a_file(path, "No such file");
	not_a_file(dir, "regular file");
	not_a_file("/dev/zero", "regular file");
	snprintf(path, sizeof(path), "%s/fifo", dir);
	ok(mkfifo(path, 0600) == 0, "a FIFO");
	not_a_file(path, "regular file");
	unlink(path);
	write_file(file, KEY, strlen(KEY), 0600);
	ok(truncate(file, (32 << 20) + 1) == 0, "a huge file");
	not_a_file(file, "larger than");
	unlink(file);

	/* A link is as private as what it leads to. */
	snprintf(far, sizeof(far), "%s/far", dir);
	snprintf(path, sizeof(path), "%s/far/key", dir);
	mkdir(far, 0755);
	write_file(path, KEY, strlen(KEY), 0644);
	ok(symlink(path, file) == 0, "a link");
	not_a_file(file, "chmod 600");
	unlink(file);
	unlink(path);
	rmdir(far);
}

/* As opensm 3.3.23 writes it. */
#define GUID2MKEY                                                             \
	"0x0002c90100000101 0x0000000000000011\n\n"                           \
	"0x0002c90200000100 0x0000000000000022\n\n"                           \
	"0x0002c90300000100 " KEY "\n\n"
#define NEIGHBORS                                                             \
	"0x0002c90300000100:1 0x0002c90200000100:3\n\n"                       \
	"0x0002c90200000100:3 0x0002c90300000100:1\n\n"                       \
	"0x0002c90200000100:1 0x0002c90100000101:1\n\n"                       \
	"0x0002c90100000101:1 0x0002c90200000100:1\n\n"

/* host[1] - leaf[1], leaf[3] - spine[1]; the leaf's node GUID is another than
 * its port's, so that the two are not taken for each other. */
static void make_fabric(struct snapshot *s)
{
	struct node *n;

	snapshot_init(s);
	n = snapshot_add_node(s, NODE_HOST, 0, 1);
	n->type = NODE_CA;
	n->ports[1].guid = HOST;
	n = snapshot_add_node(s, LEAF + 0xf0, 0, 4);
	n->type = NODE_SWITCH;
	n->ports[0].guid = LEAF;
	n = snapshot_add_node(s, SPINE + 0xf0, 0, 4);
	n->type = NODE_SWITCH;
	n->ports[0].guid = SPINE;
	snapshot_join(s, 0, 1, 1, 1);
	snapshot_join(s, 1, 3, 2, 1);
}

static void per_port(void)
{
	struct err err;
	struct mkeys *m = load(GUID2MKEY, &err);
	struct snapshot s, empty;

	make_fabric(&s);
	snapshot_init(&empty);
	ok(m && !mkeys_is_single(m), "guid2mkey");
	ok(mkeys_of(m, HOST) == 0x11 && mkeys_of(m, SPINE) == KEY_HEX,
	   "the key of a port");
	ok(!mkeys_of(m, 0x77), "none for a port that is not there");
	ok(mkeys_at(m, s.nodes[0], 1) == 0x11, "an adapter's port");
	ok(mkeys_at(m, s.nodes[1], 3) == 0x22, "a switch has port 0's");
	ok(!mkeys_at(m, s.nodes[0], 200), "a port that cannot be");

	ok(mkeys_behind(m, &s, s.nodes[0], 1) == 0x22, "a switch behind");
	ok(mkeys_behind(m, &s, s.nodes[1], 1) == 0x11, "an adapter behind");
	ok(mkeys_behind(m, &s, s.nodes[1], 3) == KEY_HEX, "a spine behind");
	ok(!mkeys_behind(m, &s, s.nodes[1], 2), "nobody behind");
	ok(!mkeys_behind(m, &s, s.nodes[1], 200), "nor there");
	ok(!mkeys_behind(m, NULL, s.nodes[1], 3), "without a snapshot");
	ok(!mkeys_behind(m, &empty, s.nodes[1], 3), "of an unknown node");
	mkeys_free(m);
	snapshot_free(&s);
	snapshot_free(&empty);
}

static void neighbors(const char *text, mode_t mode, int counts,
		      const char *name)
{
	struct err err;
	struct mkeys *m;
	struct snapshot s;

	write_file(beside, text, strlen(text), mode);
	m = load(GUID2MKEY, &err);
	make_fabric(&s);
	ok(m && mkeys_behind(m, NULL, s.nodes[1], 3) ==
	   (counts ? KEY_HEX : 0), "neighbors: %s", name);
	ok(m && mkeys_behind(m, NULL, s.nodes[0], 1) == (counts ? 0x22 : 0),
	   "and from the adapter");
	ok(m && !mkeys_behind(m, NULL, s.nodes[1], 2), "nor more than that");
	ok(m && mkeys_behind(m, &s, s.nodes[1], 1) == 0x11,
	   "the snapshot goes first");
	mkeys_free(m);
	snapshot_free(&s);
	unlink(beside);
}

/* A moved cable: what the last snapshot says of it goes before neighbors. */
static void both(void)
{
	static const char moved[] =
		"0x0002c90200000100:1 0x0002c90300000100:2\n";
	struct err err;
	struct mkeys *m;
	struct snapshot s;

	write_file(beside, moved, strlen(moved), 0600);
	m = load(GUID2MKEY, &err);
	make_fabric(&s);
	ok(mkeys_behind(m, &s, s.nodes[1], 1) == 0x11 &&
	   mkeys_behind(m, NULL, s.nodes[1], 1) == KEY_HEX,
	   "the snapshot goes before neighbors");
	mkeys_free(m);
	snapshot_free(&s);
	unlink(beside);
}

static void one_for_all(void)
{
	struct err err;
	struct mkeys *m = load("0x1 " KEY "\n0x2 0x0\n0x3 " KEY "\n", &err);

	ok(m && !mkeys_is_single(m) && mkeys_of(m, 1) == KEY_HEX &&
	   !mkeys_of(m, 2), "zero is no protection");
	ok(mkeys_of(m, 9) == KEY_HEX, "an only key is everybody's");
	mkeys_free(m);
	m = load("0x1 0x0\n", &err);
	ok(m && !mkeys_of(m, 1) && !mkeys_of(m, 9), "no key at all");
	mkeys_free(m);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(file, sizeof(file), "%s/guid2mkey", dir);
	snprintf(beside, sizeof(beside), "%s/neighbors", dir);
	singles();
	bad_lines();
	modes();
	odd_files();
	per_port();
	neighbors(NEIGHBORS, 0600, 1, "as opensm writes it");
	neighbors(NEIGHBORS "0x1:2\n", 0600, 0, "half a line");
	neighbors(NEIGHBORS "0x1:300 0x2:1\n", 0600, 0, "no such port");
	neighbors("", 0600, 0, "empty");
	both();
	one_for_all();
	unlink(file);
	rmdir(dir);
	return done_testing();
}
