/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/settings.h"
#include "cmd/usage.h"
#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text.h"

/* A standard descriptor that is closed would be taken by the next file that
 * is opened - the database - and be written to.  Fill it with something that
 * refuses. */
static void guard_descriptors(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_TROUBLE);
}

static void *allocate(size_t size)
{
	return xcalloc(1, size);
}

/* One line, whatever a file name or a library put into the text. */
static void complain(const struct err *err)
{
	struct strbuf b = STRBUF_INIT;
	char *s;

	text_clean(&b, err->text, strlen(err->text));
	for (s = b.s; *s; s++)
		if (*s == '\n' || *s == '\t')
			*s = ' ';
	fprintf(stderr, "ibaudit: %s\n", b.s);
	strbuf_free(&b);
}

/* Standard output is a pipe, and whoever read it has seen enough. */
static int reader_left(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

/* What was printed must have arrived: a full disk shows at the end.  Of a
 * reader that left there is nothing to say: err stays empty. */
static int close_stdout(struct err *err)
{
	int failed = ferror(stdout);

	if (reader_left())
		return failed || fflush(stdout) == EOF ? -1 : 0;
	errno = 0;
	if (fclose(stdout) == EOF && errno)
		return err_errno(err, "cannot write to standard output");
	if (failed)
		return err_set(err, "cannot write to standard output");
	return 0;
}

static int call(const struct command_line *cl, struct err *err)
{
	struct settings set;
	struct invocation inv = {
		.cmd = cl->cmd,
		.set = &set,
		.given = cl->own,
		.n_given = cl->n_own,
		.args = cl->args,
		.n_args = cl->n_args,
	};
	int status = EXIT_TROUBLE;

	if (settings_load(&set, cl, err) == 0 &&
	    output_settle(&inv, err) == 0)
		status = cl->cmd->run(&inv, err);
	settings_free(&set);
	return status;
}

static int dispatch(const struct command_line *cl, struct err *err)
{
	if (command_line_global(cl, "version")) {
		puts("ibaudit " PACKAGE_VERSION);
		return EXIT_CLEAN;
	}
	if (command_line_global(cl, "help")) {
		if (cl->cmd)
			usage_command(stdout, cl->cmd);
		else
			usage_program(stdout);
		return EXIT_CLEAN;
	}
	if (!cl->cmd) {
		usage_short(stderr);
		return EXIT_TROUBLE;
	}
	return call(cl, err);
}

int main(int argc, char **argv)
{
	struct command_line cl;
	struct err err = { "" }, late = { "" };
	int status = EXIT_TROUBLE;

	guard_descriptors();
	signal(SIGPIPE, SIG_IGN);
	json_set_alloc_funcs(allocate, free);
	if (command_line_parse(&cl, argc, argv, &err) == 0)
		status = dispatch(&cl, &err);
	command_line_free(&cl);
	if (close_stdout(&late) < 0) {
		status = EXIT_TROUBLE;
		if (!*err.text)
			err = late;
	}
	if (status == EXIT_TROUBLE && *err.text)
		complain(&err);
	return status;
}
