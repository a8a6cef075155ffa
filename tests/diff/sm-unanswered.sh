# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# A subnet manager that does not answer: neither gone nor deposed.
fabric_up
manager node1 9
master=$opensm_pid
manager node2 3
sweep
kill -STOP "$opensm_pid"
changes sm-unanswered "a standby that stands still" <<'END'
subnet managers
  SM on node2 port 1 does not answer
END
kill -CONT "$opensm_pid"
sweep
scenario "drop node=$(guid_of node1) attr=SMInfo fast=1"
changes sm-unanswered "the master does not answer" <<'END'
subnet managers
  SM on node1 port 1 does not answer
END
