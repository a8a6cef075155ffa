/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <errno.h>
#include <string.h>

/*
 * Notes
 *
 * Rules act when the reply is there, because only then it is known who
 * answered; a drop swallows the reply and lets the request's own time-out
 * come.  Only `answer` acts when the request is sent.
 *
 * A reply is given to the client at once unless a rule wants it later or
 * something before it.
 */

static uint64_t random_state = 0x9e3779b97f4a7c15u;

/* xorshift64*: the same sequence in each run. */
static uint64_t random_next(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 2685821657736338717u;
}

static bool is_smp(uint8_t mgmt_class)
{
	return mgmt_class == CLASS_DR || mgmt_class == CLASS_LID;
}

/* The right one, or none needed: only the node at the end of the route looks
 * at it, IBA 14.2.4, and a route of no hops ends at our own adapter. */
static bool has_mkey(const struct rule *r, const struct request *req)
{
	const uint8_t *mad = req->umad + UMAD_HEAD;

	return mad_mkey(mad) == r->mkey ||
	       (req->mgmt_class == CLASS_DR && !mad[7]);
}

static bool matches(const struct rule *r, const struct request *req)
{
	if (r->attr >= 0 && r->attr != req->attr)
		return false;
	if (r->mgmt_class && r->mgmt_class != req->mgmt_class &&
	    !(is_smp(r->mgmt_class) && is_smp(req->mgmt_class)))
		return false;
	if (r->port_low >= 0 &&
	    (req->port < r->port_low || req->port > r->port_high))
		return false;
	if (r->verb == VERB_PROTECT && has_mkey(r, req))
		return false;
	return !r->only_up || known_is_up(req->place->node, req->port);
}

/* True when the rule matches and its rate and count let it act. */
static bool acts(struct rule *r, const struct request *req)
{
	if (!matches(r, req))
		return false;
	if (r->seen++ < r->after || r->applied >= r->count)
		return false;
	if (r->rate < 1 && (random_next() >> 11) * 0x1p-53 >= r->rate)
		return false;
	r->applied++;
	return true;
}

/* The rules of a scenario are ours to count in. */
static struct rule *own_rule(const struct rule *r)
{
	return &rules[r - rules];
}

bool apply_answers(const struct request *req)
{
	const struct rule **list = scenario_rules(req->place->node);

	for (; *list; list++)
		if ((*list)->verb == VERB_ANSWER && matches(*list, req))
			return true;
	return false;
}

static uint64_t bits_read(const uint8_t *data, unsigned bit, unsigned width)
{
	uint64_t v = 0;

	for (; width; width--, bit++)
		v = v << 1 | (data[bit / 8] >> (7 - bit % 8) & 1);
	return v;
}

static void bits_write(uint8_t *data, unsigned bit, unsigned width, uint64_t v)
{
	for (; width; width--, v >>= 1) {
		unsigned at = bit + width - 1;
		uint8_t mask = 0x80 >> at % 8;

		data[at / 8] = (data[at / 8] & ~mask) | (v & 1 ? mask : 0);
	}
}

static void edit(const struct edit *e, const struct request *req,
		 uint8_t *data, size_t room)
{
	uint64_t v = e->value;

	if ((e->bit + e->width + 7) / 8 > room)
		return;
	if (e->bytes) {
		memcpy(data + e->bit / 8, e->bytes, e->width / 8);
		return;
	}
	if (e->op == EDIT_OR)
		v |= bits_read(data, e->bit, e->width);
	else if (e->op == EDIT_ADD)
		v += bits_read(data, e->bit, e->width);
	else if (e->op == EDIT_ROUTE)
		v = req->place->route;
	bits_write(data, e->bit, e->width, v);
}

/* The attribute begins at byte 64 of an SMP and a PMA MAD, 56 of an SA MAD;
 * an SMP's ends at 128. */
static void edit_all(const struct rule *r, const struct request *req,
		     uint8_t *mad)
{
	size_t from = req->mgmt_class == CLASS_SA ? 56 : 64;
	size_t to = is_smp(req->mgmt_class) ? 128 : MAD_SIZE;

	if (get16(mad + 4) & 0x7fff)
		return; /* an error carries no attribute */
	for (size_t i = 0; i < r->n_edits; i++)
		edit(&r->edits[i], req, mad + from, to - from);
}

static void set_status(const struct request *req, uint8_t *mad, uint16_t value)
{
	/* IBA 14.2.1.2: bit 15 of a directed route SMP's is the direction */
	put16(mad + 4, value | (req->mgmt_class == CLASS_DR ? 0x8000 : 0));
}

static void corrupt(const struct rule *r, const struct request *req,
		    uint8_t *mad)
{
	size_t from = r->header ? 0 : 64;
	size_t to = r->header ? MAD_HEAD :
		    is_smp(req->mgmt_class) ? 128 : MAD_SIZE;

	mad[from + random_next() % (to - from)] ^= 1 + random_next() % 255;
}

static void stray(const struct request *req, const uint8_t *umad, int length)
{
	struct request *extra = request_extra(req->handle, umad, length);
	uint8_t *tid = extra->umad + UMAD_HEAD + 12;

	put32(tid, get32(tid) ^ 0x5a5a5a5a);
}

/* Change the reply's bytes.  False when the verb is another kind's. */
static bool change(const struct rule *r, const struct request *req,
		   uint8_t *mad, int *length)
{
	switch (r->verb) {
	case VERB_SET:
	case VERB_ANSWER:
		edit_all(r, req, mad);
		return true;
	case VERB_STATUS:
		set_status(req, mad, r->value);
		return true;
	case VERB_CORRUPT:
		corrupt(r, req, mad);
		return true;
	case VERB_SHORT:
		if (r->len < *length)
			*length = r->len;
		return true;
	default:
		return false;
	}
}

/* Swallow the reply.  False when the verb is another kind's. */
static bool swallow(const struct rule *r, struct request *req)
{
	if (r->verb == VERB_PROTECT)
		report_mkey_violation(req->place->node);
	if (r->verb == VERB_DROP || r->verb == VERB_PROTECT) {
		if (r->fast)
			request_set_due(req, now_us());
		req->state = REQ_SILENT;
		return true;
	}
	if (r->verb == VERB_LOSE) {
		tally.lost++;
		req->state = REQ_LOST;
		return true;
	}
	return false;
}

enum fate apply_rules(struct request *req, uint8_t *umad, int *length)
{
	uint64_t due = 0;
	bool twice = false, before = false;
	const struct rule **list = scenario_rules(req->place->node);

	for (; *list; list++) {
		struct rule *r = own_rule(*list);

		if (!acts(r, req) ||
		    change(r, req, umad + UMAD_HEAD, length))
			continue;
		if (swallow(r, req))
			return FATE_KEPT;
		if (r->verb == VERB_DELAY && due < req->sent + r->us)
			due = req->sent + r->us;
		else if (r->verb == VERB_REORDER)
			due = (due ? due : now_us()) + r->us;
		before |= r->verb == VERB_STRAY;
		twice |= r->verb == VERB_DUPLICATE;
	}
	if (!due && !before && !twice)
		return FATE_PASS;
	if (before)
		stray(req, umad, *length);
	if (!due)
		due = now_us();
	request_hold(req, umad, *length, due);
	if (twice)
		request_set_due(request_extra(req->handle, umad, *length), due);
	return FATE_KEPT;
}
