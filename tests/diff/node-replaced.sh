# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What replaced another one: an adapter, a switch under its hosts, and what
# shares its NodeGUID.
fabric_up
sweep
console 'Guid "node3" 0x0002c901000abc00' >/dev/null
changes node-replaced "an adapter was replaced" <<'END'
nodes
  CA node3 (0x0002c90100000300) replaced by node3 (0x0002c901000abc00)
END
json_is '.changes[] | [.before, .after]' \
	'["node3 (0x0002c90100000300)","node3 (0x0002c901000abc00)"]' \
	"both in JSON"

console 'Guid "leaf2" 0x0002c902000abc00' >/dev/null
changes node-replaced "a leaf was replaced, its hosts stayed" <<'END'
nodes
  switch leaf2 (0x0002c90200000200) replaced by leaf2 (0x0002c902000abc00)
END

console 'Guid "spine1" 0x0002c903000abc00' >/dev/null
scenario "set node=0x0002c903000abc00 attr=NodeDescription NodeDesc=\"spine 1b\""
changes node-replaced "a spine was, by one of another name" <<'END'
nodes
  switch spine1 (0x0002c90300000100) replaced by spine 1b (0x0002c903000abc00)
END

console "Guid \"node5\" $(guid_of node6)" >/dev/null
changes node-replaced "a double came in the place of one" <<'END'
nodes
  CA node5 (0x0002c90100000500) replaced by node5 (0x0002c90100000600, duplicate
    1)
END
