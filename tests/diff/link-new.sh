# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A second cable between two switches.
fabric_up
wear leaf1 7 leaf2 7
sweep
plug leaf1 7 leaf2 7
changes link-new "a cable came" <<'END'
links
  link leaf1 port 7 to leaf2 port 7 new: 200 Gb/s (4X HDR)
END
json_is '.changes[] | [.before, .after]' \
	'["leaf1 port 7 is Polling, leaf2 port 7 is Polling","200 Gb/s (4X HDR)"]' \
	"before and after"
