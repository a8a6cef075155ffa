#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Queries that fail: each is a row, none ends the sweep, and nothing that was
# not read is called gone or clean.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8 --extspeed 4
opensm_start node1
iba run
iba --format json show latest
json_is .snapshot.complete true "complete at first"

scenario "drop node=$(guid_of leaf2) port=3 attr=PortInfo"
iba --format json run
status_is 1 "an incomplete sweep is a finding"
json_is .snapshot.complete false "not complete"
json_is '[.findings[] | select(.rule == "sweep-incomplete")] | length' 1 \
	"sweep-incomplete"
iba --format json show latest failures
json_is '.failures | map([.node, .port, .attribute, .status])' \
	'[["leaf2",3,"PortInfo","no answer"]]' "the row says which"
iba --format json show latest
json_is '.counts | [.switches, .cas, .links]' '[4,8,12]' \
	"the host behind it was read all the same"
iba --format json show latest ports
json_is '.ports[] | select(.node == "leaf2" and .port == 3) |
	[.read, .last_read, .state]' '[false,1,"ACTIVE"]' \
	"the port keeps what was last read, marked unread"

scenario "drop node=$(guid_of leaf2) attr=NodeInfo"
iba --format json run
status_is 1 "a switch that does not answer"
iba --format json show latest nodes
json_is '[.nodes[] | select(.read | not)] | length > 0' true \
	"it and what lies behind it are unread, not gone"
json_is '.nodes | length' 12 "none is missing"
scenario ""
iba --format json run
iba --format json show latest nodes
json_is '[.nodes[] | select(.read)] | length' 12 "read again"

# A switch that answers everything but PortInfo: ibsim drops those, no rule of
# the layer's is in it.
topology >"$bench/before"
facts () { # FILE: but whether it was read here
	grep -v ' read \(true\|false\)$\| seen "[a-z]*"$' "$1"
}
facts "$bench/before" >"$bench/before.facts"
console 'Error "leaf2" 100 0x15' >/dev/null
iba --format json run
json_is '[.findings[] | select(.rule == "sweep-incomplete").message |
	test("at leaf2")]' '[true]' "PortInfo of one switch is lost: it is named"
json_is '[.findings[] | select(.rule == "sweep-incomplete").message |
	test("node|spine|leaf1")]' '[false]' "and nothing else"
json_is '[.findings[] | select(.severity == "error")]' '[]' "no error"
iba --format json show latest nodes
json_is '[.nodes[] | select(.read).description] | sort |
	join(" ")' "leaf1 leaf2 node1 node2 node3 node4 node5 node6 node7 node8 \
spine1 spine2" "the hosts behind it are read"
topology | facts - >"$bench/got"
same "$bench/got" "$bench/before.facts" "nothing is gone or changed"
rm -f "$bench/first.db"*
BENCH_DB=$bench/first.db iba sweep
BENCH_DB=$bench/first.db iba --format json show latest
json_is '.counts | [.switches, .cas]' '[4,8]' "nor when it is the first sweep"
console 'Error "leaf2" 0' >/dev/null
iba --format json run
json_is '[.findings[].rule]' '["sm-no-standby"]' "then all is well again"
topology >"$bench/got"
same "$bench/got" "$bench/before" "and as before"

iba --require-complete sweep
status_is 3 "an unknown global option"
scenario "drop node=$(guid_of leaf2) port=3 attr=PortInfo"
iba sweep --require-complete
status_is 3 "--require-complete makes it a failure"
like "$err" "incomplete" "that says so"

console 'Unlink "node8"[1]' >/dev/null
scenario ""
iba sweep
iba --format json show latest nodes
json_is '[.nodes[].description] | index("node8")' null \
	"a node whose port was read and is down is gone"
console 'ReLink "node8"[1]' >/dev/null

# Hostile replies.
scenario 'duplicate rate=0.2
reorder rate=0.2
stray rate=0.1'
iba sweep
status_is 0 "duplicated, reordered and invented replies"
iba --format json show latest
json_is '.counts | [.switches, .cas, .links, .failures]' '[4,8,12,0]' \
	"change nothing"
scenario 'corrupt rate=0.3'
BENCH_DB=$bench/corrupt.db # of nodes that never were
iba sweep
unset BENCH_DB
ok "corrupted replies crash nothing" [ "$status" -lt 4 ]
scenario "lose node=$(guid_of leaf1) port=2 attr=PortInfo"
iba sweep
status_is 0 "a reply that never comes ends by the engine's own deadline"
iba --format json show latest failures
json_is '.failures | map([.node, .port])' '[["leaf1",2]]' "and is a row"
scenario "status node=$(guid_of leaf1) port=2 attr=PortInfo value=0x001c"
iba sweep
iba --format json show latest failures
json_is '.failures | map([.port, .status])' '[[2,"MAD status"]]' \
	"a refused query says so"

# Answers that would be wrong if believed.
console 'PerformanceSet "leaf1"[2] PortCounters.SymbolErrorCounter=0' >/dev/null
scenario "status node=$(guid_of leaf1) attr=ClassPortInfo class=pma value=1 count=2"
iba sweep
iba --format json show latest
json_is '.snapshot.pma | .asked == .answered' true \
	"a PMA that is busy twice is asked again"
json_is '.counts.failures' 0 "without a trace"
scenario "status node=$(guid_of leaf1) attr=ClassPortInfo class=pma value=1"
iba sweep
iba --format json show latest failures
json_is '.failures | map([.node, .attribute, .text])' \
	'[["leaf1","ClassPortInfo","busy"]]' "one that stays busy is a row"

scenario "set attr=PortInfo CapMask|=0x4000 LinkSpeedExtActive=0
drop node=$(guid_of node3) port=1 attr=PortInfo after=1 fast=1"
iba run --format json --only link-speed
iba --format json show latest failures
json_is '.failures | map([.node, .port, .attribute])' \
	'[["node3",1,"PortInfo"]]' "the second PortInfo was lost: a row"
iba --format json show latest ports
json_is '.ports[] | select(.node == "node3" and .port == 1).speed' null \
	"and its speed unread, not a slower one"

# A switch that knows the extended speeds is asked for them from the first.
scenario "set attr=PortInfo CapMask|=0x4000
status node=$(guid_of leaf1) port=2 attr=PortInfo value=0x1c count=1"
iba sweep
iba --format json show latest
json_is .counts.failures 0 "one that refuses the modifier is asked without"
iba --format json show latest ports
json_is '.ports[] | select(.node == "leaf1" and .port == 2).state' ACTIVE \
	"and answers"

scenario "drop node=$(guid_of node1) attr=PortInfo fast=1"
iba --format json run
json_is '[.findings[] | select(.rule == "sm-no-master")] | length' 0 \
	"the master's PortInfo was lost: there is a master all the same"
iba --format json show latest sms
json_is '.sms | map([.node, .state])' '[["node1","MASTER"]]' \
	"since it was asked for what it was before"

scenario "set node=$(guid_of node5) port=1 attr=PortInfo Lid=$(lid_of node6)"
iba sweep
iba --format json show latest failures
json_is '[.failures[].node] | sort' '["node5","node6"]' \
	"two ports with one LID: neither is asked for counters"

# leaf2 dies after its first answers: it is given up, not waited for.
scenario "drop node=$(guid_of leaf2) after=4 fast=1"
iba sweep
iba --format json show latest failures
json_is '[.failures[] | select(.status == "no answer")] | length <= 9' true \
	"a node that died in the sweep costs few time-outs"
json_is '[.failures[] | select(.text == "the node stopped answering")] |
	length > 0' true "the rest is rows at once"

# A subnet manager on a node that was given up is asked all the same.
# (ports 1 and 2 of leaf1 lead to node1 and node2)
scenario "set node=$(guid_of leaf2) port=0 attr=PortInfo CapMask|=0x2
drop node=$(guid_of leaf2) attr=SMInfo fast=1
drop node=$(guid_of leaf2) port=1-8 attr=PortInfo fast=1"
iba --format json run
json_is '[.findings[] | select(.rule == "sm-silent").where[].node]' \
	'["leaf2"]' "a silent subnet manager on it is still told"

scenario "set attr=PortInfo CapMask|=0x4000 LinkSpeedExtActive=0
status node=$(guid_of node3) port=1 attr=PortInfo value=1 after=1"
iba sweep
iba --format json show latest failures
json_is '.failures | map([.node, .port, .text])' '[["node3",1,"busy"]]' \
	"busy is no refusal"

scenario "drop node=$(guid_of node1) attr=NodeInfo fast=1"
before=$(iba --format json list; jq '.snapshots | length' "$bench/out")
iba sweep
status_is 3 "an adapter that does not answer itself: nothing can be read"
iba --format json list
json_is '.snapshots | length' "$before" "and nothing is stored"

scenario 'delay us=100000'
iba sweep --timeout 1
status_is 0 "the time limit ends a sweep"
iba --format json show latest
json_is .snapshot.complete false "as incomplete"

# A switch whose neighbours are silent is not silent itself.
console Quit >/dev/null
fabric tree --leaves 3 --spines 1 --hosts 6 --ports 26 --trunk 8
BENCH_DB=$bench/trunk.db
opensm_start node1
scenario "drop node=$(guid_of leaf2) class=smp fast=1"
iba sweep
iba --format json show latest
json_is '.counts | [.switches, .cas]' '[3,4]' \
	"a hung leaf on eight cables: what is beside it is read"
json_is '.counts.failures' 8 "with a row for each of its cables"

# What hangs behind a switch that was taken out is unread for good, and told for
# a day: a verdict that is OK says that it is not about all.
scenario ''
infos="--skip sm-no-standby --skip link-speed-limited"
longer="--set sweep-incomplete.hours=0"
# shellcheck disable=SC2086
iba run $infos
like "$out" $'^OK: nothing found\n' "all was read: OK"
console 'Unlink "leaf3"' >/dev/null
iba run
# shellcheck disable=SC2086
iba run $infos
status_is 1 "a switch is gone: a warning in the next sweep, too"
# shellcheck disable=SC2086
iba run $infos $longer
status_is 0 "a switch is gone for longer: no finding"
like "$out" $'^OK: nothing found in what was read\n' "and not called clean"
iba --format json show latest
json_is '[.snapshot.complete, .snapshot.unread_nodes]' '[true,3]' \
	"for the sake of what was behind its cables"
# shellcheck disable=SC2086
iba check $infos $longer
like "$out" $'^OK: nothing found in what was read\n' "nor by check"
# shellcheck disable=SC2086
iba check --skip sm-no-standby $longer
like "$out" $'^OK: [1-9] infos? in what was read\n' "nor with an info"
console 'ReLink "leaf3"' >/dev/null

only_gets "nothing but Get left the program"
done_testing
