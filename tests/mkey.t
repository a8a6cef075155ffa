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

only_gets "nothing but Get left the program"
done_testing
