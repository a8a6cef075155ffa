#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a fabric should be: set from a snapshot, from ibnetdiscover and from a
# plan; what the rules that judge by it say, word for word.
. "${0%/*}/lib.sh"

# What is said of a finding, without its remedy, as `check --only` has it.
found () { # RULE...
	local only=() rule
	for rule; do
		only+=(--only "$rule")
	done
	COLUMNS=200 iba check "${only[@]}"
	sed -n '/^\(ERROR\|WARNING\|INFO\) [a-z-]*: /,/^  Do:/p' "$bench/out" |
		sed '/^  Do:/d; s/, LID [0-9]*)/)/' | tr -s ' \n' ' ' |
		sed 's/ $//'
}

ours='link-below-expected link-miscabled link-missing link-unexpected
node-missing node-unexpected'

# says NAME STATUS TEXT RULE...: those rules say TEXT, the others of ours
# nothing, and `expect diff` says the same.
says () {
	local name=$1 wanted=$2 text=$3
	shift 3
	iba sweep
	is "$(found "$@")" "$text" "$name"
	# shellcheck disable=SC2086
	is "$(found $ours)" "$text" "$name: and nothing else"
	iba check "${only_ours[@]}"
	cp "$bench/out" "$bench/check"
	iba expect diff
	status_is "$wanted" "$name: status $wanted"
	same "$bench/out" "$bench/check" "$name: expect diff says the same"
}
only_ours=()
for rule in $ours; do
	only_ours+=(--only "$rule")
done

refused () { # NAME STDERR ARGS...
	local name=$1 wanted=$2
	shift 2
	iba "$@"
	is "$status $err" "3 ibaudit: $wanted" "$name"
}

quiet () {
	console "$@" >/dev/null
}

# ---- one rail, a switch that loses its power ----

fabric tree --leaves 2 --spines 2 --hosts 6 --ports 8 --extspeed 4
opensm_start node1
BENCH_DB=$bench/none.db
refused "no database" "$bench/none.db: no database there; run 'ibaudit sweep' to \
make one, or name one with --db" expect show
unset BENCH_DB
iba sweep

iba expect
is "$status $out" "0 Nothing is expected of fabric default; see ibaudit expect \
set." "at first nothing is expected"
iba --format json expect show
json_is '[.fabric, .expectation, .links]' '["default",null,[]]' "nor in JSON"
refused "nothing to compare with" "nothing is expected of fabric default; say \
what with ibaudit expect set" expect diff
iba check "${only_ours[@]}"
status_is 0 "and no rule says anything"

refused "neither" "'nix': not a snapshot; write latest, latest~N, the number \
of one, or a time such as '2026-01-31 12:00'; nor is there a file of that \
name" expect set nix
refused "no such snapshot" "no snapshot '9': there is 1, from 1 \
($(iba --format json list; jq -r '.snapshots[0].started' "$bench/out")) to 1; \
see 'ibaudit list'; nor is there a file of that name" expect set 9
refused "no such file" "./nix: cannot be read: No such file or directory; \
name another file" expect set ./nix
verbs="expect: there are set SNAPSHOT|FILE, show, diff [SNAPSHOT] and clear"
refused "no argument" "$verbs" expect set
refused "no verb" "$verbs" expect nix

iba --format json expect set latest
status_is 0 "set from a snapshot"
json_is '.expectation | [.kind, .snapshot, .nodes, .links]' \
	'["snapshot",1,10,10]' "nodes and links are counted"
like "$(jq -r .expectation.source "$bench/out")" '^20.*Z$' "and told when it was"
iba expect show
is "$(tr -s ' ' <"$bench/out" | grep '^leaf1' | sort | head -n 4)" \
	"leaf1 2 node2 1 HDR 4X
leaf1 3 node3 1 HDR 4X
leaf1 4 spine1 1 HDR 4X
leaf1 5 spine2 1 HDR 4X" "show: a line a cable"
says "all is as it should be" 0 "" $ours

quiet 'Unlink "leaf2"'
says "a switch without power is one line" 2 "ERROR node-missing: An expected \
node is not there leaf2 (0x0002c90200000200) cannot be reached, was last in \
snapshot 2; spine1 port 2, where it should be, is Polling; 3 nodes behind it \
cannot be seen expected leaf2, state unread, behind 3, neighbor spine1, \
neighbor_port 2" node-missing
iba expect diff 1
status_is 0 "expect diff of another snapshot"
quiet 'ReLink "leaf2"'
says "switched on again" 0 "" $ours

quiet 'Unlink "node3"[1]'
says "a host that is off" 2 "ERROR node-missing: An expected node is not there \
node3 (0x0002c90100000300) is gone; leaf1 port 3, where it should be, is \
Polling expected node3, state gone, behind 0, neighbor leaf1, neighbor_port 3" \
	node-missing
quiet 'ReLink "node3"[1]'
says "it is back" 0 "" $ours

quiet 'Error "node3" 100'
says "a silent host" 1 "WARNING node-missing: An expected node is not there \
node3 (0x0002c90100000300) could not be read, was last in snapshot 6; leaf1 \
port 3, where it should be, is up, and nothing answers behind it expected \
node3, state unread, behind 0, neighbor leaf1, neighbor_port 3" node-missing
refused "an incomplete snapshot" "snapshot 7 is incomplete: what it did not \
read would not be expected; take another one, or say --force" \
	expect set latest
iba --format json expect set latest --force
json_is '.expectation | [.snapshot, .nodes]' '[7,9]' \
	"--force takes what it read"
quiet 'Error "node3" 0'
says "then the silent one is unexpected" 1 "WARNING node-unexpected: A node is \
there that nobody expects node3 (0x0002c90100000300) is not expected; it is at \
leaf1 port 3 behind 0, neighbor leaf1, neighbor_port 3" node-unexpected
iba expect set 1

quiet 'Unlink "leaf1"[2]'
quiet 'Unlink "leaf2"[1]'
quiet 'Link "leaf1"[2] "node4"[1]'
quiet 'Link "leaf2"[1] "node2"[1]'
says "two cables exchanged" 2 "ERROR link-miscabled: Cables are in the wrong \
ports leaf1, port 2 (0x0002c90200000100) and leaf2, port 1 \
(0x0002c90200000200) leaf1 port 2 leads to node4 port 1 and should lead to \
node2 port 1; leaf2 port 1 leads to node2 port 1 and should lead to node4 port \
1: swap the plugs in leaf1 port 2 and leaf2 port 1 cables 2" link-miscabled
quiet 'Unlink "leaf1"[2]'
quiet 'Unlink "leaf2"[1]'
quiet 'Link "leaf2"[1] "node4"[1]'
quiet 'Link "leaf1"[8] "node2"[1]'
says "a plug in a wrong port" 2 "ERROR link-miscabled: Cables are in the wrong \
ports leaf1, port 8 (0x0002c90200000100) and leaf1, port 2 \
(0x0002c90200000100) node2 port 1 leads to leaf1 port 8 and should lead to \
leaf1 port 2: move the plug from leaf1 port 8 to leaf1 port 2 cables 1" \
	link-miscabled
quiet 'Unlink "leaf1"[8]'
quiet 'Link "leaf1"[2] "node2"[1]'

quiet 'Unlink "leaf1"[4]'
says "a cable away" 2 "ERROR link-missing: An expected cable is not there \
leaf1, port 4 (0x0002c90200000100) to spine1, port 1 (0x0002c90300000100) is \
not there: both ends are Polling own_now Polling, peer_now Polling, speed HDR, \
width 4X" link-missing
quiet 'ReLink "leaf1"[4]'
quiet 'Link "leaf1"[7] "leaf2"[7]'
says "a cable more" 1 "WARNING link-unexpected: A cable is there that nobody \
expects leaf1, port 7 (0x0002c90200000100) to leaf2, port 7 \
(0x0002c90200000200) is not expected: both ports should be free node leaf1, \
peer leaf2" link-unexpected
quiet 'Unlink "leaf1"[7]'

# ---- ibnetdiscover, plans ----

ib node1 ibnetdiscover
cp "$bench/out" "$bench/topo"
iba --format json expect set "$bench/topo"
json_is '.expectation | [.kind, .source, .snapshot, .nodes, .links]' \
	"[\"topology\",\"$bench/topo\",null,10,10]" "set from ibnetdiscover"
says "as ibnetdiscover has it" 0 "" $ours

iba --format json expect show
jq -r '.links[] | [.a.node, .a.port, .b.node, .b.port, .speed, .width] | @csv' \
	"$bench/out" >"$bench/plan.csv"
iba --format json expect set "$bench/plan.csv"
json_is '.expectation | [.kind, .source, .nodes, .links]' \
	"[\"plan\",\"$bench/plan.csv\",10,10]" "set from a plan"
says "as the plan has it" 0 "" $ours

"$IBAUDIT" --db "$bench/ibaudit.db" --format json expect set - \
	<"$bench/plan.csv" >"$bench/out" 2>"$bench/err"
json_is '.expectation | [.kind, .source, .nodes]' '["plan","/dev/stdin",10]' \
	"set from standard input"

cd "$bench" || exit 1
sed -e '/node3/d' -e '/"leaf1",1,/s/HDR/NDR/' plan.csv >faster.csv
iba expect set faster.csv
like "$(tr -s ' \n' ' ' <"$bench/out")" "^Fabric default should be as the plan \
faster.csv has it: 9 nodes, 9 links\. Set at 20[-0-9T:.Z]*\. What was expected \
before is replaced\. $" "a name without / is that of a file"
says "a plan without a host, and of a faster link" 2 "ERROR \
link-below-expected: Link is slower or narrower than expected node1, port 1 \
(0x0002c90100000100) to leaf1, port 1 (0x0002c90200000100) runs at 200 Gb/s \
(4X HDR); 400 Gb/s (4X NDR) is expected speed HDR, width 4X, expected_speed \
NDR, expected_width 4X WARNING node-unexpected: A node is there that nobody \
expects node3 (0x0002c90100000300) is not expected; it is at leaf1 port 3 \
behind 0, neighbor leaf1, neighbor_port 3" link-below-expected node-unexpected

quiet "Guid \"node2\" 0x0002c90100009900"
iba expect set topo
says "an adapter was replaced" 1 "WARNING node-unexpected: A node is there that \
nobody expects node2 (0x0002c90100009900) stands where node2 \
(0x0002c90100000200) should, at leaf1 port 2: replaced? replaces node2 \
(0x0002c90100000200), behind 0, neighbor leaf1, neighbor_port 2" node-unexpected
iba expect set plan.csv
says "which is the same to a plan, by its name" 0 "" $ours

plan () { # ROW...
	printf '%s\n' "$@" >rows.csv
}
plan 'leaf1,1,node1,1' 'leaf1,9,node2,1'
refused "a port that is not there" "rows.csv:2: leaf1 port 9 does not exist: \
the node has 8 ports" expect set rows.csv
plan 'leaf1,1,node1,1' "$(guid_of leaf1),1,node2,1"
refused "a port by two words" "rows.csv:2: leaf1 port 1 is used in line 1 \
already; correct one of them" expect set rows.csv
plan 'leaf7,1,node71,1'
refused "the plan of another fabric" "rows.csv: names 2 nodes, and snapshot \
$(iba --format json show latest; jq .snapshot.id "$bench/out") of fabric \
default has none of them: the file of another fabric? Say --force to take it \
all the same" expect set rows.csv
plan 'leaf1,1'
refused "no plan" "rows.csv:1: has 2 fields; write \
node,port,node,port[,speed[,width]]" expect set rows.csv
printf '%s "twin"\n' "$(guid_of node4)" "$(guid_of node5)" >map
printf '[ibaudit]\nnode_name_map = %s\n' "$bench/map" >conf
plan 'leaf1,1,node1,1' 'leaf2,1,twin,1'
refused "a name that two have" "rows.csv:2: 'twin' is the name of 2 nodes: \
write its GUID" --config conf expect set rows.csv
iba --format json expect show
json_is .expectation.source plan.csv "what is refused changes nothing"
iba --config conf expect show
status_is 0 "a node name map"

iba --fabric other sweep
refused "several fabrics" "$bench/ibaudit.db: holds several fabrics (default, \
other); name one with --fabric" expect show
iba --fabric other expect
is "$out" "Nothing is expected of fabric other; see ibaudit expect set." \
	"each has its own"
refused "a snapshot of another one" "snapshot 1 is of fabric default, not of \
other" --fabric other expect set 1

iba --fabric default --format json expect clear
json_is '[.fabric, .expectation]' '["default",null]' "clear"
iba --fabric default expect show
is "$out" "Nothing is expected of fabric default; see ibaudit expect set." \
	"then nothing is expected"
iba --fabric default expect clear
is "$status $out" "0 Nothing is expected of fabric default any more, nor was \
it before." "once more"
only_gets "nothing but Get left the program"
done_testing
