/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/scan.h"

#include <stdlib.h>
#include <string.h>

#include "util/guid.h"

int begins_with(const char *s, const char *word)
{
	return !strncmp(s, word, strlen(word));
}

void skip_blanks(const char **s)
{
	*s += strspn(*s, " \t");
}

int scan_word(const char **s, const char *word)
{
	if (!begins_with(*s, word))
		return -1;
	*s += strlen(word);
	return 0;
}

int scan_number(const char **s, long least, long most, long *out)
{
	size_t n = strspn(*s, "0123456789");

	*out = strtol(*s, NULL, 10);
	if (!n || n > 9 || *out < least || *out > most)
		return -1;
	*s += n;
	return 0;
}

int scan_guid(const char **s, uint64_t *out)
{
	char word[GUID_STRLEN + 1];
	size_t n = strspn(*s, "0123456789abcdefABCDEFxX");

	if (n >= sizeof(word))
		return -1;
	memcpy(word, *s, n);
	word[n] = '\0';
	*s += n;
	return guid_parse(word, out);
}
