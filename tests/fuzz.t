#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The fuzz targets, briefly: what they start from, a few thousand inputs
# beyond it, and that each of their checks can fail.  contrib/fuzz runs them
# for longer.
. "${0%/*}/lib.sh"

here=${0%/*}/fuzz
fuzz=${builddir:-$PWD}/tests/fuzz
[ -x "$fuzz/sweep" ] || skip_all "needs clang with libFuzzer (make fuzz)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# TARGET RUNS: from the seeds.  A finding is shown with its input.
short_run () {
	local target=$1 runs=$2 found
	"$fuzz/$target" -runs="$runs" -seed=1 -timeout=600 -max_len=300 \
		-artifact_prefix="$dir/$target-" "$dir/$target" \
		>"$dir/log" 2>&1
	is $? 0 "$target: nothing found"
	like "$(<"$dir/log")" "Done $runs runs" "$target: $runs runs"
	for found in "$dir/$target"-*; do
		[ -e "$found" ] || continue
		grep -m 3 -E 'broken:|ERROR:|SUMMARY:' "$dir/log" | sed 's/^/# /'
		od -An -v -tx1 "$found" | sed 's/^/# input:/'
	done
}

# TARGET MISTAKE CHECK: with that mistake made, that check ends it.
sees () {
	local out
	out=$(IBAUDIT_FUZZ_BREAK=$2 "$fuzz/$1" "$dir/$1"/* 2>&1)
	isnt $? 0 "$1: a mistake in $2 ends it"
	like "$out" "$3" "$1: and is named"
}

ok "the seeds are written" "$here/seeds" "$dir"
sees decode node-info n.type
sees decode port-info rank
sees decode text is_harmless
sees decode counters counter_max
sees sweep method GET
sees sweep window smp_window
sees sweep peer peer_port
sees sweep failure f-\>node
sees sweep complete 'a->complete'
sees sweep leak 'detected memory leaks'
sees topology peer 'snapshot_peer.s, far. == p'
sees topology message 'broken: .*0x7f'
sees plan port end-\>port
sees plan message 'broken: .*0x7f'
short_run decode 20000
short_run sweep 5000
short_run topology 20000
short_run plan 20000
done_testing
