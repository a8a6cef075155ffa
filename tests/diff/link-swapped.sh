# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Exchanged cables are one line, which names all their ends and the plugs to
# move.
fabric_up tree --leaves 2 --spines 2 --hosts 8 --ports 10 --trunk 2
sweep
unplug node2
unplug node3
plug leaf1 2 node3 1
plug leaf1 3 node2 1
changes link-swapped "two hosts on a leaf" <<'END'
links
  2 cables exchanged: leaf1 port 2 leads to node3 port 1 (was node2 port 1),
    leaf1 port 3 leads to node2 port 1 (was node3 port 1); swap the plugs in
    leaf1 port 2 and leaf1 port 3 back
END
json_is '.changes[] | [.before, .after]' \
	'["leaf1 port 2 to node2 port 1, leaf1 port 3 to node3 port 1","leaf1 port 2 to node3 port 1, leaf1 port 3 to node2 port 1"]' \
	"before and after"
json_is '.changes[].where | map("\(.node) \(.port)")' \
	'["leaf1 2","node2 1","leaf1 3","node3 1"]' "all four ends"

unplug node4
unplug node7
plug leaf1 4 node7 1
plug leaf2 3 node4 1
changes link-swapped "two hosts on two leaves" <<'END'
links
  2 cables exchanged: leaf1 port 4 leads to node7 port 1 (was node4 port 1),
    leaf2 port 3 leads to node4 port 1 (was node7 port 1); swap the plugs in
    leaf1 port 4 and leaf2 port 3 back
END

unplug leaf1 5
unplug leaf1 7
plug leaf1 5 spine2 1
plug leaf1 7 spine1 1
changes link-swapped "two cables of a leaf to its spines" <<'END'
links
  2 cables exchanged: leaf1 port 5 leads to spine2 port 1 (was spine1 port 1),
    leaf1 port 7 leads to spine1 port 1 (was spine2 port 1); swap the plugs in
    leaf1 port 5 and leaf1 port 7 back
END

unplug leaf1 6
unplug leaf2 6
plug leaf1 6 spine1 4
plug leaf2 6 spine1 2
changes link-swapped "two cables of a spine to its leaves" <<'END'
links
  2 cables exchanged: spine1 port 2 leads to leaf2 port 6 (was leaf1 port 6),
    spine1 port 4 leads to leaf1 port 6 (was leaf2 port 6); swap the plugs in
    spine1 port 2 and spine1 port 4 back
END

unplug leaf2 7
unplug leaf2 8
plug leaf2 7 spine2 4
plug leaf2 8 spine2 3
changes link-swapped "two cables between the same two switches" <<'END'
links
  2 cables exchanged: leaf2 port 7 leads to spine2 port 4 (was spine2 port 3),
    leaf2 port 8 leads to spine2 port 3 (was spine2 port 4); swap the plugs in
    leaf2 port 7 and leaf2 port 8 back
END

fabric_up
sweep
for host in node2 node3 node4; do
	unplug $host
done
plug leaf1 2 node3 1
plug leaf1 3 node4 1
plug leaf1 4 node2 1
changes link-swapped "a ring of three" <<'END'
links
  3 cables exchanged: leaf1 port 2 leads to node3 port 1 (was node2 port 1),
    leaf1 port 3 leads to node4 port 1 (was node3 port 1), leaf1 port 4 leads to
    node2 port 1 (was node4 port 1); put the plugs back: leaf1 port 2 -> leaf1
    port 3 -> leaf1 port 4 -> leaf1 port 2
END

# Two swaps are two lines; put right, both are told the other way round.
for host in node5 node6 node7 node8; do
	unplug $host
done
plug leaf2 1 node6 1
plug leaf2 2 node5 1
plug leaf2 3 node8 1
plug leaf2 4 node7 1
changes "link-swapped link-swapped" "two swaps" <<'END'
links
  2 cables exchanged: leaf2 port 1 leads to node6 port 1 (was node5 port 1),
    leaf2 port 2 leads to node5 port 1 (was node6 port 1); swap the plugs in
    leaf2 port 1 and leaf2 port 2 back
  2 cables exchanged: leaf2 port 3 leads to node8 port 1 (was node7 port 1),
    leaf2 port 4 leads to node7 port 1 (was node8 port 1); swap the plugs in
    leaf2 port 3 and leaf2 port 4 back
END
for host in node5 node6; do
	unplug $host
done
plug leaf2 1 node5 1
plug leaf2 2 node6 1
changes "link-swapped" "one of them put right" <<'END'
links
  2 cables exchanged: leaf2 port 1 leads to node5 port 1 (was node6 port 1),
    leaf2 port 2 leads to node6 port 1 (was node5 port 1); swap the plugs in
    leaf2 port 1 and leaf2 port 2 back
END
