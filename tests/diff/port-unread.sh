# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Ports whose PortInfo was not read; what is known of their links stays.
fabric_up
sweep
scenario "drop node=$(guid_of leaf1) port=3 attr=PortInfo fast=1
drop node=$(guid_of spine1) port=1 attr=PortInfo fast=1"
changes "port-unread port-unread" "two ports" <<'END'
ports
  leaf1 port 3 not read
  spine1 port 1 not read
END
sweep
nothing "told once"

# A cable that is in a port which was not read: its state of before, of another
# cable, is not this one's.
scenario "drop node=$(guid_of leaf1) port=7 attr=PortInfo fast=1"
unplug node3
plug leaf1 7 node3 1
sweep
scenario ''
changes port-enabled "read again" <<'END'
ports
  leaf1 port 7: speeds enabled SDR -> SDR,HDR, speeds supported SDR,DDR,QDR ->
    SDR,DDR,QDR,FDR,EDR,HDR
END
