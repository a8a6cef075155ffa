/* SPDX-License-Identifier: BSD-2-Clause */
/* Adapters whose SMPs and GMPs have a device each: whole sweeps. */
#include "fabric/fabric.h"

#include "../fuzz/fake.h"
#include "host.h"
#include "tap.h"

#define PREFIX 0xfe80000000000001u
#define GMP_PORTS 14 /* of the fabric, that have counters */

static const struct device gsi = {
	.name = "mlx5_0", .gmp = 1, .prefix = PREFIX, .state = { 4 },
};
static const struct device smi = {
	.name = "smi0", .smp = 1, .state = { 4, 4, 4, 4 },
};
static const struct device old = {
	.name = "mlx5_1", .smp = 1, .gmp = 1, .prefix = PREFIX,
	.state = { 4 },
};
static const struct umad_ca_pair xdr = { "smi0", 1, "mlx5_0", 1 };

/* --- the tests -------------------------------------------------------- */

/* Sweep, or only probe, and check that nothing stays open. */
static int go(const char *ca, int port, struct snapshot *s, struct err *err,
	      const char *name)
{
	struct sweep_options opt = { .ca = ca, .port = port, .counters = 1,
				     .retries = -1, .fast = 1 };
	int i, rc, open = host.unreleased;

	err->text[0] = '\0';
	rc = s ? fabric_sweep(&opt, s, err) : fabric_probe(ca, port, err);
	for (i = 0; i < host.n_handles; i++)
		open += host.handles[i].is_open;
	ok(!open && !host.strays, "%s: everything closed, each class in place",
	   name);
	return rc;
}

static int sent(int gmps)
{
	int i, n = 0;

	for (i = 0; i < host.n_handles; i++)
		n += gmps ? host.handles[i].n_gmp : host.handles[i].n_smp;
	return n;
}

/* Each handle that was opened, and which classes it had and sent. */
static void are_handles(const char *want, const char *name)
{
	char got[256] = "";
	size_t at = 0;
	int i;

	for (i = 0; i < host.n_handles; i++) {
		const struct handle *h = &host.handles[i];

		at += (size_t)snprintf(got + at, sizeof(got) - at,
				       "%s%s.%d%s%s", i ? " " : "",
				       h->device->name, h->port,
				       h->smp && h->n_smp ? " smp" : "",
				       h->gmp && h->n_gmp ? " gmp" : "");
		if (h->smp > 1 || h->gmp > 1 || h->smp != !!h->n_smp ||
		    h->gmp != !!h->n_gmp)
			strcpy(got, "a class that was not used");
	}
	is_str(got, want, "%s: handles", name);
}

/* The whole fabric was read through those handles. */
static void sweeps(const char *ca, int port, const char *handles,
		   const char *name)
{
	struct snapshot s;
	struct err err;

	is_int(go(ca, port, &s, &err, name), 0, "%s: sweeps", name);
	is_str(err.text, "", "%s: no error", name);
	are_handles(handles, name);
	ok(s.complete && !s.n_failures && s.n_nodes == FAKE_NODES,
	   "%s: all nodes", name);
	is_int(s.pma_answered, GMP_PORTS, "%s: all counters", name);
	is_int(s.mads_sent, sent(0) + sent(1), "%s: all MADs seen", name);
	ok(s.subnet_prefix == PREFIX, "%s: the subnet prefix", name);
	snapshot_free(&s);
}

/* Nothing is sent, and the error says so. */
static void refuses(const char *ca, const char *text, const char *name)
{
	struct snapshot s;
	struct err err;

	is_int(go(ca, 0, &s, &err, name), -1, "%s: refused", name);
	if (!ok(!!strstr(err.text, text), "%s: says so", name))
		printf("# got '%s', want '%s'\n", err.text, text);
	is_int(sent(0) + sent(1), 0, "%s: nothing sent", name);
	snapshot_free(&s);
}

static void test_pair(void)
{
	set_host(&gsi, &smi, &xdr);
	sweeps(NULL, 0, "smi0.1 smp mlx5_0.1 gmp", "a pair");
	set_host(&smi, &gsi, &xdr);
	sweeps(NULL, 0, "smi0.1 smp mlx5_0.1 gmp", "SMI device first");
	set_host(&gsi, &smi, &xdr);
	sweeps("mlx5_0", 1, "smi0.1 smp mlx5_0.1 gmp", "-C the GSI device");
	set_host(&gsi, &smi, &xdr);
	sweeps("smi0", 0, "smi0.1 smp mlx5_0.1 gmp", "-C the SMI device");
	set_host(&gsi, &smi, &xdr);
	sweeps("smi0", 3, "smi0.3 smp mlx5_0.1 gmp", "-P a plane");
}

static void test_states(void)
{
	struct device down = gsi, planes = smi;

	down.state[0] = 1;
	planes.state[0] = planes.state[1] = 1;
	set_host(&down, &smi, &xdr);
	sweeps("mlx5_0", 0, "smi0.1 smp mlx5_0.1 gmp", "GSI port not up");
	set_host(&gsi, &planes, &xdr);
	sweeps("mlx5_0", 0, "smi0.3 smp mlx5_0.1 gmp", "two planes down");
	planes.unread = 1;
	set_host(&gsi, &planes, &xdr);
	sweeps(NULL, 0, "smi0.1 smp mlx5_0.1 gmp", "SMI device not readable");
	set_host(&down, &planes, &xdr);
	refuses(NULL, "smi0 port 1 has no link", "nothing up, or readable");
	planes = smi;
	memset(planes.state, 0, sizeof(planes.state));
	planes.state[0] = planes.state[1] = 1;
	set_host(&gsi, &planes, &xdr);
	refuses(NULL, "smi0 port 1 has no link", "all planes down");
	host.devices[2] = old;
	sweeps(NULL, 0, "mlx5_1.1 smp gmp", "all planes down, another adapter");
}

static void test_one_device(void)
{
	struct umad_ca_pair same = { "mlx5_1", 1, "mlx5_1", 1 };

	set_host(&old, NULL, &same);
	sweeps(NULL, 0, "mlx5_1.1 smp gmp", "one device for both");
	set_host(&old, NULL, NULL);
	sweeps(NULL, 0, "mlx5_1.1 smp gmp", "no pair");
}

static void test_missing(void)
{
	struct umad_ca_pair no_smi = { "", 0, "mlx5_0", 1 };
	struct umad_ca_pair no_gsi = { "smi0", 1, "", 0 };

	set_host(&gsi, NULL, &no_smi);
	refuses(NULL, "mlx5_0 port 1 is for GMPs only", "no SMI device");
	set_host(&gsi, &old, &no_smi);
	sweeps(NULL, 0, "mlx5_1.1 smp gmp", "no SMI device, another adapter");
	set_host(&smi, NULL, &no_gsi);
	refuses("smi0", "smi0 port 1 is for SMPs only", "no GSI device");
}

static void test_forbidden(void)
{
	struct device closed = gsi;

	closed.forbidden = 1;
	set_host(&closed, &smi, &xdr);
	refuses(NULL, "mlx5_0 port 1: no permission", "GSI device forbidden");
	closed = smi;
	closed.forbidden = 1;
	set_host(&gsi, &closed, &xdr);
	refuses(NULL, "smi0 port 1: no permission", "SMI device forbidden");
}

static void test_others(void)
{
	struct sweep_options opt = { .discovery = DISCOVER_LIBIBNETDISC,
				     .retries = -1 };
	struct snapshot s;
	struct err err;

	set_host(&gsi, &smi, &xdr);
	is_int(go(NULL, 0, NULL, &err, "probe"), 0, "probe: usable");
	ok(host.n_handles == 2 && host.handles[0].smp == 1 &&
	   host.handles[1].gmp == 1, "probe: looks at both devices");
	is_int(sent(0) + sent(1), 0, "probe: sends nothing");
	host.devices[0].forbidden = 1;
	is_int(go(NULL, 0, NULL, &err, "probe"), -1, "probe: GSI forbidden");

	set_host(&gsi, &smi, &xdr);
	fabric_sweep(&opt, &s, &err);
	is_str(host.ibnd, "smi0 1", "libibnetdisc gets the SMI device");
	snapshot_free(&s);
}

int main(void)
{
	test_pair();
	test_states();
	test_one_device();
	test_missing();
	test_forbidden();
	test_others();
	return done_testing();
}
