# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Nothing changed.
fabric_up
manager node1 5
sweep
sweep
nothing "two sweeps of a quiet fabric"
is "$(jq -c .summary "$bench/out")" \
	'{"nodes":0,"links":0,"ports":0,"sms":0,"counters":0}' "each group is zero"
iba -q diff
is "$status $out$err" "0 " "-q says nothing"
nothing "a snapshot and itself" 1 1
nothing "the latest one and itself" latest latest

# Nothing but what was looked for.
unplug node8
errors leaf1 3 SymbolErrorCounter 70
sweep
nothing "--only links" --only links
nothing "--only sms --only ports" --only sms --only ports
differ node-gone "--only nodes" --only nodes <<'END'
nodes
  CA node8 (0x0002c90100000800) gone: was at leaf2 port 4
END
json_is .summary '{"nodes":1,"links":0,"ports":0,"sms":0,"counters":0}' "counts those"
later 3600
differ "node-gone counter-rose" "--only nodes and counters" --only counters \
	--only nodes <<'END'
nodes
  CA node8 (0x0002c90100000800) gone: was at leaf2 port 4

counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 70 to 70 within 60
    min (70 an hour)
END
iba -q diff
is "$status $(wc -l <"$bench/out")" "1 9" "-q tells what changed"
differ "node-gone counter-rose" "two numbers" 2 3 <<'END'
nodes
  CA node8 (0x0002c90100000800) gone: was at leaf2 port 4

counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 70 to 70 within 60
    min (70 an hour)
END
differ "node-gone counter-rose" "a number and a time" 1 2100-01-01 <<'END'
nodes
  CA node8 (0x0002c90100000800) gone: was at leaf2 port 4

counters
  leaf1 port 3 to node3 port 1: SymbolErrorCounter rose by 70 to 70 within 60
    min (70 an hour)
END
replug node8
sweep
nothing "there and back" --only nodes 2 4
