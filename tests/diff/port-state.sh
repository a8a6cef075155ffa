# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A port without a link.
fabric_up
sweep
scenario "set node=$(guid_of leaf1) port=8 attr=PortInfo PhysLinkState=3"
changes port-state "a port was disabled" <<'END'
ports
  leaf1 port 8: Polling -> Disabled
END
scenario ''
changes port-state "and enabled" <<'END'
ports
  leaf1 port 8: Disabled -> Polling
END
