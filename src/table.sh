#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A table made from the list of its files: each FILE.c ends in a
# `const struct TYPE FILE`, and TYPE_table points at all of them.
#
#     sh src/table.sh TYPE HEADER FILE... > out.c
set -eu

type=$1 header=$2
shift 2
echo '/* Made by src/table.sh; do not edit. */'
echo "#include \"$header\""
echo
echo '#include <stddef.h>'
echo
for f; do
	echo "extern const struct $type $(basename "$f" .c);"
done
echo "const struct $type *const ${type}_table[] = {"
for f; do
	echo "	&$(basename "$f" .c),"
done
echo '	NULL'
echo '};'
