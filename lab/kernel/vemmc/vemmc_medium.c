// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: the medium and its volatile cache.
 */
#include <linux/bitmap.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "vemmc.h"

#define VEMMC_CHUNK_PAGES (PAGE_SIZE / sizeof(void *))

/* Writes come from write-back: allocating must not wait for it. */
#define VEMMC_GFP (GFP_NOIO | __GFP_NOWARN)

static_assert(FTL_PAGE_SIZE == PAGE_SIZE);

static void *vemmc_peek(const struct vemmc_medium *m, u32 page)
{
	void **chunk = m->chunks[page / VEMMC_CHUNK_PAGES];

	return chunk ? chunk[page % VEMMC_CHUNK_PAGES] : NULL;
}

static void **vemmc_slot(struct vemmc_medium *m, u32 page)
{
	void ***chunk = &m->chunks[page / VEMMC_CHUNK_PAGES];

	if (!*chunk)
		*chunk = (void **)get_zeroed_page(VEMMC_GFP);
	return *chunk ? &(*chunk)[page % VEMMC_CHUNK_PAGES] : NULL;
}

static void *vemmc_page_alloc(struct vemmc_medium *m)
{
	void *p = (void *)__get_free_page(VEMMC_GFP);

	if (p)
		m->held++;
	return p;
}

/* Not one page's own, or none. */
static bool vemmc_shared(const struct vemmc_medium *m, const void *p)
{
	return !p || p == m->ones || p == m->random;
}

static void vemmc_page_free(struct vemmc_medium *m, void *p)
{
	if (vemmc_shared(m, p))
		return;
	free_page((unsigned long)p);
	m->held--;
}

static struct vemmc_dirty *vemmc_dirty_at(const struct vemmc_medium *m, u32 i)
{
	u32 pos = m->dirty_head + i;

	return &m->dirty[pos < m->dirty_cap ? pos : pos - m->dirty_cap];
}

/* The oldest page of the cache reaches the flash. */
static void vemmc_dirty_pop(struct vemmc_medium *m)
{
	struct vemmc_dirty *d = vemmc_dirty_at(m, 0);

	if (d->page != FTL_NONE) {
		__clear_bit(d->page, m->dirty_map);
		vemmc_page_free(m, d->before);
	}
	m->dirty_head = m->dirty_head + 1 < m->dirty_cap ?
			m->dirty_head + 1 : 0;
	m->dirty_count--;
}

static void vemmc_dirty_push(struct vemmc_medium *m, u32 page, void *before)
{
	struct vemmc_dirty *d;

	if (m->dirty_count == m->dirty_cap)
		vemmc_dirty_pop(m);
	d = vemmc_dirty_at(m, m->dirty_count++);
	d->page = page;
	d->before = before;
	__set_bit(page, m->dirty_map);
}

/* Pages [first, end) are on the flash as they are now. */
static void vemmc_settle(struct vemmc_medium *m, u32 first, u32 end)
{
	u32 i;

	if (find_next_bit(m->dirty_map, end, first) >= end)
		return;
	for (i = 0; i < m->dirty_count; i++) {
		struct vemmc_dirty *d = vemmc_dirty_at(m, i);

		if (d->page < first || d->page >= end)
			continue;
		__clear_bit(d->page, m->dirty_map);
		vemmc_page_free(m, d->before);
		d->page = FTL_NONE;
		d->before = NULL;
	}
}

int vemmc_medium_init(struct vemmc_medium *m, u32 pages, u32 cache_pages)
{
	m->nchunks = DIV_ROUND_UP(pages, VEMMC_CHUNK_PAGES);
	m->dirty_cap = cache_pages;
	m->chunks = vcalloc(m->nchunks, sizeof(*m->chunks));
	m->dirty_map = vcalloc(BITS_TO_LONGS(pages), sizeof(long));
	m->dirty = vcalloc(max(cache_pages, 1u), sizeof(*m->dirty));
	m->ones = (void *)__get_free_page(GFP_KERNEL);
	if (m->chunks && m->dirty_map && m->dirty && m->ones) {
		memset(m->ones, 0xff, PAGE_SIZE);
		return 0;
	}
	vemmc_medium_destroy(m);
	return -ENOMEM;
}

void vemmc_medium_destroy(struct vemmc_medium *m)
{
	u32 i, j;

	if (m->dirty && m->dirty_map)
		vemmc_medium_flush(m);
	for (i = 0; m->chunks && i < m->nchunks; i++) {
		if (!m->chunks[i])
			continue;
		for (j = 0; j < VEMMC_CHUNK_PAGES; j++)
			vemmc_page_free(m, m->chunks[i][j]);
		free_page((unsigned long)m->chunks[i]);
	}
	vfree(m->chunks);
	vfree(m->dirty_map);
	vfree(m->dirty);
	free_page((unsigned long)m->ones);
	free_page((unsigned long)m->random);
	memset(m, 0, sizeof(*m));
}

void vemmc_medium_read(const struct vemmc_medium *m, u64 pos, void *buf,
		       size_t len)
{
	while (len) {
		u32 off = offset_in_page(pos);
		size_t n = min_t(size_t, len, PAGE_SIZE - off);
		const void *p = vemmc_peek(m, pos >> PAGE_SHIFT);

		if (p)
			memcpy(buf, p + off, n);
		else
			memset(buf, 0, n);
		pos += n;
		buf += n;
		len -= n;
	}
}

static int vemmc_write_page(struct vemmc_medium *m, u32 page, u32 off,
			    const void *buf, size_t n, bool reliable)
{
	bool remember = m->cache_on && m->dirty_cap && !reliable &&
			!test_bit(page, m->dirty_map);
	bool zero = n == PAGE_SIZE && !memchr_inv(buf, 0, n);
	void *old = vemmc_peek(m, page);
	void *new = remember || vemmc_shared(m, old) ? NULL : old;
	void **slot;

	if (old || !zero) {
		slot = vemmc_slot(m, page);
		if (!slot)
			return -ENOMEM;
		if (!zero && !new) {
			new = vemmc_page_alloc(m);
			if (!new)
				return -ENOMEM;
			if (n < PAGE_SIZE && old)
				memcpy(new, old, PAGE_SIZE);
			else if (n < PAGE_SIZE)
				memset(new, 0, PAGE_SIZE);
		}
		if (zero) {
			vemmc_page_free(m, new);
			new = NULL;
		} else {
			memcpy(new + off, buf, n);
		}
		*slot = new;
	}
	if (remember)
		vemmc_dirty_push(m, page, old);
	return 0;
}

int vemmc_medium_write(struct vemmc_medium *m, u64 pos, const void *buf,
		       size_t len, bool reliable)
{
	while (len) {
		u32 page = pos >> PAGE_SHIFT;
		u32 off = offset_in_page(pos);
		size_t n = min_t(size_t, len, PAGE_SIZE - off);
		int err = vemmc_write_page(m, page, off, buf, n, reliable);

		if (err)
			return err;
		if (reliable)
			vemmc_settle(m, page, page + 1);
		pos += n;
		buf += n;
		len -= n;
	}
	return 0;
}

static u32 vemmc_next_chunk(u32 page)
{
	return round_down(page, VEMMC_CHUNK_PAGES) + VEMMC_CHUNK_PAGES;
}

static int vemmc_erase_page(struct vemmc_medium *m, u32 page, void *fill)
{
	void **slot;

	if (!fill && !vemmc_peek(m, page))
		return 0;
	slot = vemmc_slot(m, page);
	if (!slot)
		return -ENOMEM;
	vemmc_page_free(m, *slot);
	*slot = fill;
	return 0;
}

/* Erased for good: a later power cut does not bring anything back. */
int vemmc_medium_erase(struct vemmc_medium *m, u64 pos, u64 len, void *fill)
{
	const void *part = fill ? fill : page_address(ZERO_PAGE(0));
	u64 end = pos + len;
	int err = 0;

	vemmc_settle(m, pos >> PAGE_SHIFT, PAGE_ALIGN(end) >> PAGE_SHIFT);
	while (pos < end && !err) {
		u32 page = pos >> PAGE_SHIFT;
		u32 off = offset_in_page(pos);
		u64 n = min_t(u64, end - pos, PAGE_SIZE - off);

		if (!fill && !m->chunks[page / VEMMC_CHUNK_PAGES]) {
			pos = (u64)vemmc_next_chunk(page) << PAGE_SHIFT;
			continue;
		}
		if (n == PAGE_SIZE)
			err = vemmc_erase_page(m, page, fill);
		else
			err = vemmc_write_page(m, page, off, part + off, n,
					       true);
		pos += n;
	}
	return err;
}

void vemmc_medium_flush(struct vemmc_medium *m)
{
	while (m->dirty_count)
		vemmc_dirty_pop(m);
}

u32 vemmc_medium_power_cut(struct vemmc_medium *m, bool keep_some)
{
	u32 coins = 0x9e3779b9; /* xorshift32, the same at every cut */
	u32 lost = 0;
	u32 i;

	for (i = 0; i < m->dirty_count; i++) {
		struct vemmc_dirty *d = vemmc_dirty_at(m, i);
		void **slot;

		coins ^= coins << 13;
		coins ^= coins >> 17;
		coins ^= coins << 5;
		if (d->page == FTL_NONE || (keep_some && (coins & 1)))
			continue;
		/* No chunk: the page was zeros and still is. */
		if (m->chunks[d->page / VEMMC_CHUNK_PAGES]) {
			slot = vemmc_slot(m, d->page);
			swap(*slot, d->before);
		}
		lost++;
	}
	vemmc_medium_flush(m);
	return lost;
}
