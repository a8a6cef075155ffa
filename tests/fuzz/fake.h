/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef IBAUDIT_TESTS_FUZZ_FAKE_H
#define IBAUDIT_TESTS_FUZZ_FAKE_H

#include <stdint.h>

/*
 * A fabric of two switches and three hosts that answers Get, and that can be
 * told to lie.
 *
 *     host1.1 - 1.switch1.4 - 3.switch2.1 - 1.host3
 *     host2.1 - 2.switch1.5 - 4.switch2
 *                 switch1.3 - 2.host3
 */
enum { HOST1, SWITCH1, HOST2, SWITCH2, HOST3, FAKE_NODES };
#define FAKE_LINKS 6
#define FAKE_PORTS 5 /* of a node, at most */
#define MAD_LEN 256

/* As built, with the sweep on host1 or, with on_switch, on switch1. */
void fabric_reset(int on_switch);

/*
 * The reply to a request; lid is where a GMP went.  Returns 0 when nobody is
 * there, or the node is silent.
 */
int fabric_answer(const uint8_t request[MAD_LEN], uint16_t lid,
		  uint8_t reply[MAD_LEN]);

/* The first byte of the data of an SMP or of a GMP alike. */
#define MAD_DATA 64

/* The data of the NodeInfo that node gives at that port, whether it has it or
 * not. */
void fabric_node_info(int node, uint8_t port, uint8_t *data);

/* Node answers nothing any more. */
void fabric_silence(int node);

/* Node answers everything with "busy". */
void fabric_busy(int node);

/* Node has the GUID of the other. */
void fabric_twin(int node, int other);

/* The attribute of node has that value in its byte `at`, whenever asked. */
void fabric_lie(int node, uint16_t attribute, uint8_t at, uint8_t value);

/* The two ends are cabled together; what was there hangs loose. */
void fabric_cable(int a, uint8_t a_port, int b, uint8_t b_port);

/* Behind every loose port is a switch of nports ports, all up, and so on
 * without end; their GUIDs differ in so many bits. */
void fabric_endless(uint8_t nports, int bits);

#endif
