#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# M_Keys: from a file that is private, and from there to the fabric alone.
. "${0%/*}/lib.sh"

key=0xfeedc0dedeadbeef
fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8
opensm_start node1

# Files that are refused: before the fabric is asked, and in one line that
# tells the file and not what it holds.
mkdir -m 755 "$bench/open"
file=$bench/open/mkey
refused () { # REGEX NAME
	for cmd in sweep run sm; do
		iba $cmd --mkey-file "$file"
		status_is 3 "$2: $cmd"
		like "$err" "^ibaudit: $file$1" "$2: $cmd says so"
		is "$(wc -l <"$bench/err")" 1 "$2: on one line"
		unlike "$err$out" 'feedc0de' "$2: without what is in it"
	done
	is "$(report sent)" 0 "$2: nothing was sent"
	ok "$2: no database" [ ! -e "$bench/ibaudit.db" ]
}
hold () { # TEXT [MODE]
	rm -f "$file"
	printf '%s' "$1" >"$file"
	chmod "${2-600}" "$file"
}
refused ': cannot read .*: No such file or directory$' "no such file"
hold "$key" 644
refused ': others may read or write .*chmod 600' "readable for others"
hold "$key" 660
refused ': others may read or write .*chmod 600' "writable for the group"
hold ''
refused ': there is no M_Key in it' "an empty file"
hold "# the key
${key}0"
refused ':2: neither' "too long a key"
hold "$key
$key"
refused ':2: neither' "two keys for all"
hold "0x2 secret$key"
refused ':1: neither' "words"
rm "$file"
mkfifo -m 600 "$file"
refused ': .*must be a regular file' "a FIFO"
rm "$file"
mkdir "$file"
refused ': .*must be a regular file' "a directory"
rmdir "$file"
hold "$key"
truncate -s 40M "$file"
refused ': larger than 32 MiB' "a huge file"

hold "0x1 $key
0x2 0x1"
iba sweep --mkey-file "$file" --discovery libibnetdisc
status_is 3 "libibnetdisc has one key for all"
like "$err" 'use --discovery engine$' "it says what to do"
printf '[sweep]\nmkey_file = %s/none\n' "$bench" >"$bench/conf"
iba --config "$bench/conf" sweep
status_is 3 "a file that the configuration names"
like "$err" "^ibaudit: $bench/none: cannot read" "it is refused alike"
iba --config "$bench/conf" list
unlike "$err" 'M_Key' "who does not ask the fabric needs no key"

# What is fine.
hold "$key" 640
iba sweep --mkey-file "$file"
status_is 0 "a key that the group may read"
cp "${opensm_log%/*}/guid2mkey" "${opensm_log%/*}/neighbors" "$bench/open"
file=$bench/open/guid2mkey
chmod 644 "$file"
iba sweep --mkey-file "$file"
status_is 3 "opensm's file, open to all"
chmod 700 "$bench/open"
iba sweep --mkey-file "$file"
status_is 0 "the same in a directory that is not"

#
# The fabric
#

# What a snapshot read, without the times and numbers of snapshots.
topology () {
	for what in nodes ports links; do
		iba --format json show latest $what
		jq -S --arg w $what '.[$w] | map(del(.last_read)) | sort' \
			"$bench/out"
	done
}
# What the last sweep read: complete, and how it differs from before.
same () { # NAME
	iba --format json show latest
	json_is '[.snapshot.complete, .counts.failures]' '[true,0]' \
		"$1: complete"
	topology >"$bench/got"
	ok "$1: the same as without protection" cmp "$bench/open.json" \
		"$bench/got"
}
# All that is printed in this part, to look for the key in.
told=$bench/told
: >"$told"
ask () {
	iba "$@"
	cat "$bench/out" "$bench/err" >>"$told"
}

file=$bench/mkey
hold "$key"
iba sweep
topology >"$bench/open.json"

scenario "protect key=$key"
ask sweep
status_is 0 "no key: a sweep"
iba check
like "$out" 'M_Keys.*\(--mkey-file\)' "no key: the remedy tells of keys"
iba --format json show latest
json_is .snapshot.complete false "no key: incomplete"
iba --format json show latest failures
json_is '.failures | map([.node, .port, .attribute, .status])' \
	'[["node1",1,"NodeInfo","no answer"]]' "no key: a row"
iba --format json show latest nodes
json_is '[.nodes | length, (map(select(.read)) | length)]' '[7,1]' \
	"no key: the others are unread, not gone"

ask sweep --mkey-file "$file"
status_is 0 "the right key"
same "the right key"
is "$(report mkey-violations)" 0 "the right key: no violation"
ask --format json sm --mkey-file "$file"
json_is '.sms | map([.node, .state])' '[["node1","MASTER"]]' \
	"sm with the right key"
is "$(report mkey-violations)" 0 "sm: no violation"
ask sweep --mkey-file "$file" --discovery libibnetdisc
status_is 0 "libibnetdisc with the right key"
same "libibnetdisc"
is "$(report mkey-violations)" 0 "libibnetdisc: no violation"

# One node is tried, once, and told from one that is merely silent.
hold "${key%ef}e0"
ask -v run --mkey-file "$file"
status_is 1 "a wrong key is a warning"
like "$out" 'sweep-incomplete' "a wrong key: sweep-incomplete"
unlike "$out" "${key%??}" "a wrong key: it is not told"
is "$(report mkey-violations)" 1 "a wrong key: one query"
is "$(report "mkey-violations $(guid_of leaf1)")" 1 \
	"a wrong key: to the node behind our own"
iba --format json show latest failures
json_is '.failures | map([.node, .port, .attribute, .text])' \
	'[["node1",1,"NodeInfo","no answer, so no other node was asked: check its M_Key in the M_Key file"]]' \
	"a wrong key: a row says what to check"
iba --format json check
json_is '.findings[] | select(.rule == "sweep-incomplete").message |
	test("node1 port 1: no answer, .*check its M_Key in the M_Key file")' \
	true "a wrong key: the finding says what to check"
ask --format json sm --mkey-file "$file"
is "$(report mkey-violations)" 1 "sm: one query"
json_is '.findings[] | select(.rule == "sweep-incomplete").message |
	test("check its M_Key in the M_Key file")' true "sm: says what to check"
json_is '[.findings[].rule] | index("sweep-incomplete") != null' true \
	"sm: says that it may have missed one"
BENCH_HOST=leaf1 ask sm --mkey-file "$file"
is "$(report mkey-violations)" 1 "from a switch: to one of several behind it"
hold "$key"
BENCH_HOST=leaf1 ask sweep --mkey-file "$file"
same "from a switch, with the right key"
is "$(report mkey-violations)" 0 "from a switch: no violation"

# opensm's form, with a key of its own for each port.  The keys differ from
# $key in their last byte.
scenario ''
iba sweep
iba --format json show latest ports
jq -r '.ports[] | select(.port_guid != null) | "\(.node_guid) \(.port_guid)"' \
	"$bench/out" | sort -u |
	awk -v key="${key%ef}" '{ printf "%s %s %s%02x\n", $1, $2, key, NR }' \
	>"$bench/keys"
is "$(wc -l <"$bench/keys")" 7 "seven ports"
awk '{ print $2, $3 "\n" }' "$bench/keys" >"$file"
scenario "$(awk '{ print "protect node=" $1, "key=" $3 }' "$bench/keys")"
ask sweep --mkey-file "$file"
status_is 0 "a key for each port"
same "a key for each port"
is "$(report mkey-violations)" 0 "a key for each port: no violation"

fresh=$bench/fresh.db
BENCH_DB=$fresh ask -v --format json sweep --mkey-file "$file"
json_is .snapshot.complete false \
	"without a snapshot before it is not known who is behind"
is "$(report mkey-violations)" 1 "which one query found out"
rm "$fresh"*
cp "${opensm_log%/*}/neighbors" "$bench/neighbors"
BENCH_DB=$fresh ask -v --format json sweep --mkey-file "$file"
json_is .snapshot.complete true "opensm's neighbors tells"
is "$(report mkey-violations)" 0 "without a violation"

# The key is nowhere but in its file.
hold "$key"
scenario "protect key=$key
delay us=100000 count=20"
(ask -v run --mkey-file "$file") &
runner=$!
pids () {
	local pid
	for pid in $(bench_pids); do
		[ "/proc/$pid/exe" -ef "$IBAUDIT" ] && echo "$pid"
	done
}
keeps_no_core () {
	local pid
	pid=$(pids)
	[ -n "$pid" ] && grep -q '^Max core file size  *0  *0 ' "/proc/$pid/limits"
}
ok "no core file while there are keys" wait_for 30 keeps_no_core
tr '\0' '\n' <"/proc/$(pids)/cmdline" >"$bench/cmdline"
wait $runner
scenario "protect key=$key"
like "$(<"$bench/cmdline")" "$file" "the process list has the path"
for format in text json; do
	for args in list 'show latest' 'show latest nodes' \
		'show latest ports' 'show latest links' 'show latest sms' \
		'show latest counters' 'show latest failures' check \
		'db check' 'sm --mkey-file mkey' 'run --mkey-file mkey' \
		'sweep --mkey-file mkey'; do
		# shellcheck disable=SC2086
		ask -v --format $format $args
		[ "$status" -lt 3 ] || diag "$args: $err"
	done
done
cat >"$bench/seek" <<'END'
# Files in which the first seven bytes of the key are in any form.
my $hex = shift;
my $raw = pack 'H*', $hex;
my @forms = ($raw, scalar reverse($raw));
my ($low, $high) = map { hex "${hex}$_" } '00', 'ff';
for my $path (@ARGV) {
	open my $f, '<:raw', $path or die "$path: $!\n";
	my $all = do { local $/; <$f> };
	my $found = $all =~ /$hex/i;
	$found ||= index($all, $_) >= 0 for @forms;
	while (!$found && $all =~ /(-?\d{16,20})/g) {
		my $v = $1 < 0 ? 18446744073709551615 + $1 + 1 : $1;
		$found = 1 if $v >= $low && $v <= $high;
	}
	print "$path\n" if $found;
}
END
seek () {
	perl "$bench/seek" feedc0dedeadbe "$@"
}
printf '\xfe\xed\xc0\xde\xde\xad\xbe\xef' >"$bench/raw"
printf '\xef\xbe\xad\xde\xde\xc0\xed\xfe' >"$bench/swapped"
perl -e 'print hex shift' "$key" >"$bench/decimal" 2>/dev/null
printf '%s' $((key)) >"$bench/signed"
is "$(seek "$file" "$bench"/{raw,swapped,decimal,signed} "$bench/net" |
	wc -l)" 5 "the search finds each form"
ok "there is enough to look at" [ "$(wc -c <"$told")" -gt 20000 ]
sqlite3 -readonly "$bench/ibaudit.db" .dump >"$bench/dump"
is "$(seek "$told" "$bench/cmdline" "$bench/dump" "$bench"/ibaudit.db* \
	"$fresh"*)" "" \
	"the key is in no output, no process list, no database"

only_gets "nothing but Get left the program"
done_testing
