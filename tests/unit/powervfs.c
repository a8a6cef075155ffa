/* SPDX-License-Identifier: BSD-2-Clause */
#include "powervfs.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"

/*
 * Notes
 *
 * A shim over the default VFS.  It passes all on but syncs, and notes what
 * would matter to a disk.  A process does nothing to the disk after the cut,
 * so one recording has the state at each moment of it.
 *
 * What is not synced yet survives by chance, each write for itself: kept,
 * lost, or torn into sectors that are old, new or rubbish.  Rubbish stays
 * within what was written: SQLite is built for disks that do so
 * (SQLITE_IOCAP_POWERSAFE_OVERWRITE).  A lost write may have made the file
 * longer all the same.  A truncation is kept or lost.
 *
 * That a file was made or removed survives by chance until the directory is
 * synced, for each name up to some point.  As SQLite's own VFS does it, that
 * is with the first sync of a new journal or log, and when xDelete asks.  The
 * memory that is shared beside a log (-shm) never survives.
 */

#define SECTOR 512

enum kind {
	WRITE,
	TRUNCATE,
	SYNC,
	MADE,
	REMOVED,
	DIRECTORY_SYNC
};

struct step {
	enum kind kind;
	int name;	/* of MADE and REMOVED */
	int file;	/* of the others, and of MADE */
	int64_t at;	/* offset, or the size to truncate to */
	size_t n;
	uint8_t *data;
};

struct image {
	uint8_t *data;
	size_t n, cap;
};

/* A file's content; a name that was removed and made anew is another one. */
struct file {
	struct image was; /* before the recording */
};

enum { N_NAMES = 3 };
static const char *const suffixes[N_NAMES] = { "", "-wal", "-journal" };

static struct {
	char path[N_NAMES][256];
	int first[N_NAMES], now[N_NAMES]; /* its file, -1 for none */
	struct file *files;
	size_t n_files, cap_files;
	struct step *steps;
	size_t n_steps, cap_steps;
} tape;

static struct step *add_step(enum kind kind, int file)
{
	struct step *s;

	tape.steps = xgrow(tape.steps, tape.n_steps, &tape.cap_steps,
			   sizeof(*tape.steps));
	s = &tape.steps[tape.n_steps++];
	memset(s, 0, sizeof(*s));
	s->kind = kind;
	s->file = file;
	return s;
}

static int add_file(void)
{
	tape.files = xgrow(tape.files, tape.n_files, &tape.cap_files,
			   sizeof(*tape.files));
	memset(&tape.files[tape.n_files], 0, sizeof(*tape.files));
	return (int)tape.n_files++;
}

static int name_of(const char *path)
{
	int i;

	for (i = 0; path && i < N_NAMES; i++)
		if (!strcmp(path, tape.path[i]))
			return i;
	return -1;
}

/* ---- an open file ---- */

struct handle {
	sqlite3_file base;
	int file; /* -1: not one of ours */
	int is_new; /* its first sync is the directory's too */
	sqlite3_file *real;
};

#define REAL(f) (((struct handle *)(f))->real)
#define CALL(f, method, ...) \
	(REAL(f)->pMethods->method(REAL(f), ##__VA_ARGS__))

static int on_close(sqlite3_file *f)
{
	return CALL(f, xClose);
}

static int on_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	return CALL(f, xRead, to, n, at);
}

static int on_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
	int rc = CALL(f, xWrite, from, n, at);
	int file = ((struct handle *)f)->file;
	struct step *s;

	if (rc || file < 0)
		return rc;
	s = add_step(WRITE, file);
	s->at = at;
	s->n = (size_t)n;
	s->data = xcalloc(s->n, 1);
	memcpy(s->data, from, s->n);
	return rc;
}

static int on_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	int rc = CALL(f, xTruncate, size), file = ((struct handle *)f)->file;

	if (!rc && file >= 0)
		add_step(TRUNCATE, file)->at = size;
	return rc;
}

static int on_sync(sqlite3_file *f, int flags)
{
	struct handle *h = (struct handle *)f;

	(void)flags;
	if (h->file < 0)
		return SQLITE_OK;
	add_step(SYNC, h->file);
	if (h->is_new)
		add_step(DIRECTORY_SYNC, -1);
	h->is_new = 0;
	return SQLITE_OK;
}

static int on_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return CALL(f, xFileSize, size);
}

static int on_lock(sqlite3_file *f, int level)
{
	return CALL(f, xLock, level);
}

static int on_unlock(sqlite3_file *f, int level)
{
	return CALL(f, xUnlock, level);
}

static int on_reserved(sqlite3_file *f, int *is)
{
	return CALL(f, xCheckReservedLock, is);
}

static int on_control(sqlite3_file *f, int op, void *arg)
{
	return CALL(f, xFileControl, op, arg);
}

static int on_sector_size(sqlite3_file *f)
{
	return CALL(f, xSectorSize);
}

static int on_characteristics(sqlite3_file *f)
{
	return CALL(f, xDeviceCharacteristics);
}

static int on_shm_map(sqlite3_file *f, int i, int size, int extend,
		      void volatile **at)
{
	return CALL(f, xShmMap, i, size, extend, at);
}

static int on_shm_lock(sqlite3_file *f, int from, int n, int flags)
{
	return CALL(f, xShmLock, from, n, flags);
}

static void on_shm_barrier(sqlite3_file *f)
{
	CALL(f, xShmBarrier);
}

static int on_shm_unmap(sqlite3_file *f, int delete)
{
	return CALL(f, xShmUnmap, delete);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2, /* no memory-mapped reads and writes */
	.xClose = on_close,
	.xRead = on_read,
	.xWrite = on_write,
	.xTruncate = on_truncate,
	.xSync = on_sync,
	.xFileSize = on_size,
	.xLock = on_lock,
	.xUnlock = on_unlock,
	.xCheckReservedLock = on_reserved,
	.xFileControl = on_control,
	.xSectorSize = on_sector_size,
	.xDeviceCharacteristics = on_characteristics,
	.xShmMap = on_shm_map,
	.xShmLock = on_shm_lock,
	.xShmBarrier = on_shm_barrier,
	.xShmUnmap = on_shm_unmap,
};

/* ---- the VFS ---- */

static sqlite3_vfs shim, *real;

static int on_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f,
		   int flags, int *out)
{
	struct handle *h = (struct handle *)f;
	int name = name_of(path), existed = path && !access(path, F_OK), rc;

	(void)vfs;
	memset(h, 0, sizeof(*h));
	h->file = -1;
	h->real = (sqlite3_file *)(h + 1);
	rc = real->xOpen(real, path, h->real, flags, out);
	if (h->real->pMethods)
		h->base.pMethods = &methods;
	if (rc || name < 0)
		return rc;
	if (!existed) {
		tape.now[name] = add_file();
		add_step(MADE, tape.now[name])->name = name;
		h->is_new = !!(flags & (SQLITE_OPEN_MAIN_JOURNAL |
					SQLITE_OPEN_WAL));
	}
	h->file = tape.now[name];
	return rc;
}

static int on_delete(sqlite3_vfs *vfs, const char *path, int sync_directory)
{
	int name = name_of(path), rc = real->xDelete(real, path, 0);

	(void)vfs;
	if (rc || name < 0)
		return rc;
	add_step(REMOVED, -1)->name = name;
	tape.now[name] = -1;
	if (sync_directory)
		add_step(DIRECTORY_SYNC, -1);
	return rc;
}

static void forget(void)
{
	size_t i;

	for (i = 0; i < tape.n_steps; i++)
		free(tape.steps[i].data);
	for (i = 0; i < tape.n_files; i++)
		free(tape.files[i].was.data);
	free(tape.steps);
	free(tape.files);
	memset(&tape, 0, sizeof(tape));
}

static void read_image(FILE *f, struct image *im)
{
	fseek(f, 0, SEEK_END);
	im->n = (size_t)ftell(f);
	im->data = xcalloc(im->n, 1);
	rewind(f);
	im->n = fread(im->data, 1, im->n, f);
}

static void take_name(int name, const char *path)
{
	FILE *f;

	snprintf(tape.path[name], sizeof(tape.path[name]), "%s%s", path,
		 suffixes[name]);
	tape.first[name] = -1;
	f = fopen(tape.path[name], "rb");
	if (f) {
		tape.first[name] = add_file();
		read_image(f, &tape.files[tape.first[name]].was);
		fclose(f);
	}
	tape.now[name] = tape.first[name];
}

void power_record(const char *path)
{
	int i;

	forget();
	for (i = 0; i < N_NAMES; i++)
		take_name(i, path);
	real = sqlite3_vfs_find(NULL);
	shim = *real;
	shim.zName = "powercut";
	shim.szOsFile = (int)sizeof(struct handle) + real->szOsFile;
	shim.xOpen = on_open;
	shim.xDelete = on_delete;
	sqlite3_vfs_register(&shim, 1);
}

void power_stop(void)
{
	sqlite3_vfs_unregister(&shim);
	sqlite3_vfs_register(real, 1);
}

size_t power_steps(void)
{
	return tape.n_steps;
}

int power_is_sync(size_t i)
{
	return tape.steps[i].kind == SYNC ||
	       tape.steps[i].kind == DIRECTORY_SYNC;
}

/* ---- the cut ---- */

struct chance {
	uint64_t state;
	unsigned loss; /* percent of what is not synced */
};

unsigned power_dice(uint64_t *state, unsigned n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (unsigned)(((*state * 2685821657736338717u) >> 33) % n);
}

static int is_lost(struct chance *c)
{
	return power_dice(&c->state, 100) < c->loss;
}

static void resize(struct image *im, size_t n)
{
	while (im->cap <= n)
		im->data = xgrow(im->data, im->cap, &im->cap, 1);
	if (n > im->n)
		memset(im->data + im->n, 0, n - im->n);
	im->n = n;
}

static void put(struct image *im, size_t at, const uint8_t *data, size_t n)
{
	if (at + n > im->n)
		resize(im, at + n);
	memcpy(im->data + at, data, n);
}

static void put_rubbish(struct chance *c, struct image *im, size_t at,
			size_t n)
{
	uint8_t rubbish[SECTOR];
	size_t i;

	for (i = 0; i < n; i++)
		rubbish[i] = (uint8_t)power_dice(&c->state, 256);
	put(im, at, rubbish, n);
}

static void tear(struct chance *c, struct image *im, const struct step *s)
{
	size_t done, at, n;

	for (done = 0; done < s->n; done += n) {
		at = (size_t)s->at + done;
		n = SECTOR - at % SECTOR;
		if (n > s->n - done)
			n = s->n - done;
		switch (power_dice(&c->state, 3)) {
		case 0:
			put(im, at, s->data + done, n);
			break;
		case 1:
			put_rubbish(c, im, at, n);
			break;
		}
	}
}

/* A step of before the last sync. */
static void apply(struct image *im, const struct step *s)
{
	if (s->kind == WRITE)
		put(im, (size_t)s->at, s->data, s->n);
	else if (s->kind == TRUNCATE)
		resize(im, (size_t)s->at);
}

static void apply_by_chance(struct chance *c, struct image *im,
			    const struct step *s)
{
	size_t end = (size_t)s->at + s->n;

	if (!is_lost(c))
		apply(im, s);
	else if (s->kind == WRITE && power_dice(&c->state, 2))
		tear(c, im, s);
	else if (s->kind == WRITE && end > im->n && power_dice(&c->state, 2))
		resize(im, end);
}

static void survive(struct chance *c, int file, size_t at, struct image *im)
{
	const struct image *was = &tape.files[file].was;
	size_t i, safe = 0;

	memset(im, 0, sizeof(*im));
	resize(im, was->n);
	if (was->n)
		memcpy(im->data, was->data, was->n);
	for (i = 0; i < at; i++)
		if (tape.steps[i].file == file && tape.steps[i].kind == SYNC)
			safe = i;
	for (i = 0; i < at; i++)
		if (tape.steps[i].file != file)
			continue;
		else if (i < safe)
			apply(im, &tape.steps[i]);
		else
			apply_by_chance(c, im, &tape.steps[i]);
}

/* The file that a name has, -1 for none. */
static int surviving_file(struct chance *c, int name, size_t at)
{
	int file = tape.first[name];
	size_t i, safe = 0;

	for (i = 0; i < at; i++)
		if (tape.steps[i].kind == DIRECTORY_SYNC)
			safe = i;
	for (i = 0; i < at; i++) {
		const struct step *s = &tape.steps[i];

		if ((s->kind != MADE && s->kind != REMOVED) || s->name != name)
			continue;
		if (i >= safe && is_lost(c))
			break;
		file = s->file;
	}
	return file;
}

static int write_image(const char *path, const struct image *im)
{
	FILE *f = fopen(path, "wb");
	size_t n;

	if (!f)
		return -1;
	n = fwrite(im->data, 1, im->n, f);
	return fclose(f) || n != im->n ? -1 : 0;
}

int power_cut(size_t at, uint64_t seed, const char *path)
{
	static const unsigned losses[] = { 0, 10, 50, 90, 100 };
	struct chance c = { .state = seed };
	char to[N_NAMES + 1][300];
	struct image im;
	int name, file, rc = 0;

	c.loss = losses[power_dice(&c.state, 5)];
	snprintf(to[N_NAMES], sizeof(to[0]), "%s-shm", path);
	unlink(to[N_NAMES]);
	for (name = 0; !rc && name < N_NAMES; name++) {
		snprintf(to[name], sizeof(to[0]), "%s%s", path,
			 suffixes[name]);
		unlink(to[name]);
		file = surviving_file(&c, name, at);
		if (file < 0)
			continue;
		survive(&c, file, at, &im);
		rc = write_image(to[name], &im);
		free(im.data);
	}
	return rc;
}
