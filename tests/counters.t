#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Counters between two sweeps: a rise is found at its port with delta and
# rate, the maximum as saturated, a fall as a reset.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 1 --hosts 6 --ports 8 --extspeed 4
opensm_start node1
set_counter () { # NODE PORT FIELD VALUE
	console "PerformanceSet \"$1\"[$2] PortCounters.$3=$4" >/dev/null
}

set_counter leaf2 1 PortRcvErrors 40
set_counter leaf2 3 LinkErrorRecoveryCounter 255
iba sweep
iba --format json check
json_is '[.findings[] | select(.rule | startswith("counter-")) | .rule]' \
	'["counter-saturated"]' "a first sweep judges no totals but a maximum"
json_is '.findings[] | select(.rule == "counter-saturated").severity' info \
	"which was so before: info"
json_is .baseline null "there is no baseline"

set_counter leaf1 2 SymbolErrorCounter 70
set_counter leaf1 3 SymbolErrorCounter 65535
set_counter leaf2 1 PortRcvErrors 3
iba run --format json
status_is 1 "warnings"
json_is '.baseline.id' 1 "against the snapshot before"
json_is '[.findings[] | select(.rule == "counter-symbol-error")] | length' 1 \
	"one symbol error finding"
f='.findings[] | select(.rule == "counter-symbol-error")'
json_is "$f.where[0] | [.node, .port]" '["leaf1",2]' "at that very port"
json_is "$f.where[1] | [.node, .port]" '["node2",1]' "the other end is named"
json_is "$f.where[0].node_guid" "$(guid_of leaf1)" "with its GUID"
json_is "$f.values.delta" 70 "the delta"
json_is "$f.values.per_hour" 70 "at an hour's least for the rate"
f='.findings[] | select(.rule == "counter-saturated" and .severity == "warning")'
json_is "$f.where[0] | [.node, .port]" '["leaf1",3]' "saturated since: warning"
json_is "[.findings[] | select(.where[0].node == \"leaf1\" and
	.where[0].port == 3)] | length" 1 "a rise to the maximum is one finding"
f='.findings[] | select(.rule == "counter-reset")'
json_is "$f.severity" info "a lowered counter is a reset: info"
json_is "$f.where[0] | [.node, .port]" '["leaf2",1]' "at its port"
json_is '[.findings[] | select(.severity == "error")] | length' 0 "no error"

iba -q check --only counter-reset
is "$out" "" "quiet: nothing while there are infos only"
iba -q check
like "$out" "^WARNING.*counter-symbol-error" "quiet: all of what is wrong"
unlike "$out" "counter-reset" "and no infos beside it"

iba run --format json
json_is '[.findings[] | select(.rule == "counter-symbol-error")] | length' 0 \
	"what does not rise further is no finding"
iba --format json check latest --since 1
json_is '.findings[] | select(.rule == "counter-symbol-error").values.delta' \
	70 "but is one since the first snapshot"
iba --format json check latest --since 1 \
	--set counter-symbol-error.min_delta=71
json_is '[.findings[] | select(.rule == "counter-symbol-error")] | length' 0 \
	"a parameter raises the threshold"

# A counter of 64 bits is judged by its width: 65535 is no maximum there.
scenario 'set attr=ClassPortInfo CapabilityMask=0x1200 CapabilityMask2=0x2
answer attr=PortCountersExtended SymbolErrorCounter=65535 PortXmitData=5'
iba sweep
scenario 'set attr=ClassPortInfo CapabilityMask=0x1200 CapabilityMask2=0x2
answer attr=PortCountersExtended SymbolErrorCounter=70000 PortXmitData=5'
iba run --only counter-symbol-error --format json
json_is '[.findings[].values.delta] | unique' '[4465]' \
	"a 64-bit counter rises past 65535"
iba check --only counter-saturated --format json
json_is '.findings | length' 0 "and is not saturated there"

# A sweep that got the data counters of a port and not its error counters does
# not hide what rose meanwhile.
ext='set attr=ClassPortInfo class=pma CapabilityMask=0x1200 CapabilityMask2=0
answer attr=PortCountersExtended PortXmitData=5'
set_counter leaf1 1 PortRcvErrors 0
scenario "$ext"
iba sweep
set_counter leaf1 1 PortRcvErrors 90
scenario "$ext
status node=$(guid_of leaf1) port=1 attr=PortCounters value=0x1c"
iba sweep
scenario "$ext"
iba run --only counter-rcv-errors --format json
json_is '[.findings[] | select(.where[0].node == "leaf1").values.delta]' '[90]' \
	"it is compared with the last reading that has them"

only_gets "nothing but Get left the program"
done_testing
