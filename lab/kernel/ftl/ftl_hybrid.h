/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The map of a hybrid log-block layer (FAST): a data area mapped by logical
 * blocks, and log blocks mapped by units. This part keeps the maps, the list of
 * log blocks and the merges; ftl_hybrid_io.h writes and trims with them.
 *
 * Every physical block that no logical block needs serves as log. Invariant:
 *	free >= FTL_MERGE_RESERVE + debt
 * where debt counts the logical blocks that have data but no data block yet: a
 * merge takes a free block before it releases one.
 */
#ifndef STOREKEEPER_FTL_HYBRID_H
#define STOREKEEPER_FTL_HYBRID_H

#include "ftl_pool.h"

#define FTL_MERGE_RESERVE 1u

static inline u32 hyb_logical(const struct ftl *f, u32 unit)
{
	return unit / f->slots;
}

static inline void hyb_log_append(struct ftl *f, u32 b)
{
	f->blk[b].prev = f->log_newest;
	f->blk[b].next = FTL_NONE;
	if (f->log_newest != FTL_NONE)
		f->blk[f->log_newest].next = b;
	else
		f->log_oldest = b;
	f->log_newest = b;
	f->nlog++;
}

static inline void hyb_log_remove(struct ftl *f, u32 b)
{
	struct ftl_block *blk = &f->blk[b];

	if (blk->prev != FTL_NONE)
		f->blk[blk->prev].next = blk->next;
	else
		f->log_oldest = blk->next;
	if (blk->next != FTL_NONE)
		f->blk[blk->next].prev = blk->prev;
	else
		f->log_newest = blk->prev;
	f->nlog--;
}

/* A log block without live units that nobody writes to is free again. */
static inline void hyb_settle_log(struct ftl *f, u32 b)
{
	if (f->blk[b].state != FTL_BLOCK_LOG || f->blk[b].live ||
	    b == f->rnd.block || b == f->seq.block)
		return;
	hyb_log_remove(f, b);
	ftl_give_free(f, b);
}

static inline void hyb_map(struct ftl *f, u32 unit, u32 phys)
{
	u32 lb = hyb_logical(f, unit);

	f->l2p[unit] = phys;
	f->p2l[phys] = unit;
	f->blk[phys / f->slots].live++;
	f->mapped++;
	if (!f->logical_live[lb]++ && f->data_block[lb] == FTL_NONE)
		f->debt++;
}

/* The block may be empty afterwards: the caller settles it. */
static inline void hyb_unmap(struct ftl *f, u32 unit)
{
	u32 lb = hyb_logical(f, unit);
	u32 phys = f->l2p[unit];

	f->l2p[unit] = FTL_NONE;
	f->p2l[phys] = FTL_NONE;
	f->blk[phys / f->slots].live--;
	f->mapped--;
	if (!--f->logical_live[lb] && f->data_block[lb] == FTL_NONE)
		f->debt--;
}

/* Moves the map entry of @unit to @phys and releases a log block this empties. */
static inline void hyb_remap(struct ftl *f, u32 unit, u32 phys)
{
	u32 old = f->l2p[unit];

	/* Map before unmap would count twice, unmap alone could end the debt. */
	if (old != FTL_NONE) {
		hyb_unmap(f, unit);
		hyb_map(f, unit, phys);
		hyb_settle_log(f, old / f->slots);
	} else {
		hyb_map(f, unit, phys);
	}
}

static inline void hyb_set_data_block(struct ftl *f, u32 lb, u32 b)
{
	u32 old = f->data_block[lb];

	f->data_block[lb] = b;
	if (old != FTL_NONE)
		ftl_give_free(f, old);
	else if (f->logical_live[lb])
		f->debt--;
}

/* An empty logical block gives its data block back. */
static inline void hyb_settle_logical(struct ftl *f, u32 lb)
{
	if (f->logical_live[lb] || f->data_block[lb] == FTL_NONE)
		return;
	ftl_give_free(f, f->data_block[lb]);
	f->data_block[lb] = FTL_NONE;
}

static inline void hyb_copy_unit(struct ftl *f, u32 from, u32 to)
{
	u32 n = f->p.unit_pages;
	u32 i;

	f->cost += n * (f->p.t_cread + f->p.t_cprog);
	for (i = 0; i < n; i++)
		ftl_program(f, to * n + i, from * n + i);
}

/* Gathers all live units of a logical block in a fresh data block. */
static inline void hyb_full_merge(struct ftl *f, u32 lb)
{
	u32 b = ftl_take_free(f, FTL_BLOCK_DATA);
	u32 slot;

	for (slot = 0; slot < f->slots; slot++) {
		u32 unit = lb * f->slots + slot;
		u32 from = f->l2p[unit];

		if (from == FTL_NONE)
			continue;
		hyb_copy_unit(f, from, b * f->slots + slot);
		hyb_remap(f, unit, b * f->slots + slot);
	}
	hyb_set_data_block(f, lb, b);
	f->s.full_merges++;
}

/*
 * Each unit of the logical block was written to the sequential log block in its
 * place: the old data block is dead and this one takes over, even if units have
 * been rewritten elsewhere or trimmed meanwhile.
 */
static inline void hyb_switch_merge(struct ftl *f)
{
	u32 b = f->seq.block;

	f->seq.block = FTL_NONE;
	hyb_log_remove(f, b);
	f->blk[b].state = FTL_BLOCK_DATA;
	hyb_set_data_block(f, f->seq.logical, b);
	f->s.switch_merges++;
}

/* Merges every logical block with live units in the oldest log block. */
static inline void hyb_reclaim_oldest(struct ftl *f)
{
	u32 b = f->log_oldest;
	u32 slot;

	if (b == f->rnd.block)
		f->rnd.block = FTL_NONE;
	if (b == f->seq.block)
		f->seq.block = FTL_NONE;
	f->s.reclaims++;
	for (slot = 0; slot < f->slots && f->blk[b].live; slot++) {
		u32 unit = f->p2l[b * f->slots + slot];

		if (unit != FTL_NONE)
			hyb_full_merge(f, hyb_logical(f, unit));
	}
	/* Still a log block if it was empty before: an idle stream's. */
	hyb_settle_log(f, b);
}

/* Can @blocks be taken from the pool and the merges still be done? */
static inline bool hyb_has_room(const struct ftl *f, u32 blocks)
{
	return f->nfree >= FTL_MERGE_RESERVE + f->debt + blocks;
}

static inline u32 hyb_new_log(struct ftl *f, u32 extra_debt)
{
	u32 b;

	while (!hyb_has_room(f, 1 + extra_debt))
		hyb_reclaim_oldest(f);
	b = ftl_take_free(f, FTL_BLOCK_LOG);
	hyb_log_append(f, b);
	return b;
}

#endif /* STOREKEEPER_FTL_HYBRID_H */
