# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What cannot be compared: one line, status 3.
fabric_up
refused () { # TEXT ARGS...
	iba diff "${@:2}"
	is "$status $out$err" "3 ibaudit: $1" "ibaudit diff ${*:2}"
}
refused "$BENCH_DB: no database there; run 'ibaudit sweep' to make one, or name \
one with --db"
sweep
first=$(started 1)
refused "no snapshot 'latest~1': there is 1, from 1 ($first) to 1; see 'ibaudit \
list'"
sweep
refused "snapshot 2 is newer than 1; write: ibaudit diff 1 2" 2 1
refused "snapshot 2 is newer than 1; write: ibaudit diff 1 2" latest latest~1
refused "no snapshot '3': there are 2, from 1 ($first) to 2; see 'ibaudit list'" \
	1 3
refused "no snapshot '0': there are 2, from 1 ($first) to 2; see 'ibaudit list'" \
	0 1
refused "no snapshot 'latest~9': there are 2, from 1 ($first) to 2; see 'ibaudit \
list'" latest~9
refused "no snapshot at or before '2001-01-01': the first is 1, of $first" \
	2001-01-01
refused "'yesterday': not a snapshot; write latest, latest~N, the number of one, \
or a time such as '2026-01-31 12:00'" yesterday
refused "unexpected argument 3; see ibaudit diff --help" 1 2 3

for word in wires '' node; do
	refused "--only must be one of: nodes links ports sms counters, not \
\"$word\"" --only "$word"
done
for word in 0 -1 ten 1.5 1000000001 ''; do
	refused "--threshold must be a whole number from 1 to 1000000000, not \
\"$word\"" --threshold "$word"
done
refused "--format must be one that ibaudit help COMMAND names, not \"xml\"" \
	--format xml

iba sweep --fabric other
refused "snapshot 1 is of fabric default, and 3 of other; compare two of one \
fabric" 1 3
refused "$BENCH_DB: holds several fabrics (default, other); name one with \
--fabric"
nothing "the latest two of a fabric" --fabric default
nothing "two numbers need no fabric" 1 2
