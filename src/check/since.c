/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/check.h"

#include <string.h>

void finding_as_stored(const struct finding *f, struct store_finding *out)
{
	const struct finding_end *end = f->where;

	memset(out, 0, sizeof(*out));
	out->rule = f->rule->id;
	out->severity = severity_name(f->severity);
	out->message = f->message;
	out->port = out->peer_port = VAL_NONE;
	if (f->n_where > 0) {
		out->node_guid = end[0].node_guid;
		out->instance = end[0].instance;
		out->port = end[0].port;
	}
	if (f->n_where > 1) {
		out->peer_guid = end[1].node_guid;
		out->peer_instance = end[1].instance;
		out->peer_port = end[1].port;
	}
}

int findings_find_since(struct store *st, int64_t id, struct findings *f,
			struct err *err)
{
	struct store_finding stored;
	struct store_since since;
	size_t i;

	for (i = 0; i < f->n; i++) {
		finding_as_stored(&f->list[i], &stored);
		if (store_find_since(st, id, &stored, &since, err) < 0)
			return -1;
		f->list[i].since_snapshot = since.snapshot;
		f->list[i].since_ms = since.ms;
	}
	return 0;
}
