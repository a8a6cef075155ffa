/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "fabric/fabric.h"
#include "model/snapshot.h"

/*
 * bench-sweep: what `ibaudit sweep --fast` does before it stores anything.
 * Reads the fabric with all counters and prints how many MADs that took.
 */

int main(void)
{
	struct sweep_options opt = { .counters = 1, .fast = 1, .retries = -1 };
	struct snapshot s;
	struct err err = { 0 };
	int rc = fabric_sweep(&opt, &s, &err);

	if (rc < 0)
		fprintf(stderr, "bench-sweep: %s\n", err.text);
	else
		printf("%lld MADs\n", (long long)s.mads_sent);
	snapshot_free(&s);
	return rc < 0;
}
