# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Error counters that rose by so much; data counters are no change.
fabric_up
sweep
errors leaf1 3 SymbolErrorCounter 60
errors leaf1 3 PortRcvErrors 12
errors leaf1 4 SymbolErrorCounter 9
errors leaf1 5 LinkDownedCounter 1
errors spine1 1 LinkDownedCounter 1
sweep
later 3600
differ "counter-rose counter-rose counter-rose" "errors, and a link that bounced" <<'END'
counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 60 to 60 within 60
    min (60 an hour), PortRcvErrors rose by 12 to 12 within 60 min (12 an hour)
  leaf1 port 5 to spine1 port 1: LinkDownedCounter rose by 1 to 1 within 60 min
    (1 an hour)
  spine1 port 1 to leaf1 port 5: LinkDownedCounter rose by 1 to 1 within 60 min
    (1 an hour)
END
json_is '.changes[0] | [.before, .after, (.where | map([.node, .port]))]' \
	'[null,null,[["leaf1",3],["node3",1]]]' "with both ends"
json_is '.changes[0].counters | map([.counter, .value, .before, .delta,
	(.per_hour | round), (.interval_s / 60 | round)])' \
	'[["symbol_error",60,0,60,60,60],["rcv_errors",12,0,12,12,60]]' \
	"and what they did"
differ "counter-rose" "--threshold 20" --threshold 20 <<'END'
counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 60 to 60 within 60
    min (60 an hour)
END
differ "counter-rose counter-rose counter-rose counter-rose" "--threshold 1" \
	--threshold 1 <<'END'
counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 60 to 60 within 60
    min (60 an hour), PortRcvErrors rose by 12 to 12 within 60 min (12 an hour)
  leaf1 port 4 to node4 port 1: SymbolErrorCounter rose by 9 to 9 within 60 min
    (9 an hour)
  leaf1 port 5 to spine1 port 1: LinkDownedCounter rose by 1 to 1 within 60 min
    (1 an hour)
  spine1 port 1 to leaf1 port 5: LinkDownedCounter rose by 1 to 1 within 60 min
    (1 an hour)
END
nothing "--threshold 61" --threshold 61

# A clock that was put back: order is by number, and there is no rate.
errors leaf1 3 SymbolErrorCounter 80
changes counter-rose "between sweeps of a clock that was put back" <<'END'
counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 20 to 80
END
json_is '.changes[].counters | map([.delta, .per_hour, .interval_s])' \
	'[[20,null,null]]' "without a rate"
console 'PerformanceSet "leaf1"[3] PortCountersExtended.PortXmitData=100000000' \
	>/dev/null
sweep
nothing "data"
iba sweep --no-counters
nothing "a sweep without counters"
iba diff
is "$(tail -n 1 "$bench/out")" "Counters are not compared: one of them has none." \
	"said so"
