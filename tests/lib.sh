# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC1007,SC2016,SC2034
#
# The test bench: TAP assertions and one private fabric (ibsim, opensm) for a
# test script.  Source it first; call done_testing last.
#
#   bench_start FILE          ibsim with that network (in place of the one
#                             before, if there was one)
#   fabric ARGS...            the same, from fabric-gen ARGS
#   console LINE              an ibsim console command; prints its answer
#   opensm_start NODE [LINE]  opensm on NODE, configuration lines behind it;
#                             waits until it is MASTER or STANDBY.  $opensm_pid
#                             OPENSM_WAIT=no: does not wait
#   opensm_wait TEXT [PID LOG] until opensm logged TEXT; fails when it stands still
#   opensm_stop PID [SIGNAL]  kill it (KILL), wait, and give its place back
#   wait_for SECONDS CMD...   until CMD succeeds; fails after SECONDS
#   ib NODE CMD...            any client as NODE, without the layer
#   iba ARGS...               $IBAUDIT as $BENCH_HOST behind the layer
#   layered NODE CMD...       any client as NODE behind the layer
#   scenario TEXT             for the next runs behind the layer; "" for none
#   report KEY                what the layer counted in the last run
#   guid_of NAME, lid_of NAME
#   topology [SNAPSHOT]       what iba stored: a line a fact of each node, port
#                             and link, sorted
#   same GOT WANTED NAME      two files are the same; the first differences are
#                             told
#   printed_ends FILE         link ends of ibnetdiscover's output: GUID port
#                             GUID port, sorted
#   stored_ends               the same of iba's latest snapshot
#
# ib, iba and layered leave $status, $out and $err (also in the files
# $bench/out and $bench/err).  A client that takes longer than $BENCH_TIMEOUT
# (120) seconds is killed, with status 124.  A sanitizer's finding is status
# 99, a mistake in the scenario 98, what is not a Get 134 (iba), each with a
# line in $err.
#
# Environment: IBAUDIT the program, IBLAYER the layer's shared object,
# BENCH_KEEP=1 keeps the scratch directory and names it.
#
# Notes
#
# Each process of a bench carries its IBSIM_SOCKNAME, a name that no other
# bench has.  That is how they are found in the end: by their environment in
# /proc, so nothing needs to be recorded and nothing of others is hit.  A
# watchdog in a session of its own waits for the script's death and cleans up
# too, which covers kill -9.
#
# ibsim has ten places for clients and keeps those of dead ones: after a client
# died badly they are freed before the next one starts.

set -u -o pipefail

bench_lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${IBLAYER=$PWD/tests/layer/iblayer.so}"
: "${IBAUDIT=$PWD/ibaudit}"
: "${BENCH_TIMEOUT=120}"
: "${BENCH_HOST=node1}"
bench_sim=
for bench_sim in /usr/lib/*/umad2sim/libumad2sim.so \
	/usr/lib64/umad2sim/libumad2sim.so; do
	[ -e "$bench_sim" ] && break
done

tap_n=0
tap_failed=0
status=0 out= err=
bench= bench_name= bench_watchdog= bench_console=
bench_nap= bench_napping= bench_signal=
bench_untidy= bench_scenario=

#
# TAP
#

# ok NAME CMD...: CMD succeeds.
ok () {
	if "${@:2}"; then
		tap_pass "$1"
	else
		tap_fail "$1" "failed: ${*:2}"
	fi
}

is () { # GOT WANTED NAME
	if [ "$1" = "$2" ]; then
		tap_pass "$3"
	else
		tap_fail "$3" "got:    $1" "wanted: $2"
	fi
}

isnt () { # GOT UNWANTED NAME
	if [ "$1" != "$2" ]; then
		tap_pass "$3"
	else
		tap_fail "$3" "got, and should not: $1"
	fi
}

like () { # TEXT REGEX NAME
	if [[ $1 =~ $2 ]]; then
		tap_pass "$3"
	else
		tap_fail "$3" "text:    $1" "no match: $2"
	fi
}

unlike () { # TEXT REGEX NAME
	if [[ ! $1 =~ $2 ]]; then
		tap_pass "$3"
	else
		tap_fail "$3" "text:  $1" "match: $2"
	fi
}

status_is () { # WANTED NAME: of the last client
	if [ "$status" = "$1" ]; then
		tap_pass "$2"
	else
		tap_fail "$2" "status: $status, wanted $1" \
			"stderr: $(tail -n 20 "$bench/err")"
	fi
}

json_is () { # FILTER WANTED NAME: jq over the last client's stdout
	is "$(jq -cr "$1" "$bench/out" 2>&1)" "$2" "$3"
}

same () { # GOT WANTED NAME, two files
	if [ ! -s "$2" ]; then
		tap_fail "$3" "nothing to compare with"
	elif cmp -s "$1" "$2"; then
		tap_pass "$3"
	else
		tap_fail "$3" "got (+) and wanted (-) differ:" \
			"$(diff -U0 "$2" "$1" | grep '^[-+][^-+]' | head -n 20)"
	fi
}

# Nothing but Gets was sent, in all runs behind the layer so far.
only_gets () { # NAME
	is "$(cat "$bench/violations")" "" "$1"
}

tap_pass () {
	echo "ok $((++tap_n)) - $1"
}

tap_fail () {
	echo "not ok $((++tap_n)) - $1"
	printf '%s\n' "${@:2}" | sed 's/^/# /'
	tap_failed=1
}

skip () { # COUNT REASON
	local i
	for ((i = 0; i < $1; i++)); do
		echo "ok $((++tap_n)) # SKIP $2"
	done
}

skip_all () { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}

diag () {
	printf '%s\n' "$*" | sed 's/^/# /'
}

done_testing () {
	echo "1..$tap_n"
	exit $tap_failed
}

#
# The bench
#

bench_need () {
	local tool
	for tool in ibsim opensm jq perl setsid; do
		command -v $tool >/dev/null || PATH=$PATH:/usr/sbin
		command -v $tool >/dev/null || skip_all "needs $tool"
	done
	[ -e "$bench_sim" ] || skip_all "needs ibsim's libumad2sim.so"
}

bench_init () {
	bench_need
	bench=$(mktemp -d "${TMPDIR:-/tmp}/ibbench.XXXXXX")
	bench_name=ibbench.$$.${bench##*.}
	: >"$bench/violations"
	trap bench_stop EXIT
	trap 'bench_told 129' HUP
	trap 'bench_told 130' INT
	trap 'bench_told 143' TERM
	setsid bash -c '
		. "$1"
		bench=$2 bench_name=$3
		tail --pid="$4" -s 0.2 -f /dev/null
		bench_sweep_up' watchdog "$bench_lib/lib.sh" "$bench" \
		"$bench_name" $$ </dev/null >/dev/null 2>&1 &
	bench_watchdog=$!
	disown
}

bench_pids () {
	grep -lzx "IBSIM_SOCKNAME=$bench_name" /proc/[0-9]*/environ \
		2>/dev/null | cut -d/ -f3
}

bench_kill () {
	local pids try
	for ((try = 0; try < 100; try++)); do
		pids=$(bench_pids)
		[ -n "$pids" ] || return 0
		# shellcheck disable=SC2086
		kill -KILL $pids 2>/dev/null
		sleep 0.02
	done
}

bench_sweep_up () {
	bench_kill
	if [ -n "${BENCH_KEEP-}" ]; then
		diag "kept $bench"
	else
		rm -rf "$bench"
	fi
}

# Not in a child that was signalled before it became another program.
bench_stop () {
	[ "$BASHPID" = $$ ] || return 0
	kill -KILL -- "-$bench_watchdog" 2>/dev/null
	bench_sweep_up
}

# Totals of a network file: nodes, switches, ports.
bench_sizes () {
	awk '/^(Switch|Ca|Hca|Rt)/ {
		n++; p += $2 + 1; if (/^Switch/) s++
	} END { print n + 16, s + 16, p + 64 }' "$1"
}

bench_start () {
	local nodes switches ports lids fifo
	[ -n "$bench" ] || bench_init
	bench_end
	cat -- "$1" >"$bench/net"
	read -r nodes switches ports < <(bench_sizes "$bench/net")
	# 49151 unicast LIDs, IBA 4.1.3
	lids=$((nodes * 2 < 1024 ? 1024 : nodes * 2))
	lids=$((lids > 49151 ? 49151 : lids))
	fifo=$bench/console.in
	mkfifo "$fifo"
	(cd "$bench" && IBSIM_SOCKNAME=$bench_name exec setsid ibsim -s \
		-N "$nodes" -S "$switches" -P "$ports" -L "$lids" net \
		<"$fifo" >console.out 2>ibsim.log) &
	bench_ibsim=$!
	disown
	exec {bench_console}>"$fifo"
	if ! wait_for 60 bench_ready; then
		diag "ibsim did not start: $(tail -n 3 "$bench/ibsim.log")"
		exit 1
	fi
}

# Away with the fabric of before; the scratch directory stays.
bench_end () {
	[ -n "$bench_console" ] || return 0
	exec {bench_console}>&-
	bench_console= bench_untidy=
	bench_kill
	rm -rf "$bench"/console.* "$bench"/sys-*
}

bench_ready () {
	! kill -0 "$bench_ibsim" 2>/dev/null ||
		grep -q 'simulator ready' "$bench/console.out"
} 2>/dev/null

fabric () {
	bench_start <("$bench_lib/fabric-gen" "$@")
}

# Wait until CMD succeeds, asking 20 times a second.
wait_for () {
	local bench_until=$((SECONDS + $1))
	until "${@:2}"; do
		[ $SECONDS -lt $bench_until ] || return 1
		nap
	done
}

# A twentieth of a second, without a process: bash waits for ever for one that
# has the number of another that it remembers, and in a long wait there are as
# many as there are numbers.  A trap that exits within such a read would crash
# bash, so it is put off.
nap () {
	[ -n "$bench_nap" ] || exec {bench_nap}<> <(:)
	bench_napping=yes
	read -rt 0.05 -u "$bench_nap"
	bench_napping=
	[ -z "$bench_signal" ] || exit "$bench_signal"
}

bench_told () { # STATUS: of a signal
	[ -n "$bench_napping" ] || exit "$1"
	bench_signal=$1
}

bench_prompts () {
	grep -o 'sim> ' "$bench/console.out" | wc -l
}

bench_answered () {
	[ "$(bench_prompts)" -gt "$1" ]
}

console () {
	local prompts size
	prompts=$(bench_prompts)
	size=$(stat -c %s "$bench/console.out")
	printf '%s\n' "$*" >&"$bench_console"
	wait_for 30 bench_answered "$prompts" || return 1
	tail -c +$((size + 1)) "$bench/console.out" | sed 's/sim> $//'
}

# Free the places of clients that are no more.
bench_tidy () {
	local slot pid
	[ -n "$bench_untidy" ] || return 0
	bench_untidy=
	console Attached |
		sed -n 's/^Client \([0-9]*\): pid \([0-9]*\) .*/\1 \2/p' |
		while read -r slot pid; do
			kill -0 "$pid" 2>/dev/null || console "X $slot"
		done >/dev/null
	for pid in "$bench"/sys-*; do
		kill -0 "${pid##*-}" 2>/dev/null || rm -rf "$pid"
	done
}

#
# Subnet managers
#

# The simulator's client library loses a wake-up now and then, and the opensm
# that waits for it waits for ever: one that stands still is started anew.
opensm_start () {
	local node=$1 try
	shift
	bench_tidy
	for try in 1 2 3 4 5; do
		bench_opensm "$node" "$@"
		[ "${OPENSM_WAIT-yes}" = no ] && return 0
		opensm_wait 'SUBNET UP\|Entering STANDBY state' && return 0
		diag "opensm on $node stands still: $(tail -n 1 "$opensm_log")"
		opensm_stop "$opensm_pid"
	done
	return 1
}

bench_opensm () {
	local node=$1 dir
	shift
	dir=$(mktemp -d "$bench/opensm-$node.XXXXXX")
	{
		echo 'force_log_flush TRUE'
		[ $# -eq 0 ] || printf '%s\n' "$@"
	} >"$dir/conf"
	opensm_log=$dir/log
	(cd "$dir" && exec env IBSIM_SOCKNAME="$bench_name" SIM_HOST="$node" \
		LD_PRELOAD="$bench_sim" OSM_CACHE_DIR="$dir" \
		OSM_TMP_DIR="$dir" setsid opensm -F "$dir/conf" \
		-f "$dir/log" </dev/null >"$dir/stdout" 2>&1) &
	opensm_pid=$!
	disown
}

# opensm_wait TEXT [PID LOG]: until the log has it.  Fails when the process is
# gone, or has neither logged nor worked for six seconds.
opensm_wait () {
	local text=$1 pid=${2-$opensm_pid} log=${3-$opensm_log}
	local was='0 none' now= since=$SECONDS
	for (( ; ; )); do
		bench_look "$pid" "$log"
		[ "$now" = "$was" ] || since=$SECONDS
		if [ "${now% *}" != "${was% *}" ]; then
			! grep -q "$text" "$log" || return 0
		fi
		was=$now
		kill -0 "$pid" 2>/dev/null || return 1
		[ $((SECONDS - since)) -lt 6 ] || return 1
		nap
	done
}

# Sets $now: how long the log is, and the processor time of the process in
# tenths of a second (idling costs less).
bench_look () {
	local lines=() stat=() text
	[ ! -e "$2" ] || mapfile lines <"$2"
	printf -v text %s "${lines[@]}"
	{ read -ra stat <"/proc/$1/stat"; } 2>/dev/null
	now="${#text} $(((${stat[13]-0} + ${stat[14]-0}) / 10))"
}

opensm_stop () {
	kill "-${2-KILL}" "$1" 2>/dev/null
	wait_for 10 bench_gone "$1" || kill -KILL "$1" 2>/dev/null
	bench_untidy=yes
	bench_tidy
}

bench_gone () {
	! kill -0 "$1" 2>/dev/null
}

#
# Clients
#

# bench_run PRELOAD NODE CMD...: sets status, out, err.
bench_run () {
	local preload=$1 node=$2
	shift 2
	bench_tidy
	(cd "$bench" && exec env IBSIM_SOCKNAME="$bench_name" \
		SIM_HOST="$node" BENCH_PRELOAD="$preload" \
		ASAN_OPTIONS="$bench_asan" LSAN_OPTIONS="$bench_lsan" \
		UBSAN_OPTIONS="$bench_ubsan" \
		setsid timeout -k 2 "$BENCH_TIMEOUT" \
		bash -c 'LD_PRELOAD=$BENCH_PRELOAD exec "$@"' client "$@" \
		</dev/null >out 2>err) &
	{ wait $!; } 2>/dev/null # bash would tell how it died
	status=$?
	[ $status -lt 98 ] || bench_untidy=yes
	out=$(tr -d '\0' <"$bench/out")
	err=$(tr -d '\0' <"$bench/err")
}

# The clients' sanitizers.
bench_asan=exitcode=99:suppressions=$bench_lib/asan.supp
bench_asan+=${ASAN_OPTIONS+:$ASAN_OPTIONS}
bench_lsan=suppressions=$bench_lib/lsan.supp:print_suppressions=0
bench_ubsan=halt_on_error=1:print_stacktrace=1
bench_ubsan+=${UBSAN_OPTIONS+:$UBSAN_OPTIONS}

ib () {
	bench_run "$bench_sim" "$@"
}

layered () {
	rm -f "$bench/report"
	IBLAYER_SCENARIO=$bench_scenario IBLAYER_REPORT=$bench/report \
		bench_run "$IBLAYER:$bench_sim" "$@"
	grep '^violation' "$bench/report" >>"$bench/violations" 2>/dev/null
	return 0
}

iba () {
	IBLAYER_STRICT=1 layered "$BENCH_HOST" "$IBAUDIT" \
		--db "${BENCH_DB-$bench/ibaudit.db}" "$@"
}

scenario () {
	bench_scenario=
	[ -n "$1" ] || return 0
	bench_scenario=$bench/scenario
	printf '%s\n' "$1" >"$bench_scenario"
}

# The number behind KEY in the layer's report; 0 when it is not there.
report () {
	awk -v key="$1 " 'index($0, key) == 1 {
		print substr($0, length(key) + 1); found = 1; exit
	} END { if (!found) print 0 }' "$bench/report"
}

# A node's GUID, from the network file: by its id or its description.
guid_of () {
	awk -v name="\"$1\"" '
		/^(switch|ca|hca|rt)guids?=/ {
			sub(/^[a-z]*=/, ""); sub(/\(.*/, ""); guid = $0
		}
		/^(Switch|Ca|Hca|Rt)/ && index($0, name) { print guid; exit }
	' "$bench/net"
}

# The LID of a node's first end port, as ibsim has it.
lid_of () {
	console "Dump \"$1\"" |
		sed -n 's/.* lid \([0-9]*\) lmc .*/\1/p' | head -n 1
}

# topology [SNAPSHOT]: what `iba` stored, a line a fact.
topology () {
	local what
	for what in nodes ports links; do
		iba --format json show "${1-latest}" $what
		jq -r --arg what $what '
			def place: "\(.node_guid)/\(.instance)/\(.port)";
			.[$what][] |
			(if .guid then "\(.guid)/\(.instance)"
			 elif .a then [.a, .b] | map(place) | sort | join(" ")
			 else place end) as $key |
			if .peer then .peer |= place else . end |
			del(.a, .b, .guid, .node_guid, .instance, .last_read,
			    .route) |
			to_entries[] | "\($what) \($key) \(.key) \(.value | tojson)"' \
			"$bench/out"
	done | sort
}

# printed_ends FILE: the links that ibnetdiscover printed, end by end.
printed_ends () {
	awk '/^(Switch|Ca|Rt)/ { id = $3; gsub(/"|^"?[SHR]-/, "", id) }
		/^\[/ { split($0, f, /[][]/); split($0, q, "\"")
			peer = q[2]; sub(/^[SHR]-/, "", peer)
			print id, f[2], peer, f[4] }' "$1" | sort -u
}

# stored_ends: the same of the latest snapshot of `iba`.
stored_ends () {
	iba --format json show latest links
	jq -r '.links[] | [.a, .b], [.b, .a] |
		map("\(.node_guid[2:]) \(.port)") | join(" ")' "$bench/out" |
		sort -u
}
