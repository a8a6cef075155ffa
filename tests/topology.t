#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Topology files of ibnetdiscover itself, with each of its options, and the
# networks that the bench gives to ibsim.
. "${0%/*}/lib.sh"

reader=${builddir:-$PWD}/tests/unit/topology

# reads NAME FILE COUNTS WANTED-ENDS: of the file, both ends of each link.
reads () {
	is "$("$reader" counts "$2" 2>&1)" "$3" "$1: counts"
	"$reader" ends "$2" 2>&1 | sort >"$bench/got"
	same "$bench/got" "$4" "$1: end by end"
}

# refuses NAME FILE LINE
refuses () {
	is "$("$reader" counts "$2" 2>&1)" "$2:$3" "$1: refused"
}

# try NAME COUNTS FABRIC-GEN-ARGS...
try () {
	local name=$1 counts=$2 option
	fabric "${@:3}"
	opensm_start "$BENCH_HOST"
	ib "$BENCH_HOST" ibnetdiscover
	printed_ends "$bench/out" >"$bench/want"
	reads "$name, the network" "$bench/net" "$counts" "$bench/want"
	for option in '' -g -f -m; do
		# shellcheck disable=SC2086
		ib "$BENCH_HOST" ibnetdiscover $option
		reads "$name, ibnetdiscover $option" "$bench/out" "$counts" \
			"$bench/want"
	done
	is "$("$reader" rates "$bench/out")" "$RATES" "$name: rates"
}

RATES='40 4X HDR' try "a tree" '6 12 0 0 20' \
	tree --leaves 4 --spines 2 --hosts 12 --ports 12 --extspeed 4
RATES='34 4X EDR' try "routers, loops, two ports" '3 3 0 1 18' \
	tree --leaves 2 --spines 1 --hosts 4 --routers 1 --ports 12 \
	--dual next --loops --trunk 3 --base --extspeed 2

guid=$(guid_of leaf1)
echo "$guid \"a \\\"#\\\" b\" lid 9 4xSDR\"" >"$bench/map"
ib "$BENCH_HOST" ibnetdiscover --node-name-map "$bench/map"
reads "with a node name map" "$bench/out" '3 3 0 1 18' "$bench/want"
ib "$BENCH_HOST" ibnetdiscover -p
cp "$bench/out" "$bench/ports"
refuses "ibnetdiscover -p" "$bench/ports" "1: is a line of \`ibnetdiscover -p\`, \
which leaves out what is needed; run ibnetdiscover without -p"
ib "$BENCH_HOST" ibnetdiscover -l
cp "$bench/out" "$bench/list"
refuses "ibnetdiscover -l" "$bench/list" "1: is a line of a list without links; \
run ibnetdiscover without -l, -H, -S and -R"
is "$("$reader" counts /dev/stdin <"$bench/net")" '3 3 0 1 18' "standard input"
is "$("$reader" counts <(cat "$bench/net"))" '3 3 0 1 18' "a pipe"
done_testing
