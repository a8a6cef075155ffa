# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What NodeInfo tells besides: one line a node.
fabric_up
sweep
scenario "set node=$(guid_of node3) attr=NodeInfo DevId=0x1023 Revision=5 \
VendorId=0x2ca
set node=$(guid_of leaf1) attr=NodeInfo DevId=0xd2f0 \
SystemGuid=0x0002c90200aa0000"
changes "node-changed node-changed" "other devices under the same GUIDs" <<'END'
nodes
  leaf1 (0x0002c90200000100): device id 0xd2f2 -> 0xd2f0, system image GUID
    0x0002c90200000100 -> 0x0002c90200aa0000
  node3 (0x0002c90100000300): device id 0x1021 -> 0x1023, revision 0xa1 -> 0x5,
    vendor 0x0002c9 -> 0x0002ca
END
scenario ''
sweep
scenario "set node=$(guid_of leaf1) attr=NodeInfo NumPorts=7"
changes node-changed "a switch with fewer ports" <<'END'
nodes
  leaf1 (0x0002c90200000100): ports 8 -> 7
END
scenario "set node=$(guid_of node3) attr=NodeInfo NodeType=3"
changes "node-changed node-changed" "another type" <<'END'
nodes
  leaf1 (0x0002c90200000100): ports 7 -> 8
  node3 (0x0002c90100000300): type CA -> router
END
