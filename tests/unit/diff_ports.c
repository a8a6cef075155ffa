/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff.h"

static void ports(void)
{
	int i;

	start();
	port_at(&is, LEAF1, 4)->phys = PHYS_DISABLED;
	set_read(port_at(&is, LEAF2, 4), 1);
	expect("state",
	       "port-state: leaf1 port 4: Polling -> Disabled\n"
	       "port-state: leaf2 port 4: Polling -> ACTIVE\n");

	start();
	port_at(&is, LEAF1, 4)->speed_enabled = 1 << SPEED_HDR | 1 << SPEED_EDR;
	port_at(&is, LEAF1, 4)->width_supported |= 1 << WIDTH_2X;
	expect("enabled and supported",
	       "port-enabled: leaf1 port 4: speeds enabled NDR -> EDR,HDR, "
	       "widths supported 4X -> 2X,4X\n");

	start();
	port_at(&was, H1, 1)->lid = port_at(&was, H2, 1)->lid = 9;
	port_at(&is, H1, 1)->lid = 12;
	port_at(&is, H2, 1)->lid = 9;
	port_at(&was, H1, 1)->lmc = 0;
	port_at(&is, H1, 1)->lmc = 2;
	port_at(&was, LEAF1, 1)->lid = 0;
	port_at(&is, LEAF1, 1)->lid = 3;
	expect("LIDs of end ports",
	       "port-lid: h1 mlx5_0 port 1: LID 9 -> 12, LMC 0 -> 2\n");

	start();
	add_node(&was, 0x401, NODE_CA, 11, "wide");
	add_node(&is, 0x401, NODE_CA, 11, "wide");
	for (i = 1; i <= 11; i++) {
		port_at(&was, 0x401, i)->lid = i;
		port_at(&is, 0x401, i)->lid = 100 + i;
	}
	expect("many LIDs",
	       "port-lid: LID or LMC changed on 11 ports\n");

	start();
	port_at(&was, H1, 1)->sm_lid = port_at(&was, H2, 1)->sm_lid = 1;
	port_at(&is, H1, 1)->sm_lid = port_at(&is, H2, 1)->sm_lid = 2;
	port_at(&was, SPINE, 0)->sm_lid = 3;
	port_at(&is, SPINE, 0)->sm_lid = 2;
	expect("MasterSMLID",
	       "port-sm-lid: 2 ports: MasterSMLID 1 -> 2\n"
	       "port-sm-lid: spine port 0: MasterSMLID 3 -> 2\n");

	start();
	port_at(&is, LEAF1, 4)->seen = SEEN_UNREAD;
	port_at(&is, LEAF1, 4)->phys = PHYS_DISABLED;
	expect_one_way("unread",
		       "port-unread: leaf1 port 4 not read\n");
}

static void masters(void)
{
	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&was, H2, SM_STANDBY);
	add_sm(&is, H1, SM_STANDBY);
	add_sm(&is, H2, SM_MASTER);
	expect("a failover",
	       "sm-master: SM master: h1 mlx5_0 port 1 -> h2 mlx5_0 port 1\n");

	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&was, H2, SM_STANDBY);
	add_sm(&is, H1, SM_MASTER);
	add_sm(&is, H2, SM_MASTER);
	expect("two masters",
	       "sm-master: SM master: h1 mlx5_0 port 1 -> h1 mlx5_0 port 1, "
	       "h2 mlx5_0 port 1\n");

	start();
	add_sm(&was, H1, SM_MASTER);
	port_at(&is, H1, 1)->cap_mask = 0;
	expect("no master any more",
	       "sm-master: SM master: h1 mlx5_0 port 1 -> none\n"
	       "sm-gone: SM on h1 mlx5_0 port 1 gone: was MASTER, "
	       "priority 5\n");

	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&was, H2, SM_STANDBY);
	add_sm(&is, H1, VAL_NONE);
	add_sm(&is, H2, SM_STANDBY);
	is.sms[0].answered = 0;
	expect_one_way("a master that does not answer may be master still",
		       "sm-unanswered: SM on h1 mlx5_0 port 1 does not "
		       "answer\n");

	start();
	add_sm(&was, H1, VAL_NONE);
	was.sms[0].answered = 0;
	add_sm(&was, H2, SM_STANDBY);
	add_sm(&is, H1, VAL_NONE);
	is.sms[0].answered = 0;
	add_sm(&is, H2, SM_MASTER);
	expect("who was master is not known",
	       "sm-master: SM master: unknown -> h2 mlx5_0 port 1\n");
}

static void sms(void)
{
	start();
	port_at(&was, H2, 1)->cap_mask = 0;
	add_sm(&is, H2, SM_STANDBY);
	expect("a new one",
	       "sm-new: SM on h2 mlx5_0 port 1 new: STANDBY, priority 5\n");

	start_without(MISSING(H4), FRONT_DOWN);
	add_sm(&was, H4, SM_STANDBY);
	expect("one gone with its node",
	       "node-gone: CA h4 mlx5_0 (0x0000000000000104) gone: was at "
	       "leaf2 port 2\n"
	       "sm-gone: SM on h4 mlx5_0 port 1 gone: was STANDBY, "
	       "priority 5\n");

	start();
	add_sm(&was, H2, SM_STANDBY);
	port_at(&is, H2, 1)->cap_mask = 0;
	port_at(&is, H2, 1)->seen = SEEN_UNREAD;
	expect_one_way("not gone where its port was not read",
		       "port-unread: h2 mlx5_0 port 1 not read\n");

	start();
	add_sm(&was, H2, SM_STANDBY);
	add_sm(&is, H2, SM_DISCOVERING);
	is.sms[0].priority = 14;
	expect("priority and state",
	       "sm-priority: SM on h2 mlx5_0 port 1: priority 5 -> 14\n"
	       "sm-state: SM on h2 mlx5_0 port 1: state STANDBY -> "
	       "DISCOVERING\n");

	start();
	add_sm(&was, H1, SM_MASTER);
	add_sm(&is, H1, SM_MASTER);
	is.sms[0].act_count = 7;
	expect_one_way("restarted",
		       "sm-restarted: SM on h1 mlx5_0 port 1 restarted: "
		       "ActCount 100 -> 7\n");

	start();
	port_at(&was, H2, 1)->cap_mask = 0;
	add_sm(&is, H2, VAL_NONE);
	is.sms[0].answered = 0;
	expect("new, and silent",
	       "sm-new: SM on h2 mlx5_0 port 1 new: no answer\n");
}

int main(void)
{
	ports();
	masters();
	sms();
	return done_testing();
}
