#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Two implementations of discovery read the same topology, fact by fact, on
# every shape of a healthy fabric; ibnetdiscover is the third witness.
. "${0%/*}/lib.sh"

counts='.counts | [.switches, .cas, .routers, .links]'

# agree NAME COUNTS: both discoveries on the fabric that is up, each with a
# database of its own, so that none knows what the other read.
agree () {
	local name=$1 wanted=$2 how
	for how in engine libibnetdisc; do
		BENCH_DB=$bench/$how.db
		rm -f "$BENCH_DB"*
		iba sweep --discovery $how
		status_is 0 "$name: $how"
		topology >"$bench/$how"
	done
	BENCH_DB=$bench/engine.db
	iba --format json show latest
	json_is "[.snapshot.complete, ($counts)]" "[true,$wanted]" \
		"$name: all of it was read"
	iba --format json show latest failures
	json_is '.failures | map(select(.class == "SMP"))' '[]' \
		"$name: no SMP failed"
	same "$bench/engine" "$bench/libibnetdisc" \
		"$name: nodes, ports and links are those of libibnetdisc"
	stored_ends >"$bench/got"
	ib "$BENCH_HOST" ibnetdiscover
	printed_ends "$bench/out" >"$bench/want"
	same "$bench/got" "$bench/want" "$name: and links those of ibnetdiscover"
}

# try NAME COUNTS FABRIC-GEN-ARGS...
try () {
	fabric "${@:3}"
	opensm_start "${SM_HOST-$BENCH_HOST}"
	agree "$1" "$2"
}

try "a tree" '[6,12,0,20]' \
	tree --leaves 4 --spines 2 --hosts 12 --ports 12 --extspeed 4
try "parallel cables" '[4,8,0,24]' \
	tree --leaves 2 --spines 2 --hosts 8 --ports 16 --trunk 4 --extspeed 4
try "three levels" '[20,32,0,96]' clos3 --hosts 32 --ports 8 --extspeed 4
try "ports cabled to their own switch" '[3,4,0,10]' \
	tree --leaves 2 --spines 1 --hosts 4 --ports 12 --loops --extspeed 4
try "adapters with both ports on one leaf" '[3,6,0,14]' \
	tree --leaves 2 --spines 1 --hosts 6 --ports 12 --dual same --extspeed 4
try "adapters on two leaves" '[5,6,0,18]' \
	tree --leaves 3 --spines 2 --hosts 6 --ports 12 --dual next --extspeed 4
try "routers" '[3,4,2,8]' \
	tree --leaves 2 --spines 1 --hosts 6 --ports 8 --routers 2 --extspeed 4
try "routers with two ports" '[3,4,2,14]' tree --leaves 2 --spines 1 \
	--hosts 6 --ports 12 --routers 2 --dual next --extspeed 4
try "base port 0" '[3,4,0,6]' \
	tree --leaves 2 --spines 1 --hosts 4 --ports 8 --base --extspeed 4
try "mixed speeds" '[5,9,0,15]' \
	tree --leaves 3 --spines 2 --hosts 9 --ports 8 --extspeed 1,3,7,1
try "no extended speeds" '[3,4,0,6]' \
	tree --leaves 2 --spines 1 --hosts 4 --ports 8
try "a row of 20 switches" '[20,2,0,21]' \
	chain --leaves 20 --ports 4 --extspeed 4
try "two adapters back to back" '[0,2,0,1]' pair --extspeed 4

BENCH_HOST=leaf1
SM_HOST=node1 try "asked from a switch" '[4,6,0,10]' \
	tree --leaves 2 --spines 2 --hosts 6 --ports 8 --extspeed 4
SM_HOST=node1 try "from a switch that is cabled to itself" '[3,6,0,12]' \
	tree --leaves 2 --spines 1 --hosts 6 --ports 12 --loops --extspeed 4
BENCH_HOST=node1

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8 --extspeed 4
agree "without a subnet manager" '[3,4,0,6]'

# Fabrics of the real world, where they are there (tests/cases.t).
cases=${IBAUDIT_CASES:-$bench_lib/../../shared/cases}
real () { # FILE COUNTS
	if [ ! -r "$cases/$1" ]; then
		skip 6 "no $1"
		return
	fi
	bench_start "$cases/$1"
	BENCH_HOST=$(awk '/^Ca/ { gsub(/"/, "", $3); print $3; exit }' \
		"$bench/net")
	opensm_start "$BENCH_HOST"
	agree "$1" "$2"
}
real ndr-40-switches.ibnetdiscover '[40,542,0,1114]'
real mixed-fdr10-loops.ibnetdiscover '[2,12,0,16]'

only_gets "nothing but Get left the program"
done_testing
