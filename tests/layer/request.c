/* SPDX-License-Identifier: BSD-2-Clause */
#include "layer.h"

#include <string.h>

/*
 * Notes
 *
 * A request lives from its umad_send() to the moment the client has its reply
 * or its time-out.  It stands in its handle's table (by transaction id, while
 * ibsim may still answer) and in its handle's heap (by due time: when it will
 * have timed out, or when its held reply is to be given out).  Extra replies
 * stand in the heap only.
 */

enum { TABLE = 1024 };

static struct handle *handles[16];
static struct request *free_list;
static uint64_t last_seq;

struct handle *handle_get(int fd)
{
	size_t i;

	for (i = 0; i < 16 && handles[i]; i++)
		if (handles[i]->fd == fd && handles[i]->open)
			return handles[i];
	for (i = 0; i < 16 && handles[i] && handles[i]->open; i++)
		;
	if (i == 16)
		layer_die("more than 16 ports open at once");
	if (!handles[i])
		handles[i] = layer_alloc(1, sizeof(**handles));
	handles[i]->fd = fd;
	handles[i]->open = true;
	handles[i]->ethernet = false;
	return handles[i];
}

void handle_close(int fd)
{
	struct handle *h = handle_get(fd);

	while (h->n_heap)
		request_drop(h->heap[0]);
	h->open = false;
}

static bool before(const struct request *a, const struct request *b)
{
	return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

static void heap_put(struct handle *h, size_t i, struct request *req)
{
	h->heap[i] = req;
	req->heap_at = i;
}

static void heap_up(struct handle *h, size_t i)
{
	struct request *req = h->heap[i];

	for (; i && before(req, h->heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap_put(h, i, h->heap[(i - 1) / 2]);
	heap_put(h, i, req);
}

static void heap_down(struct handle *h, size_t i)
{
	struct request *req = h->heap[i];
	size_t child;

	while ((child = 2 * i + 1) < h->n_heap) {
		if (child + 1 < h->n_heap &&
		    before(h->heap[child + 1], h->heap[child]))
			child++;
		if (!before(h->heap[child], req))
			break;
		heap_put(h, i, h->heap[child]);
		i = child;
	}
	heap_put(h, i, req);
}

static void heap_add(struct handle *h, struct request *req)
{
	if (h->n_heap == h->cap_heap) {
		h->cap_heap = h->cap_heap ? 2 * h->cap_heap : 256;
		h->heap = layer_resize(h->heap, h->cap_heap, sizeof(*h->heap));
	}
	heap_put(h, h->n_heap++, req);
	heap_up(h, req->heap_at);
}

static void heap_remove(struct handle *h, struct request *req)
{
	size_t i = req->heap_at;

	if (i != --h->n_heap) {
		heap_put(h, i, h->heap[h->n_heap]);
		heap_up(h, i);
		heap_down(h, i);
	}
}

struct request *request_next(const struct handle *h)
{
	return h->n_heap ? h->heap[0] : NULL;
}

static struct request *request_new(struct handle *h, const void *umad,
				   int length, uint64_t due)
{
	struct request *req = free_list;

	if (req)
		free_list = req->chain;
	else
		req = layer_alloc(1, sizeof(*req));
	memset(req, 0, offsetof(struct request, umad));
	if (length > MAD_SIZE)
		length = MAD_SIZE;
	memcpy(req->umad, umad, UMAD_HEAD + length);
	memset(req->umad + UMAD_HEAD + length, 0, MAD_SIZE - length);
	req->length = length;
	req->handle = h;
	req->sent = now_us();
	req->due = due;
	req->seq = last_seq++;
	heap_add(h, req);
	return req;
}

/* The port that a request is about, 0 for a switch as a whole. */
static uint8_t port_asked(const struct request *req, const uint8_t *mad)
{
	unsigned port;

	if (req->mgmt_class == CLASS_PMA) {
		if (req->attr == PMA_CLASS_PORT_INFO ||
		    req->attr == PMA_SAMPLES_RESULT)
			return req->place->port;
		return mad[64 + 1]; /* PortSelect, IBA 16.1.3 */
	}
	switch (req->attr) {
	case ATTR_PORT_INFO:
	case ATTR_PORT_INFO_EXT:
	case ATTR_MLNX_PORT_INFO:
	case ATTR_VL_ARB:
		port = req->modifier & 0xff;
		break;
	case ATTR_PKEYS:
		port = req->modifier >> 16 & 0xff;
		break;
	default:
		port = 0;
	}
	return port ? port : req->place->port;
}

void request_find_port(struct request *req)
{
	req->port = port_asked(req, req->umad + UMAD_HEAD);
}

struct request *request_add(struct handle *h, const void *umad, int length,
			    uint64_t due)
{
	struct request *req = request_new(h, umad, length, due), **head;
	const uint8_t *mad = req->umad + UMAD_HEAD;

	req->state = REQ_WAITING;
	req->mgmt_class = mad[1];
	req->method = mad[3];
	req->tid = get32(mad + 12);
	req->attr = get16(mad + 16);
	req->modifier = get32(mad + 20);
	req->lid = get16(req->umad + offsetof(struct ib_user_mad, addr.lid));
	req->place = known_place(mad, req->lid);
	request_find_port(req);
	head = &h->table[req->tid % TABLE];
	req->chain = *head;
	*head = req;
	req->in_table = true;
	return req;
}

struct request *request_find(struct handle *h, uint32_t tid)
{
	struct request *req;

	for (req = h->table[tid % TABLE]; req; req = req->chain)
		if (req->tid == tid && req->state == REQ_WAITING)
			break;
	return req;
}

struct request *request_extra(struct handle *h, const void *umad, int length)
{
	struct request *req = request_new(h, umad, length, now_us());

	req->state = REQ_HELD;
	return req;
}

void request_set_due(struct request *req, uint64_t due)
{
	req->due = due;
	req->seq = last_seq++;
	heap_up(req->handle, req->heap_at);
	heap_down(req->handle, req->heap_at);
}

void request_hold(struct request *req, const void *umad, int length,
		  uint64_t due)
{
	if (req->umad != umad)
		memcpy(req->umad, umad, UMAD_HEAD + length);
	req->length = length;
	req->state = REQ_HELD;
	request_set_due(req, due);
}

static void table_remove(struct request *req)
{
	struct request **p = &req->handle->table[req->tid % TABLE];

	while (*p != req)
		p = &(*p)->chain;
	*p = req->chain;
}

void request_drop(struct request *req)
{
	report_done(req);
	if (req->in_table)
		table_remove(req);
	heap_remove(req->handle, req);
	req->chain = free_list;
	free_list = req;
}
