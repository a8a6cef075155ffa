#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Turn SQL files into C: an array of (name, text), in the order given.
#
#     sh sql/embed.sh ARRAY FILE... > out.c
#
# The result is `const struct sql_file ARRAY[]` (store/sql.h), which ends with
# a NULL name.  Names are without their directory.
set -eu

array=$1
shift
printf '/* Made by sql/embed.sh; do not edit. */\n'
printf '#include "store/sql.h"\n\n#include <stddef.h>\n\n'
printf 'const struct sql_file %s[] = {\n' "$array"
for file; do
	printf '\t{ "%s",\n' "${file##*/}"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g' \
	    -e 's/?/\\?/g' -e 's/^/\t  "/' -e 's/$/\\n"/' "$file"
	printf '\t},\n'
done
printf '\t{ NULL, NULL }\n};\n'
