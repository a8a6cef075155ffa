# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A standby that was started with another priority.  How much it sent is made
# up, for it depends on what it found.
fabric_up
manager node1 9
manager node2 3
scenario "set node=$(guid_of node2) attr=SMInfo SmActivity=500"
sweep
opensm_stop "$opensm_pid"
manager node2 4
changes sm-priority "a priority changed" <<'END'
subnet managers
  SM on node2 port 1: priority 3 -> 4
END
json_is '.changes[] | [.before, .after]' '["priority 3","priority 4"]' "in JSON"
