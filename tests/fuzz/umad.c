/* SPDX-License-Identifier: BSD-2-Clause */
#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>

#include "kernel.h"
#include "model/snapshot.h"

/*
 * Notes
 *
 * As the kernel does, this returns a query that nobody answers with ETIMEDOUT
 * when its time is over; one that was lost never comes back.
 */

#define FD 7
#define LID_UNICAST_MAX 0xbfff
#define YOUNG_US 20000   /* the engine parks nothing that is younger */
#define MAX_SENT 1000000
#define START_US 1000000
#define COST_US 20
#define LOOK_US 200000
/* A busy node is asked again, a link looked at, and one that lost an answer
 * whether it lives. */
#define TIMES_MAX 24

struct kernel kernel;

/* --- flights ---------------------------------------------------------- */

void kernel_land(int i)
{
	free(kernel.flying[i]);
	kernel.n_flying--;
	memmove(&kernel.flying[i], &kernel.flying[i + 1],
		(size_t)(kernel.n_flying - i) * sizeof(kernel.flying[0]));
}

void umad_reset(struct input *in, enum host host, const struct limits *limits)
{
	while (kernel.n_flying)
		kernel_land(0);
	memset(&kernel, 0, sizeof(kernel));
	kernel.in = in;
	kernel.host = host;
	kernel.limits = *limits;
	kernel.now_us = START_US;
	kernel.cost_us = COST_US;
	play_reset();
}

const struct umad_story *umad_story(void)
{
	return &kernel.story;
}

int64_t umad_now(void)
{
	return kernel.now_us;
}

/* Forget what the kernel dropped, and what is overdue for the engine. */
void kernel_pass(int64_t us)
{
	int i = 0;

	kernel.now_us += us;
	while (i < kernel.n_flying)
		if (kernel.flying[i]->is_lost && kernel.flying[i]->ends_us <= kernel.now_us)
			kernel_land(i);
		else
			i++;
}

/* How many hops of the path lead to the destination.  While all is well,
 * NodeInfo is only a question through an exit of it. */
static int dest_hops(const uint8_t *mad)
{
	int is_node_info = mad[16] == 0 && mad[17] == 0x11;

	return mad[7] - (is_node_info && mad[7] && !kernel.story.troubles);
}

static int same_dest(const uint8_t *a, uint16_t a_lid, const struct flight *b)
{
	int hops = dest_hops(a);

	if (a[1] != b->mad[1])
		return 0;
	if (a[1] != CLASS_SMP)
		return a_lid == b->lid;
	return hops == dest_hops(b->mad) &&
	       !memcmp(a + 128, b->mad + 128, (size_t)hops + 1);
}

/* Windows hold for what was not parked.  An honest node is asked one thing at
 * a time; in trouble it may be tested while somebody looks for it. */
static void check_in_flight(const uint8_t *mad, uint16_t lid)
{
	int i, young[2] = { 0, 0 }, same = 0;
	int is_smp = mad[1] == CLASS_SMP;
	int spare = kernel.story.lies + (is_smp && kernel.story.troubles);

	for (i = 0; i < kernel.n_flying; i++) {
		const struct flight *f = kernel.flying[i];

		if (!f->counts || f->ends_us <= kernel.now_us)
			continue;
		same += same_dest(mad, lid, f);
		if (kernel.now_us - f->sent_us < YOUNG_US)
			young[f->mad[1] == CLASS_SMP]++;
	}
	CHECK(young[is_smp] < (is_smp ? kernel.limits.smp_window :
					kernel.limits.gmp_window));
	CHECK(same <= spare);
}

/* How often this was asked before; of a great many, not the last ones. */
static int asked_before(const uint8_t *mad, uint16_t lid)
{
	uint64_t h = 0xcbf29ce484222325u ^ lid; /* FNV-1a */
	unsigned i, at;

	for (i = 0; i < MAD_LEN; i++)
		if (i < 8 || i >= 16) /* the transaction id is another */
			h = (h ^ mad[i]) * 0x100000001b3u;
	h |= 1;
	for (i = 0; i < ASKED / 4; i++) {
		at = (unsigned)(h >> 32) + i;
		at %= ASKED;
		if (!kernel.asked[at].hash)
			kernel.asked[at].hash = h;
		if (kernel.asked[at].hash == h)
			return kernel.asked[at].times++;
	}
	return 0;
}

/* Nothing is asked twice without need; the local leaf's VL15Dropped is looked
 * at for as long as the sweep runs, in PortCounters. */
static void check_again(const uint8_t *mad, uint16_t lid)
{
	int ills = kernel.story.lies + kernel.story.troubles;
	int is_look = mad[1] == CLASS_PMA && mad[17] == 0x12;
	int64_t looks = is_look ? 1 + (kernel.now_us - START_US) / LOOK_US : 0;
	int64_t most = ills ? TIMES_MAX * (1 + looks) + ills : looks;

	CHECK(asked_before(mad, lid) <= most);
}

/* Every request is a Get of one of the two classes, to where it may go. */
static void check_request(const uint8_t *mad, uint16_t lid)
{
	int i;

	CHECK(mad[0] == 1 && mad[2] == 1);
	CHECK(mad[3] == GET);
	CHECK(mad[1] == CLASS_SMP || mad[1] == CLASS_PMA);
	for (i = 24; i < 32; i++)
		CHECK(!mad[i]); /* M_Key of an SMP */
	if (mad[1] == CLASS_SMP) {
		CHECK(mad[7] < ROUTE_MAX && !mad[6] && lid == 0xffff);
		for (i = 1; i <= mad[7]; i++)
			CHECK(mad[128 + i] != 0xff);
	} else {
		CHECK(lid && lid <= LID_UNICAST_MAX);
		CHECK(mad[MAD_DATA + 1] != 0xff); /* no sums of all ports */
	}
}

/* --- libibumad -------------------------------------------------------- */

int umad_init(void)
{
	return kernel.host == HOST_NO_UMAD ? -1 : 0;
}

int umad_done(void)
{
	return 0;
}

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	int i, n = kernel.host == HOST_NO_DEVICE ? 0 :
		   kernel.host == HOST_MANY ? max : 1;

	for (i = 0; i < n; i++)
		snprintf(cas[i], UMAD_CA_NAME_LEN, "mlx5_%d", i);
	return n;
}

int umad_get_ca(const char *name, umad_ca_t *ca)
{
	umad_port_t *p;
	int is_last = !strcmp(name, "mlx5_31") || kernel.host != HOST_MANY;

	memset(ca, 0, sizeof(*ca));
	if (!is_last && name[5] == '1')
		return -1;
	p = calloc(1, sizeof(*p));
	snprintf(ca->ca_name, sizeof(ca->ca_name), "%s", name);
	snprintf(p->ca_name, sizeof(p->ca_name), "%s", name);
	p->portnum = 1;
	p->gid_prefix = htobe64(0xfe80000000000000u);
	p->state = kernel.host == HOST_DOWN ? STATE_DOWN : STATE_ACTIVE;
	strcpy(p->link_layer, kernel.host == HOST_ETHERNET || !is_last ?
				      "Ethernet" : "InfiniBand");
	ca->numports = 1;
	ca->ports[1] = p;
	kernel.story.open++;
	return 0;
}

int umad_release_ca(umad_ca_t *ca)
{
	free(ca->ports[1]);
	kernel.story.open--;
	return 0;
}

int umad_open_port(const char *name, int port)
{
	(void)name;
	if (kernel.host == HOST_FORBIDDEN) {
		errno = EACCES;
		return -EACCES;
	}
	CHECK(port == 1);
	kernel.story.open++;
	return FD;
}

int umad_close_port(int fd)
{
	CHECK(fd == FD);
	kernel.story.open--;
	return 0;
}

int umad_get_fd(int fd)
{
	return fd;
}

int umad_register(int fd, int class, int version, uint8_t rmpp, long *mask)
{
	int agent = class == CLASS_SMP ? 0 : 1;

	CHECK(fd == FD && version == 1 && !rmpp && !mask);
	if (kernel.host == HOST_UNREGISTERED && agent == 1)
		return -EINVAL;
	kernel.agent[agent] = (uint8_t)class;
	kernel.story.open++;
	return agent;
}

int umad_unregister(int fd, int agent)
{
	CHECK(fd == FD && (agent == 0 || agent == 1));
	kernel.agent[agent] = 0;
	kernel.story.open--;
	return 0;
}

size_t umad_size(void)
{
	return sizeof(struct ib_user_mad);
}

void *umad_get_mad(void *umad)
{
	return ((struct ib_user_mad *)umad)->data;
}

int umad_status(void *umad)
{
	return (int)((struct ib_user_mad *)umad)->status;
}

int umad_set_addr(void *umad, int lid, int qp, int sl, int qkey)
{
	struct ib_user_mad *u = umad;

	u->addr.qpn = htobe32((uint32_t)qp);
	u->addr.lid = htobe16((uint16_t)lid);
	u->addr.qkey = htobe32((uint32_t)qkey);
	u->addr.sl = (uint8_t)sl;
	return 0;
}

int umad_set_grh(void *umad, void *grh)
{
	((struct ib_user_mad *)umad)->addr.grh_present = !!grh;
	return 0;
}

int umad_set_pkey(void *umad, int index)
{
	((struct ib_user_mad *)umad)->addr.pkey_index = (uint16_t)index;
	return 0;
}

int umad_send(int fd, int agent, void *umad, int len, int timeout_ms,
	      int retries)
{
	struct ib_user_mad *u = umad;
	uint16_t lid = be16toh(u->addr.lid);
	struct flight *f;

	if (is_broken("method"))
		u->data[3] = 0x02; /* Set */
	if (is_broken("window"))
		kernel.limits.smp_window = 0;
	CHECK(fd == FD && len == MAD_LEN && timeout_ms > 0 && retries >= 0);
	CHECK(kernel.agent[agent] == u->data[1]);
	CHECK(be32toh(u->addr.qpn) == (agent ? 1u : 0u));
	check_request(u->data, lid);
	check_in_flight(u->data, lid);
	check_again(u->data, lid);
	CHECK(++kernel.story.sent < MAX_SENT);
	if (kernel.story.gone || kernel.send_fails) {
		kernel.send_fails -= !!kernel.send_fails;
		kernel.story.sent--;
		kernel.story.troubles++;
		errno = kernel.story.gone ? ENODEV : ENOMEM;
		return -EIO;
	}
	CHECK(kernel.n_flying < MAX_FLYING);
	f = calloc(1, sizeof(*f));
	memcpy(f->mad, u->data, MAD_LEN);
	f->lid = lid;
	f->sent_us = kernel.now_us;
	f->ends_us = kernel.now_us + (int64_t)timeout_ms * 1000 * (retries + 1);
	f->counts = 1;
	kernel.flying[kernel.n_flying++] = f;
	return 0;
}

static int deliver(const struct arrival *a, void *umad, int *len)
{
	struct ib_user_mad *u = umad;

	if (*len < a->len)
		return -ENOSPC;
	memset(u, 0, sizeof(*u));
	u->status = (uint32_t)a->status;
	memcpy(u->data, a->mad, (size_t)a->len);
	*len = a->len;
	return a->mad[1] == CLASS_SMP ? 0 : 1;
}

int umad_recv(int fd, void *umad, int *len, int wait_ms)
{
	struct arrival a = { .len = 0 };
	int rc;

	CHECK(fd == FD && *len == MAD_LEN && wait_ms >= 0);
	kernel_pass(kernel.cost_us);
	rc = play_overdue(&a) ? 1 : play(&a, wait_ms);
	if (kernel.story.gone)
		return -EIO;
	if (rc > 0)
		return deliver(&a, umad, len);
	return rc < 0 ? rc : -ETIMEDOUT;
}

int umad_poll(int fd, int wait_ms)
{
	(void)wait_ms;
	CHECK(fd == FD);
	return kernel.story.gone ? -EIO : 0;
}

/* --- the clock -------------------------------------------------------- */

int64_t __wrap_clock_mono_us(void);
int __wrap_usleep(unsigned us);

int64_t __wrap_clock_mono_us(void)
{
	return kernel.now_us++;
}

int __wrap_usleep(unsigned us)
{
	kernel_pass(us);
	return 0;
}
