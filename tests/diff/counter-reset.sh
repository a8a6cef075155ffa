# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Error counters that somebody cleared.
fabric_up
for port in 1 2 3 4 5 6; do
	errors leaf1 $port SymbolErrorCounter 70
	errors leaf2 $port SymbolErrorCounter 70
done
errors leaf1 3 LinkDownedCounter 3
sweep
errors leaf1 3 SymbolErrorCounter 5
errors leaf1 3 LinkDownedCounter 0
changes counter-reset "cleared at one port" <<'END'
counters
  leaf1 port 3 to node3 port 1: cleared: SymbolErrorCounter 70 -> 5,
    LinkDownedCounter 3 -> 0
END
json_is '.changes[].counters | map([.counter, .before, .value, .delta])' \
	'[["symbol_error",70,5,5],["link_downed",3,0,0]]' "in JSON"
errors leaf1 3 SymbolErrorCounter 70
sweep
for port in 1 2 3 4 5; do
	errors leaf1 $port SymbolErrorCounter 0
	errors leaf2 $port SymbolErrorCounter 0
done
changes "counter-reset counter-reset counter-reset counter-reset counter-reset \
counter-reset counter-reset counter-reset counter-reset counter-reset" \
	"at ten ports" <<'END'
counters
  leaf1 port 1 to node1 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf1 port 2 to node2 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf1 port 3 to node3 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf1 port 4 to node4 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf1 port 5 to spine1 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf2 port 1 to node5 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf2 port 2 to node6 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf2 port 3 to node7 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf2 port 4 to node8 port 1: cleared: SymbolErrorCounter 70 -> 0
  leaf2 port 5 to spine1 port 2: cleared: SymbolErrorCounter 70 -> 0
END
for port in 1 2 3 4 5; do
	errors leaf1 $port SymbolErrorCounter 70
	errors leaf2 $port SymbolErrorCounter 70
done
sweep
for port in 1 2 3 4 5 6; do
	errors leaf1 $port SymbolErrorCounter 0
done
for port in 1 2 3 4 5; do
	errors leaf2 $port SymbolErrorCounter 0
done
changes counter-reset "at eleven" <<'END'
counters
  counters of 11 ports were cleared
END
json_is '.changes[].where | length' 11 "with all of them as places"
