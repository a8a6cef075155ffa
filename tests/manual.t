#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The manual, --help and the tree say the same.
. "${0%/*}/lib.sh"

top=$(cd "${0%/*}/.." && pwd)
command -v mandoc >/dev/null || skip_all "needs mandoc"
export LC_ALL=C

built=${builddir-.}
for page in "$top"/man/*.[0-9] "$built/man/ibaudit-rules.7"; do
	is "$(mandoc -Tlint -W warning "$page" 2>&1 | grep -v 'referenced manual not found')" \
		"" "${page##*/} is sound"
	is "$(mandoc -Tascii "$page" | col -b | awk 'length > 80' | head -n 3)" \
		"" "${page##*/} fits 80 columns"
done

manual=$(mandoc -Tascii "$top/man/ibaudit.1" | col -b)
for cmd in $("$IBAUDIT" --help | sed -n 's/^  *\([a-z]*\)  .*/\1/p' | sort -u); do
	"$IBAUDIT" help "$cmd" >/dev/null 2>&1 || continue
	for option in $("$IBAUDIT" help "$cmd" | grep -oE -- '--[a-z-]+' | sort -u); do
		ok "$cmd $option is in the manual" \
			grep -q -- "$option" <<<"$manual"
	done
done
rules=$(mandoc -Tascii "$built/man/ibaudit-rules.7" | col -b)
for rule in "$top"/rules/*.sql; do
	rule=${rule##*/}
	ok "${rule%.sql} is in ibaudit-rules(7)" \
		grep -q -- "${rule%.sql}" <<<"$rules"
	ok "$rule is installed" grep -q "rules/$rule" "$top/rules/local.mk"
	ok "$rule has its fixture" \
		[ -s "$top/tests/rules/${rule%.sql}.fabric" ]
done
for f in "$top"/src/cmd/cmd_*.c; do
	ok "${f##*/} is built" grep -q "src/cmd/${f##*/}" "$top/src/local.mk"
done
like "$("$IBAUDIT" --version)" '^ibaudit [0-9]+\.[0-9]+' "--version"
done_testing
