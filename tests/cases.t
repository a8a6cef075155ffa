#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Real fabrics: topology files of running clusters, where the folder that
# IBAUDIT_CASES names has them.
. "${0%/*}/lib.sh"

cases=${IBAUDIT_CASES:-$bench_lib/../../shared/cases}
[ -r "$cases/ndr-40-switches.ibnetdiscover" ] || skip_all "no topology files"

# GUID port GUID port of each link end.
printed_ends () {
	awk '/^(Switch|Ca)/ { id = $3; gsub(/"|^"?[SH]-/, "", id)
			sub(/^[SH]-/, "", id) }
		/^\[/ { split($0, f, /[][]/); split($0, q, "\"")
			peer = q[2]; sub(/^[SH]-/, "", peer)
			print id, f[2], peer, f[4] }' | sort
}
stored_ends () {
	iba --format json show latest links
	jq -r '.links[] | [.a, .b], [.b, .a] |
		map("\(.node_guid[2:]) \(.port)") | join(" ")' "$bench/out" |
		sort -u
}

# reads FILE COUNTS RATES: as a topology file, end by end.
reader=${builddir:-$PWD}/tests/unit/topology
reads () {
	is "$("$reader" counts "$cases/$1" 2>&1)" "$2" "$1: counts"
	is "$("$reader" rates "$cases/$1" 2>&1)" "$3" "$1: rates"
	is "$("$reader" ends "$cases/$1" | sort | sha256sum)" \
		"$(printed_ends <"$cases/$1" | sha256sum)" "$1: link ends"
}
reads ndr-40-switches.ibnetdiscover '40 542 40 0 1114' '2228 4X NDR'
reads mixed-fdr10-loops.ibnetdiscover '2 12 1 0 16' "$(printf '%s\n' \
	'2 4X FDR10' '24 4X FDR' '4 4X EDR' '2 4X HDR')"
ports=$cases/edr-ports.ibnetdiscover-p
is "$("$reader" counts "$ports" 2>&1)" "$ports:1: is a line of \
\`ibnetdiscover -p\`, which leaves out what is needed; run ibnetdiscover \
without -p" "edr-ports.ibnetdiscover-p: refused"

bench_start "$cases/ndr-40-switches.ibnetdiscover"
BENCH_HOST=$(awk '/^Ca/ { gsub(/"/, "", $3); print $3; exit }' "$bench/net")
opensm_start "$BENCH_HOST"
iba sweep
status_is 0 "40 NDR switches"
iba --format json show latest
json_is '.counts | [.switches, .cas, .aggregation_nodes, .links]' \
	'[40,542,40,1114]' "counts"
stored_ends >"$bench/got"
ib "$BENCH_HOST" ibnetdiscover
printed_ends <"$bench/out" >"$bench/want"
is "$(wc -l <"$bench/want")" 2228 "2228 link ends"
ok "as ibnetdiscover has them, end by end" cmp "$bench/got" "$bench/want"
iba --format json check
json_is '[.findings[] | select(.severity == "error")] | length' 0 "no error"
json_is '.findings | length <= 5' true "and no flood"

console Quit >/dev/null
bench_start "$cases/mixed-fdr10-loops.ibnetdiscover"
BENCH_HOST=$(awk '/^Ca/ { gsub(/"/, "", $3); print $3; exit }' "$bench/net")
BENCH_DB=$bench/mixed.db
opensm_start "$BENCH_HOST"
iba run --format json
json_is '[.findings[] | select(.severity == "error")] | length' 0 \
	"four speeds, two switch ports cabled to their own switch: no error"
iba --format json show latest
json_is '.counts | [.switches, .cas, .aggregation_nodes, .links]' \
	'[2,12,1,16]' "an aggregation node is no adapter"
iba --format json show latest links
json_is '[.links[] | select(.speed == "FDR10")] | length' 1 \
	"FDR10 is told from QDR"
json_is '[.links[] | select(.speed == "FDR10") | .a.node_guid == .b.node_guid]' \
	'[true]' "on the cable between two ports of one switch"
cp "$bench/out" "$bench/engine"
iba sweep --discovery libibnetdisc
iba --format json show latest links
is "$(jq -S .links "$bench/out")" "$(jq -S .links "$bench/engine")" \
	"libibnetdisc sees the same links"

done_testing
