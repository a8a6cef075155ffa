/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_REPORT_DOC_H
#define IBAUDIT_REPORT_DOC_H

#include <jansson.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "store/store.h"

/*
 * The small parts that documents are made of.  Each returns a new value that
 * is the caller's; what was not read is null.
 */

/* A string, cleaned (text_clean()).  NULL is null. */
json_t *doc_string(const char *s);
/* "0x" and 16 digits; 0 is null. */
json_t *doc_guid(uint64_t guid);
/* RFC 3339 UTC from milliseconds. */
json_t *doc_time(int64_t wall_ms);
/* Integers; VAL_NONE and VAL_NONE64 are null. */
json_t *doc_int32(int32_t v);
json_t *doc_int64(int64_t v);
/* A number that is an integer when it can be one; 0 or less is null. */
json_t *doc_rate(double v);
/* The names of the ranks in a mask, slowest first. */
json_t *doc_speeds(int32_t mask);
json_t *doc_widths(int32_t mask);
/* The name of an active speed; an unknown code raw ("unknown 0x200"). */
json_t *doc_speed(const struct port *p);

/* NodeDescription, safe to show; null when it was never read. */
json_t *doc_description(const struct node *n);
/* The node's name of the node name map, else its description. */
json_t *doc_node_name(const struct node *n);
/* The LID that leads to a port: its own, or that of its switch's port 0. */
int32_t doc_lid(const struct node *n, int32_t port);
/* One end of a cable: {node_guid, instance, port, node, lid, label, place}. */
json_t *doc_end(const struct node *n, int32_t port);

json_t *doc_counts(const struct counts *c);
/* How long a sweep took; a damaged row's times may be anything. */
double doc_seconds(const struct store_snapshot *row);
json_t *doc_snapshot(const struct store_snapshot *row);

#endif
