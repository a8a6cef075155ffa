# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# LID and LMC: a line a port, and one in all when there are many.
fabric_up
sweep
console 'Baselid "node3"[1] 77' >/dev/null
console 'Baselid "node4"[1] 80 2' >/dev/null
console 'Baselid "spine1"[0] 90' >/dev/null
changes "port-lid port-lid port-lid" "three ports" <<'END'
ports
  node3 port 1: LID 7 -> 77
  node4 port 1: LID 8 -> 80, LMC 0 -> 2
  spine1 port 0: LID 3 -> 90
END
lid=100
for host in node{1..8}; do
	console "Baselid \"$host\"[1] $((lid += 1))" >/dev/null
done
for switch in leaf1 leaf2; do
	console "Baselid \"$switch\"[0] $((lid += 1))" >/dev/null
done
changes "port-lid port-lid port-lid port-lid port-lid port-lid port-lid \
port-lid port-lid port-lid" "ten ports" <<'END'
ports
  leaf1 port 0: LID 2 -> 109
  leaf2 port 0: LID 4 -> 110
  node1 port 1: LID 1 -> 101
  node2 port 1: LID 6 -> 102
  node3 port 1: LID 77 -> 103
  node4 port 1: LID 80 -> 104
  node5 port 1: LID 9 -> 105
  node6 port 1: LID 10 -> 106
  node7 port 1: LID 11 -> 107
  node8 port 1: LID 12 -> 108
END
for host in node{1..8}; do
	console "Baselid \"$host\"[1] $((lid += 1))" >/dev/null
done
for switch in leaf1 leaf2 spine1; do
	console "Baselid \"$switch\"[0] $((lid += 1))" >/dev/null
done
changes port-lid "eleven ports" <<'END'
ports
  LID or LMC changed on 11 ports
END
json_is '.changes[].where | length' 11 "with all of them as places"
