/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <string.h>

#include "fabric/engine.h"

/*
 * Notes
 *
 * The bytes of a MAD: the header that all share (IBA 13.4.3), a directed-route
 * SMP (14.2.1.2) and a PerformanceMgt GMP (16.1.1).
 */

#define METHOD_GET 0x01 /* IBA 13.4.5 */
#define METHOD_GET_RESP 0x81
#define SMP_MKEY 24
#define SMP_DATA 64
#define SMP_DATA_LEN 64
#define SMP_PATH 128 /* InitialPath */
#define PMA_DATA 64
#define PMA_DATA_LEN 192
#define STATUS_DIRECTION 0x8000 /* D bit of a directed-route SMP's status */
#define STATUS_BUSY 0x0001      /* IBA 13.4.7 */
#define PERMISSIVE_LID 0xffff
#define QKEY_GSI 0x80010000u /* IBA 10.2.5: well-known Q_Key of QP1 */

static void put16(uint8_t *at, uint16_t v)
{
	v = htons(v);
	memcpy(at, &v, sizeof(v));
}

static void put32(uint8_t *at, uint32_t v)
{
	v = htonl(v);
	memcpy(at, &v, sizeof(v));
}

static uint16_t get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t get32(const uint8_t *at)
{
	return (uint32_t)get16(at) << 16 | get16(at + 2);
}

static void build_header(uint8_t *mad, const struct mad_query *q, uint32_t tid)
{
	memset(mad, 0, MAD_LEN);
	mad[0] = 1; /* BaseVersion */
	mad[1] = q->mgmt_class;
	mad[2] = 1; /* ClassVersion */
	mad[3] = METHOD_GET;
	put32(mad + 12, tid); /* the kernel owns the upper half */
	put16(mad + 16, q->attribute);
	put32(mad + 20, q->modifier);
}

/* IBA 14.2.2 for the permissive addresses. */
static void build_smp(uint8_t *mad, const struct mad_query *q)
{
	const struct route *r = q->dest->route;

	memcpy(mad + SMP_PATH, r->hop, (size_t)r->hops + 1);
	mad[7] = r->hops;
	if (q->exit)
		mad[SMP_PATH + ++mad[7]] = q->exit;
	put32(mad + SMP_MKEY, (uint32_t)(q->mkey >> 32));
	put32(mad + SMP_MKEY + 4, (uint32_t)q->mkey);
	put16(mad + 32, PERMISSIVE_LID);
	put16(mad + 34, PERMISSIVE_LID);
}

int wire_send(struct mad_engine *e, const struct lane *lane,
	      const struct mad_query *q, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(e->buf);
	int timeout_ms = e->opt.timeout_ms, retries = e->opt.retries;

	memset(e->buf, 0, umad_size());
	build_header(mad, q, tid);
	if (q->mgmt_class == CLASS_SMP) {
		build_smp(mad, q);
		umad_set_addr(e->buf, PERMISSIVE_LID, 0, 0, 0);
	} else {
		mad[PMA_DATA + 1] = q->select;
		umad_set_addr(e->buf, q->lid, 1, e->opt.sl, (int)QKEY_GSI);
	}
	umad_set_grh(e->buf, NULL);
	umad_set_pkey(e->buf, 0);
	if (q->once) {
		timeout_ms *= retries + 1;
		retries = 0;
	}
	return umad_send(lane->fd, lane->agent, e->buf, MAD_LEN, timeout_ms,
			 retries);
}

int wire_is_response(const uint8_t *mad)
{
	return mad[3] == METHOD_GET_RESP;
}

uint32_t wire_tid(const uint8_t *mad)
{
	return get32(mad + 12);
}

int wire_answers(const uint8_t *mad, const struct mad_query *q)
{
	return mad[1] == q->mgmt_class && get16(mad + 16) == q->attribute &&
	       get32(mad + 20) == q->modifier;
}

static const char *status_words(uint16_t status)
{
	/* IBA 13.4.7: bit 0 busy, bits 2-4 why the request was refused. */
	static const char *const why[] = {
		"refused", "bad class or version", "method not supported",
		"method or attribute not supported", "refused", "refused",
		"refused", "invalid attribute or modifier",
	};

	return status & STATUS_BUSY ? "busy" : why[status >> 2 & 7];
}

void wire_read(const uint8_t *mad, const struct mad_query *q,
	       struct mad_reply *r)
{
	int is_smp = q->mgmt_class == CLASS_SMP;
	uint16_t status = get16(mad + 4);

	memset(r, 0, sizeof(*r));
	if (is_smp)
		status &= (uint16_t)~STATUS_DIRECTION;
	r->data = mad + (is_smp ? SMP_DATA : PMA_DATA);
	r->len = is_smp ? SMP_DATA_LEN : PMA_DATA_LEN;
	r->mad_status = status;
	if (!status)
		return;
	r->failed = 1 + FAIL_MAD_STATUS;
	r->text = status_words(status);
}

int mad_reply_is_busy(const struct mad_reply *r)
{
	return r->failed == 1 + FAIL_MAD_STATUS &&
	       (r->mad_status & STATUS_BUSY);
}

int mad_reply_is_refusal(const struct mad_reply *r)
{
	int why = r->mad_status >> 2 & 7;

	return r->failed == 1 + FAIL_MAD_STATUS && !mad_reply_is_busy(r) &&
	       (why == 2 || why == 3 || why == 7);
}
