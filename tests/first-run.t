#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The first day: directories that are not there, a time before all snapshots,
# a reader that has seen enough.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1
iba sweep

iba check --since '2001-02-03 04:05'
status_is 3 "a time before all snapshots"
like "$err" "no snapshot at or before '2001-02-03 04:05': the first is 1, of \
20[0-9-]+T[0-9:.]+Z\$" "says that none is as old, and which is the first"
iba show 2001-02-03
like "$err" "no snapshot at or before '2001-02-03': the first is 1" \
	"for show, too"
iba show latest~9
like "$err" "no snapshot 'latest~9': there is 1, from 1 " "latest~9 is no time"

# A reader that leaves, as early as can be.
for args in 'show ports' 'show nodes --format json' rules 'rules --format json' \
	'help run'; do
	# shellcheck disable=SC2086,SC2016
	perl -e 'pipe R, W; close R; open STDOUT, ">&W"; exec @ARGV' \
		"$IBAUDIT" --db "$bench/ibaudit.db" $args 2>"$bench/err"
	is "$? $(<"$bench/err")" "3 " "$args: a reader that left: not a word"
done
"$IBAUDIT" --db "$bench/ibaudit.db" show ports >/dev/full 2>"$bench/err"
is $? 3 "a full disk: status 3"
like "$(<"$bench/err")" 'No space left' "and says so"

# The default database of root, with directories that all may enter.
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	skip 2 "needs a mount namespace"
	done_testing
fi
ib node1 "$IBAUDIT" --config /dev/null list
db=$(grep -o '/[^ ]*/ibaudit\.db' <<<"$err")
var=${db%/lib/ibaudit/ibaudit.db}
place=${var%/*}
[ -n "$place" ] || place=$var
if ! [ -d "$place" ]; then
	skip 2 "needs the prefix to be there"
	done_testing
fi
cp "$IBAUDIT" "$bench/program"
# shellcheck disable=SC2016
bench_run "" node1 unshare -m bash -c '
	mount -t tmpfs -o mode=755 none "$1" && umask 022 &&
		LD_PRELOAD=$4 "$2" --config /dev/null -q sweep &&
		find "$1" -type d -printf "%m %p\n" && ls "$3"' \
	client "$place" "$bench/program" "$db" "$bench_sim"
status_is 0 "root's first sweep makes $db"
is "$(grep -c '^/' <<<"$out") $(grep '^[0-7]' <<<"$out" | cut -d' ' -f1 |
	sort -u)" '1 755' "and its directories are for all to enter"

done_testing
