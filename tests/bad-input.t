#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Bad input: one line that says what to do, status 3, and nothing lost.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1
iba sweep
cp "$bench/ibaudit.db" "$bench/good.db" 2>/dev/null

refused () { # NAME REGEX
	status_is 3 "$1: status 3"
	is "$(grep -c . <<<"$err")" 1 "$1: one line"
	like "$err" "$2" "$1: says what"
}

scenario 'host none'
BENCH_DB=$bench/new.db iba run
refused "no device" 'no InfiniBand device'
ok "no device: no database is made" [ ! -e "$bench/new.db" ]
scenario 'host ethernet'
iba sweep
refused "only Ethernet" 'Ethernet'
scenario 'host forbidden'
iba sweep
refused "no permission" 'permission'
scenario 'host down'
iba sweep
refused "the local port is down" 'no link'
scenario 'host ethernet-first'
iba sweep
status_is 0 "an Ethernet adapter before the InfiniBand one is passed over"
scenario ''
iba -C mlx9_9 sweep
refused "an unknown adapter" 'mlx9_9'

BENCH_DB=/proc/version iba sweep
refused "a database that cannot be written" '/proc/version'
echo "not a database, and longer than a header of one hundred bytes would be: \
................................" >"$bench/text.db"
BENCH_DB=$bench/text.db iba sweep
refused "not a database" 'not.*database'
like "$(cat "$bench/text.db")" "not a database" "and it was left alone"
BENCH_DB=$bench/none.db iba check
refused "no database" 'none.db'
ok "and none was made" [ ! -e "$bench/none.db" ]
cp "$bench/good.db" "$bench/newer.db"
sqlite3 "$bench/newer.db" 'PRAGMA user_version = 999' >/dev/null
BENCH_DB=$bench/newer.db iba list
refused "a newer database" 'newer'
BENCH_DB=$bench/newer.db iba sweep
refused "a newer database, written" 'newer'

exec {lock}>>"$bench/ibaudit.db.lock"
flock -n "$lock"
echo "pid 4242, since then" >"$bench/ibaudit.db.lock"
iba sweep
refused "another sweep" 'pid 4242'
exec {lock}>&-
iba sweep
status_is 0 "and afterwards it works"

ln -s ibaudit.db "$bench/link.db"
exec {lock}>>"$bench/ibaudit.db.lock"
flock -n "$lock"
echo "pid 4242, since then" >"$bench/ibaudit.db.lock"
BENCH_DB=$bench/link.db iba sweep
refused "another sweep, by another name" 'pid 4242'
exec {lock}>&-
BENCH_DB=:memory: iba run
refused "a database that would be gone" '--db must be a file'
ok "and no file is left" [ ! -e "$bench/:memory:.lock" ]
iba sweep --note "$(printf 'x%.0s' {1..201})"
refused "a long note" '200'

# A node name map: looked at before anything is done.
snapshots () {
	sqlite3 "$bench/ibaudit.db" 'SELECT count(*) FROM snapshot'
}
stored=$(snapshots)
map=$bench/map
printf '[ibaudit]\nnode_name_map = %s\n' "$map" >"$bench/map.conf"
for cmd in sweep run sm check show; do
	rm -f "$map"
	iba --config "$bench/map.conf" $cmd
	refused "$cmd: a map that is not there" "map.conf:2: .*$map"
	mkfifo "$map"
	BENCH_TIMEOUT=20 iba --config "$bench/map.conf" $cmd
	refused "$cmd: a map that is a FIFO" "$map: .*regular file"
	rm "$map"
	printf '# names\n0x1 "one"\n\nleaf1 "two"\n' >"$map"
	iba --config "$bench/map.conf" $cmd
	refused "$cmd: a map with a bad line" "$map:4: "
done
is "$(snapshots)" "$stored" "nothing was stored"
printf '0x1 "one"\n%s' "$(printf 'x%.0s' {1..300})" >"$map"
iba --config "$bench/map.conf" check
refused "a map with a long line" "$map:2: .*254"
printf '[ibaudit]\nnode_name_map = /dev/zero\n' >"$bench/map.conf"
iba --config "$bench/map.conf" check
refused "a map that is a device" '/dev/zero: .*regular file'
iba --config "$bench/map.conf" list
status_is 0 "list needs no map"

iba check 99
refused "an unknown snapshot" '99'
iba check yesterday
refused "no time" 'yesterday'
iba show latest~50
refused "too far back" 'latest~50'
iba check --only no-such-rule
refused "an unknown rule" 'no-such-rule'
iba check --set link-speed.nonsense=1
refused "an unknown parameter" 'nonsense'
iba check --set counter-symbol-error.min_delta=many
refused "no number" 'many'
iba --format yaml check
refused "an unknown format" 'yaml'
iba frobnicate
refused "an unknown command" 'frobnicate'
iba check --frobnicate
refused "an unknown option" 'frobnicate'
iba --config "$bench/none.conf" list
refused "no configuration" 'none.conf'
printf '[ibaudit]\nnonsense = 1\n' >"$bench/bad.conf"
iba --config "$bench/bad.conf" list
refused "a bad configuration" 'bad.conf:2'

# Rule files: a broken one is named, and the others run.
mkdir "$bench/rules"
head='-- id: site-%s
-- title: t
-- severity: warning
-- why: w
-- remedy: r
-- false-positives: none
'
site () { # ID SQL REASON
	rm -f "$bench/rules/"*
	printf -- "$head" "$1" >"$bench/rules/site-$1.sql"
	printf '%s\n' "$2" >>"$bench/rules/site-$1.sql"
	iba --format json check --rules "$bench/rules"
	is "$(jq -r '.broken[].rule' "$bench/out")" "site-$1" "$1: named"
	ok "$1: the status is not 0" [ "$status" != 0 ]
	like "$(jq -r '.broken[].reason' "$bench/out")" "$3" "$1: says why"
	json_is '[.findings[].rule] | index("sm-no-standby") != null' true \
		"$1: the other rules ran"
}
columns="NULL AS node_guid, NULL AS instance, NULL AS port, 'm' AS message"
site syntax 'SELECT FROM WHERE' 'syntax'
site two "SELECT $columns; SELECT $columns" 'one'
site write 'DELETE FROM snapshot' 'DELETE is not allowed'
site missing "SELECT NULL AS node_guid, 'm' AS message" 'instance'
site pragma 'PRAGMA user_version' 'PRAGMA is not allowed'
rm -f "$bench/rules/"*
mkfifo "$bench/rules/site-fifo.sql"
BENCH_TIMEOUT=20 iba --format json check --rules "$bench/rules"
json_is '.broken | map([.rule, .reason])' \
	'[["site-fifo","is no regular file"]]' "a FIFO among the rules"
rm -f "$bench/rules/"*

# What a rule file says never steers a terminal.
printf -- "$head" bell | sed $'s/title: t/title: \e[2Jt/' \
	>"$bench/rules/site-bell.sql"
printf 'SELECT %s' "${columns/\'m\'/char(7) || char(27) || \'[2J caf\' || char(233)}" \
	>>"$bench/rules/site-bell.sql"
printf 'x' >"$bench/rules/"$'site-\e[2J.sql'
for format in text json; do
	iba --format $format check --rules "$bench/rules"
	is "$(tr -d '\n -~' <"$bench/out" | tr -d '\303\251')" "" \
		"$format: no control character"
	like "$out" 'x1b\[2J café' "$format: but the message"
done
iba rules show site-bell --rules "$bench/rules"
is "$(tr -d '\n -~' <"$bench/out" | tr -d '\303\251')" "" \
	"rules show: no control character"

rm -f "$bench/rules/"*
printf -- "$head" good >"$bench/rules/site-good.sql"
echo "SELECT $columns" >>"$bench/rules/site-good.sql"
iba --format json check --rules "$bench/rules"
json_is '[.findings[] | select(.rule == "site-good")] | length' 1 \
	"a good site rule runs"

iba db check
status_is 0 "the database is sound"
iba --format json list
json_is '.snapshots | length' 3 "and has what was stored"
only_gets "nothing but Get left the program"
done_testing
