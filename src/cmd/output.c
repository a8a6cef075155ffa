/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/settings.h"
#include "util/alloc.h"

/* Colours on a terminal that knows them, unless NO_COLOR says no
 * (https://no-color.org). */
static int wants_color(void)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && term &&
	       strcmp(term, "dumb");
}

int output_settle(const struct invocation *inv, struct err *err)
{
	const char *formats = inv->cmd->formats;
	struct settings *set = inv->set;

	if (set->format && settings_is_word(formats, set->format))
		return 0;
	if (set->format && set->format_given)
		return err_set(err, "%s cannot write %s; it has: %s",
			       inv->cmd->name, set->format, formats);
	free(set->format);
	set->format = xstrdup(formats);
	set->format[strcspn(formats, " ")] = '\0';
	return 0;
}

struct report *output_open(const struct invocation *inv)
{
	struct report_options opt = { stdout, inv->set->quiet, wants_color(),
				      isatty(STDOUT_FILENO) };

	return report_create(inv->set->format, &opt);
}

int output_close(struct report *r, int status, struct err *err)
{
	if (report_end(r, err) < 0)
		status = EXIT_TROUBLE;
	report_destroy(r);
	return status;
}
