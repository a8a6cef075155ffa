# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A description that changed; a name from a node name map stays.
fabric_up
sweep
scenario "set node=$(guid_of node3) attr=NodeDescription NodeDesc=\"gpu7 mlx5_0\""
changes node-renamed "a description changed" <<'END'
nodes
  gpu7 mlx5_0 (0x0002c90100000300): description "node3" -> "gpu7 mlx5_0"
END
printf '%s "rack 7 node 3"\n' "$(guid_of node3)" >"$bench/map"
printf '[ibaudit]\nnode_name_map = %s\n' "$bench/map" >"$bench/map.conf"
differ node-renamed "with a node name map" --config "$bench/map.conf" <<'END'
nodes
  rack 7 node 3 (0x0002c90100000300): description "node3" -> "gpu7 mlx5_0"
END

# What a terminal would obey: ESC [ 2 J.
scenario "set node=$(guid_of node3) attr=NodeDescription byte[0]=1b5b324a00"
changes node-renamed "to control characters" <<'END'
nodes
  \x1b[2J (0x0002c90100000300): description "gpu7 mlx5_0" -> "\x1b[2J"
END
scenario "answer node=$(guid_of node3) attr=NodeDescription NodeDesc="
changes node-renamed "to nothing" <<'END'
nodes
  0x0002c90100000300: description "\x1b[2J" -> ""
END
