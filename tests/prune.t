#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Pruning from outside: what stays reads as before, beside readers and with two
# fabrics in one database.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1

ids () {
	iba --format json list "$@"
	jq -r '.snapshots[].id' "$bench/out"
}

# All that is shown of a snapshot, and compared with the one that stays before.
shown () { # ID BEFORE
	local what
	for what in nodes ports links sms counters failures; do
		iba --format json show "$1" $what
		cat "$bench/out"
	done
	[ -z "$2" ] || { iba --format json diff "$2" "$1"; cat "$bench/out"; }
}

shown_all () { # DIRECTORY ID...
	local dir=$bench/$1 id last=
	mkdir -p "$dir"
	for id in "${@:2}"; do
		shown "$id" "$last" >"$dir/$id"
		last=$id
	done
}

iba sweep --repeat 3 --interval 0 --fast
console 'PerformanceSet "leaf1"[2] PortCounters.SymbolErrorCounter=70' >/dev/null
console 'Unlink "node3"[1]' >/dev/null
iba sweep --repeat 3 --interval 0 --fast
console 'PerformanceSet "leaf1"[2] PortCounters.SymbolErrorCounter=3' >/dev/null
console 'ReLink "node3"[1]' >/dev/null
iba sweep --repeat 2 --interval 0 --fast
iba sweep --repeat 48 --interval 0 --fast
is "$(ids | wc -l)" 56 "56 sweeps"

# One of each hour: the newest of the first eight, or of all when they were
# made in one hour; the last 48 stay in any case.
prune=(prune --keep-all 0s --keep-hourly 0 --keep-daily 0 --keep-weekly 0)
iba "${prune[@]}" --dry-run
status_is 0 "a dry run"
is "$out" "A dry run: nothing is dropped.

FABRIC   SNAPSHOTS  KEPT
default         56    48" "and what it says"
is "$(ids | wc -l)" 56 "nothing went"
iba --format json "${prune[@]}" --dry-run
json_is '[.dry_run, .fabrics[0].kept, .fabrics[0].dropped]' \
	'[true,48,[1,2,3,4,5,6,7,8]]' "and which would go"

shown_all before 9 10 56
rm -f "$bench/go"
go=
# A reader that stands still, from before.
sqlite3 -readonly "$bench/ibaudit.db" >"$bench/reader.out" 2>&1 < <(
	echo 'BEGIN; SELECT count(*) FROM snapshot;'
	for ((i = 0; i < 600 && ! ${#go}; i++)); do
		[ ! -e "$bench/go" ] || go=1
		sleep 0.1
	done
	echo 'SELECT count(*) FROM snapshot; COMMIT;'
) &
reader=$!
wait_for 20 test -s "$bench/reader.out"
iba "${prune[@]}"
status_is 0 "beside a reader"
is "$out" "FABRIC   SNAPSHOTS  KEPT
default         56    48" "what it says"
: >"$bench/go"
wait "$reader"
is "$(<"$bench/reader.out")" $'56\n56' "who sees what there was"
is "$(ids | paste -sd ' ')" "$(seq 9 56 | paste -sd ' ')" "eight went"
shown_all after 9 10 56
for id in 9 10 56; do
	ok "$id reads as before" cmp "$bench/before/$id" "$bench/after/$id"
done
iba db check
status_is 0 "sound"
iba show 3
status_is 3 "what went is not there"
is "$err" "ibaudit: no snapshot '3': there are 48, from 9 ($(iba --format json \
	list; jq -r '.snapshots[0].started' "$bench/out")) to 56; see 'ibaudit list'" \
	"and it says what is"
iba "${prune[@]}"
is "$out" "FABRIC   SNAPSHOTS  KEPT
default         48    48" "again: nothing to do"

# Another fabric is another history.
iba --fabric other sweep --repeat 2 --interval 0 --fast
status_is 0 "another fabric"
iba --fabric default sweep --repeat 3 --interval 0 --fast
iba "${prune[@]}"
is "$out" "FABRIC   SNAPSHOTS  KEPT
default         51    48
other            2     2" "each by itself"
iba --fabric other "${prune[@]}"
is "$out" "FABRIC  SNAPSHOTS  KEPT
other           2     2" "one of them"
iba --fabric third "${prune[@]}"
status_is 3 "an unknown one"
is "$err" "ibaudit: no fabric 'third': there is default, other" "is told"
iba db check
status_is 0 "sound"

# Values that cannot be.
refused () { # VALUE WHY OPTION
	iba prune "$3" "$1"
	status_is 3 "$3 $1"
	is "$err" "ibaudit: $3 must be $2, not \"$1\"" "says why"
}
for value in 72 '' 3y 1h2 -1h 99999999999h; do
	refused "$value" "a time as 30m, 72h, 3d or 2w" --keep-all
done
refused x "a whole number from 0 to 1000000" --keep-hourly
refused -1 "a whole number from 0 to 100000" --keep-daily
printf '[retention]\nkeep_weekly = often\n' >"$bench/conf"
iba --config "$bench/conf" prune
is "$status $err" "3 ibaudit: $bench/conf:2: keep_weekly must be a whole number \
from 0 to 100000, not \"often\"" "in the configuration, too"
printf '[retention]\nkeep_all = 0s\nkeep_hourly = 0\nkeep_daily = 0\nkeep_weekly = 0\n' \
	>"$bench/conf"
iba --fabric default sweep --repeat 2 --interval 0 --fast
iba --config "$bench/conf" --format json --fabric default prune
json_is '.fabrics[0] | [.snapshots, .kept]' '[50,48]' "the configuration counts"
only_gets "nothing but Get left the program"
done_testing
