#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A sweep of a healthy fabric: what is stored is what is there, end by end.
. "${0%/*}/lib.sh"

fabric tree --leaves 4 --spines 2 --hosts 12 --ports 12 --extspeed 4
opensm_start node1

iba sweep
status_is 0 "sweep"
like "$out" "6 switches" "the summary counts switches"
like "$out" "12 channel adapters" "and channel adapters"
like "$out" "20 links" "and links"
like "$out" "1 subnet manager" "and subnet managers"
is "$err" "" "and is all it says"
only_gets "nothing but Get left the program"

iba --format json show latest
status_is 0 "show"
json_is '.format' 1 "a format number"
json_is '.counts | [.switches, .cas, .aggregation_nodes, .routers, .links,
	.sms, .failures]' '[6,12,0,0,20,1,0]' "counts"
json_is '.snapshot.complete' true "complete"
json_is '.snapshot.pma | .asked == .answered' true "all counters were read"
json_is '.snapshot.pma.asked' 46 "both ends of 20 links, and 6 enhanced port 0"

# Each link end as ibnetdiscover prints it: GUID port GUID port.
ends_of_ibnetdiscover () {
	awk '/^(Switch|Ca)/ { id = substr($3, 2, length($3) - 2) }
		/^\[/ { split($0, f, /[][]/); split($0, q, "\"")
			print id, f[2], q[2], f[4] }' | sort
}
ib node2 ibnetdiscover
ends_of_ibnetdiscover <"$bench/out" >"$bench/want"
iba --format json show latest links
iba --format json show latest nodes
jq -r '.nodes[] | "\(.guid) \(if .type == "switch" then "S" else "H" end)"' \
	"$bench/out" >"$bench/types"
iba --format json show latest links
jq -r '.links[] | [.a, .b], [.b, .a] | map("\(.node_guid) \(.port)") | join(" ")' \
	"$bench/out" |
	awk 'NR == FNR { type[$1] = $2; next }
		{ print type[$1] "-" substr($1, 3), $2, type[$3] "-" substr($3, 3), $4 }' \
		"$bench/types" - | sort >"$bench/got"
is "$(wc -l <"$bench/got")" 40 "40 link ends"
ok "the same links as ibnetdiscover, end by end" \
	cmp "$bench/got" "$bench/want"

# The two implementations of discovery agree.
topology () {
	for what in nodes ports links; do
		iba --format json show latest $what
		jq -S --arg w $what '.[$w] | map(del(.last_read)) | sort' "$bench/out"
	done
}
topology >"$bench/engine"
iba sweep --discovery libibnetdisc
status_is 0 "sweep with libibnetdisc"
topology >"$bench/libibnetdisc"
ok "libibnetdisc and the engine give the same nodes, ports and links" \
	cmp "$bench/engine" "$bench/libibnetdisc"
iba --format json show latest
json_is '.snapshot.discovery' libibnetdisc "the snapshot says which it was"

iba sweep --no-counters --note "after the move"
iba --format json show latest
json_is '.snapshot.note' "after the move" "a note"
json_is '.snapshot.pma.asked' 0 "no counters were asked"
is "$(report 'sent 04')" 0 "no GMP was sent"

# A node name map names nodes everywhere; the description stays what it is.
printf '%s "rack 7 leaf"\n' "$(guid_of leaf1)" >"$bench/map"
printf '[ibaudit]\nnode_name_map = %s\n' "$bench/map" >"$bench/map.conf"
iba --config "$bench/map.conf" --format json show latest ports
json_is '[.ports[] | select(.node == "rack 7 leaf")] | length > 0' true \
	"a node name map names ports"
iba --config "$bench/map.conf" --format json show latest nodes
json_is '[.nodes[].description] | index("leaf1") != null' true \
	"and not descriptions"

iba sweep --repeat 2 --interval 1
status_is 0 "two sweeps in one run"
iba --format json list
json_is '.snapshots | length' 5 "five snapshots"
json_is '[.snapshots[].id] == ([.snapshots[].id] | sort)' true "in order"

done_testing
