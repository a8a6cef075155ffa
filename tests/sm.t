#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Subnet managers: a healthy pair, a failover, a silent one, a split brain.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8
quick='sminfo_polling_timeout 1000
polling_retry_number 2'
opensm_start node2 'sm_priority 15' "$quick"
master=$opensm_pid
opensm_start node3 'sm_priority 1' "$quick"
standby=$opensm_pid

iba --format json sm
status_is 0 "a healthy pair"
json_is .verdict ok "verdict"
json_is '.sms | map([.node, .priority, .state]) | sort' \
	'[["node2",15,"MASTER"],["node3",1,"STANDBY"]]' "both are told"
iba run
iba check --only sm-no-standby --only sm-no-master --only sm-not-highest
status_is 0 "and no finding"

kill -STOP "$standby"
iba --format json sm
status_is 1 "a silent standby: warning"
json_is '[.findings[].rule]' '["sm-silent"]' "sm-silent and nothing else"
json_is '.sms[] | select(.node == "node3").state' null "its state is unread"
kill -CONT "$standby"

opensm_stop "$master" KILL
iba --format json sm
json_is '[.sms[] | select(.state == "MASTER")] | length' 0 \
	"right after the master was killed there is none"
json_is '[.findings[] | select(.rule == "sm-no-master")] | length' 1 "said so"
is_master () {
	iba --format json sm
	jq -e '.sms[] | select(.node == "node3").state == "MASTER"' \
		"$bench/out" >/dev/null
}
ok "within the failover time the standby is master" wait_for 20 is_master
json_is '[.findings[].rule]' '["sm-no-standby"]' "now without a standby"

opensm_start node2 'sm_priority 15' "$quick"
is_back () {
	iba --format json sm
	jq -e '.sms[] | select(.node == "node2").state == "MASTER"' \
		"$bench/out" >/dev/null
}
ok "the higher priority takes the mastership back" wait_for 20 is_back
opensm_stop "$opensm_pid"

OPENSM_WAIT=no opensm_start node5 'sm_key 0x0000000000000005' "$quick"
split () {
	iba --format json sm
	jq -e '[.sms[] | select(.state == "MASTER")] | length == 2' \
		"$bench/out" >/dev/null
}
ok "different sm_key: two masters" wait_for 30 split
iba --format json sm
status_is 2 "split brain is an error"
json_is .verdict error "verdict"
json_is '[.findings[] | select(.rule == "sm-split-brain")] | length' 1 \
	"sm-split-brain, once"
json_is '[.findings[] | select(.rule == "sm-split-brain").where[].node] | sort' \
	'["node3","node5"]' "naming both"
iba run
status_is 2 "and to run"
like "$out" "sm-split-brain" "which names the rule"

only_gets "nothing but Get left the program"
done_testing
