#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Replies that are lost, late, doubled, invented, broken or lies: the topology
# is the same as without them, or the snapshot says what was not read.  Nothing
# is called gone, nothing is made up, and all ends.
. "${0%/*}/lib.sh"

# Short time-outs, for much of this waits for them.
bench_init
quick=$bench/quick.conf
printf '[sweep]\nmad_timeout_ms = 50\nretries = 1\n' >"$quick"

# clean: the fabric as it is, in a database of its own.
clean () {
	BENCH_DB=$bench/known.db
	rm -f "$BENCH_DB"*
	scenario ''
	iba sweep
	sent=$(report sent)
	topology >"$bench/clean"
	unflagged "$bench/clean" >"$bench/clean.facts"
}

# Without what tells whether it was read in this sweep.
unflagged () {
	grep -v ' read \(true\|false\)$\| seen "[a-z]*"$' "$1"
}

# known_facts GOT WANTED: WANTED without what is null in GOT, which is "not
# read"; to $bench/want, GOT without its nulls to $bench/got.facts.
known_facts () {
	grep -v ' null$' "$1" >"$bench/got.facts"
	awk '{ key = $1 " " $2 " " $3 ($1 == "links" ? " " $4 : "") }
		NR == FNR { if (/ null$/) unread[key] = 1; next }
		!/ null$/ && !(key in unread)' "$1" "$2" >"$bench/want"
}

swept () { # NAME
	ok "$1: a sweep that ends well" [ "$status" -lt 3 ]
}

# faults NAME SCENARIO: one after the other in a database that knows the
# fabric, and in an empty one.
faults () {
	scenario "$2"
	BENCH_DB=$bench/known.db
	iba --config "$quick" --format json run
	swept "$1"
	json_is '[.findings[] | select(.severity == "error")]' '[]' \
		"$1: no error is made up"
	topology >"$bench/got"
	iba --format json show latest failures
	if [ "$(jq .snapshot.complete "$bench/out")" = true ]; then
		same "$bench/got" "$bench/clean" "$1: complete, and the same"
	else
		unflagged "$bench/got" >"$bench/got.all"
		known_facts "$bench/got.all" "$bench/clean.facts"
		same "$bench/got.facts" "$bench/want" \
			"$1: incomplete, nothing is gone or made up"
		json_is '.failures | length > 0' true "$1: and rows say what"
	fi

	BENCH_DB=$bench/new.db
	rm -f "$BENCH_DB"*
	iba --config "$quick" sweep
	swept "$1, at first"
	topology >"$bench/got"
	iba --format json show latest
	[ "$(jq .snapshot.complete "$bench/out")" = true ] &&
		same "$bench/got" "$bench/clean" "$1, at first: complete"
	# a node without a description goes by its GUID; of two LIDs it has the
	# first that was read
	is "$(unflagged "$bench/got" |
		grep -v ' null$\| node "0x\|^nodes [^ ]* lid' |
		comm -13 "$bench/clean" - | head -n 20)" "" \
		"$1, at first: what was read is true"
	BENCH_DB=$bench/known.db
}

settled () { # NAME: after all that
	scenario ''
	iba sweep
	topology >"$bench/got"
	same "$bench/got" "$bench/clean" "$1: then all is read again"
}

# The first MAD, which asks our own adapter who it is, always passes: without
# it there is no sweep.
everything='drop rate=0.03 fast=1 after=1
duplicate rate=0.1
reorder rate=0.1 us=2000
stray rate=0.1
short rate=0.01 after=1
corrupt header=1 rate=0.01 after=1'

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8 --extspeed 4
opensm_start node1
clean
faults "5 % are lost" 'drop rate=0.05 fast=1 after=1'
faults "20 % are lost" 'drop rate=0.2 fast=1 after=1'
faults "5 % of the SMPs time out" 'drop rate=0.05 class=smp after=1'
faults "3 % are never heard of again" 'lose rate=0.03 after=1'
faults "30 % come twice" 'duplicate rate=0.3'
faults "all come twice" 'duplicate'
faults "30 % are overtaken" 'reorder rate=0.3 us=2000'
faults "30 % are slow" 'delay rate=0.3 us=10000'
faults "two come when they were given up" 'delay attr=PortInfo us=1000000 count=2'
faults "30 % are joined by strangers" 'stray rate=0.3'
faults "5 % have a broken header" 'corrupt header=1 rate=0.05 after=1'
faults "3 % are cut to the header" 'short rate=0.03 after=1'
faults "3 % are cut in the attribute" 'short rate=0.03 len=100 after=1'
faults "10 % are refused" 'status rate=0.1 value=0x1c after=1'
faults "10 % are busy" 'status rate=0.1 value=1 after=1'
faults "all of it" "$everything"
settled "a tree"

fabric clos3 --hosts 32 --ports 8 --extspeed 4
opensm_start node1
clean
faults "three levels, 5 % are lost" 'drop rate=0.05 fast=1 after=1'
faults "three levels, all of it" "$everything"
settled "three levels"

fabric tree --leaves 3 --spines 2 --hosts 6 --ports 12 --dual next --extspeed 4
opensm_start node1
clean
faults "two ports, 5 % are lost" 'drop rate=0.05 fast=1 after=1'
faults "two ports, all of it" "$everything"
settled "two ports"

fabric tree --leaves 2 --spines 2 --hosts 4 --ports 16 --trunk 4 --loops \
	--extspeed 4
opensm_start node1
clean
faults "trunks and loops, 5 % are lost" 'drop rate=0.05 fast=1 after=1'
faults "trunks and loops, all of it" "$everything"
settled "trunks and loops"

#
# Lies of one node: what does not touch it stays as it is, and the lie does not
# cost more than the ports it names.
#

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 12 --loops --extspeed 4
opensm_start node1
clean

sqlite3 "$BENCH_DB" "VACUUM INTO '$bench/clean.db'"
# lie NAME NODE RULE...: rules about NODE.
lie () {
	local rule text=
	for rule in "${@:3}"; do
		text+="set node=$(guid_of "$2") $rule"$'\n'
	done
	scenario "$text"
	iba --config "$quick" sweep
	swept "$1"
	ok "$1: $(report sent) MADs instead of $sent" \
		[ "$(report sent)" -le $((sent + 600)) ]
	topology | grep -v "$(guid_of "$2")" >"$bench/topology"
	unflagged "$bench/topology" >"$bench/got"
	grep -v "$(guid_of "$2")" "$bench/clean.facts" >"$bench/want"
	same "$bench/got" "$bench/want" "$1: the others are what they are"
	settled "$1"
	rm -f "$BENCH_DB"*
	cp "$bench/clean.db" "$BENCH_DB"
}
lie "an adapter of 255 ports" node3 'attr=NodeInfo NumPorts=255'
lie "an adapter of 254 ports" node3 'attr=NodeInfo NumPorts=254'
lie "an adapter of no port" node3 'attr=NodeInfo NumPorts=0'
lie "an adapter's port 200" node3 'attr=NodeInfo LocalPort=200'
lie "an adapter's port 0" node3 'attr=NodeInfo LocalPort=0'
lie "an adapter that says it is a switch" node3 'attr=NodeInfo NodeType=2'
lie "a node type that there is not" node3 'attr=NodeInfo NodeType=77'
lie "NodeGUID 0" node3 'attr=NodeInfo Guid=0'
lie "a switch of 255 ports" leaf2 'attr=NodeInfo NumPorts=255'
lie "a switch of 254 ports that are up" leaf2 'attr=NodeInfo NumPorts=254' \
	'attr=PortInfo port=1-254 PhysLinkState=5 LinkState=4'
lie "a switch of 2 ports" leaf2 'attr=NodeInfo NumPorts=2'
lie "a switch entered by port 100" leaf2 'attr=NodeInfo LocalPort=100'
lie "a switch that says it is an adapter" leaf2 'attr=NodeInfo NodeType=1'
lie "LID 0" node3 'attr=PortInfo Lid=0'
lie "LID 0xFFFF" node3 'attr=PortInfo Lid=0xffff'
lie "a multicast LID" node3 'attr=PortInfo Lid=0xc000'
lie "a LID that is out of use, LMC 7" node3 'attr=PortInfo Lid=0xbfff LMC=7'
lie "another node's LID" leaf2 "attr=PortInfo Lid=$(lid_of spine2)"
lie "an unknown port state" node3 'attr=PortInfo LinkState=7 PhysLinkState=15'
lie "attributes of ones" node3 \
	"attr=PortInfo byte[0]=$(printf 'ff%.0s' {1..64})" \
	"attr=NodeDescription byte[0]=$(printf 'ff%.0s' {1..64})"
lie "a switch's attributes of ones" leaf2 \
	"attr=PortInfo byte[0]=$(printf 'ff%.0s' {1..64})" \
	"attr=SwitchInfo byte[0]=$(printf 'ff%.0s' {1..64})"

scenario "set attr=NodeInfo Guid=0x0002c90100000100"
iba --config "$quick" sweep
ok "all have one NodeGUID: it ends" [ "$status" -le 3 ]
ok "$(report sent) MADs instead of $sent" \
	[ "$(report sent)" -le $((4 * sent)) ]

# A node that is another one by each way that leads to it: with two cables to
# itself leaf2 seems to be three more behind each, without an end.  The time
# limit ends it, and no route is longer than a directed route can be (64
# ports, IBA 14.2.1.2).
BENCH_DB=$bench/maze.db
scenario "set node=$(guid_of leaf2) attr=NodeInfo Guid=@route"
iba sweep --timeout 3
status_is 0 "a fabric without an end: the time limit ends it"
iba --format json show latest failures
json_is .snapshot.complete false "incomplete"
json_is '[.failures[].route // "" | split(",") | length] | max <= 64' true \
	"no route is longer than it can be"

# With one such cable it is a row.
bench_start <(cat <<-'END'
	extspeed=4

	switchguid=0x0002c90200000100
	Switch	8 "leaf1"	# "leaf1" enhanced port 0
	[1]	"node1"[1]
	[3]	"leaf1"[4]
	[4]	"leaf1"[3]

	caguid=0x0002c90100000100
	Ca	1 "node1"	# "node1"
	[1]	"leaf1"[1]
END
)
opensm_start node1
rm -f "$BENCH_DB"*
scenario "set node=$(guid_of leaf1) attr=NodeInfo Guid=@route"
iba sweep
status_is 0 "a row of switches without an end"
ok "$(report sent) MADs" [ "$(report sent)" -le 6000 ]
iba --format json show latest failures
json_is .snapshot.complete false "incomplete"
json_is '[.failures[].route // "" | split(",") | length] | max <= 64' true \
	"no route is longer than it can be"

# No lie: as many ports as there can be, each cabled to the next one.
bench_start <(
	printf 'extspeed=4\n\nswitchguid=0x0002c90200000100\n'
	printf 'Switch\t254 "leaf1"\t# "leaf1" enhanced port 0\n'
	printf '[1]\t"node1"[1]\n[2]\t"leaf1"[2]\n'
	for ((i = 3; i < 254; i += 2)); do
		printf '[%d]\t"leaf1"[%d]\n[%d]\t"leaf1"[%d]\n' \
			$i $((i + 1)) $((i + 1)) $i
	done
	printf '\ncaguid=0x0002c90100000100\nCa\t1 "node1"\t# "node1"\n'
	printf '[1]\t"leaf1"[1]\n')
opensm_start node1
clean
iba --format json show latest
json_is '[.snapshot.complete, .counts.links]' '[true,128]' \
	"254 ports that lead to the switch itself"
# 127 of them read the LID behind a cable, to tell the loop from a double.
ok "with $sent MADs" [ "$sent" -le 1200 ]
iba sweep --discovery libibnetdisc
topology >"$bench/got"
same "$bench/got" "$bench/clean" "as libibnetdisc has it"

only_gets "nothing but Get left the program"
done_testing
