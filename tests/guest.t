#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A polite guest: what is in flight, what is sent in 10 ms, how much is asked,
# what a silent node costs, and when it stops.  All of it is counted by the
# layer; no time is measured.
. "${0%/*}/lib.sh"

info='class=0x81 method=0x01 attr=0x0011'
port_info='class=0x81 method=0x01 attr=0x0015'
class_port_info='class=0x04 method=0x01 attr=0x0001'
counters='class=0x04 method=0x01 attr=0x0012'

fabric clos3 --hosts 128 --ports 16 --extspeed 4
opensm_start node1 'sweep_interval 0'

# at_most NAME KEY N [KEY N...]: what the layer counted in the last sweep.  A
# machine that stood still may have made ibsim late, and what is late leaves
# the window: such a sweep is done again, twice.
at_most () {
	local name=$1 try told next key bad
	shift
	for try in 1 2 3; do
		[ "$try" = 1 ] || iba sweep $sweep_options
		bad=
		for ((told = 1; told < $#; told += 2)); do
			key=${!told} next=$((told + 1))
			[ "$(report "$key")" -le "${!next}" ] ||
				bad+="$key $(report "$key"), at most ${!next}; "
		done
		[ -n "$bad" ] || break
	done
	is "$bad" "" "$name"
}

# Replies take 5 ms, so that the windows are full.  The rate is 4,000 SMPs and
# 8,000 GMPs a second: 40 and 80 in 10 ms, and a window's worth that was saved
# up; a second one where the process stood still between two looks at the clock.
sweep_options=
scenario 'delay us=5000'
iba sweep
ok "the window of SMPs is used" [ "$(report 'peak smp')" -ge 8 ]
at_most "in flight" 'peak smp' 8 'peak gmp' 64
at_most "to one node" 'peak-node smp' 1 'peak-node gmp' 1
scenario ''
iba sweep
at_most "within 10 ms" 'peak-10ms smp' 56 'peak-10ms gmp' 208
at_most "in flight, when replies come at once" 'peak smp' 8 'peak gmp' 64 \
	'peak-node smp' 1 'peak-node gmp' 1

scenario 'delay us=5000'
sweep_options=--fast
iba sweep --fast
ok "--fast: more are in flight" [ "$(report 'peak smp')" -gt 8 ]
at_most "--fast: in flight" 'peak smp' 64 'peak gmp' 64 'peak all' 128 \
	'peak-node smp' 1 'peak-node gmp' 1

# How much is asked.
scenario ''
iba sweep
status_is 0 "a sweep"
sent=$(report sent)
iba --format json show latest
json_is '[.snapshot.complete, .counts.failures, .snapshot.pma.asked,
	.snapshot.pma.answered, .counts.ports]' '[true,0,808,808,808]' \
	"808 ports, port 0 of 40 switches among them"
iba sweep
ok "$sent MADs, 4.3 a port at most" [ $((sent * 10)) -le $((808 * 43)) ]
ok "$(report "sent $port_info") PortInfos: port 0 of a switch twice at most" \
	[ "$(report "sent $port_info")" -le $((808 + 40)) ]
is "$(report "sent $class_port_info")" 168 "one ClassPortInfo a node"
is "$(grep '^repeated class' "$bench/report" | grep -v "$counters\| 0$")" "" \
	"nothing is asked twice"
# VL15Dropped at our port of the leaf, a few times a second
ok "but for one port's counters" \
	[ "$(report "repeated $counters")" -le $(($(report "sent $counters") - 808)) ]
ok "the first counters are asked for before the last NodeInfo" \
	[ "$(report "first $class_port_info")" -lt "$(report "last $info")" ]
iba sweep --no-counters
is "$(report "sent $class_port_info")" 0 "no counters, no GMP"

# Adapters that never answer the performance class, with real time-outs.
silent () { # NAME NODE...
	local name=$1 node text=
	shift
	for node; do
		text+="drop class=pma node=$(guid_of "$node")"$'\n'
	done
	scenario "$text"
	iba sweep
	status_is 0 "$name"
	is "$(sed -n 's/^line .* applied //p' "$bench/report" | sort -u)" 1 \
		"$name: each is asked once"
	ok "$name: $(report sent) MADs instead of $sent" \
		[ "$(report sent)" -le $((sent + 10)) ]
	iba --format json show latest failures
	json_is '.failures | map([.node, .attribute, .status]) | sort' \
		"$(printf '%s\n' "$@" | jq -Rcs 'split("\n")[:-1] |
			map([., "ClassPortInfo", "no answer"]) | sort')" \
		"$name: a row for each"
	iba --format json show latest
	json_is '[.snapshot.complete, .snapshot.pma.asked, .snapshot.pma.answered]' \
		"[true,808,$((808 - $#))]" "$name: all other counters"
}
silent "1 % silent adapters" node77
silent "10 % silent adapters" node2 node13 node24 node35 node46 node57 node68 \
	node79 node80 node91 node102 node113 node124

# A host that says who it is and then nothing.
scenario "drop node=$(guid_of node9) after=1"
iba sweep
status_is 0 "a host that hangs"
ok "it gets $(report 'line 1 applied') MADs" \
	[ "$(report 'line 1 applied')" -le 3 ]
iba --format json show latest failures
json_is '[.failures[].node] | unique' '["node9"]' "rows for it alone"
iba --format json show latest
json_is '[.snapshot.complete, .counts.cas, .snapshot.pma.answered]' \
	'[false,128,807]' "all else is read"

# A fabric that falls silent in the middle: a few are asked again, then no
# more.
scenario 'drop after=600'
iba sweep
status_is 0 "a fabric that falls silent"
ok "$(report sent) MADs, 600 of them before" [ "$(report sent)" -le 900 ]
iba --format json show latest failures
json_is '.snapshot.complete' false "incomplete"
json_is '[.failures[] | select(.text | test("distress"))] | length > 0' true \
	"rows say that the fabric is in distress"
iba --format json show latest nodes
json_is '.nodes | length' 168 "nothing is gone"
scenario ''
iba sweep --fast
iba --format json show latest
json_is '[.snapshot.complete, .counts.failures]' '[true,0]' "read again"

# All PMAs are busy, for seconds.  They answer: that is no distress, and what
# else the fabric has is read.
scenario "delay us=12000
status class=pma attr=ClassPortInfo value=1"
iba sweep
status_is 0 "a fabric of busy PMAs"
iba --format json show latest
json_is '[.snapshot.complete, .counts.cas, .counts.switches]' \
	'[true,128,40]' "is read, but for the counters"
iba --format json show latest failures
json_is '[.failures[] | [.attribute, .text]] | unique' \
	'[["ClassPortInfo","busy"]]' "nobody is said to have fallen silent"
json_is '.failures | length' 168 "and there is a row for each node"
scenario ''

# The local leaf drops subnet management packets: a little, and on and on.
# (node1, from where the sweeps are made, hangs at leaf1 port 1)
leaf="node=$(guid_of leaf1) port=1 attr=PortCounters"
scenario "delay us=12000
set $leaf VL15Dropped=7"
iba sweep
iba --format json show latest
json_is .snapshot.complete true "what the leaf dropped before is no matter"
scenario "delay us=12000
set $leaf VL15Dropped=7
set $leaf VL15Dropped=8 after=1
set $leaf VL15Dropped=9 after=2
set $leaf VL15Dropped=10 after=3
set $leaf VL15Dropped=11 after=4
set $leaf VL15Dropped=12 after=5"
iba sweep
status_is 0 "a leaf that drops more and more"
iba --format json show latest
json_is .snapshot.complete false "ends the sweep"
iba --format json show latest failures
json_is '[.failures[] | select(.text | test("VL15Dropped"))] | length > 0' \
	true "with rows that say why"
scenario ''

# Nobody tells the fabric that a subnet manager is here.
ok "the program knows nothing of issm" \
	bash -c '! grep -q "infiniband/issm\|get_issm_path" "$1"' grep "$IBAUDIT"
only_gets "nothing but Get left the program, and issm was not opened"
done_testing
