# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Who is master: nobody, one, a standby that took over, and two at once.
fabric_up
sweep

# The standby that takes over may stand still in the simulator, as one that
# starts may: then the pair is made anew.
for try in 1 2 3 4 5; do
	manager node1 5
	master=$opensm_pid
	manager node2 3
	standby=$opensm_pid standby_log=$opensm_log
	sweep
	opensm_stop "$master"
	sweep
	opensm_wait 'SUBNET UP' "$standby" "$standby_log" && break
	diag "the standby stands still: $(tail -n 1 "$standby_log")"
	opensm_stop "$standby"
done
differ "sm-master sm-new sm-new" "two managers came" 1 latest~1 <<'END'
subnet managers
  SM master: none -> node1 port 1
  SM on node1 port 1 new: MASTER, priority 5
  SM on node2 port 1 new: STANDBY, priority 3
END
differ "sm-master sm-gone" "the master was killed" <<'END'
subnet managers
  SM master: node1 port 1 -> none
  SM on node1 port 1 gone: was MASTER, priority 5
END
changes "port-sm-lid sm-master" "its standby took over" <<'END'
ports
  12 ports: MasterSMLID 1 -> 6

subnet managers
  SM master: none -> node2 port 1
END
json_is '.changes[1] | [.before, .after, (.where | map(.node))]' \
	'["none","node2 port 1",["node2"]]' "in JSON"
differ "port-sm-lid sm-master sm-gone" "from one to the other" latest~2 latest <<'END'
ports
  12 ports: MasterSMLID 1 -> 6

subnet managers
  SM master: node1 port 1 -> node2 port 1
  SM on node1 port 1 gone: was MASTER, priority 5
END

manager node5 0 'sm_key 0x0000000000000005'
changes "sm-master sm-new" "a second master: split brain" --only sms <<'END'
subnet managers
  SM master: node2 port 1 -> node2 port 1, node5 port 1
  SM on node5 port 1 new: MASTER, priority 0
END
scenario "set node=$(guid_of node2) attr=SMInfo SmState=2"
changes sm-master "one of them gave in" --only sms <<'END'
subnet managers
  SM master: node2 port 1, node5 port 1 -> node5 port 1
END
