# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Nodes that came: a host, a switch with what is behind it, a host of many
# adapters, one of them, and a double.
fabric_up
unplug node8
sweep
replug node8
changes node-new "a host came" <<'END'
nodes
  CA node8 (0x0002c90100000800) new: at leaf2 port 4
END

unplug leaf2
rm "$BENCH_DB"
sweep
replug leaf2
changes "node-new node-new node-new node-new node-new" \
	"a switch and its hosts came" <<'END'
nodes
  switch leaf2 (0x0002c90200000200) new: 6 links
  CA node5 (0x0002c90100000500) new: at leaf2 port 1
  CA node6 (0x0002c90100000600) new: at leaf2 port 2
  CA node7 (0x0002c90100000700) new: at leaf2 port 3
  CA node8 (0x0002c90100000800) new: at leaf2 port 4
END

# shellcheck disable=SC2086
fabric_from <("$bench_lib/fabric-gen" $standard |
	sed '/^Ca/s/# "node\([5-8]\)"/# "dgx1 mlx5_\1"/')
for host in node5 node6 node7 node8; do
	unplug $host
done
sweep
for host in node5 node6 node7 node8; do
	replug $host
done
changes node-new "a host of four adapters came" <<'END'
nodes
  host dgx1 new: 4 adapters
END
json_is '.changes[].where | map([.node, .port])' '[["dgx1 mlx5_5",null],["dgx1 mlx5_6",null],["dgx1 mlx5_7",null],["dgx1 mlx5_8",null]]' \
	"with all of them as places"
json_is '.changes[] | [.before, .after]' '[null,"leaf2 port 1, leaf2 port 2, leaf2 port 3, leaf2 port 4"]' \
	"and where they are"

unplug node6
sweep
replug node6
changes node-new "one of four adapters came" <<'END'
nodes
  CA dgx1 mlx5_6 (0x0002c90100000600) new: at leaf2 port 2
END

fabric_up tree --leaves 2 --spines 1 --hosts 4 --ports 8 --dual next --routers 1
unplug router1
sweep
replug router1
changes node-new "a router came, with two ports" <<'END'
nodes
  router router1 (0x0002c90500000100) new: at leaf2 port 2, leaf1 port 4
END
