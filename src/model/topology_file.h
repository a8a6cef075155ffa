/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_TOPOLOGY_FILE_H
#define IBAUDIT_MODEL_TOPOLOGY_FILE_H

#include <stddef.h>

#include "model/snapshot.h"
#include "util/err.h"

/*
 * Topology files: what `ibnetdiscover` prints, with -g, -f and -m too, and
 * networks of ibsim's whose nodes have GUIDs.
 */

/* What a fabric of 49151 LIDs takes, by far: 200 octets a link end. */
#define TOPOLOGY_FILE_MIB 64

/*
 * Read the topology file at path (a FIFO will do) into s, which is set anew
 * and whose owner the caller is.  It then holds each node with its type, GUIDs,
 * NumPorts, description, vendor and device id; each link; and each port's LID,
 * PortGUID, speed and width where the file tells them.  All else is not read:
 * ports without a link or a LID are not present, and s->complete is 0.
 *
 * ibnetdiscover writes blanks for what is not printable in a description, and
 * for switches the name of a node name map; a name of over NODE_DESC_LEN octets
 * can only be that, and becomes node->name.
 *
 * Returns 0, or -1 with err set to "PATH:LINE: ", what is wrong and what to
 * do, and s empty.  Refused is each file that does not hold both ends of each
 * link, as one does that was cut off.
 */
int topology_read(const char *path, struct snapshot *s, struct err *err);

/* The same of the n octets of text; name stands for the path. */
int topology_parse(const char *name, const char *text, size_t n,
		   struct snapshot *s, struct err *err);

/*
 * Does the text begin as something that ibnetdiscover prints, or a network of
 * ibsim's?  True for ibnetdiscover's lists too, which topology_parse() refuses.
 */
int topology_is(const char *text, size_t n);

#endif
