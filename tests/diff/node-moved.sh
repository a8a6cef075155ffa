# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# An adapter's port that hangs elsewhere.
fabric_up tree --leaves 2 --spines 1 --hosts 6 --ports 8 --dual next
sweep
unplug node2 1
plug leaf1 8 node2 1
changes node-moved "one port of an adapter, on the same leaf" <<'END'
nodes
  node2 port 1 moved from leaf1 port 2 to leaf1 port 8
END
unplug node2 1
plug leaf2 8 node2 1
changes node-moved "to another leaf" <<'END'
nodes
  node2 port 1 moved from leaf1 port 8 to leaf2 port 8
END

# Each to the port of the next; the last to a port that was free.
fabric_up
wear leaf1 8 leaf2 8
sweep
for host in node2 node3 node4; do
	unplug $host
done
plug leaf1 3 node2 1
plug leaf1 4 node3 1
plug leaf2 8 node4 1
changes "node-moved node-moved node-moved" "hosts moved up by one" <<'END'
nodes
  node2 port 1 moved from leaf1 port 2 to leaf1 port 3
  node3 port 1 moved from leaf1 port 3 to leaf1 port 4
  node4 port 1 moved from leaf1 port 4 to leaf2 port 8
END

# Into the place of one that is off.
unplug node5
unplug node6
plug leaf2 1 node6 1
changes "node-gone node-moved" "into the place of one that is off" <<'END'
nodes
  CA node5 (0x0002c90100000500) gone: was at leaf2 port 1
  node6 port 1 moved from leaf2 port 2 to leaf2 port 1
END
