#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The database as a file: vacuum, backup, and the history of another head node.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1
a=$bench/a.db b=$bench/b.db

ibdb () { # DB ARGS...: iba with that database
	BENCH_DB=$1 iba "${@:2}"
}

refused () { # REGEX NAME
	status_is 3 "$2: status 3"
	is "$(grep -c . <<<"$err")" 1 "$2: one line"
	like "$err" "$1" "$2: says what"
}

sound () { # DB NAME
	ibdb "$1" db check
	status_is 0 "$2: sound"
}

# history DB: what each snapshot says but for ids, one line each.
history () {
	local id
	for id in $(sqlite3 "$1" 'SELECT id FROM snapshot ORDER BY id'); do
		for what in nodes ports links sms counters failures; do
			ibdb "$1" --format json show "$id" $what
			jq -cS 'del(.. | .id?, .last_read?)' "$bench/out"
		done | md5sum
	done
}

hold () { # hold CMD...: while another ibaudit has the lock of $a
	local lock
	exec {lock}>>"$a.lock"
	flock -n "$lock"
	echo "pid 4242, since then" >"$a.lock"
	"$@"
	exec {lock}>&-
}

# took ARGS...: milliseconds that it takes with a copy of was.db
took () {
	local from
	rm -f "$bench"/k.db*
	cp "$bench/was.db" "$bench/k.db"
	from=$(date +%s%N)
	"$IBAUDIT" --db "$bench/k.db" "$@" >"$bench/killed"
	echo $((($(date +%s%N) - from) / 1000000))
}

killed () { # killed SIGNAL MS ARGS...: that far into it
	timeout -s "$1" "$(printf '%d.%03d' $(($2 / 1000)) $(($2 % 1000)))" \
		"$IBAUDIT" --db "$bench/k.db" "${@:3}"
}

#
# backup
#
for ((i = 0; i < 3; i++)); do
	ibdb "$a" run --note "$i"
done
mkdir "$bench/d"
ibdb "$a" --format json db backup "$bench/d/copy.db"
status_is 0 "backup"
json_is '.size' "$(stat -c %s "$bench/d/copy.db")" "tells the size"
is "$(ls -A "$bench/d")" copy.db "there is one file"
cp "$bench/d/copy.db" "$bench/kept.db"
is "$(history "$bench/d/copy.db")" "$(history "$a")" "it holds the same"
is "$(ls -A "$bench/d")" copy.db "nobody who reads leaves a file"
sound "$bench/d/copy.db" "the copy"
ibdb "$a" db backup "$bench/d/copy.db"
refused 'copy.db: is there already' "a copy that is there"
ok "and is left as it was" cmp -s "$bench/d/copy.db" "$bench/kept.db"
touch "$bench/d/new.db-wal"
ibdb "$a" db backup "$bench/d/new.db"
refused 'new.db-wal: is there already' "another one's log"
rm "$bench/d/new.db-wal"
ibdb "$a" db backup "$bench/none/new.db"
refused 'none/new.db: cannot make a file there' "no directory"
ibdb "$bench/none.db" db backup "$bench/d/new.db"
refused 'none.db: no database there' "no database"
is "$(ls -A "$bench/d")" copy.db "nothing is left of those"
ibdb "$bench/d/copy.db" sweep
status_is 0 "a sweep into the copy"
ibdb "$bench/d/copy.db" --format json list
json_is '.snapshots | length' 4 "goes on where it was made"

# Ended at any time: all of it, or nothing.
cp "$a" "$bench/was.db"
took=$(took db backup "$bench/d/took.db")
other=
rm "$bench"/d/*
for ((i = 1; i <= 10; i++)); do
	killed TERM $((took * i / 10)) db backup "$bench/d/x.db"
	left=$(ls -A "$bench/d")
	[ -z "$left" ] || [ "$left" = x.db ] || other+=" $left"
	[ -z "$left" ] || "$IBAUDIT" --db "$bench/d/x.db" db check ||
		other+=" $i"
	rm -f "$bench"/d/x.db*
done >"$bench/killed" 2>&1
is "$other" "" "a copy that is ended leaves nothing, or is whole"

# A user who may read it, and nothing else.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir "$bench/ro"
	chmod 755 "$bench" "$bench/ro"
	cp "$bench/kept.db" "$bench/ro/"
	chmod 444 "$bench/ro/kept.db"
	chmod 555 "$bench/ro"
	(cd / && setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$IBAUDIT" --db "$bench/ro/kept.db" --format json list) \
		>"$bench/out" 2>"$bench/err"
	is "$(jq '.snapshots | length' "$bench/out")" 3 \
		"another user reads it in a directory that nobody writes"
else
	skip 1 "needs root and setpriv"
fi
# While a transaction is open, and with the lock held.
sqlite3 "$a" >"$bench/writer" 2>&1 <<-END
	BEGIN IMMEDIATE;
	DELETE FROM counter_row;
	.shell exec "$IBAUDIT" --db "$a" db backup "$bench/d/beside.db" 2>&1
	ROLLBACK;
	END
ok "beside a writer" [ -s "$bench/d/beside.db" ]
is "$(sqlite3 "$bench/d/beside.db" 'SELECT count(*) > 0 FROM counter_row')" 1 \
	"what is not committed is not copied"
hold ibdb "$a" db backup "$bench/d/held.db"
status_is 0 "beside a sweep"

#
# vacuum
#
sqlite3 "$a" 'CREATE TABLE junk (x);
	INSERT INTO junk SELECT randomblob(4000) FROM
	(SELECT 1 FROM counter_row LIMIT 100), (SELECT 1 FROM port_key LIMIT 9);
	DROP TABLE junk' 2>"$bench/err"
before=$(history "$a") size=$(stat -c %s "$a")
hold ibdb "$a" db vacuum
refused 'pid 4242' "vacuum beside a sweep"
is "$(stat -c %s "$a")" "$size" "nothing was done"
ibdb "$a" --format json db vacuum
status_is 0 "vacuum"
json_is '[.before, .after, .held]' "[$size,$(stat -c %s "$a"),false]" \
	"tells the sizes"
ok "the file shrank" [ "$(stat -c %s "$a")" -lt $((size / 2)) ]
ok "the log stays, and is empty" test -e "$a-wal" -a ! -s "$a-wal"
is "$(history "$a")" "$before" "all reads as before"
is "$(sqlite3 "$a" 'PRAGMA journal_mode')" wal "the journal is a log"
sound "$a" "vacuum"
ibdb "$bench/none.db" db vacuum
refused 'no database there' "vacuum of nothing"

# A reader that stands still keeps what it sees.
sqlite3 "$a" 'CREATE TABLE junk (x); INSERT INTO junk VALUES
	(zeroblob(500000)); DROP TABLE junk'
mkfifo "$bench/reader"
sqlite3 "$a" <"$bench/reader" >"$bench/seen" &
reader_pid=$!
exec {reader}>"$bench/reader"
echo 'BEGIN; SELECT count(*) FROM snapshot;' >&"$reader"
wait_for 30 test -s "$bench/seen"
ibdb "$a" --format json db vacuum
status_is 0 "vacuum beside a reader"
json_is '.held and .after > 500000' true "the file cannot shrink yet"
echo 'SELECT count(*) FROM port_rev; COMMIT;' >&"$reader"
exec {reader}>&-
wait $reader_pid
is "$(wc -l <"$bench/seen")" 2 "the reader read on"
ibdb "$a" sweep
ok "and the next sweep shrinks it" [ "$(stat -c %s "$a")" -lt 500000 ]

# Full disks: 1 MB for a database, and 4 for its copy.
full_disk () {
	unshare -m sh -c 'mount -t tmpfs -o size='"$1"' none "$1" && shift &&
		exec "$@"' full "$bench/full" "${@:2}"
}
mkdir "$bench/full"
if full_disk 1m true 2>/dev/null; then
	cp "$a" "$bench/big.db"
	sqlite3 "$bench/big.db" 'CREATE TABLE junk (x); INSERT INTO junk
		VALUES (zeroblob(3000000))'
	full_disk 2m sh -c '"$1" --db "$2/big.db" db backup "$2/full/x.db"
		echo "status $?"; ls -A "$2/full"' sh "$IBAUDIT" "$bench" \
		>"$bench/out" 2>&1
	like "$(head -n 1 "$bench/out")" 'x.db: disk full while copying' \
		"a full disk says so"
	is "$(tail -n +2 "$bench/out")" "status 3" "and nothing is left"
	full_disk 4m sh -c 'cp "$2/big.db" "$2/full/"
		"$1" --db "$2/full/big.db" db vacuum; echo "status $?"' \
		sh "$IBAUDIT" "$bench" >"$bench/out" 2>&1
	like "$(cat "$bench/out")" 'not enough room: .*status 3' \
		"vacuum needs room"
else
	skip 3 "needs a mount namespace"
fi

#
# merge: the other head took over, and then they took turns
#
ibdb "$a" db backup "$b"
ibdb "$b" run --note b1
console 'Unlink "node4"[1]' >/dev/null
ibdb "$b" sweep --note b2
hold ibdb "$a" db merge "$b"
refused 'pid 4242' "merge beside a sweep"
ibdb "$a" --format json db merge "$b"
status_is 0 "merge"
json_is '.fabrics | map([.fabric, .added, .skipped, .renumbered,
	(.added_ids | length)])' '[["default",2,4,0,2]]' "tells what it did"
is "$(history "$a")" "$(history "$b")" "both hold the same"
sound "$a" "merged"
md5=$(sqlite3 "$a" .dump | md5sum)
ibdb "$a" --format json db merge "$b"
json_is '.fabrics[0] | [.added, .skipped, .first]' '[0,6,null]' "and again"
is "$(sqlite3 "$a" .dump | md5sum)" "$md5" "nothing is changed"

for ((i = 0; i < 3; i++)); do
	ibdb "$a" run --note "a$i"
	ibdb "$b" run --note "b$i"
done
md5=$(sqlite3 "$a" .dump | md5sum)
ibdb "$a" db merge "$b"
refused "2 of 3 snapshots .* --renumber .*2 of ours get new ids.* --as NAME" \
	"they took turns"
is "$(sqlite3 "$a" .dump | md5sum)" "$md5" "refused: nothing is changed"
ibdb "$a" db merge "$b" --fabric other
refused "no fabric 'other': there is default" "no such fabric"
cp "$a" "$bench/as.db"
ibdb "$bench/as.db" --format json db merge "$b" --as other
json_is '.fabrics | map([.fabric, .from, .added, .renumbered])' \
	'[["other","default",9,0]]' "a history of its own"
ibdb "$bench/as.db" --fabric other --format json list
json_is '.snapshots | length' 9 "has its fabric"
sound "$bench/as.db" "two fabrics"

# Killed at any time while it renumbers: all or nothing.
listed () {
	sqlite3 "$1" 'SELECT id, started_ms, note FROM snapshot ORDER BY id;
		SELECT count(*), total(snapshot) FROM port_rev'
}
cp "$a" "$bench/was.db"
was=$(listed "$a")
cp "$a" "$bench/whole.db"
ibdb "$bench/whole.db" --format json db merge "$b" --renumber
status_is 0 "merge --renumber"
json_is '.fabrics[0] | [.added, .renumbered, .skipped]' '[3,2,6]' \
	"tells what moved"
is "$(sqlite3 "$bench/whole.db" 'SELECT group_concat(note, " ") FROM
	(SELECT note FROM snapshot ORDER BY id DESC LIMIT 6)')" \
	"b2 a2 b1 a1 b0 a0" "they are in order"
whole=$(listed "$bench/whole.db")
other= took=$(took db merge "$b" --renumber)
for ((i = 1; i <= 25; i++)); do
	rm -f "$bench"/k.db*
	cp "$bench/was.db" "$bench/k.db"
	killed KILL $((took * i / 25)) db merge "$b" --renumber
	now=$(listed "$bench/k.db")
	[ "$now" = "$was" ] || [ "$now" = "$whole" ] || other+=" $i"
	"$IBAUDIT" --db "$bench/k.db" db check || other+=" $i"
	"$IBAUDIT" --db "$bench/k.db" db merge "$b" --renumber
	[ "$(listed "$bench/k.db")" = "$whole" ] || other+=" $i"
done >"$bench/killed" 2>&1
is "$other" "" "killed while it renumbers: as before or as after"

# Without it each snapshot is a step; run again it goes on.
cp "$bench/kept.db" "$bench/one.db"
ibdb "$bench/one.db" db merge "$b"
whole=$(listed "$bench/one.db")
cp "$bench/kept.db" "$bench/was.db"
took=$(took db merge "$b")
for ((i = 1; i <= 25; i++)); do
	rm -f "$bench"/k.db*
	cp "$bench/kept.db" "$bench/k.db"
	killed KILL $((took * i / 25)) db merge "$b"
	"$IBAUDIT" --db "$bench/k.db" db check || other+=" $i"
	"$IBAUDIT" --db "$bench/k.db" db merge "$b"
	[ "$(listed "$bench/k.db")" = "$whole" ] || other+=" $i"
done >"$bench/killed" 2>&1
is "$other" "" "killed while it adds: the next one completes it"

# A database of an older schema, as the error says to do it.
sqlite3 "$bench/old.db" <"$bench_lib/db/schema-3.sql" >"$bench/out"
ibdb "$a" db merge "$bench/old.db" --as old
refused "made by an older ibaudit .schema 3" "an older schema"
ibdb "$bench/old.db" db backup "$bench/new.db"
status_is 0 "an older one is copied"
is "$(sqlite3 "$bench/new.db" 'PRAGMA user_version')" 3 "as it is"
ibdb "$bench/new.db" db vacuum
status_is 0 "and brought up to date"
ibdb "$a" --format json db merge "$bench/new.db" --as old
json_is '.fabrics[0].added > 0' true "and merged"
sound "$a" "with an old one"

ibdb "$a" db
refused 'check, vacuum, backup FILE, merge FILE' "no verb"
ibdb "$a" db backup
refused 'db backup: name one file' "no file"
ibdb "$a" db vacuum "$b"
refused 'db vacuum: takes no argument' "an argument too many"
ibdb "$a" db check --renumber
refused 'db check: takes no option' "an option of merge"
only_gets "nothing but Gets was sent"
done_testing
