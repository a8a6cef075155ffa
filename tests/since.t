#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What run keeps of its findings: since when each stands; and a link that flaps
# a little in each of several sweeps.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1

narrow="set node=$(guid_of leaf1) port=2 attr=PortInfo LinkWidthActive=1
set node=$(guid_of node2) port=1 attr=PortInfo LinkWidthActive=1"
since () { # RULE: of the last document
	jq -c --arg r "$1" '.findings[] | select(.rule == $r) |
		.since | if . then .snapshot else null end' "$bench/out"
}
started () { # ID
	jq -r --argjson id "$1" '.snapshots[] | select(.id == $id) | .started' \
		"$bench/list"
}

iba -q sweep
iba --format json check
is "$(since sm-no-standby)" null "check alone knows no beginning"
iba --format json run
is "$(since sm-no-standby)" 2 "what is new stands since this snapshot"
scenario "$narrow"
iba --format json run
is "$(since link-width) $(since sm-no-standby)" "3 2" "each its own"
iba run
iba --format json list
cp "$bench/out" "$bench/list"
iba check
like "$out" "since $(started 3), a second|since $(started 3), [0-9]+ s" \
	"the time is told"
like "$out" "\(snapshot 3\)" "and the snapshot"
iba check 3
unlike "$out" "snapshot 3\)" "not of what is new"
like "$out" "\(snapshot 2\)" "of what was there before, then as well"
iba --format json check 1
is "$(since sm-no-standby)" null "nor of what was found later"

# Gone for one sweep is not over.
scenario ""
iba -q run
scenario "$narrow"
iba --format json run
is "$(since link-width)" 3 "one that comes and goes is one"

# Once in each sweep: each is no more than a link that went down.
scenario ""
for n in 1 2 3; do
	console "PerformanceSet \"leaf2\"[1] PortCounters.LinkDownedCounter=$n" \
		>/dev/null
	iba --format json run --only link-flapping --only counter-link-downed
	flapping[n]=$(jq -c '[.findings[].rule]' "$bench/out")
done
is "${flapping[*]}" '[] [] ["link-flapping"]' "three in an hour flap"
json_is '.findings[0] | [.severity, .message, .where[0].node,
	.where[0].port, .where[1].node]' \
	'["error","went down 3 times in the last hour","leaf2",1,"node3"]' \
	"says so, with both ends"
iba --format json run --only link-flapping
json_is '[.findings[].rule]' '["link-flapping"]' "also a sweep later"
only_gets "nothing but Get left the program"
done_testing
