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

# MADs of the class PerfMgt that the layer saw.
sent_gmps () {
	awk '/^sent class=0x04 / { n += $NF } END { print n + 0 }' \
		"$bench/report"
}
iba sweep
ok "counters are asked for by GMP" [ "$(sent_gmps)" -gt 46 ]
iba sweep --no-counters --note "after the move"
iba --format json show latest
json_is '.snapshot.note' "after the move" "a note"
json_is '.snapshot.pma.asked' 0 "no counters were asked"
is "$(sent_gmps)" 0 "no GMP was sent"

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
json_is '.snapshots | length' 6 "six snapshots"
json_is '[.snapshots[].id] == ([.snapshots[].id] | sort)' true "in order"

# Signals: what is said of the snapshot is true at each stage.
program_pids () {
	local pid
	for pid in $(bench_pids); do
		[ "/proc/$pid/exe" -ef "$IBAUDIT" ] && echo "$pid"
	done
}
count () {
	sqlite3 -readonly "$bench/ibaudit.db" 'SELECT count(*) FROM snapshot'
}
# interrupted CMD...: run under `iba`, SIGTERM once CMD succeeds.
interrupted () {
	local runner
	(iba run --rules "$bench/rules" --only slow
		echo "$status" >"$bench/status") &
	runner=$!
	wait_for 60 "$@" && sleep 0.3 && kill -TERM $(program_pids)
	wait $runner
	status=$(<"$bench/status") out=$(<"$bench/out") err=$(<"$bench/err")
}
mkdir "$bench/rules"
cat >"$bench/rules/slow.sql" <<-'END'
	-- id: slow
	-- title: t
	-- severity: info
	-- why: w
	-- remedy: r
	WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
	SELECT i AS node_guid, i AS instance, i AS port, i AS message FROM n
	WHERE i < 0
END
before=$(count)
is_running () {
	[ -n "$(program_pids)" ]
}
scenario 'delay us=100000'
interrupted is_running
scenario ''
status_is 3 "interrupted while it sweeps"
is "$err" "ibaudit: interrupted; a sweep that was not finished is not stored" \
	"the line says that nothing is stored"
is "$(count)" "$before" "and nothing is"
is_stored () {
	[ "$(count)" != "$before" ]
}
interrupted is_stored
status_is 3 "interrupted while rules run"
like "$err" 'interrupted; snapshot ([0-9]+) is stored.*ibaudit check ([0-9]+)$' \
	"the line says that the snapshot is stored"
iba --format json show "${BASH_REMATCH[1]-none}"
json_is .snapshot.id "$(sqlite3 "$bench/ibaudit.db" \
	'SELECT max(id) FROM snapshot')" "and it is"

done_testing
