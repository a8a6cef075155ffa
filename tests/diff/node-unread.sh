# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Nodes that did not answer: unread, and neither gone nor changed.
fabric_up
sweep
scenario "drop node=$(guid_of node3) fast=1"
changes node-unread "a host does not answer" <<'END'
nodes
  CA node3 (0x0002c90100000300) not read, last in snapshot 1
END
scenario ''
sweep

scenario "drop node=$(guid_of leaf2) fast=1"
changes node-unread "a leaf does not answer" <<'END'
nodes
  switch leaf2 (0x0002c90200000200) not read, last in snapshot 3; 4 nodes behind
    it not read
END
unplug node6
console 'Guid "node7" 0x0002c901000abc00' >/dev/null
sweep
nothing "and what happened behind it is not known"
iba diff
is "$(tail -n +2 "$bench/out" | tr '\n' ' ')" "  ($(started latest)): nothing \
changed in what was read. Incomplete: 2 queries failed. Nothing is said about \
what was not read. Not read, and known from before: 5 nodes. " "and said not to be"
scenario ''
changes "node-gone node-replaced" "until it answers again" <<'END'
nodes
  CA node6 (0x0002c90100000600) gone: was at leaf2 port 2
  CA node7 (0x0002c90100000700) replaced by node7 (0x0002c901000abc00)
END

# In part.
scenario "drop node=$(guid_of leaf1) port=3 attr=PortInfo fast=1"
unplug node3
changes node-unread "a host whose port was not read is not called gone" <<'END'
nodes
  CA node3 (0x0002c90100000300) not read, last in snapshot 6
END
