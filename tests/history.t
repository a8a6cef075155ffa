#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What became of a port, a node, the subnet managers and a finding, line by line.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 6 --ports 8 --extspeed 4
manager () {
	opensm_start "$1" "sm_priority $2" 'sweep_interval 0' \
		'sminfo_polling_timeout 1000' 'polling_retry_number 2'
}
narrow="set node=$(guid_of leaf1) port=2 attr=PortInfo LinkWidthActive=1
set node=$(guid_of node2) port=1 attr=PortInfo LinkWidthActive=1"
errors () {
	console "PerformanceSet \"leaf2\"[2] PortCounters.$1=$2" >/dev/null
}

# The standby that takes over may stand still in the simulator: then all begins
# anew.
for try in 1 2 3 4 5; do
	rm -f "$bench"/ibaudit.db*
	scenario ''
	manager node1 5
	master=$opensm_pid
	manager node6 3
	standby=$opensm_pid standby_log=$opensm_log
	iba -q run
	errors SymbolErrorCounter 70
	errors LinkDownedCounter 2
	console 'Unlink "node2"[1]' >/dev/null
	iba -q run
	console 'ReLink "node2"[1]' >/dev/null
	errors SymbolErrorCounter 3
	opensm_stop "$master"
	iba -q run
	opensm_wait 'SUBNET UP' "$standby" "$standby_log" && break
	diag "the standby stands still"
	opensm_stop "$standby"
	errors SymbolErrorCounter 0
	errors LinkDownedCounter 0
done
scenario "$narrow"
iba -q run
scenario "drop node=$(guid_of node5) fast=1"
iba -q run
scenario ''
iba -q run

# What is told behind the times, which differ.
told () { # ARGS...
	iba history "$@"
	[ "$status" = 0 ] || echo "status $status: $err"
	sed -E 's/20[0-9-]+T[0-9:.]+Z/TIME/g; s/ within [0-9]+ s/ within N s/
		s/, without a master for [0-9a-z ]+ at least//' "$bench/out"
}

is "$(told port leaf1/2)" \
'leaf1 port 2 (0x0002c90200000100): up at 200 Gb/s (4X HDR), ACTIVE, to node2
  port 1

SNAPSHOT  TIME                      WHAT
       1  TIME  up at 200 Gb/s (4X HDR), ACTIVE, to node2 port 1
       2  TIME  Polling
       3  TIME  up at 200 Gb/s (4X HDR), ACTIVE, to node2 port 1
       4  TIME  up at 50 Gb/s (1X HDR), ACTIVE, to node2 port 1
       5  TIME  up at 200 Gb/s (4X HDR), ACTIVE, to node2 port 1' \
	"a link"
is "$(told port leaf2/2 | sed 1,3d)" \
'SNAPSHOT  TIME                      WHAT
       1  TIME  up at 200 Gb/s (4X HDR), ACTIVE, to node5 port 1
       2  TIME  SymbolErrorCounter rose by 70 to 70
       2  TIME  LinkDownedCounter rose by 2 to 2
       3  TIME  SymbolErrorCounter was cleared: 70 -> 3' \
	"error counters"
is "$(told port 0x0002c90200000200/2 --since 3 | sed 1,3d)" \
'SNAPSHOT  TIME                      WHAT
       3  TIME  SymbolErrorCounter was cleared: 70 -> 3' \
	"by GUID, from a snapshot on"
iba --format json history port leaf2/2 --counter SymbolErrorCounter
json_is '[.readings[] | [.snapshot, .value, .delta, .reset]]' \
	'[[1,0,null,false],[2,70,70,false],[3,3,3,true],[4,3,0,false],[5,3,0,false],[6,3,0,false]]' \
	"each reading of a counter"
iba --format json history port leaf2/2 --counter xmit_pkts
json_is '[.readings[].delta > 0] | length' 6 "of a data counter too"
is "$(told node node2)" \
'node2 (0x0002c90100000200): there

SNAPSHOT  TIME                      WHAT
       1  TIME  seen first as node2
       1  TIME  port 1 leads to leaf1 port 2
       2  TIME  gone
       3  TIME  came back as node2' \
	"a node that went and came"
is "$(told node node5 | sed 1,3d)" \
'       1  TIME  seen first as node5
       1  TIME  port 1 leads to leaf2 port 2
       5  TIME  not read
       6  TIME  read again' \
	"one that was not read"
is "$(told sm | sed 1d)" \
'TIME  TIME  a second  no      node1 port 1
TIME  TIME  a second  yes     node6 port 1

SNAPSHOT  TIME                      WHAT
       1  TIME  subnet manager on node1 port 1: MASTER, priority 5
       1  TIME  subnet manager on node6 port 1: STANDBY, priority 3
       1  TIME  master is node1 port 1
       3  TIME  subnet manager on node1 port 1 went
       3  TIME  no master; it was node1 port 1
       4  TIME  subnet manager on node6 port 1: STANDBY -> MASTER
       4  TIME  master went from node1 port 1 to node6 port 1 within N s' \
	"a failover"
is "$(told rule link-width)" \
'SINCE                     FOR        ENDED  WHAT
TIME  one sweep  open   node2 port 1 to leaf1 port 2: runs at 50 Gb/s (1X HDR); both ends can do 200 Gb/s (4X HDR)' \
	"an episode"
is "$(told rule dup-node-guid)" "It found nothing, in any run." "a rule without"

# A terminal has the counters drawn.
ASAN_OPTIONS=$bench_asan UBSAN_OPTIONS=$bench_ubsan LC_ALL=C.UTF-8 \
	script -qec "$IBAUDIT --db $bench/ibaudit.db --config /dev/null \
		history port leaf2/2" "$bench/typed" >/dev/null 2>&1 </dev/null
ok "a sparkline" grep -q 'LinkDownedCounter  *▁█▁▁▁▁ 2' "$bench/typed"

refused () { # WANTED ARGS...
	iba history "${@:2}"
	is "$status $err" "3 ibaudit: $1" "history ${*:2}"
}
refused "history: there is port NODE/PORT, node NODE, sm, rule ID"
refused "history: there is port NODE/PORT, node NODE, sm, rule ID" ports
refused "history port needs NODE/PORT; see ibaudit history --help" port
refused "unexpected argument x; see ibaudit history --help" sm x
refused "leaf1 has no port 99; its last one is 8" port leaf1/99
refused "leaf1: not a port; write NODE/PORT, as leaf1/5 or 0x0002c90200000100/5" \
	port leaf1
refused "no node nobody in the snapshots of fabric default; give its GUID or its \
name as 'ibaudit show nodes' has it" node nobody
refused "--counter: there is no nix; 'ibaudit counters' lists them" \
	port leaf1/2 --counter nix
refused "--counter is for history port" node leaf1 --counter symbol_error
refused "no rule nix, and no finding of one; 'ibaudit rules' lists them" rule nix
refused "no snapshot '77': the newest of fabric default is 6; see 'ibaudit list'" \
	sm --since 77
only_gets "nothing but Get left the program"
done_testing
