# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Error counters at their maximum: told when they got there.
fabric_up
sweep
errors leaf1 3 SymbolErrorCounter 65535
errors leaf1 3 LinkDownedCounter 255
errors leaf1 3 PortRcvErrors 70
sweep
later 3600
differ "counter-rose counter-saturated" "two reached their maximum, one rose" <<'END'
counters
  leaf1 port 3 to node3 port 1: PortRcvErrors rose by 70 to 70 within 60 min (70
    an hour)
  leaf1 port 3 to node3 port 1: SymbolErrorCounter reached its maximum, 65535,
    LinkDownedCounter reached its maximum, 255
END
sweep
nothing "told once"
