# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# MasterSMLID: a line for all ports that went from one to the same other.
fabric_up
sweep
scenario "set attr=PortInfo SMLid=9
set node=$(guid_of spine1) attr=PortInfo SMLid=12"
changes "port-sm-lid port-sm-lid" "all but one" <<'END'
ports
  11 ports: MasterSMLID 1 -> 9
  spine1 port 0: MasterSMLID 1 -> 12
END
json_is '.changes | map([.before, .after, (.where | length)])' \
	'[["1","9",11],["1","12",1]]' "in JSON"
