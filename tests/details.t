#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What PortRcvErrors and PortXmitDiscards were is asked where these rose, and
# nowhere else.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 6 --ports 8 --extspeed 4
opensm_start node1
set_counter () { # NODE PORT ATTRIBUTE.FIELD VALUE
	console "PerformanceSet \"$1\"[$2] $3=$4" >/dev/null
}
# Sweep; how often either attribute was asked, and how many queries failed.
sweep_asks () { # RCV XMIT FAILED NAME
	iba sweep --format json
	is "$(report 'sent class=0x04 method=0x01 attr=0x0015')" "$1" \
		"$4: PortRcvErrorDetails"
	is "$(report 'sent class=0x04 method=0x01 attr=0x0016')" "$2" \
		"$4: PortXmitDiscardDetails"
	json_is .counts.failures "$3" "$4: failed queries"
}
# A port's values in the last snapshot.
values_are () { # NODE PORT COLUMNS WANTED NAME
	iba --format json show latest counters
	json_is ".counters[] | select(.node == \"$1\" and .port == $2) |
		[.values | $3]" "$4" "$5"
}
xmit='.xmit_discards, .xmit_inactive_discards, .xmit_neighbor_mtu_discards,
	.xmit_sw_lifetime_discards, .xmit_sw_hoq_lifetime_discards'

set_counter leaf1 4 PortCounters.PortRcvErrors 4
sweep_asks 0 0 0 "a first sweep does not know what rose"
set_counter leaf1 2 PortCounters.PortRcvErrors 7
set_counter leaf1 2 PortRcvErrorDetails.PortLocalPhysicalErrors 5
set_counter leaf1 2 PortRcvErrorDetails.PortMalformedPacketErrors 2
set_counter leaf1 2 PortXmitDiscardDetails.PortInactiveDiscards 65535
set_counter leaf2 3 PortCounters.PortXmitDiscards 9
set_counter leaf2 3 PortXmitDiscardDetails.PortSwHOQLifetimeLimitDiscards 9
set_counter leaf2 2 PortRcvErrorDetails.PortLocalPhysicalErrors 3
sweep_asks 1 1 0 "one of each rose from 0"
values_are leaf1 2 '.rcv_errors, .rcv_local_physical_errors,
	.rcv_malformed_packet_errors, .rcv_looping_errors' '[7,5,2,0]' \
	"what was received is stored"
values_are leaf1 2 "$xmit" '[0,null,null,null,null]' \
	"and no more than what was asked"
values_are leaf2 3 "$xmit" '[9,0,0,0,9]' "what was discarded"
json_is '.counters[] | select(.node == "leaf2" and .port == 3).source |
	index("PortXmitDiscardDetails") != null' true "with its source"
values_are leaf2 2 '.rcv_local_physical_errors' '[null]' \
	"a port without a rise is not asked"

sweep_asks 0 0 0 "nothing moved since"
values_are leaf1 2 '.rcv_errors, .rcv_local_physical_errors' '[7,null]' \
	"nothing asked, nothing stored"

set_counter leaf1 2 PortCounters.PortRcvErrors 8
set_counter leaf1 2 PortRcvErrorDetails.PortLocalPhysicalErrors 6
set_counter leaf2 3 PortCounters.PortXmitDiscards 0
sweep_asks 1 0 0 "one rose, another was cleared"
values_are leaf1 2 '.rcv_errors, .rcv_local_physical_errors' '[8,6]' \
	"the one that rose"
set_counter leaf1 2 PortCounters.PortRcvErrors 2
sweep_asks 1 0 0 "cleared, and some since"

# The finding is the parent counter's alone.
set_counter leaf1 2 PortCounters.PortRcvErrors 60
set_counter leaf1 2 PortRcvErrorDetails.PortLocalPhysicalErrors 65535
iba --format json run
json_is '[.findings[] | select(.rule | startswith("counter-")) | .rule]' \
	'["counter-rcv-errors"]' "one line for one event"

# Both of one port, and of several.
for p in 2 3 4; do
	set_counter leaf1 $p PortCounters.PortRcvErrors 100
	set_counter leaf1 $p PortCounters.PortXmitDiscards 100
done
sweep_asks 3 3 0 "both attributes of three ports"

# A node that does not know an attribute says so once, and that is no failure.
scenario 'status attr=PortRcvErrorDetails value=0xc'
for p in 2 3 4; do
	set_counter leaf1 $p PortCounters.PortRcvErrors 200
	set_counter leaf1 $p PortCounters.PortXmitDiscards 200
done
set_counter leaf2 3 PortCounters.PortRcvErrors 200
sweep_asks 2 3 0 "refused by two switches"
values_are leaf1 3 '.rcv_errors, .rcv_local_physical_errors,
	.xmit_discards, .xmit_inactive_discards' '[200,null,200,0]' \
	"what is known is stored all the same"

# What else goes wrong is a row.
scenario 'drop fast=1 port=2 attr=PortRcvErrorDetails
set port=3 attr=PortXmitDiscardDetails byte[1]=04'
set_counter leaf1 2 PortCounters.PortRcvErrors 300
set_counter leaf1 3 PortCounters.PortXmitDiscards 300
sweep_asks 1 1 2 "lost, and of another port"
iba --format json show latest failures
json_is '[.failures[] | [.node, .port, .attribute, .status]]' \
	'[["leaf1",2,"PortRcvErrorDetails","no answer"],["leaf1",3,"PortXmitDiscardDetails","malformed"]]' \
	"the rows say which"
values_are leaf1 3 '.xmit_discards, .xmit_inactive_discards' '[300,null]' \
	"and nothing of it is stored"
scenario ""

iba sweep --no-counters
is "$(report 'sent class=0x04 method=0x01 attr=0x0015')" 0 \
	"without counters none are asked"
only_gets "nothing but Get was sent"
done_testing
