#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Two nodes with one NodeGUID: both are there, each with its own ports, links
# and what hangs behind it, and one finding tells the ways to both.  What only
# looks like it is not called so.
. "${0%/*}/lib.sh"

rules_of () { # FILTER: of the findings, in order
	jq -c "[.findings[].rule | select($1)] | sort" "$bench/out"
}

# clean: the fabric as it is, in a database of its own.
clean () {
	BENCH_DB=$bench/duplicate.db
	rm -f "$BENCH_DB"*
	scenario ''
	iba sweep
	iba --format json run
	rules_of true >"$bench/clean.rules"
	topology >"$bench/clean"
	iba --format json show latest
	asked=$(jq .snapshot.pma.asked "$bench/out")
}

# renamed [A=B/I...]: what was clean, node A (its name) as instance I of the
# NodeGUID of B.
renamed () {
	local pair map= guid
	for pair; do
		guid=${pair#*=}
		map+="$(guid_of "${pair%=*}")/0 $(guid_of "${guid%/*}")/${guid#*/} "
	done
	map=$map perl -pe '
		BEGIN { %new = split / /, $ENV{map} }
		s{(0x[0-9a-f]{16}/\d+)(?=[/ ])}{$new{$1} // $1}ge;
		s{^links (\S+) (\S+)}{"links " . join " ", sort $1, $2}e' \
		"$bench/clean" | sort
}

# give NODE OF: NODE has OF's NodeGUID; how says in which way.
give () {
	local guid port first=0 # an adapter's first PortGUID is one higher
	guid=$(guid_of "$2")
	[[ $1 = node* ]] && first=1
	if [ "$how" = Guid ]; then
		console "Guid \"$1\" $guid" >/dev/null
		return
	fi
	port=$(printf '0x%016x' $((guid + first)))
	echo "set node=$(guid_of "$1") attr=NodeInfo Guid=$guid" \
		"PortGuid=$port SystemGuid=$guid" >>"$bench/clones"
}

restore () { # NODE...
	local node
	for node; do
		console "Guid \"$node\" $(guid_of "$node")" >/dev/null
	done
	scenario ''
}

# facts FILE: without what is changed besides the NodeGUID.
facts () {
	grep -v ' port_guid \| system_image_guid ' "$1"
}

check_topology () { # NAME
	topology >"$bench/topology"
	facts "$bench/topology" >"$bench/got"
	facts "$bench/renamed" >"$bench/want"
	same "$bench/got" "$bench/want" "$1"
}

# Every finding but the duplicates', as in the clean fabric.
check_others () { # NAME
	is "$(rules_of 'startswith("dup-") | not')" "$(<"$bench/clean.rules")" \
		"$1"
}

message () {
	jq -r '.findings[] | select(.rule == "dup-node-guid") |
		"\(.severity) \(.message)"' "$bench/out"
}

# duplicate NAME "NODE... OF" "NODE=OF/INSTANCE..." ROUTE...: NODEs have OF's
# NodeGUID.  Each case is tried twice: with ibsim's Guid, which changes the
# PortGUIDs too, and with the SystemImageGUID as well, as a copied configuration
# has it.
duplicate () {
	for how in Guid copy; do
		duplicate_once "$@"
	done
}

duplicate_once () {
	local name="$1 ($how)" nodes of node route told
	read -ra nodes <<<"$2"
	of=${nodes[-1]}
	unset 'nodes[-1]'
	: >"$bench/clones"
	for node in "${nodes[@]}"; do
		give "$node" "$of"
	done
	scenario "$(<"$bench/clones")"
	# shellcheck disable=SC2086
	renamed $3 >"$bench/renamed"

	iba --format json run
	told=$(message)
	is "$(wc -l <<<"$told") ${told%% *}" "1 error" "$name: one error"
	for route in "${@:4}"; do
		like " $told " "[^0-9,]${route}[^0-9,]" "$name: names $route"
	done
	check_others "$name: nothing else is told"
	check_topology "$name: all nodes, ports and links"
	iba --format json show latest failures
	json_is '[.snapshot.complete, .failures]' '[true,[]]' \
		"$name: complete, no failed query"
	json_is "(.snapshot.pma.answered >= $asked),
		.snapshot.pma.asked - .snapshot.pma.answered" $'true\n0' \
		"$name: all counters"

	if [ "$how" = Guid ]; then
		iba --format json run
		is "$(message)" "$told" "$name: again, the same"
		check_others "$name: nothing is gone or new"
		check_topology "$name: the same topology"
	fi

	restore "${nodes[@]}"
	iba --format json run
	is "$(message)" "" "$name: put right, no finding"
	topology >"$bench/got"
	same "$bench/got" "$bench/clean" "$name: put right, all as before"
}

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8 --extspeed 4
opensm_start node1 'sweep_interval 0'
clean
far='0,1,[56],2' # leaf2, by either spine

duplicate "adapters on two leaves" "node7 node2" \
	"node7=node2/1" 0,1,2 "$far,3"
duplicate "the near one has the far one's" "node2 node7" \
	"node2=node7/1" 0,1,2 "$far,3"
duplicate "adapters on one leaf" "node4 node3" "node4=node3/1" 0,1,3 0,1,4
duplicate "leaves" "leaf2 leaf1" "leaf2=leaf1/1" 0,1 "$far"
duplicate "leaves, the near one has the far one's" "leaf1 leaf2" \
	"leaf1=leaf2/1" 0,1 "$far"
duplicate "a leaf and a spine" "leaf2 spine1" \
	"leaf2=spine1/1" 0,1,5 "$far"
duplicate "a spine and a leaf" "spine1 leaf2" "spine1=leaf2/1" 0,1,5 "$far"
duplicate "spines" "spine2 spine1" "spine2=spine1/1" 0,1,5 '0,1,(6|5,2,6)'
duplicate "our own GUID" "node5 node1" "node5=node1/1" "$far,1"
duplicate "our own GUID, on our leaf" "node2 node1" "node2=node1/1" 0,1,2
duplicate "our own GUID, a switch" "leaf2 node1" \
	"leaf2=node1/1" "$far"
duplicate "a switch has an adapter's" "leaf2 node3" \
	"leaf2=node3/1" 0,1,3 "$far"
duplicate "an adapter has a switch's" "node6 spine1" "node6=spine1/1" \
	0,1,5 "$far,2"
duplicate "three of them" "node6 node8 node3" \
	"node6=node3/1 node8=node3/2" 0,1,3 "$far,2"

# From a cable that was moved while the sweep looked: one reply tells another
# node.
moved () { # NAME NODE AS
	local guid
	clean
	guid=$(guid_of "$3")
	scenario "set node=$(guid_of "$2") attr=NodeInfo count=1 \
Guid=$guid PortGuid=$guid SystemGuid=$guid"
	iba --format json run
	is "$(report 'line 1 applied')" 1 "$1: it was told"
	is "$(message)" "" "$1: no duplicate"
	check_others "$1: nothing is told"
	topology >"$bench/got"
	same "$bench/got" "$bench/clean" "$1: the topology is right"
	iba --format json show latest failures
	json_is '[.snapshot.complete, .failures]' '[true,[]]' \
		"$1: complete, no failed query"
}
moved "a near adapter is taken for a far one" node3 node7
moved "a far adapter is taken for a near one" node7 node3
moved "an adapter is taken for its neighbour" node4 node3
moved "the far leaf is taken for the near one" leaf2 leaf1
moved "a spine is taken for the other" spine2 spine1

# A PortGUID alone.
clean
scenario "set node=$(guid_of node6) attr=NodeInfo \
PortGuid=$(printf '0x%x' $(($(guid_of node2) + 1)))"
iba --format json run
json_is '[.findings[].rule | select(startswith("dup-"))]' '["dup-port-guid"]' \
	"two ports with one PortGUID: one finding"
topology | grep -v ' port_guid ' >"$bench/got"
grep -v ' port_guid ' "$bench/clean" >"$bench/want"
same "$bench/got" "$bench/want" "and the rest is as it is"
scenario ''

fabric tree --leaves 3 --spines 1 --hosts 6 --ports 8 --extspeed 4
opensm_start node1 'sweep_interval 0'
clean
duplicate "three leaves" "leaf2 leaf3 leaf1" \
	"leaf2=leaf1/1 leaf3=leaf1/2" 0,1 0,1,3,2

# The far leaf's uplink has the number of a host's port on the near one, and
# the far leaf's host port that of the near one's uplink: an arrival at a known
# GUID and a port that is in use there.
bench_start <(cat <<-'END'
	extspeed=4

	switchguid=0x0002c90200000100
	Switch	8 "leaf1"	# "leaf1" enhanced port 0
	[1]	"node1"[1]
	[2]	"node2"[1]
	[3]	"node3"[1]
	[8]	"spine1"[1]

	switchguid=0x0002c90200000200
	Switch	8 "leaf2"	# "leaf2" enhanced port 0
	[1]	"node4"[1]
	[2]	"spine1"[2]
	[3]	"node5"[1]
	[8]	"node6"[1]

	switchguid=0x0002c90300000100
	Switch	8 "spine1"	# "spine1" enhanced port 0
	[1]	"leaf1"[8]
	[2]	"leaf2"[2]

	caguid=0x0002c90100000100
	Ca	1 "node1"	# "node1"
	[1]	"leaf1"[1]

	caguid=0x0002c90100000200
	Ca	1 "node2"	# "node2"
	[1]	"leaf1"[2]

	caguid=0x0002c90100000300
	Ca	1 "node3"	# "node3"
	[1]	"leaf1"[3]

	caguid=0x0002c90100000400
	Ca	1 "node4"	# "node4"
	[1]	"leaf2"[1]

	caguid=0x0002c90100000500
	Ca	1 "node5"	# "node5"
	[1]	"leaf2"[3]

	caguid=0x0002c90100000600
	Ca	1 "node6"	# "node6"
	[1]	"leaf2"[8]
END
)
opensm_start node1 'sweep_interval 0'
clean
duplicate "uplink and host port of one number" "leaf2 leaf1" \
	"leaf2=leaf1/1" 0,1 0,1,8,2
duplicate "the other way round" "leaf1 leaf2" \
	"leaf1=leaf2/1" 0,1 0,1,8,2

# What is no duplicate; and one among adapters with two ports.
none () { # NAME FABRIC-GEN-ARGS...
	fabric "${@:2}"
	opensm_start node1 'sweep_interval 0'
	clean
	is "$(jq -c 'map(select(startswith("dup-")))' "$bench/clean.rules")" \
		'[]' "$1: no duplicate"
	iba --format json show latest nodes
	json_is '[.nodes[] | select(.instance > 0).description]' '[]' \
		"$1: each node once"
}
none "parallel cables" \
	tree --leaves 2 --spines 2 --hosts 4 --ports 12 --trunk 4 --extspeed 4
none "ports cabled to their own switch" \
	tree --leaves 2 --spines 1 --hosts 4 --ports 12 --loops --extspeed 4
none "adapters with both ports on one leaf" \
	tree --leaves 2 --spines 1 --hosts 6 --ports 12 --dual same --extspeed 4
none "adapters on two leaves" \
	tree --leaves 3 --spines 2 --hosts 6 --ports 12 --dual next --extspeed 4

# Two adapters of two ports: the LIDs tell which ports belong together.
how=Guid
duplicate_once "adapters with two ports each" "node5 node2" "node5=node2/1"
duplicate_once "the other way round" "node2 node5" "node2=node5/1"
give node5 node2
iba run
iba check
like "$out" $'\n    and node[25] \\(' "one and the other, not one to the other"
iba show nodes
like "$out" ' READ +ROUTE +DESCRIPTION' "show nodes has the routes"
like "$out" ' #1 +CA .* yes +0(,[0-9]+)+ +node[25]' "of those two"
is "$(awk 'length > 80' "$bench/out")" "" "within 80 columns"
is "$(awk '{ print index($0, NR > 1 ? ($2 ~ /#/ ? $3 : $2) " " : "TYPE") }' \
	"$bench/out" | sort -u | wc -l)" 1 "and #1 moves no column"
restore node5

# Two switches that are cabled at the same port of each say what a port that is
# cabled to itself says; two such cables, crossed, what a loop says.
same_ports () { # NAME LEAF1-PORTS LEAF2-PORTS
	local i
	bench_start <(
		for i in 1 2; do
			printf 'devid=0xd2f2\nswitchguid=%s\n' \
				"0x0002c90200000${i}00"
			printf 'Switch 8 "leaf%d" # "leaf%d" enhanced port 0\n' $i $i
			[ $i = 1 ] && read -ra here <<<"$2" && read -ra there <<<"$3"
			[ $i = 2 ] && read -ra here <<<"$3" && read -ra there <<<"$2"
			for p in "${!here[@]}"; do
				echo "[${here[p]}] \"leaf$((3 - i))\"[${there[p]}]"
			done
			printf '[%d] "node%d"[1]\n' 7 $((2 * i - 1)) 8 $((2 * i))
			echo
		done
		for i in 1 2 3 4; do
			printf 'caguid=%s\nCa 1 "node%d" # "node%d"\n' \
				"0x0002c90100000${i}00" $i $i
			printf '[1] "leaf%d"[%d]\n\n' $(((i + 1) / 2)) $((8 - i % 2))
		done)
	opensm_start node1 'sweep_interval 0'
	clean
	duplicate "$1" "leaf2 leaf1" "leaf2=leaf1/1"
}
same_ports "cabled at the same port" 1 1
same_ports "at the same two ports" "1 2" "1 2"
same_ports "crosswise" "1 2" "2 1"

only_gets "nothing but Get left the program"
done_testing
