# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A link of which neither end told who is behind it.
fabric_up
sweep
console 'Error "leaf1"[5] 100 17' >/dev/null
console 'Error "spine1"[1] 100 17' >/dev/null
changes link-unread "NodeInfo is lost at both ends" <<'END'
links
  link leaf1 port 5 to spine1 port 1 not read
END
sweep
nothing "told once"
console 'Error "leaf1"[5] 0' >/dev/null
console 'Error "spine1"[1] 0' >/dev/null
sweep
nothing "nor is it new when it is read again"
