/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/locking.h"

#include <stdlib.h>

#include "util/strbuf.h"

int lock_database(struct lock *l, const char *db, struct err *err)
{
	char *real = realpath(db, NULL);
	struct strbuf path = STRBUF_INIT;
	int rc;

	if (!real)
		return err_errno(err, "%s: cannot find the database", db);
	strbuf_addf(&path, "%s.lock", real);
	free(real);
	rc = lock_take(l, path.s, err);
	strbuf_free(&path);
	return rc;
}
