#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Subnet managers: a healthy pair, a failover, a silent one, a split brain.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8
quick='sminfo_polling_timeout 1000
polling_retry_number 2'
pair () {
	opensm_start node2 'sm_priority 15' "$quick"
	master=$opensm_pid
	opensm_start node3 'sm_priority 1' "$quick"
	standby=$opensm_pid standby_log=$opensm_log
}

pair
iba --format json sm
status_is 0 "a healthy pair"
json_is .verdict ok "verdict"
json_is '.sms | map([.node, .priority, .state]) | sort' \
	'[["node2",15,"MASTER"],["node3",1,"STANDBY"]]' "both are told"
iba run
iba check --only sm-no-standby --only sm-no-master --only sm-not-highest
status_is 0 "and no finding"

# A failover.  The standby that takes over may stand still in the simulator,
# as one that starts may: then the pair is made anew.
for try in 1 2 3 4 5; do
	opensm_stop "$master" KILL
	iba --format json sm
	cp "$bench/out" "$bench/killed"
	opensm_wait 'SUBNET UP' "$standby" "$standby_log" && break
	diag "the standby stands still: $(tail -n 1 "$standby_log")"
	opensm_stop "$standby"
	pair
done
is "$(jq -c '[.sms[] | select(.state == "MASTER")] | length' "$bench/killed")" \
	0 "right after the master was killed there is none"
is "$(jq -c '[.findings[].rule]' "$bench/killed")" '["sm-no-master"]' "said so"
iba --format json sm
json_is '.sms | map([.node, .state])' '[["node3","MASTER"]]' \
	"within its failover time the standby is master"
json_is '[.findings[].rule]' '["sm-no-standby"]' "now without a standby"

# One that is alive and does not answer.
opensm_start node2 'sm_priority 0' "$quick"
kill -STOP "$opensm_pid"
iba --format json sm
status_is 1 "a silent standby: warning"
json_is '[.findings[].rule]' '["sm-silent"]' "sm-silent and nothing else"
json_is '.sms[] | select(.node == "node2").state' null "its state is unread"
opensm_stop "$opensm_pid"

opensm_start node5 'sm_key 0x0000000000000005' "$quick"
iba --format json sm
status_is 2 "split brain is an error"
json_is .verdict error "verdict"
json_is '[.findings[] | select(.rule == "sm-split-brain")] | length' 1 \
	"sm-split-brain, once"
json_is '[.findings[] | select(.rule == "sm-split-brain").where[].node] | sort' \
	'["node3","node5"]' "naming both"
iba sweep
iba check
status_is 2 "and to check"
iba run
status_is 2 "and to run"
like "$out" "sm-split-brain" "which names the rule"
like "$out" $'\n    and node[35], port 1 ' "no cable leads from one to the other"

# A state that no specification knows: SMInfo byte 20 is priority and state.
scenario "set node=$(guid_of node5) attr=SMInfo byte[20]=57"
iba --format json sm
json_is '.sms | map([.node, .priority, .state])' \
	'[["node3",1,"MASTER"],["node5",5,"unknown 7"]]' \
	"an unknown state is shown raw"
iba sm
like "$out" 'unknown 7 +5 .*node5' "in text too"
scenario ''

# A leaf that is dead behind cables that are up: node5's hides there.
console 'Error "leaf2" 100' >/dev/null
iba --format json sm
json_is '.findings | map(select(.rule == "link-no-neighbor").where[0].node)' \
	'["spine1","spine2"]' "a dead leaf: the cables behind which one may have been missed"
iba -v sm
like "$out" $'\n'"$(guid_of spine1)"' .*SMP +NodeInfo +no answer' \
	"-v lists each query that failed"
iba -v --format json sm
json_is '.failures | map([.node, .attribute])' \
	'[["spine1","NodeInfo"],["spine2","NodeInfo"]]' "in JSON, too"
console 'Error "leaf2" 0' >/dev/null

only_gets "nothing but Get left the program"
done_testing
