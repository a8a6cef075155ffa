# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A subnet manager that went, alone and with its node.
fabric_up
manager node1 5
manager node2 3
sweep
opensm_stop "$opensm_pid"
changes sm-gone "a standby was killed" <<'END'
subnet managers
  SM on node2 port 1 gone: was STANDBY, priority 3
END
manager node6 3
sweep
unplug node6
changes "node-gone sm-gone" "its node went" <<'END'
nodes
  CA node6 (0x0002c90100000600) gone: was at leaf2 port 2

subnet managers
  SM on node6 port 1 gone: was STANDBY, priority 3
END
opensm_stop "$opensm_pid"
