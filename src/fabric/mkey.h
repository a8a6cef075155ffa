/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_FABRIC_MKEY_H
#define IBAUDIT_FABRIC_MKEY_H

#include <stdint.h>

#include "model/snapshot.h"
#include "util/err.h"

/*
 * M_Keys (IBA 14.2.4): a protected port answers only SMPs that carry its own,
 * and counts the others as violations.  A key is in memory here and in the
 * MADs, and nowhere else: no function below puts one into a text.
 */
struct mkeys;

/* Of the first node that is tried with its key, and stays silent. */
#define MKEYS_SILENCE "no answer, so no other node was asked: check its " \
		      "M_Key in the M_Key file"

/*
 * Read a file that holds one key, or the guid2mkey of opensm's cache, beside
 * which opensm's neighbors is read too when it is there and sound.  Returns
 * what mkeys_free() releases, or NULL with err set: the file cannot be read,
 * is not a regular file or too large, others may read or write it, it has a
 * line that is no key, or no key at all.
 */
struct mkeys *mkeys_load(const char *path, struct err *err);

/* Wipes the keys; NULL is fine. */
void mkeys_free(struct mkeys *m);

/* True when every port has the same key. */
int mkeys_is_single(const struct mkeys *m);

/*
 * The key of the port with that GUID; of one that the file does not name, the
 * only key that the file has; else 0, which is no key.  m may be NULL.
 */
uint64_t mkeys_of(const struct mkeys *m, uint64_t port_guid);

/* The key for SMPs that end at node n, where they come in by port: a switch
 * has one, that of its port 0. */
uint64_t mkeys_at(const struct mkeys *m, const struct node *n, uint8_t port);

/*
 * The key for whoever is behind a port of a node that is known, before he has
 * told: prev, the fabric's last snapshot or NULL, says who was there, else
 * opensm's neighbors does, else as mkeys_of() for an unknown port.
 */
uint64_t mkeys_behind(const struct mkeys *m, const struct snapshot *prev,
		      const struct node *n, uint8_t port);

#endif
