# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A state that is not about who is master.
fabric_up
manager node1 9
manager node2 3
sweep
scenario "set node=$(guid_of node2) attr=SMInfo SmState=0"
changes sm-state "a standby became inactive" <<'END'
subnet managers
  SM on node2 port 1: state STANDBY -> NOT-ACTIVE
END
scenario "set node=$(guid_of node2) attr=SMInfo SmState=1"
changes sm-state "and looks around" <<'END'
subnet managers
  SM on node2 port 1: state NOT-ACTIVE -> DISCOVERING
END
