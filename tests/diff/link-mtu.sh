# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# NeighborMTU, which only a link that was configured has.
fabric_up
sweep
scenario "set node=$(guid_of spine1) port=1 attr=PortInfo NeighborMTU=3
set node=$(guid_of leaf1) port=5 attr=PortInfo NeighborMTU=3"
changes link-mtu "a link's MTU" <<'END'
links
  link leaf1 port 5 to spine1 port 1: MTU 2048 -> 1024
END
scenario "set node=$(guid_of spine1) port=1 attr=PortInfo NeighborMTU=1 LinkState=2
set node=$(guid_of leaf1) port=5 attr=PortInfo NeighborMTU=1 LinkState=2"
changes link-state "not of one in INIT" <<'END'
links
  link leaf1 port 5 to spine1 port 1: ACTIVE -> INIT
END
