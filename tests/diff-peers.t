#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Beside `ibnetdiscover --diff` and `iblinkinfo --diff` on the same pairs of
# fabrics.  Both end with 0 whatever they find.  They compare the GUID of the
# port at the other end, which all ports of a switch share, and no speed or
# width: two cables between the same switches that were exchanged, and a link
# that fell, are nothing to them.
. "${0%/*}/lib.sh"

for tool in ibnetdiscover iblinkinfo; do
	command -v $tool >/dev/null || PATH=$PATH:/usr/sbin
	command -v $tool >/dev/null || skip_all "needs $tool"
done

before () {
	scenario ''
	iba sweep
	layered node1 ibnetdiscover --cache "$bench/cache.$1"
	status_is 0 "$1: the peers have a fabric to compare with"
}

peer () { # CASE TOOL WANTED
	layered node1 "$2" --diff "$bench/cache.$1"
	status_is 0 "$1: $2 ends with 0"
	is "$(tr -s '\t ' ' ' <"$bench/out" | grep '^[<>]')" "$3" \
		"$1: and this is what it tells"
}

after () { # CASE TEXT
	iba -q sweep
	iba diff
	status_is 1 "$1: ibaudit diff ends with 1"
	is "$(sed '1,/^$/d' "$bench/out")" "$2" "$1: and tells it in one line"
}

fabric tree --leaves 2 --spines 1 --hosts 4 --ports 8 --trunk 2 --extspeed 4
opensm_start node1 'sweep_interval 0'

before "nothing"
peer nothing ibnetdiscover ""
peer nothing iblinkinfo ""
iba -q sweep
iba diff
status_is 0 "nothing: ibaudit diff ends with 0"

before "two hosts"
for line in 'Unlink "node1"[1]' 'Unlink "node2"[1]' 'Link "leaf1"[1] "node2"[1]' \
	'Link "leaf1"[2] "node1"[1]'; do
	console "$line" >/dev/null
done
peer "two hosts" ibnetdiscover \
'< [1] "H-0002c90100000100"[1](2c90100000101) # "node1" lid 1 4xHDR
> [1] "H-0002c90100000200"[1](2c90100000201) # "node2" lid 5 4xHDR
< [2] "H-0002c90100000200"[1](2c90100000201) # "node2" lid 5 4xHDR
> [2] "H-0002c90100000100"[1](2c90100000101) # "node1" lid 1 4xHDR'
after "two hosts" \
'links
  2 cables exchanged: leaf1 port 1 leads to node2 port 1 (was node1 port 1),
    leaf1 port 2 leads to node1 port 1 (was node2 port 1); swap the plugs in
    leaf1 port 1 and leaf1 port 2 back'

before "a trunk"
for line in 'Unlink "leaf1"[3]' 'Unlink "leaf1"[4]' 'Link "leaf1"[3] "spine1"[2]' \
	'Link "leaf1"[4] "spine1"[1]'; do
	console "$line" >/dev/null
done
# As when their subnet manager has seen to them.
scenario "set node=$(guid_of leaf1) attr=PortInfo port=3-4 LinkState=4
set node=$(guid_of spine1) attr=PortInfo port=1-2 LinkState=4"
peer "a trunk" ibnetdiscover ""
peer "a trunk" iblinkinfo ""
after "a trunk" \
'links
  2 cables exchanged: leaf1 port 3 leads to spine1 port 2 (was spine1 port 1),
    leaf1 port 4 leads to spine1 port 1 (was spine1 port 2); swap the plugs in
    leaf1 port 3 and leaf1 port 4 back'

before "a speed"
scenario "set node=$(guid_of leaf2) port=3 attr=PortInfo LinkWidthActive=1 LinkSpeedExtActive=2
set node=$(guid_of spine1) port=3 attr=PortInfo LinkWidthActive=1 LinkSpeedExtActive=2"
layered node1 iblinkinfo
like "$out" '1X +25.78125 Gbps' "a speed: the peers see it fallen"
peer "a speed" ibnetdiscover ""
peer "a speed" iblinkinfo ""
after "a speed" \
'links
  link leaf2 port 3 to spine1 port 3: 200 Gb/s (4X HDR) -> 25 Gb/s (1X EDR)'

only_gets "nothing but Get left the program"
done_testing
