# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A subnet manager that was started anew.  How much it sent is made up, for it
# depends on what it found.
fabric_up
manager node1 9
scenario "set node=$(guid_of node1) attr=SMInfo SmActivity=86400"
sweep
opensm_stop "$opensm_pid"
manager node1 9
scenario "set node=$(guid_of node1) attr=SMInfo SmActivity=250"
changes sm-restarted "ActCount fell" <<'END'
subnet managers
  SM on node1 port 1 restarted: ActCount 86400 -> 250
END
scenario "set node=$(guid_of node1) attr=SMInfo SmActivity=251"
sweep
nothing "that it rises is no change"
