# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Speeds and widths, enabled and supported.
ndr="set attr=PortInfo CapMask=0x4000 LinkSpeedExtActive=8 \
LinkSpeedExtSupported=8 LinkSpeedExtEnabled=8 LinkWidthActive=2 \
LinkWidthSupported=3 LinkWidthEnabled=3 LinkSpeedSupported=7 LinkSpeedEnabled=7"
fabric_up
scenario "$ndr"
sweep
scenario "$ndr
set node=$(guid_of leaf1) port=3 attr=PortInfo LinkWidthEnabled=1
set node=$(guid_of node3) port=1 attr=PortInfo LinkSpeedExtEnabled=12 \
LinkSpeedExtSupported=12"
changes "port-enabled port-enabled" "narrowed at one end, wider at the other" <<'END'
ports
  leaf1 port 3: widths enabled 1X,4X -> 1X
  node3 port 1: speeds enabled SDR,DDR,QDR,NDR -> SDR,DDR,QDR,HDR,NDR, speeds
    supported SDR,DDR,QDR,NDR -> SDR,DDR,QDR,HDR,NDR
END
json_is '.changes[0] | [.before, .after]' \
	'["widths enabled 1X,4X","widths enabled 1X"]' "before and after"
