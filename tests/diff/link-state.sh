# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# The state of a link: of the end that is behind.
fabric_up
sweep
unplug node3
replug node3
changes link-state "replugged, and no subnet manager to activate it" <<'END'
links
  link leaf1 port 3 to node3 port 1: ACTIVE -> INIT
END
scenario "set node=$(guid_of leaf1) port=5 attr=PortInfo LinkState=3
set node=$(guid_of spine1) port=1 attr=PortInfo LinkState=2"
changes link-state "each end says another" <<'END'
links
  link leaf1 port 5 to spine1 port 1: ACTIVE -> INIT
END
opensm_start node1 'sweep_interval 0'
opensm_stop "$opensm_pid"
scenario ''
changes "link-state link-state" "active again" <<'END'
links
  link leaf1 port 3 to node3 port 1: INIT -> ACTIVE
  link leaf1 port 5 to spine1 port 1: INIT -> ACTIVE
END
