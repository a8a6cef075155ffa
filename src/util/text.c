/* SPDX-License-Identifier: BSD-2-Clause */
#include "util/text.h"

#include <stdint.h>
#include <string.h>

/*
 * Decode one code point (RFC 3629: shortest form, no surrogates, at most
 * U+10FFFF).  Returns its length in bytes, 0 when s does not begin with one.
 */
static size_t utf8_decode(const unsigned char *s, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len, i;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4 || len > n)
		return 0;
	*cp = s[0] & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	if (*cp < least[len] || *cp > 0x10ffff ||
	    (*cp >= 0xd800 && *cp <= 0xdfff))
		return 0;
	return len;
}

/* Characters that steer a terminal or reorder the line around them, and the
 * code points that XML 1.0 forbids. */
static int is_harmful(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
	       cp == 0x061c || (cp >= 0x200e && cp <= 0x200f) ||
	       (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) || (cp & 0xfffe) == 0xfffe ||
	       cp == 0xfeff;
}

/* plain: ASCII characters that stay as they are, whatever they do. */
static void add_safe(struct strbuf *b, const char *bytes, size_t n,
		     const char *plain)
{
	const unsigned char *s = (const unsigned char *)bytes;
	size_t i, len;
	uint32_t cp = 0;

	while (n && !s[n - 1])
		n--;
	strbuf_addn(b, "", 0);
	for (i = 0; i < n; i += len) {
		len = utf8_decode(s + i, n - i, &cp);
		if (len && cp && cp < 0x80 && strchr(plain, (int)cp)) {
			strbuf_addn(b, bytes + i, len);
		} else if (len && cp == '\\') {
			strbuf_add(b, "\\\\");
		} else if (len && !is_harmful(cp)) {
			strbuf_addn(b, bytes + i, len);
		} else {
			size_t j;

			len = len ? len : 1;
			for (j = 0; j < len; j++)
				strbuf_addf(b, "\\x%02x", s[i + j]);
		}
	}
}

void text_safe(struct strbuf *b, const char *bytes, size_t n)
{
	add_safe(b, bytes, n, "");
}

void text_clean(struct strbuf *b, const char *bytes, size_t n)
{
	add_safe(b, bytes, n, "\\\n\t");
}

size_t text_width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}
