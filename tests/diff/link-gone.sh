# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A link between switches that went.
fabric_up
sweep
unplug leaf1 5
changes link-gone "a spine's cable" <<'END'
links
  link leaf1 port 5 to spine1 port 1 gone: leaf1 port 5 is Polling, spine1 port
    1 is Polling
END
json_is '.changes[] | [.before, .after]' \
	'["200 Gb/s (4X HDR)","leaf1 port 5 is Polling, spine1 port 1 is Polling"]' \
	"before and after"
replug leaf1 5
sweep
scenario "drop node=$(guid_of spine1) port=1 attr=PortInfo fast=1"
unplug leaf1 5
changes "link-gone port-unread" "one end was not read" <<'END'
links
  link leaf1 port 5 to spine1 port 1 gone: leaf1 port 5 is Polling

ports
  spine1 port 1 not read
END
