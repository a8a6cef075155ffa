#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC1091,SC2154,SC2317
# The bench itself: fabric, subnet managers, every word of a scenario, what is
# refused, and that nothing stays behind.
. "${0%/*}/lib.sh"

bench_init
command -v ibnetdiscover >/dev/null || skip_all "needs infiniband-diags"
client=$bench/client
if ! ${CC-cc} -D_GNU_SOURCE -std=gnu11 -o "$client" \
	"$bench_lib/bench-client.c" -libumad 2>"$bench/err"; then
	diag "$(<"$bench/err")"
	skip_all "needs a C compiler and libibumad's header"
fi

# Queries of the leaf next to node1: NodeInfo, NodeDescription, PortInfo.
leaf=0,1
info=1:0x81:0x11:0:$leaf
desc=1:0x81:0x10:0:$leaf
port3=1:0x81:0x15:3:$leaf
port0=1:0x81:0x15:0:$leaf

# ask [OPTION...] QUERY...: as node1, behind the layer.
ask () {
	layered node1 "$client" "$@"
}

# mad N FROM LENGTH: bytes of the answer to query N, in hexadecimal.
mad () {
	awk -v n="$1" -v from="$2" -v len="$3" '$1 == n {
		sub(/^mad=/, "", $NF)
		print substr($NF, 2 * from + 1, 2 * len)
		exit
	}' "$bench/out"
}

# column NAME: of each line, in order.
column () {
	sed -n "s/.*$1=\([^ ]*\).*/\1/p" "$bench/out" | paste -sd ' '
}

numbers () {
	awk '/mad=/ { print $1 }' "$bench/out" | paste -sd ' '
}

#
# A fabric and its subnet manager
#

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8 --extspeed 4
ib node1 ibnetdiscover
is "$(grep -c ^Ca "$bench/out") $(grep -c ^Switch "$bench/out")" "4 3" \
	"ibnetdiscover sees the fabric"
is "$(guid_of leaf1)" 0x0002c90200000100 "guid_of"
like "$out" 'switchguid=0x2c90200000100' "is what the switch says"
opensm_start node2
like "$(<"$opensm_log")" 'SUBNET UP' "opensm is up"
ib node3 sminfo
like "$out" 'SMINFO_MASTER' "and master"
lid=$(lid_of leaf1)
like "$lid" '^[1-9]' "lid_of"
like "$(console Attached)" '"node2"' "console prints the answer"
console 'PerformanceSet "leaf1"[1] PortCounters.SymbolErrorCounter=70' \
	>/dev/null
ib node1 perfquery "$lid" 1
like "$out" 'SymbolErrorCounter:\.+70' "PerformanceSet"

#
# The layer without a scenario
#

ib node1 ibnetdiscover
bare=$(grep -v '^#' "$bench/out")
layered node1 ibnetdiscover
is "$(grep -v '^#' "$bench/out")" "$bare" "the layer alone changes nothing"
is "$(report 'sent class=0x81 method=0x01 attr=0x0012')" 3 "it counts"
ask $info $desc
is "$(mad 0 76 8)" 0002c90200000100 "NodeInfo"
is "$(mad 1 64 5)" 6c65616631 "NodeDescription is the name in the file"
is "$(mad 0 224 32)" "$(printf '0%.0s' {1..64})" "no rubbish at a MAD's end"
ask $info 1:0x81:0x33:1:$leaf 1:4:0x1f:1:"$lid" 1:4:0x10:1:"$lid" \
	1:0x81:0x33:1:0,1,2 1:4:0x1f:1:"$(lid_of node2)"
is "$(for i in 1 2 3 4 5; do mad $i 4 2; done | paste -sd ' ')" \
	"800c 000c 000c 800c 000c" "attributes that ibsim lacks: unsupported"
ib node1 sminfo
like "$out" 'SMINFO_MASTER' "the subnet manager did not get to see them"
ask -r 3 1:0x81:0x20:0:0,1,1 1:0x81:0x11:0:0,1,8
is "$(column status) $(column length)" "110 110 24 24" \
	"SMInfo without SM, a dead end: as the kernel returns them"
kill -STOP "$opensm_pid"
ask -t 100 -r 1 1:0x81:0x20:0:0,1,2
is "$(column status) $(column length)" "110 24" "a stopped SM: a time-out"
ok "after timeout x (retries + 1)" [ "$(column us)" -ge 200000 ]
kill -CONT "$opensm_pid"

#
# Verbs
#

scenario "set node=$(guid_of leaf1) port=3 attr=PortInfo LinkSpeedExtActive=8 \
LinkSpeedExtActive2=1 CapMask|=0x4000"
ask $info $port3 1:0x81:0x15:2:$leaf
is "$(mad 1 120 1) $(mad 1 126 1) $(mad 1 84 4)" "20 87 00004000" \
	"set by GUID and port"
isnt "$(mad 2 120 1)" 20 "no other port"
is "$(report 'line 1 applied')" 1 "applied once"
scenario 'set node="leaf1" attr=PortInfo port=1-2 up=1 Lid=77 byte[40]=abcd
set type=ca attr=NodeInfo DevId=0xcf09 # an aggregation node'
ask $info $desc $port3 1:0x81:0x15:2:$leaf 1:0x81:0x11:0:0,1,2
is "$(mad 3 80 2) $(mad 3 104 2)" "004d abcd" "by description and range; raw"
isnt "$(mad 2 80 2)" 004d "outside of the range"
is "$(mad 4 94 2) $(mad 0 94 2)" "cf09 d2f2" "by node type"
scenario 'set up=1 attr=PortInfo port=4-8 Lid=77'
ask $info 1:0x81:0x15:8:$leaf
is "$(mad 1 80 2)" 0000 "up=1 leaves a port alone that is down"
scenario 'set attr=PortCounters SymbolErrorCounter+=30 QP1Dropped=5'
ask 1:4:0x12:1:"$lid"
is "$(mad 0 68 2) $(mad 0 84 2)" "0064 0005" \
	"+=, and a field that libibmad misplaces"
scenario 'set attr=NodeInfo Guid=@route'
ask $info 1:0x81:0x11:0:0,1,2 $info
is "$(mad 0 76 8) $(mad 1 76 8) $(mad 2 76 8)" \
	"0000000000000001 0000000000000002 0000000000000001" "@route"
scenario 'set attr=NodeDescription NodeDesc="two words"'
ask $desc
is "$(mad 0 64 10)" 74776f20776f72647300 "a text"

scenario 'answer attr=PortCountersExtended QP1Dropped=0x123456789a
answer attr=0x1f class=pma byte[4]=01
answer attr=PortInfoExtended port=3 FECModeActive=2 NDRFECModeEnabled=9'
ask $info 1:4:0x1d:1:"$lid" 1:4:0x1f:2:"$lid" 1:0x81:0x33:3:$leaf \
	1:0x81:0x33:4:$leaf
is "$(mad 1 240 8) $(mad 1 4 2) $(mad 1 65 1)" "000000123456789a 0000 01" \
	"answer: PortCountersExtended, whole"
is "$(mad 2 65 1) $(mad 2 68 1)" "02 01" "PortExtendedSpeedsCounters"
is "$(mad 3 4 2) $(mad 3 68 2) $(mad 3 84 2) $(mad 4 4 2)" \
	"8000 0002 0009 800c" "PortInfoExtended of one port"
is "$(report answered)" 4 "none of them from ibsim"

scenario 'status attr=PortInfo port=3 value=0x1c'
ask $info $port3 $port0
is "$(mad 1 4 2) $(mad 2 4 2)" "801c 8000" "status"
scenario "drop node=$(guid_of leaf1) port=3 attr=PortInfo"
ask -t 50 -r 2 $info $port3 $port0
is "$(column status) $(column length)" "0 110 0 256 24 256" "drop"
ok "after timeout x (retries + 1)" [ "$(column us | cut -d' ' -f2)" -ge 150000 ]
scenario 'drop attr=PortInfo fast=1 after=1 count=2'
ask -t 5000 $port0 $port0 $port0 $port0
is "$(column status)" "0 110 110 0" "drop, at once, after and count"
ok "at once" [ "$(column us | cut -d' ' -f2)" -lt 1000000 ]
scenario 'drop class=pma fast=1'
ask $port0 1:4:0x12:1:"$lid"
is "$(column status)" "0 110" "by class"
scenario 'drop rate=0.5 fast=1'
ask -n 200 -w 32 $port0
lost=$(grep -c status=110 "$bench/out")
ok "rate: $lost of 200 at 0.5" [ "$lost" -gt 70 -a "$lost" -lt 130 ]
scenario 'lose attr=PortInfo'
ask -t 50 -g 300 $info $port0
is "$(column status) $(tail -n 1 "$bench/out")" "0 nothing" "lose: never"
is "$(report lost)" 1 "counted"
scenario 'delay us=30000'
ask -w 4 $info $desc $port0 $port3
ok "delay" [ "$(column us | cut -d' ' -f1)" -ge 30000 ]
ok "runs side by side" [ "$(column us | cut -d' ' -f4)" -lt 100000 ]
scenario 'delay us=500'
ask $info
ok "delay of $(column us) us for 500" [ "$(column us)" -lt 100000 ]
scenario 'reorder attr=NodeInfo us=20000'
ask -w 3 $info $desc $port0
is "$(numbers)" "1 2 0" "reorder"
scenario 'duplicate attr=NodeInfo'
ask -w 2 $info $desc
is "$(numbers | tr ' ' '\n' | sort | paste -sd ' ')" "0 0 1" "duplicate"
scenario 'stray attr=NodeInfo'
ask $info
is "$(numbers)" "stray 0" "stray"
scenario 'corrupt attr=NodeInfo'
ask $info
isnt "$(mad 0 64 64)" "" "corrupt: it comes"
corrupted=$(mad 0 0 256)
scenario ''
ask $info
is "$(cmp -l <(mad 0 0 256) <(echo "$corrupted") | wc -l | tr -d ' ')" \
	"$(cmp -l <(mad 0 64 64) <(echo "${corrupted:128:128}") | wc -l |
		tr -d ' ')" "changed within the attribute only"
isnt "$(mad 0 64 64)" "${corrupted:128:128}" "and changed"
scenario 'corrupt header=1 rate=0.9'
ask -n 50 -g 300 -t 100 $info
is "$status" 0 "a corrupt header"
scenario 'short attr=NodeInfo len=60'
ask $info $desc
is "$(column length)" "60 256" "short"
scenario 'protect node="leaf1" key=0xfeedc0dedeadbeef fast=1'
ask -k 0xfeedc0dedeadbeef $info $desc $port0 1:0x81:0x11:0:0
is "$(column status) $(report mkey-violations) $(report 'sent mkey')" \
	"0 0 0 0 0 4" "protect: the right M_Key"
ask -k 0xfeedc0dedeadbeee $info $desc $port0 1:4:0x12:1:"$lid" \
	1:0x81:0x11:0:0 1:0x81:0x11:0:0,1,2
is "$(column status)" "0 110 110 0 0 0" \
	"a wrong one, once it is known who that is: SMPs alone"
is "$(report mkey-violations) $(report "mkey-violations $(guid_of leaf1)")" \
	"2 2" "counted, for the node that saw it"
scenario 'protect key=0xfeedc0dedeadbeef'
ask -t 50 -r 1 $info 1:0x81:0x11:0:0,1,2 1:0x81:0x11:0:0
is "$(column status)" "110 110 0" "of all nodes but the own adapter"
ok "after timeout x (retries + 1)" [ "$(column us | cut -d' ' -f1)" -ge 100000 ]
is "$(report mkey-violations) $(report "mkey-violations $(guid_of node2)")" \
	"2 1" "none on the way there"
scenario 'set attr=PortInfo NoSuchField=1'
ask $info
is "$status" 98 "a mistake in a scenario ends the client"
like "$err" 'line 1: attribute 0x15 has no field "NoSuchField"' "and is told"

#
# Traffic
#

scenario ''
ask -q -n 100 -w 16 $info $port0 1:4:0x12:1:"$lid"
is "$(report sent)" 300 "all counted"
is "$(report 'peak all')" 16 "most in flight"
ok "to one node" [ "$(report 'peak-node smp')" -gt 8 ]
ok "within 10 ms: $(report 'peak-10ms all')" \
	[ "$(report 'peak-10ms all')" -gt 16 ]
ask $info $port0 1:4:0x12:1:"$lid" $desc $port3 $port0
is "$(report 'repeated all') \
$(report 'repeated class=0x81 method=0x01 attr=0x0015')" "1 1" "what was asked twice"
is "$(report 'first class=0x81 method=0x01 attr=0x0015') \
$(report 'last class=0x81 method=0x01 attr=0x0015')" "2 6" "in which order"
only_gets "nothing but Gets until here"
ask 2:0x81:0x15:1:$leaf
is "$status" 2 "a Set is refused"
is "$(grep ^violation "$bench/report")" \
	"violation class=0x81 method=0x02 attr=0x0015" "and reported"
IBLAYER_STRICT=1 layered node1 perfquery -R "$lid" 1
is "$status" 134 "strictly: the client is aborted"
like "$err" 'iblayer: refused: class=0x04 method=0x02' "saying why"
layered node1 bash -c 'exec 9</dev/infiniband/issm0'
like "$(<"$bench/report")" 'violation open of /dev/infiniband/issm0' \
	"so is who opens issm"
ib node1 perfquery "$lid" 1
like "$out" 'SymbolErrorCounter:\.+70' "nothing was reset"

#
# Bad hosts
#

scenario 'host none'
layered node1 ibstat -l
is "$out" "" "host none: no adapter"
ask $info
like "$err" 'umad_open_port' "none to open"
scenario 'host ethernet'
layered node1 ibstat
like "$out" 'Link layer: Ethernet' "host ethernet"
ask $info
like "$err" 'umad_register' "takes no SMP agent"
scenario 'host ethernet-first'
ask $info
like "$err" 'umad_register' "host ethernet-first: the default port is Ethernet"
layered node1 smpquery -C ibsim0 -D nodeinfo 0
is "$status" 0 "the other one works"
scenario 'host forbidden'
ask $info
like "$err" 'umad_open_port: Permission denied' "host forbidden"
scenario 'host down'
layered node1 ibstat
like "$out" 'State: Down' "host down"
ask -t 50 1:0x81:0x11:0:0 $info
is "$(column status)" "0 110" "reaches itself only"
scenario ''

#
# Sanitizers
#

for cc in clang-14 clang gcc; do
	static=
	[ $cc != gcc ] || static=-static-libasan
	if ! $cc -D_GNU_SOURCE -std=gnu11 -g -fsanitize=address,undefined \
		$static -o "$bench/san" "$bench_lib/bench-client.c" \
		-libumad 2>/dev/null; then
		skip 1 "needs $cc with its sanitizers"
		continue
	fi
	layered node1 "$bench/san" -n 20 -w 8 $info $port3
	status_is 0 "a client sanitized by $cc"
done

#
# Places and processes
#

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	ib node1 timeout -s KILL 0.2 "$client" -q -n 10000000 $info
done
is "$status" 137 "a client is killed"
ib node1 smpquery -D nodeinfo 0
status_is 0 "killed clients leave their places"
second=$opensm_pid
opensm_start node3 'sm_priority 14'
like "$(<"$opensm_log")" 'SUBNET UP|MASTER|STANDBY' "a second opensm"
opensm_stop "$opensm_pid"
ok "opensm_stop" bench_gone "$opensm_pid"
unlike "$(console Attached)" '"node3"' "gives the place back"
ok "the first one still runs" kill -0 "$second"

cat >"$bench/other" <<-'END'
	. "$1/lib.sh"
	fabric tree --leaves 1 --spines 0 --hosts 3 --ports 4
	opensm_start node1
	echo "$bench_name $bench $opensm_pid"
	[ "$2" != nap ] || wait_for 100 false
	sleep "$2" & wait $!
END
# other SECONDS|nap: a bench of its own; sets other_pid, other_name, _dir, _sm.
other () {
	: >"$bench/other.out"
	bash "$bench/other" "$bench_lib" "$1" >"$bench/other.out" &
	other_pid=$!
	wait_for 60 [ -s "$bench/other.out" ]
	read -r other_name other_dir other_sm <"$bench/other.out"
}
nothing_left () {
	[ ! -e "$other_dir" ] && bench_gone "$other_sm" &&
		! grep -qzx "IBSIM_SOCKNAME=$other_name" \
			/proc/[0-9]*/environ 2>/dev/null
}
other 1
ib node1 ibnetdiscover
is "$(grep -c ^Ca "$bench/out")" 4 "two benches at once: each has its fabric"
wait $other_pid
ok "a bench that ends takes everything along" nothing_left
other 100
kill -KILL $other_pid
wait $other_pid 2>/dev/null
ok "one that is killed -9 too" wait_for 5 nothing_left
other 100
kill -TERM $other_pid
ok "one that is told to end too" wait_for 5 nothing_left
other nap
kill -TERM $other_pid
ok "and while it naps" wait_for 5 nothing_left
wait $other_pid 2>/dev/null
is $? 143 "without a crash"
ok "this one still runs" kill -0 "$second"

fabric clos3 --hosts 32 --ports 8
ib node1 ibnetdiscover
is "$(grep -c ^Ca "$bench/out") $(grep -c ^Switch "$bench/out")" "32 20" \
	"another fabric in its place: three levels"

# picked SHARE: the hosts that a rule of that share changed.
picked () {
	scenario "set share=$1 type=ca attr=NodeDescription NodeDesc=picked"
	layered node1 ibnetdiscover
	sed -n 's/^caguid=\(.*\)/\1/;T;h;n;/"picked"/{x;p}' "$bench/out" | sort
}
quarter=$(picked 25)
ok "a share of 32: $(wc -l <<<"$quarter")" \
	[ "$(wc -l <<<"$quarter")" -ge 2 -a "$(wc -l <<<"$quarter")" -le 16 ]
is "$(report 'line 1 nodes')" "$(wc -l <<<"$quarter")" "the report counts them"
is "$(picked 25)" "$quarter" "the same ones each time"
is "$(comm -23 <(echo "$quarter") <(picked 60))" "" "and in a larger share"
is "$(picked 0 | wc -l) $(picked 100 | wc -l)" "0 32" "none, all"
scenario 'drop share=101'
layered node1 ibnetdiscover
like "$err" '"101" is not from 0 to 100' "more than all: refused"
done_testing
