#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every JSON document against its schema, on a healthy and a faulty fabric.
. "${0%/*}/lib.sh"

/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
	skip_all "needs python3-jsonschema"
validate=$(cd "${0%/*}" && pwd)/validate

valid () { # SCHEMA ARGS...: what ibaudit ARGS prints
	local schema=$1 wrong
	shift
	iba --format json "$@"
	wrong=$("$validate" "$schema" "$bench/out" 2>&1 | head -n 5)
	is "$wrong" "" "$schema: $(printf '%q ' ibaudit "$@")"
}

all_valid () {
	local what
	valid sweep sweep
	valid sweep -v sweep --no-counters --note $'\x01\xff<&">'
	valid run run
	valid check check
	valid check check -v
	valid sm sm
	valid sm sm -v
	valid list list
	valid show show
	for what in nodes ports links sms counters failures; do
		valid "show-$what" show latest $what
	done
	valid counters counters
	valid rules-list rules list
	valid rules-show rules show link-speed
	valid rules-test rules test "$bench_lib/../rules"
	valid db-check db check
	valid history-port history port leaf1/2
	valid history-readings history port leaf1/2 --counter symbol_error
	valid history-node history node leaf1
	valid history-sm history sm
	valid history-rule history rule link-width
	valid history-rule history rule sm-no-master
	valid prune prune --keep-all 0s
	valid diff diff latest latest
	valid diff diff 1
	valid db-vacuum db vacuum
	rm -f "$bench"/copy.db* "$bench"/other.db*
	valid db-backup db backup "$bench/copy.db"
	valid db-backup db backup "$bench/other.db"
	BENCH_DB=$bench/copy.db valid db-merge db merge "$bench/other.db"
	BENCH_DB=$bench/copy.db valid db-merge db merge "$bench/other.db" \
		--as other
	valid expect-show expect show
	printf 'leaf1,1,node1,1\nleaf1,2,no,1,NDR,4X\n' >"$bench/plan"
	valid expect-set expect set "$bench/plan"
	valid expect-show expect show
	valid check expect diff
	valid check check
	valid expect-set expect set latest --force
	valid expect-show expect show
	valid check expect diff
	valid expect-set expect clear
}

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8
valid sm sm
all_valid
opensm_start node1
all_valid
console 'PerformanceSet "leaf1"[2] PortCounters.SymbolErrorCounter=70' >/dev/null
scenario "drop node=$(guid_of leaf2) port=3 attr=PortInfo fast=1
set node=$(guid_of leaf1) port=2 attr=PortInfo LinkWidthActive=1
set node=$(guid_of leaf1) port=3 attr=PortInfo LinkSpeedExtActive=3 CapMask=0x4000
status node=$(guid_of node3) attr=PortCounters value=0x1c"
all_valid
done_testing
