#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A fabric without a subnet manager: directed routes work all the same.
. "${0%/*}/lib.sh"

fabric tree --leaves 2 --spines 2 --hosts 8 --ports 8

iba sweep
status_is 0 "the sweep works"
iba --format json show latest
json_is '.counts | [.switches, .cas, .links, .sms]' '[4,8,12,0]' \
	"and sees the whole fabric"
json_is .snapshot.complete true "all SMPs were answered"
json_is '.snapshot.pma.answered' 0 "no counters without LIDs"
iba --format json show latest failures
json_is '.failures | length > 0' true "their failures are rows"
json_is '[.failures[].attribute] | unique' '["ClassPortInfo"]' \
	"one a node, not one a port"

iba check
like "$out" 'The counters of ([0-9]+) of [0-9]+ ports were not read' \
	"the text says so"

iba --format json check
status_is 1 "one sample without a master: warning"
json_is '[.findings[] | select(.rule == "sm-no-master") | .severity]' \
	'["warning"]' "sm-no-master, once"
json_is '[.findings[] | select(.severity != "info")] | length <= 3' true \
	"and no flood"
iba --format json run
status_is 2 "two samples: error"
json_is '[.findings[] | select(.rule == "sm-no-master") | .severity]' \
	'["error"]' "sm-no-master"
iba sm
status_is 1 "sm says so too"

only_gets "nothing but Get left the program"
done_testing
