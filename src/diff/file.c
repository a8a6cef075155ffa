/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <string.h>

#include "diff/diff.h"

/*
 * Notes
 *
 * A topology file tells cables, and of ports without one nothing: they are made
 * to be down, as they are in the snapshot where they are that.  It writes
 * blanks for what it cannot print in a description, and no more than
 * FILE_DESC_LEN of it; for switches it may write names of a map.
 */

#define FILE_DESC_LEN 63

static int same_description(const struct node *file, const struct node *n)
{
	size_t len = n->desc_len < FILE_DESC_LEN ? n->desc_len : FILE_DESC_LEN,
	       i;

	if (file->desc_len != len)
		return 0;
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)n->desc[i];

		if (file->desc[i] != (isprint(c) && c < 0x80 ? (char)c : ' '))
			return 0;
	}
	return 1;
}

static int is_mapped_name(const struct node *file, const struct node *n)
{
	return n->name && strlen(n->name) == file->desc_len &&
	       !memcmp(n->name, file->desc, file->desc_len);
}

static void take_description(struct node *file, const struct node *n)
{
	if (!same_description(file, n) && !is_mapped_name(file, n))
		return;
	memcpy(file->desc, n->desc, sizeof(file->desc));
	file->desc_len = n->desc_len;
	file->desc_read = n->desc_read;
}

/* A port that the file does not tell of; q is what the snapshot has there. */
static void complete_port(struct port *p, const struct port *q)
{
	int16_t state = STATE_DOWN, phys = PHYS_POLLING;

	if (p->peer_node != NO_NODE)
		return;
	if (q && q->peer_node == NO_NODE) {
		state = q->state;
		phys = q->phys;
	}
	p->present = 1;
	p->seen = SEEN_READ;
	p->state = state;
	p->phys = phys;
}

static void complete_node(struct node *file, const struct node *n)
{
	int p;

	if (n)
		take_description(file, n);
	for (p = 1; p <= file->nports; p++)
		complete_port(&file->ports[p],
			      n && p <= n->nports ? &n->ports[p] : NULL);
}

void diff_complete_file(struct snapshot *file, const struct snapshot *b)
{
	size_t i;

	for (i = 0; i < file->n_nodes; i++) {
		struct node *n = file->nodes[i];
		uint32_t at = snapshot_find(b, n->guid, n->instance);

		complete_node(n, at == NO_NODE ? NULL : b->nodes[at]);
	}
}
