# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Speed and width of a link: one line a cable, of the slower end.
ndr="set attr=PortInfo CapMask=0x4000 LinkSpeedExtActive=8 \
LinkSpeedExtSupported=8 LinkSpeedExtEnabled=8 LinkWidthActive=2 \
LinkWidthSupported=3 LinkWidthEnabled=3 LinkSpeedSupported=7 LinkSpeedEnabled=7"

# both PORT NODE PORT FIELD=V...: of the cable from leaf1 to NODE.
both () {
	echo "set node=$(guid_of leaf1) port=$1 attr=PortInfo ${*:4}"
	echo "set node=$(guid_of "$2") port=$3 attr=PortInfo ${*:4}"
}
fabric_up
scenario "$ndr"
sweep
scenario "$ndr
$(both 3 node3 1 LinkSpeedExtActive=4)"
changes link-rate "NDR to HDR" <<'END'
links
  link leaf1 port 3 to node3 port 1: 400 Gb/s (4X NDR) -> 200 Gb/s (4X HDR)
END
scenario "$ndr
$(both 3 node3 1 LinkSpeedExtActive=4)
$(both 5 spine1 1 LinkWidthActive=1)"
changes link-rate "4X to 1X" <<'END'
links
  link leaf1 port 5 to spine1 port 1: 400 Gb/s (4X NDR) -> 100 Gb/s (1X NDR)
END
json_is '.changes[] | [.before, .after]' \
	'["400 Gb/s (4X NDR)","100 Gb/s (1X NDR)"]' "before and after"
scenario "$ndr
$(both 3 node3 1 LinkSpeedExtActive=2 LinkWidthActive=1)
$(both 5 spine1 1 LinkWidthActive=1)"
changes link-rate "speed and width at once" <<'END'
links
  link leaf1 port 3 to node3 port 1: 200 Gb/s (4X HDR) -> 25 Gb/s (1X EDR)
END
scenario "$ndr"
changes "link-rate link-rate" "and back" <<'END'
links
  link leaf1 port 3 to node3 port 1: 25 Gb/s (1X EDR) -> 400 Gb/s (4X NDR)
  link leaf1 port 5 to spine1 port 1: 100 Gb/s (1X NDR) -> 400 Gb/s (4X NDR)
END
scenario "$ndr
set node=$(guid_of node3) port=1 attr=PortInfo LinkWidthActive=16"
changes link-rate "2X at one end" <<'END'
links
  link leaf1 port 3 to node3 port 1: 400 Gb/s (4X NDR) -> 200 Gb/s (2X NDR)
END
scenario "$ndr
set node=$(guid_of node3) port=1 attr=PortInfo LinkSpeedExtActive=3"
changes link-rate "a speed that nobody knows" <<'END'
links
  link leaf1 port 3 to node3 port 1: 200 Gb/s (2X NDR) -> unknown speed 0x031
    (4X)
END
