# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Nodes that went; not those that a switch in front of them hides.
fabric_up
sweep
unplug node8
changes node-gone "a host is off" <<'END'
nodes
  CA node8 (0x0002c90100000800) gone: was at leaf2 port 4
END
json_is '.changes[] | [.group, .before, .after, .counters]' \
	'["nodes","leaf2 port 4",null,[]]' "what it was in JSON"
json_is '.changes[].where | map([.node_guid, .instance, .port, .node, .lid])' \
	"[[\"0x0002c90100000800\",0,null,\"node8\",12]]" "and where"

unplug spine1
changes node-gone "a spine is off: one line, none of its links" <<'END'
nodes
  switch spine1 (0x0002c90300000100) gone: had 2 links
END

replug spine1
sweep
unplug leaf2
changes node-unread "a leaf is off: who is behind it may be on" <<'END'
nodes
  switch leaf2 (0x0002c90200000200) not read, last in snapshot 4; 2 links are
    gone; 3 nodes behind it not read
END
nothing "two sweeps without it" 5 5
sweep
nothing "and it is told once"

# shellcheck disable=SC2086
fabric_from <("$bench_lib/fabric-gen" $standard |
	sed '/^Ca/s/# "node\([5-8]\)"/# "dgx1 mlx5_\1"/')
sweep
unplug node6
changes node-gone "one of four adapters went" <<'END'
nodes
  CA dgx1 mlx5_6 (0x0002c90100000600) gone: was at leaf2 port 2
END
replug node6
sweep
for host in node5 node6 node7 node8; do
	unplug $host
done
changes node-gone "a host of four adapters is off" <<'END'
nodes
  host dgx1 gone: 4 adapters
END

# Both ports of an adapter, and one of them.
fabric_up tree --leaves 2 --spines 1 --hosts 4 --ports 8 --dual next
sweep
unplug node2 2
changes link-gone "one of an adapter's two links went" <<'END'
links
  link leaf2 port 4 to node2 port 2 gone: leaf2 port 4 is Polling, node2 port 2
    is Polling
END
unplug node2 1
changes node-gone "and the other" <<'END'
nodes
  CA node2 (0x0002c90100000200) gone: was at leaf1 port 2
END
