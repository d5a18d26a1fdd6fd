/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * A page-mapped layer with over-provisioning and greedy garbage collection: one
 * open block for the host, one for collected pages, the victim is the full
 * block with the fewest live pages.
 */
#ifndef STOREKEEPER_FTL_PAGE_H
#define STOREKEEPER_FTL_PAGE_H

#include "ftl_pool.h"

/* Free blocks below which the host waits for garbage collection. */
#define FTL_GC_LOW 2u
/* Blocks beyond the capacity without which greedy collection cannot go on. */
#define FTL_GC_MIN_SPARE (FTL_GC_LOW + 3u)

/* Full block with the fewest live pages, below @limit, or FTL_NONE. */
static inline u32 pg_victim(const struct ftl *f, u32 limit)
{
	u32 best = FTL_NONE;
	u32 b;

	for (b = 0; b < f->nblocks; b++) {
		const struct ftl_block *blk = &f->blk[b];

		if (blk->state != FTL_BLOCK_DATA || blk->live >= limit ||
		    b == f->host.block || b == f->gc.block)
			continue;
		best = b;
		limit = blk->live;
	}
	return best;
}

/* The next physical page of a stream; the caller has made room. */
static inline u32 pg_next(struct ftl *f, struct ftl_stream *stream)
{
	if (stream->block == FTL_NONE) {
		stream->block = ftl_take_free(f, FTL_BLOCK_DATA);
		stream->next = 0;
	}
	return stream->block * f->p.block_pages + stream->next++;
}

/*
 * Runs after the page is mapped. A full block becomes a candidate for
 * collection; it has at least one live page, the one just written.
 */
static inline void pg_written(struct ftl *f, struct ftl_stream *stream)
{
	if (stream->next == f->p.block_pages)
		stream->block = FTL_NONE;
}

static inline void pg_unmap(struct ftl *f, u32 page)
{
	u32 phys = f->l2p[page];
	u32 b = phys / f->p.block_pages;

	f->l2p[page] = FTL_NONE;
	f->p2l[phys] = FTL_NONE;
	f->mapped--;
	f->logical_live[page / f->p.block_pages]--;
	if (!--f->blk[b].live && b != f->host.block && b != f->gc.block)
		ftl_give_free(f, b);
}

static inline void pg_map(struct ftl *f, u32 page, u32 phys)
{
	if (f->l2p[page] != FTL_NONE)
		pg_unmap(f, page);
	f->l2p[page] = phys;
	f->p2l[phys] = page;
	f->blk[phys / f->p.block_pages].live++;
	f->logical_live[page / f->p.block_pages]++;
	f->mapped++;
}

/* Moves the live pages of @victim away; the last one releases the block. */
static inline void pg_collect(struct ftl *f, u32 victim)
{
	u32 base = victim * f->p.block_pages;
	u32 i;

	f->s.reclaims++;
	for (i = 0; i < f->p.block_pages && f->blk[victim].live; i++) {
		u32 page = f->p2l[base + i];
		u32 phys;

		if (page == FTL_NONE)
			continue;
		phys = pg_next(f, &f->gc);
		f->cost += f->p.t_cread + f->p.t_cprog;
		ftl_program(f, phys, base + i);
		pg_map(f, page, phys);
		pg_written(f, &f->gc);
	}
}

static inline void pg_make_room(struct ftl *f)
{
	while (f->nfree < FTL_GC_LOW) {
		u32 victim = pg_victim(f, f->p.block_pages);

		if (victim == FTL_NONE)
			return;
		pg_collect(f, victim);
	}
}

static inline void pg_write(struct ftl *f, u32 page, u32 count)
{
	for (; count; page++, count--) {
		u32 phys;

		if (f->host.block == FTL_NONE)
			pg_make_room(f);
		phys = pg_next(f, &f->host);
		f->cost += f->p.t_prog;
		ftl_program(f, phys, FTL_NONE);
		pg_map(f, page, phys);
		pg_written(f, &f->host);
	}
}

/*
 * The parameters alone decide the time of a discard: the search through an
 * unmapped range must not take the guest longer.
 */
static inline void pg_trim(struct ftl *f, u32 page, u32 count)
{
	u32 end = page + count;

	while (page < end) {
		u32 lb = page / f->p.block_pages;
		u32 next = (lb + 1) * f->p.block_pages;

		for (; f->logical_live[lb] && page < next && page < end; page++) {
			if (f->l2p[page] == FTL_NONE)
				continue;
			pg_unmap(f, page);
			f->s.trimmed_pages++;
		}
		page = next;
	}
}

/* Background: collects blocks that are at least half dead, erases ahead. */
static inline void pg_idle(struct ftl *f, u64 budget)
{
	while (f->cost < budget) {
		u32 victim = pg_victim(f, f->p.block_pages / 2 + 1);

		if (victim == FTL_NONE)
			break;
		pg_collect(f, victim);
	}
	ftl_erase_ahead(f, budget);
}

static inline u32 pg_lookup(const struct ftl *f, u32 page)
{
	return f->l2p[page];
}

static inline bool pg_init(struct ftl *f)
{
	f->host.block = FTL_NONE;
	f->gc.block = FTL_NONE;
	return true;
}

#endif /* STOREKEEPER_FTL_PAGE_H */
