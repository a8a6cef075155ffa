#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A full disk, a limit, a file or directory that is read-only, another sweep:
# one line that says what, status 3, and the database is as it was.

# What is mounted here is seen by this test only, and gone with it.
if [ -z "${DENIED_ALONE-}" ] && unshare -m true 2>/dev/null; then
	exec env DENIED_ALONE=yes unshare -m bash "$0"
fi
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1
chmod 1777 "$bench" # for nobody
mkdir "$bench/home"
BENCH_DB=$bench/home/ibaudit.db
iba sweep --fast
iba run --fast
isnt "$status" 3 "a sweep and a run"
cp "$BENCH_DB" "$bench/base.db"
anew () {
	rm -f "$BENCH_DB"*
	cp "$bench/base.db" "$BENCH_DB"
}

dump () {
	sqlite3 -readonly "$BENCH_DB" .dump
}

count () {
	sqlite3 -readonly "$BENCH_DB" 'SELECT count(*) FROM snapshot'
}
dump >"$bench/dump"
stored=$(count)

# refused NAME LINE: the last client.
refused () {
	status_is 3 "$1: status 3"
	is "$err" "ibaudit: $2" "$1: the line"
	is "$out" "" "$1: and nothing else"
	unchanged "$1"
}

unchanged () { # NAME
	dump >"$bench/now"
	same "$bench/now" "$bench/dump" "$1: the database is as it was"
}

sound () { # NAME
	iba db check
	status_is 0 "$1: the database is sound"
}

may_mount () {
	[ -n "${DENIED_ALONE-}" ] && mount -t tmpfs tmpfs /mnt 2>/dev/null &&
		umount /mnt
}

#
# A full disk
#
BENCH_DB=/mnt/ibaudit.db
full='disk full while %s; the database is as it was: free space there, then '
full+='run this again'

# disk KB: with so much room beside the database and 64 KB more.
disk () {
	local size
	size=$(du -k "$bench/base.db" | cut -f 1)
	mount -t tmpfs -o size=$((size + 64 + $1))k tmpfs /mnt
	head -c 65536 /dev/zero >/mnt/more
	cp "$bench/base.db" "$BENCH_DB"
}

# The memory beside the log takes 32 KB, the lock file 4.
full_disks () {
	local room bad= denied=0 went=0
	disk 0
	iba sweep --fast
	is "$status $err" "3 ibaudit: $BENCH_DB: ${full/\%s/reading}" \
		"not a page left"
	rm /mnt/more
	unchanged "not a page left"
	umount /mnt
	disk 36
	iba sweep --fast
	refused "no room for the log" \
		"$BENCH_DB: ${full/\%s/storing the snapshot}"
	iba run --fast
	refused "no room for the log, run" \
		"$BENCH_DB: ${full/\%s/storing the snapshot}"
	sound "no room for the log"
	rm /mnt/more
	iba sweep --fast
	status_is 0 "when there is room again"
	is "$(count)" $((stored + 1)) "it is stored"
	umount /mnt
	for ((room = 40; room <= 120; room += 8)); do
		disk $room
		iba sweep --fast
		if [ "$status.$(count)" = "0.$((stored + 1))" ]; then
			((went++))
		elif [ "$status" = 3 ] && dump | cmp -s - "$bench/dump"; then
			((denied++))
		else
			bad+="$room KB: status $status, $(count); "
		fi
		umount /mnt
	done
	is "$bad" "" "a disk that fills up on the way: all or nothing"
	isnt $denied 0 "some were denied"
	isnt $went 0 "and some not"
}
if may_mount; then
	full_disks
else
	skip 16 "needs to mount"
fi

#
# A limit on the size of files, which ends a process that does not ignore it.
# The memory beside the log takes 32 KB; what is new in a fabric's first sweep
# takes more.
#
BENCH_DB=$bench/home/ibaudit.db
limited () { # KB ARGS...
	ulimit -S -f "$1"
	iba "${@:2}"
	ulimit -S -f unlimited
}
limited 36 sweep --fast --fabric other
is "$status" 153 "a log longer than the limit: SIGXFSZ"
unchanged "SIGXFSZ"
sound "SIGXFSZ"
trap '' XFSZ
limited 36 sweep --fast --fabric other
status_is 3 "a log longer than the limit: status 3"
like "$err" "^ibaudit: $BENCH_DB: the disk failed while storing the snapshot \
\(.*\); check it, then run this again$" "a log longer than the limit: the line"
is "$(grep -c . <<<"$err")" 1 "a log longer than the limit: one line"
unchanged "a log longer than the limit"
sound "a log longer than the limit"
trap - XFSZ

#
# Read-only
#
readonly_mount () {
	local line="cannot be written (Read-only file system); run this as its \
owner, or name another with --db" cmd
	anew
	mount --bind "$bench/home" /mnt
	mount -o remount,ro,bind /mnt
	for cmd in sweep run; do
		BENCH_DB=/mnt/ibaudit.db iba $cmd --fast
		refused "$cmd: a read-only file system" \
			"/mnt/ibaudit.db: $line"
	done
	BENCH_DB=/mnt/ibaudit.db sound "a read-only file system"
	BENCH_DB=/mnt/new.db iba sweep --fast
	is "$status $err" "3 ibaudit: /mnt: cannot make a database there \
(Read-only file system); allow it, or name another place with --db" \
		"a new database in a read-only file system"
	umount /mnt
}
if may_mount; then
	readonly_mount
else
	skip 10 "needs to mount"
fi

nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
may_be_nobody () {
	"${nobody[@]}" test -x "$IBAUDIT" -a -r "$IBLAYER" 2>/dev/null
}

as_nobody () {
	layered node1 "${nobody[@]}" "$IBAUDIT" --db "$BENCH_DB" "$@"
}

others_files () {
	anew
	as_nobody sweep --fast
	refused "another's file" "$BENCH_DB: cannot be written (Permission \
denied); run this as its owner, or name another with --db"
	anew
	chmod 666 "$BENCH_DB"
	as_nobody sweep --fast
	refused "another's directory" "$BENCH_DB: no permission to write it, \
or in its directory, while reading; run this as its owner"
	chmod 644 "$BENCH_DB"
	sound "another's directory"
}
if may_be_nobody; then
	others_files
else
	skip 9 "needs to become nobody"
fi

#
# Another sweep: who, and since when
#
program_pid () {
	local pid
	for pid in $(bench_pids); do
		[ "/proc/$pid/exe" -ef "$IBAUDIT" ] && echo "$pid"
	done
}

has_lock () {
	local pid
	pid=$(program_pid)
	[ -n "$pid" ] && [[ $(<"$BENCH_DB.lock") =~ ^"pid $pid, since " ]]
} 2>/dev/null

# beside COMMAND: two at once; the first one is stopped while it has the lock.
beside () {
	local first pid holder
	dump >"$bench/dump"
	stored=$(count)
	scenario 'delay us=100000'
	(iba "$1"; echo "$status" >"$bench/first") &
	first=$!
	wait_for 60 has_lock
	pid=$(program_pid)
	kill -STOP "$pid"
	scenario ''
	holder=$(<"$BENCH_DB.lock")
	like "$holder" "^pid $pid, since 20..-" "$1: the holder"
	iba "$1"
	refused "$1 beside $1" "$BENCH_DB.lock: held by another ibaudit \
($holder); wait for it, or end it"
	kill -CONT "$pid"
	wait $first
	isnt "$(<"$bench/first")" 3 "$1: the first one ends well"
	is "$(count)" $((stored + 1)) "$1: and is stored"
}
beside sweep
beside run
sound "in the end"
only_gets "nothing but Get left the program"
done_testing
