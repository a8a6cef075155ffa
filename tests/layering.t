#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Who may include whom, and other promises of the tree that grep can keep.
. "${0%/*}/lib.sh"

src=$(cd "${0%/*}/../src" && pwd)

# NAME COMMAND...: the command prints nothing.
nothing () {
	local name=$1
	shift
	is "$("$@")" "" "$name"
}

# NAME FOLDERS REGEX: no source in those folders has a line like that.
none_in () {
	local name=$1 folders=$2 regex=$3 folder
	nothing "$name" sources_with "$regex" $folders
}

sources_with () { # REGEX FOLDER...
	local regex=$1
	shift
	(cd "$src" && grep -rnE "$regex" "$@" --include='*.[ch]') |
		grep -vE '^[^:]*:[0-9]*:[[:space:]]*(/\*| \*)' |
		grep -v '^util/alloc\.c:'
}

too_long () {
	awk 'FNR == 801 { print FILENAME }' "$src"/*/*.[ch] "$src"/*.c
}

without_licence () {
	find "$src" -name '*.[ch]' -exec grep -L 'SPDX-License-Identifier' {} +
}

include='#include "'
none_in "util knows nothing above it" util \
	"$include(model|fabric|store|check|diff|report|cmd)/|<infiniband/"
none_in "model sees util" model \
	"$include(fabric|store|check|diff|report|cmd)/"
none_in "fabric sees model and util" fabric \
	"$include(store|check|diff|report|cmd)/"
none_in "store sees model and util" store \
	"$include(fabric|check|diff|report|cmd)/"
none_in "check sees store, model and util" check \
	"$include(fabric|diff|report|cmd)/"
none_in "diff sees store, model and util" diff "$include(fabric|check|report|cmd)/"
none_in "report does not see fabric and cmd" report "$include(fabric|cmd)/"
none_in "libibumad is the fabric's" "util model store check diff report cmd" \
	'#include <infiniband/(umad|mad|ibnetdisc)'
none_in "sqlite3.h is the store's and check's" \
	"util model fabric diff report cmd main.c" '#include <sqlite3.h>'
none_in "libraries do not print" "util model fabric store check diff report" \
	'^[^"]*([^a-z_](printf|puts|putchar|perror) ?\(|std(err|out)[^a-z])'
none_in "exit() is called in main.c" \
	"util model fabric store check diff report cmd" \
	'[^a-z_]exit ?\('
none_in "nothing but Get, and no issm" "." \
	'METHOD_SET|performance_reset|issm|madrpc_init'
nothing "every file names its licence" without_licence
nothing "no file over 800 lines" too_long
done_testing
