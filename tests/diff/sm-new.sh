# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A subnet manager that came, alone and with its node.
fabric_up
manager node1 5
sweep
manager node2 3
changes sm-new "a standby came" <<'END'
subnet managers
  SM on node2 port 1 new: STANDBY, priority 3
END
unplug node6
sweep
scenario "set node=$(guid_of node6) attr=PortInfo CapMask|=2
answer node=$(guid_of node6) attr=SMInfo SmState=2 SmPriority=1"
replug node6
changes "node-new sm-new" "on a node that came" <<'END'
nodes
  CA node6 (0x0002c90100000600) new: at leaf2 port 2

subnet managers
  SM on node6 port 1 new: STANDBY, priority 1
END
