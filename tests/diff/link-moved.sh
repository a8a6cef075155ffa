# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# One end of a cable between switches that is in another port.
fabric_up
wear spine1 4 spine2 4
sweep
unplug leaf1 5
plug leaf1 5 spine1 4
changes link-moved "within a spine" <<'END'
links
  link of leaf1 port 5 moved from spine1 port 1 to spine1 port 4
END
unplug leaf1 5
plug leaf1 5 spine2 4
changes link-moved "to another spine" <<'END'
links
  link of leaf1 port 5 moved from spine1 port 4 to spine2 port 4
END
unplug leaf1 5
unplug leaf2 5
plug leaf1 5 spine1 2
plug leaf2 5 spine1 4
changes "link-moved link-moved" "into the place of another, which moved" <<'END'
links
  link of leaf1 port 5 moved from spine2 port 4 to spine1 port 2
  link of leaf2 port 5 moved from spine1 port 2 to spine1 port 4
END
