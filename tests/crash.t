#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# kill -9 at two hundred moments: between MADs, at each of the calls that
# change the database, during a migration, during pruning.  What was listed
# before is there after, as it was, and nothing else but the sweep that was
# killed, whole.
#
# The moments are counted by the layer, not timed.  IBAUDIT_SEED repeats them.
. "${0%/*}/lib.sh"

RANDOM=${IBAUDIT_SEED:=$RANDOM}
diag "seed: IBAUDIT_SEED=$IBAUDIT_SEED"
fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1

db=$bench/ibaudit.db
before=0 inside=0 after=0 ended=0 more=0 bad=

# The program without the fabric, which reading does not need: quick.
reads () { # OUT ARGS...
	ASAN_OPTIONS=$bench_asan UBSAN_OPTIONS=$bench_ubsan "$IBAUDIT" \
		--db "$db" --format json "${@:2}" >"$1" 2>"$1.err"
}

ids () {
	reads "$bench/list" list && jq -c '[.snapshots[].id]' "$bench/list"
}

# What a snapshot shows: one part of it, or all.
parts=(nodes ports links sms counters failures)
show () { # ID PART
	reads "$bench/shown" show "$1" "$2"
	cat "$bench/shown" "$bench/shown.err"
}

keep () { # ID...
	local id part
	for id in "$@"; do
		for part in "${parts[@]}"; do
			show "$id" "$part" >"$bench/kept.$id.$part"
		done
	done
}

# What all sweeps from the third on have in common.  Counters of the port that
# lost its link are read once more.
parts_of () { # ID
	show "$1" counters |
		jq -c '[.counters[] | [.node, .port]] - [["leaf2", 2]] | sort'
	show "$1" links | jq -cS '[.links[]] | sort'
	show "$1" sms | jq -c '.sms | length'
}

complain () {
	bad+="$moment: $*"$'\n'
}

# One of the kept ones, by chance, is as it was.
compare () { # ID...
	local ids=("$@") part=${parts[RANDOM % ${#parts[@]}]} id
	id=${ids[RANDOM % ${#ids[@]}]}
	show "$id" "$part" | cmp -s - "$bench/kept.$id.$part" ||
		complain "snapshot $id shows other $part"
}

# killed LINE ARGS...: run that, killed as the line of a scenario says.  A sweep
# after one that was killed makes a call more or less, and may end before the
# last one.
#
# A killed client keeps its place in ibsim; giving three back at once is quick.
# With 255 it found none.
dead=0
killed () {
	local try
	moment=$1
	scenario "kill $1"
	for try in 1 2 3; do
		iba "${@:2}"
		[ "$status" = 255 ] || break
	done
	scenario ''
	((++dead % 3 == 0)) || bench_untidy=
	case $status in
	0) ((ended++)) ;;
	137) [ -z "$err" ] || complain "said: $err" ;;
	*) complain "status $status, $try times: $err" ;;
	esac
}

from () { # FILE
	rm -f "$db" "$db"-*
	cp "$1" "$db"
}

# What the fabric lost since then is to be stored anew.
anew_now_and_then () {
	((!more && dead % 4)) && return
	from "$bench/base.db"
	listed='[1,2]'
}

# The list is $listed, or has one snapshot more: $more.
look () {
	local was=$listed
	listed=$(ids) || complain "list: $(<"$bench/list.err")"
	more=0
	if [[ $listed =~ ^"${was%]}",[0-9]+]$ ]]; then
		more=1
	elif [ "$listed" != "$was" ]; then
		complain "listed $was, then $listed"
	fi
	[ "$status.$more" != 0.0 ] || complain "the sweep is not listed"
	[ "$more" = 0 ] ||
		[ "$(parts_of "$(jq last <<<"$listed")")" = "$whole" ] ||
		complain "the last one is not whole"
	reads "$bench/check" db check ||
		complain "db check: $(head -c 300 "$bench/check")"
}

# Two sweeps of before, and what the third one does.
iba sweep --fast --note 'kept, and "shown"'
iba sweep --fast --no-counters
status_is 0 "two sweeps"
cp "$db" "$bench/base.db"
keep 1 2
console 'Unlink "node4"[1]' >"$bench/unlinked"
from "$bench/base.db"
iba sweep --fast
whole=$(parts_of latest)
like "$whole" $'node1.*\n.*node3.*\n1$' "a third one, of less"
sends=$(report sent) writes=$(report database)
ok "a sweep sends $sends MADs" [ "$sends" -gt 50 ]
ok "and makes $writes calls for the database" [ "$writes" -gt 10 ]

# Between MADs: nothing was written yet.
for ((i = 0; i < 50; i++)); do
	anew_now_and_then
	killed "at=send after=$((RANDOM % sends))" sweep --fast
	look
	[ $more = 0 ] || complain "a sweep that did not end is listed"
	((before++))
	((i % 5)) || compare 1 2
done
is "$bad" "" "$before kills between MADs"

# At each call that writes, truncates or syncs, before it or half way.
bad=
for ((i = 0; i < 100; i++)); do
	anew_now_and_then
	killed "at=write after=$((RANDOM % writes)) half=$((RANDOM % 2))" \
		sweep --fast
	look
	((more ? after++ : inside++))
	((i % 5)) || compare 1 2
done
is "$bad" "" "$((inside + after)) kills while the sweep was stored"
ok "many before the commit was whole" [ $inside -ge 25 ]
ok "many after it" [ $after -ge 10 ]
iba sweep --fast
status_is 0 "a sweep afterwards"

# While a database of the first release is brought up to date.
bad= migrations=0
sqlite3 "$bench/old.db" <"$bench_lib/db/schema-1.sql"
from "$bench/old.db"
iba sweep --fast --fabric other
status_is 0 "a database of the first release"
writes=$(report database)
keep 1 2 3 4 5
for ((i = 0; i < 25; i++)); do
	from "$bench/old.db"
	killed "at=write after=$((RANDOM % writes)) half=$((RANDOM % 2))" \
		sweep --fast --fabric other
	iba sweep --fast --fabric other
	[ "$status" = 0 ] || complain "the next sweep: $err"
	status=
	listed='[1,2,3,4,5,6]'
	look
	((more ? after++ : migrations++))
	compare 1 2 3 4 5
done
is "$bad" "" "25 kills while a database was brought up to date"

# While old snapshots are dropped, each in a transaction of its own: of 60 the
# last 48 stay.
more_snapshots () { # FROM TO: of the second one's likeness, an hour apart
	local id
	echo 'CREATE TEMP TABLE s AS SELECT * FROM snapshot WHERE id = 2;
		CREATE TEMP TABLE m AS SELECT * FROM sm_row WHERE snapshot = 2;'
	for ((id = $1; id <= $2; id++)); do
		echo "UPDATE s SET id = $id, started_ms = started_ms + 3600000,
				finished_ms = finished_ms + 3600000;
			UPDATE m SET snapshot = $id;
			INSERT INTO snapshot SELECT * FROM s;
			INSERT INTO sm_row SELECT * FROM m;"
	done
}
some=(--keep-all 0h --keep-hourly 0 --keep-daily 0 --keep-weekly 0)
from "$bench/base.db"
{ echo 'BEGIN;'; more_snapshots 3 60; echo 'COMMIT;'; } | sqlite3 "$db"
reads "$bench/check" db check
is "$?" 0 "a longer history"
cp "$db" "$bench/long.db"
all=$(ids)
iba prune "${some[@]}"
status_is 0 "prune"
writes=$(report database)
stay=$(ids)
is "$(jq length <<<"$stay")" 48 "48 of 60 stay"
keep 13 60
bad= prunes=0
for ((i = 0; i < 25; i++)); do
	from "$bench/long.db"
	killed "at=write after=$((RANDOM % writes)) half=$((RANDOM % 2))" \
		prune "${some[@]}"
	listed=$(ids)
	jq -en "$all - $listed - ($all - $stay) + ($listed - $all) == []" \
		>/dev/null || complain "listed $listed"
	reads "$bench/check" db check ||
		complain "db check: $(head -c 300 "$bench/check")"
	[ "$listed" = "$stay" ] || ((prunes++))
	compare 13 60
done
is "$bad" "" "25 kills while old snapshots were dropped"
ok "many of them on the way" [ $prunes -ge 10 ]
only_gets "nothing but Get left the program"
diag "killed: $before before the store was written, $inside before the commit" \
	"was whole, $migrations in a migration, $after after a commit, 25 in" \
	"pruning; $ended of them had ended"
ok "few had ended" [ $ended -le 20 ]
done_testing
