/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The pool of free blocks, erasure and wear.
 *
 * The pool is first in, first out, which levels the wear among the blocks in
 * use; cold data stays where it is (no static wear levelling). A released
 * block is erased when it is taken again or in quiet time, whichever is first.
 */
#ifndef STOREKEEPER_FTL_POOL_H
#define STOREKEEPER_FTL_POOL_H

#include "ftl_types.h"

static inline void ftl_program(struct ftl *f, u32 phys, u32 src)
{
	f->s.programs++;
	if (src != FTL_NONE)
		f->s.copies++;
	if (f->watch)
		f->watch->program(f->watch->ctx, phys, src);
}

static inline void ftl_erase_block(struct ftl *f, u32 b)
{
	struct ftl_block *blk = &f->blk[b];

	f->cost += f->p.t_erase;
	f->s.erases++;
	if (blk->was_log)
		f->s.log_erases++;
	blk->dirty = false;
	blk->was_log = false;
	if (++blk->erases >= f->p.endurance) {
		/* Worn out: a fresh block of the reserve takes its number. */
		f->s.bad_blocks++;
		blk->erases = 0;
	}
	if (f->watch)
		f->watch->erase(f->watch->ctx, b);
}

static inline u32 ftl_pool_at(const struct ftl *f, u32 i)
{
	u32 pos = f->free_head + i;

	return f->free_fifo[pos < f->nblocks ? pos : pos - f->nblocks];
}

/* The caller has checked that the pool has a free block. */
static inline u32 ftl_take_free(struct ftl *f, enum ftl_block_state state)
{
	u32 b = ftl_pool_at(f, 0);

	f->free_head = f->free_head + 1 < f->nblocks ? f->free_head + 1 : 0;
	f->nfree--;
	if (f->blk[b].dirty)
		ftl_erase_block(f, b);
	f->blk[b].state = (u8)state;
	return b;
}

static inline void ftl_give_free(struct ftl *f, u32 b)
{
	u32 pos = f->free_head + f->nfree;

	f->blk[b].was_log = f->blk[b].state == FTL_BLOCK_LOG;
	f->blk[b].state = FTL_BLOCK_FREE;
	f->blk[b].dirty = true;
	f->free_fifo[pos < f->nblocks ? pos : pos - f->nblocks] = b;
	f->nfree++;
}

/* Background: erases blocks ahead of their use, for at most @budget ns. */
static inline void ftl_erase_ahead(struct ftl *f, u64 budget)
{
	u32 i;

	for (i = 0; i < f->nfree && f->cost < budget; i++) {
		u32 b = ftl_pool_at(f, i);

		if (f->blk[b].dirty)
			ftl_erase_block(f, b);
	}
}

/* Used life in permille; 1000 and more means all of it. */
static inline u64 ftl_worn(const struct ftl *f, u64 erases, u32 endurance)
{
	u64 total = (u64)f->nblocks * endurance;

	return ftl_div(erases * 1000, total ? total : 1) + f->p.worn_permille;
}

static inline u64 ftl_worn_b(const struct ftl *f)
{
	return ftl_worn(f, f->s.erases - f->s.log_erases, f->p.endurance);
}

/*
 * Type A counts erasures of blocks that had served as log. The page map has one
 * kind of memory only and reports it twice, as such cards do.
 */
static inline u64 ftl_worn_a(const struct ftl *f)
{
	if (f->p.model == FTL_PAGE)
		return ftl_worn_b(f);
	return ftl_worn(f, f->s.log_erases, f->p.endurance_log);
}

/*
 * JESD84-B51, DEVICE_LIFE_TIME_EST_TYP_A/B [268, 269]: 1 is 0-10 % of the life
 * used, 0x0a is 90-100 %, 0x0b beyond it.
 */
static inline u8 ftl_life_time(u64 worn)
{
	return worn >= 1000 ? 0x0b : (u8)(worn / 100 + 1);
}

static inline u8 ftl_life_time_a(const struct ftl *f)
{
	return ftl_life_time(ftl_worn_a(f));
}

static inline u8 ftl_life_time_b(const struct ftl *f)
{
	return ftl_life_time(ftl_worn_b(f));
}

/* JESD84-B51, PRE_EOL_INFO [267]: 2 at 80 % of the reserve used, 3 at 90 %. */
static inline u8 ftl_pre_eol_info(const struct ftl *f)
{
	u64 used = f->s.bad_blocks * 100;

	if (used >= (u64)f->p.bad_reserve * 90)
		return 3;
	return used >= (u64)f->p.bad_reserve * 80 ? 2 : 1;
}

#endif /* STOREKEEPER_FTL_POOL_H */
