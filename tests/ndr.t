#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Speeds and widths that the simulator does not know, by way of the layer.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 20 --ports 16
opensm_start node1

ndr='set attr=PortInfo CapMask=0x%x LinkSpeedExtActive=8 LinkSpeedExtSupported=8 LinkSpeedExtEnabled=8 LinkWidthActive=2 LinkWidthSupported=3 LinkWidthEnabled=3 LinkSpeedSupported=7 LinkSpeedEnabled=7'
# CapabilityMask is a set of bits, of which IsSM must stay: on node1 alone.
all_ndr=$(printf "$ndr" 0x4000; echo
	printf "set node=$(guid_of node1) attr=PortInfo CapMask=0x4002")

scenario "$all_ndr"
iba run --format json
json_is '[.findings[] | select(.severity != "info") | .rule]' \
	'["sm-no-standby"]' "all at NDR: nothing about links"
iba --format json show latest links
json_is '[.links[] | .speed] | unique' '["NDR"]' "every link is NDR"
json_is '[.links[] | .gbps] | unique' '[400]' "at 400 Gb/s"

slow="set node=$(guid_of leaf1) port=4 attr=PortInfo LinkSpeedExtActive=4
set node=$(guid_of node4) port=1 attr=PortInfo LinkSpeedExtActive=4"
scenario "$all_ndr
$slow"
iba run --format json
status_is 2 "a link at HDR is an error"
json_is '[.findings[] | select(.severity != "info" and .rule != "sm-no-standby")
	| .rule]' '["link-speed"]' "exactly one finding"
f='.findings[] | select(.rule == "link-speed")'
json_is "[$f.where[] | [.node, .port]] | sort" '[["leaf1",4],["node4",1]]' \
	"both ends"
like "$(jq -r "$f.message" "$bench/out")" "200 Gb/s.*400 Gb/s" \
	"with what it runs at and what it can"

scenario "$all_ndr
set node=$(guid_of leaf2) port=3 attr=PortInfo LinkWidthActive=1
set node=$(guid_of node13) port=1 attr=PortInfo LinkWidthActive=1"
iba run --format json
status_is 2 "a link at 1X is an error"
json_is '[.findings[] | select(.severity != "info" and .rule != "sm-no-standby")
	| .rule]' '["link-width"]' "exactly one finding"

# A port whose enabled speeds were narrowed looks fine to link-speed.
scenario "$all_ndr
$slow
set node=$(guid_of leaf1) port=4 attr=PortInfo LinkSpeedExtEnabled=4"
iba run --format json
json_is '[.findings[] | select(.severity != "info" and .rule != "sm-no-standby")
	| [.rule, .severity]]' '[["link-slower-than-peers","warning"]]' \
	"narrowed on purpose: its peers are faster, a warning"

# A speed code that nobody knows is shown raw.
scenario "$all_ndr
set node=$(guid_of leaf1) port=5 attr=PortInfo LinkSpeedExtActive=3"
iba sweep
status_is 0 "an unknown speed code is no accident"
one='select(.node == "leaf1" and .port == 5)'
iba --format json show latest ports
json_is "[.ports[] | $one | .speed, .gbps]" '["unknown 0x031",null]' \
	"the port says which"
json_is '[.ports[] | select((.state == "DOWN") != (.speed == null))]' '[]' \
	"and only a port that is down says nothing"
iba --format json show latest links
json_is "[.links[] | select([.a, .b][] | $one) | .speed, .gbps]" \
	'["unknown 0x031",null]' "so does the link"
iba show latest links
is "$(grep -c 'unknown 0x031' "$bench/out")" 1 "in text too"

only_gets "nothing but Get left the program"
done_testing
