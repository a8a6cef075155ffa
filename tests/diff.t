#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `ibaudit diff` tells of each kind of change, line by line: tests/diff has
# a script for each, and a few more.  A kind without one is a failure.
#
#   fabric_up [ARGS...]   a fabric (fabric-gen ARGS) that a subnet manager
#                         brought up and left: nothing stirs by itself
#   fabric_from FILE      the same with that network
#   unplug NODE [PORT], replug NODE [PORT], plug NODE PORT NODE PORT
#   wear NODE PORT NODE PORT   plug, and unplug
#   manager NODE PRIORITY [LINE...]   a subnet manager; $opensm_pid, $opensm_log
#   errors NODE PORT COUNTER N
#   sweep                 into a database of this fabric's own
#   started SNAPSHOT      when
#   later SECONDS         the latest sweep was so long after the one before it
#   changes "KIND..." NAME [ARGS...] <<END
#                         sweeps, and compares with the sweep before
#   differ ...            the same without a sweep, of what ARGS say: status 1,
#                         behind the first paragraph the text on standard input,
#                         and these kinds in JSON
#   nothing NAME [ARGS...]   of these: status 0, and nothing changed
. "${0%/*}/lib.sh"

scripts=$bench_lib/diff
table=$bench_lib/../src/diff/diff.c
standard='tree --leaves 2 --spines 2 --hosts 8 --ports 8 --extspeed 4'
fabrics=0 seen=

fabric_from () {
	bench_start "$1"
	opensm_start node1 'sweep_interval 0'
	opensm_stop "$opensm_pid"
	scenario ''
	BENCH_DB=$bench/diff$((++fabrics)).db
}

fabric_up () {
	# shellcheck disable=SC2086
	[ $# -gt 0 ] || set -- $standard
	fabric_from <("$bench_lib/fabric-gen" "$@")
}

manager () {
	opensm_start "$1" "sm_priority $2" 'sweep_interval 0' \
		'sminfo_polling_timeout 1000' 'polling_retry_number 2' "${@:3}"
}

unplug () {
	console "Unlink \"$1\"${2+[$2]}" >/dev/null
}

replug () {
	console "ReLink \"$1\"${2+[$2]}" >/dev/null
}

plug () {
	console "Link \"$1\"[$2] \"$3\"[$4]" >/dev/null
}

# ibsim says what a port can do only after it had a cable.
wear () {
	plug "$@"
	unplug "$1" "$2"
}

errors () {
	console "PerformanceSet \"$1\"[$2] PortCounters.$3=$4" >/dev/null
}

sweep () {
	iba sweep
	[ "$status" -lt 3 ] || tap_fail "a sweep" "$err"
}

started () {
	iba --format json show "$1"
	jq -r .snapshot.started "$bench/out"
}

later () {
	sqlite3 "$BENCH_DB" "
		UPDATE snapshot SET finished_ms = finished_ms - started_ms;
		UPDATE snapshot SET started_ms = $1 * 1000 + (
			SELECT b.started_ms FROM snapshot b
			WHERE b.id = snapshot.id - 1)
		WHERE id = (SELECT max(id) FROM snapshot);
		UPDATE snapshot SET finished_ms = finished_ms + started_ms"
}

differ () {
	local kinds=$1 name=$2
	cat >"$bench/want"
	iba diff "${@:3}"
	status_is 1 "$name: status"
	sed '1,/^$/d' "$bench/out" >"$bench/got"
	same "$bench/got" "$bench/want" "$name: text"
	iba --format json diff "${@:3}"
	status_is 1 "$name: status with JSON"
	json_is '.changes | map(.kind) | join(" ")' "$kinds" "$name: kinds"
	seen+=" $kinds "
}

changes () {
	sweep
	differ "$@"
}

nothing () {
	iba diff "${@:2}"
	status_is 0 "$1: status"
	like "$(tr '\n' ' ' <"$bench/out")" \
		': nothing changed( in what was read)?\.' "$1: nothing changed"
	iba --format json diff "${@:2}"
	json_is '[.changes, (.summary | add)]' '[[],0]' "$1: no change in JSON"
}

kinds=$(sed -n 's/.*\[CHANGE_[A-Z_]*\] = { "\([a-z-]*\)".*/\1/p' "$table")
is "$(wc -w <<<"$kinds")" "$(grep -c '^	CHANGE_[A-Z_]*,' "${table%.c}.h")" \
	"each kind of the table is known"

for kind in $kinds; do
	ok "$kind has a script" [ -e "$scripts/$kind.sh" ]
done
for script in "$scripts"/*.sh; do
	kind=${script##*/} kind=${kind%.sh} seen=
	# shellcheck disable=SC1090
	. "$script"
	case " ${kinds//$'\n'/ } " in
	*" $kind "*) like "$seen" " $kind " "$kind.sh shows it" ;;
	esac
done

only_gets "nothing but Get left the program"
done_testing
