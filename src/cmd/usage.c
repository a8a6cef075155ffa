/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/usage.h"

#include <string.h>

#define NAME_MAX_LEN 32 /* longer words are no typing errors */

void usage_short(FILE *out)
{
	fputs("Usage: ibaudit [OPTION]... COMMAND [ARGUMENT]...\n"
	      "Audits an InfiniBand fabric, and only reads.\n"
	      "See ibaudit --help for the commands.\n",
	      out);
}

static void show_options(FILE *out, const struct option_row *rows)
{
	for (; rows && rows->name; rows++) {
		char left[40], letter[6] = "    ";

		if (rows->letter)
			snprintf(letter, sizeof(letter), "-%c, ",
				 rows->letter);
		snprintf(left, sizeof(left), "%s--%s%s%s", letter, rows->name,
			 rows->arg ? " " : "", rows->arg ? rows->arg : "");
		fprintf(out, "  %-23s %s\n", left, rows->doc);
	}
}

void usage_program(FILE *out)
{
	size_t i;

	fputs("Usage: ibaudit [OPTION]... COMMAND [ARGUMENT]...\n\n"
	      "Audits an InfiniBand fabric, and only reads: stores what a "
	      "sweep saw, and tells\nfrom that what is wrong and what could "
	      "not be seen.\n\nCommands:\n",
	      out);
	for (i = 0; cmd_table[i]; i++)
		fprintf(out, "  %-10s %s\n", cmd_table[i]->name,
			cmd_table[i]->summary);
	fputs("\nOptions, before or after the command:\n", out);
	show_options(out, global_options);
	fputs("\nExit status: 0 nothing or infos only, 1 warnings (diff: "
	      "changes), 2 errors,\n3 ibaudit could not do the job.\n"
	      "ibaudit help COMMAND tells more of a command, ibaudit(1) of "
	      "all.\n",
	      out);
}

void usage_command(FILE *out, const struct cmd *cmd)
{
	fprintf(out, "Usage: ibaudit %s [OPTION]...%s%s\n\n%s.\n", cmd->name,
		*cmd->args ? " " : "", cmd->args, cmd->summary);
	if (cmd->help)
		fprintf(out, "\n%s\n", cmd->help);
	if (cmd->options && cmd->options->name) {
		fputs("\nOptions:\n", out);
		show_options(out, cmd->options);
	}
	fputs("\nOptions of every command:\n", out);
	show_options(out, global_options);
	fprintf(out, "\nFormats: %s\n", cmd->formats);
}

static int least(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Insertions, deletions, substitutions and swaps of neighbours between two
 * words (optimal string alignment). */
static int distance(const char *a, const char *b)
{
	int d[NAME_MAX_LEN + 1][NAME_MAX_LEN + 1];
	int na = (int)strlen(a), nb = (int)strlen(b), i, j;

	if (na > NAME_MAX_LEN || nb > NAME_MAX_LEN)
		return NAME_MAX_LEN;
	for (i = 0; i <= na; i++)
		d[i][0] = i;
	for (j = 0; j <= nb; j++)
		d[0][j] = j;
	for (i = 1; i <= na; i++)
		for (j = 1; j <= nb; j++) {
			d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1,
					d[i - 1][j - 1] +
						(a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	return d[na][nb];
}

const char *usage_nearest(const char *word)
{
	const char *best = NULL;
	int least_distance = 3;
	size_t i;

	for (i = 0; cmd_table[i]; i++) {
		int d = distance(word, cmd_table[i]->name);

		if (d < least_distance && d < (int)strlen(word)) {
			least_distance = d;
			best = cmd_table[i]->name;
		}
	}
	return best;
}
