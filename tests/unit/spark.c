/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/spark.h"

#include <stdlib.h>

#include "tap.h"

static void draws(const int64_t *v, size_t n, size_t width, int utf8,
		  const char *want, const char *name)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_add(&b, "");
	spark_add(&b, v, n, width, utf8);
	is_str(b.s, want, "%s", name);
	strbuf_free(&b);
}

static void locale(const char *all, const char *lang, int want)
{
	unsetenv("LC_CTYPE");
	setenv("LC_ALL", all, 1);
	setenv("LANG", lang, 1);
	is_int(spark_has_utf8(), want, "LC_ALL=%s LANG=%s", all, lang);
}

int main(void)
{
	static const int64_t rise[] = { 0, 1, 2, 3, 4, 5, 6 };
	static const int64_t odd[] = { INT64_MIN, 0, INT64_MAX, INT64_MAX };
	static const int64_t none[] = { 0, 0, 0 };
	static const int64_t many[] = { 0, 1, 0, 0, 5, 5, 1, 1 };

	draws(rise, 7, 40, 0, "_:-=+*#", "a mark a value");
	draws(rise, 7, 40, 1, "▁▃▄▅▆▇█", "blocks");
	draws(rise, 1, 40, 0, "_", "one that is 0");
	draws(rise, 0, 40, 0, "", "none");
	draws(none, 3, 40, 0, "___", "nothing moved");
	draws(many, 8, 4, 0, "._#:", "sums where there are more");
	draws(odd, 4, 4, 0, "__##", "what is not known, and what is large");
	draws(odd, 4, 1, 0, "#", "a sum beyond 64 bits");
	locale("", "en_US.UTF-8", 1);
	locale("", "de_DE.utf8", 1);
	locale("C", "en_US.UTF-8", 0);
	locale("", "C", 0);
	locale("", "", 0);
	return done_testing();
}
