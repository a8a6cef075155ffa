/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_MODEL_CARRY_H
#define IBAUDIT_MODEL_CARRY_H

#include "model/snapshot.h"

/*
 * Carry over from the snapshot before what this one could not read, so that
 * only what was shown to be away is missing afterwards:
 *
 * - a node is left out (gone) when each of its last known attachments was
 *   read in s and none leads to it; otherwise it is added as unread, as is
 *   what hung behind a switch that is gone: nobody could ask it;
 * - a port whose PortInfo was not read takes the values it had, as unread;
 * - a port that is up and whose neighbour did not answer keeps the peer it
 *   had, as unread, unless that peer was read and is down or leads elsewhere.
 *
 * Store keys of prev's nodes and ports go over to those of s with the same
 * identity.  prev must have its id set.  Call once, before store_save().
 */
void snapshot_carry(struct snapshot *s, const struct snapshot *prev);

#endif
