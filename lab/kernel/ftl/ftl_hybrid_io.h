/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * Host operations on the hybrid map of ftl_hybrid.h.
 *
 * A write goes to one open unit. Continuing where the last write ended fills
 * it; anything else closes it, and the pages the host did not send are copied
 * from the old place: a lone 4 KiB write is a read-modify-write of the unit.
 */
#ifndef STOREKEEPER_FTL_HYBRID_IO_H
#define STOREKEEPER_FTL_HYBRID_IO_H

#include "ftl_hybrid.h"

/* Copies pages [from, to) of the open unit from its old place, if it has one. */
static inline void hyb_fill(struct ftl *f, u32 from, u32 to)
{
	u32 n = f->p.unit_pages;
	u32 old = f->l2p[f->open.unit];
	u32 i;

	if (old == FTL_NONE)
		return;
	for (i = from; i < to; i++) {
		f->cost += f->p.t_cread + f->p.t_prog;
		ftl_program(f, f->open.phys * n + i, old * n + i);
	}
}

static inline void hyb_stream_written(struct ftl *f, u32 phys)
{
	u32 b = phys / f->slots;

	if (b == f->rnd.block && f->rnd.next == f->slots) {
		f->rnd.block = FTL_NONE;
	} else if (b == f->seq.block && f->seq.next == f->slots) {
		if (f->blk[b].live) {
			hyb_switch_merge(f);
			return;
		}
		f->seq.block = FTL_NONE;
	}
	hyb_settle_log(f, b);
}

static inline void hyb_close(struct ftl *f)
{
	u32 unit = f->open.unit;

	if (unit == FTL_NONE)
		return;
	hyb_fill(f, f->open.fill, f->p.unit_pages);
	f->open.unit = FTL_NONE;
	hyb_remap(f, unit, f->open.phys);
	hyb_stream_written(f, f->open.phys);
}

/*
 * A whole unit that begins or continues a logical block in order has a log
 * block of its own, which becomes the data block for nothing (switch merge);
 * there is no such luxury when the pool is short.
 */
static inline bool hyb_in_sequence(struct ftl *f, u32 unit, u32 extra_debt)
{
	u32 lb = hyb_logical(f, unit);
	u32 old = f->seq.block;

	if (old != FTL_NONE && f->seq.logical == lb &&
	    f->seq.next == unit % f->slots)
		return true;
	if (unit % f->slots || !hyb_has_room(f, 1 + extra_debt + f->p.log_low))
		return false;
	f->seq.block = hyb_new_log(f, extra_debt);
	f->seq.logical = lb;
	f->seq.next = 0;
	if (old != FTL_NONE)
		hyb_settle_log(f, old);
	return true;
}

static inline void hyb_open(struct ftl *f, u32 unit, u32 first, bool whole)
{
	u32 lb = hyb_logical(f, unit);
	u32 extra_debt = !f->logical_live[lb] && f->data_block[lb] == FTL_NONE;
	struct ftl_stream *stream = &f->rnd;

	if (whole && hyb_in_sequence(f, unit, extra_debt)) {
		stream = &f->seq;
	} else if (f->rnd.block == FTL_NONE) {
		f->rnd.block = hyb_new_log(f, extra_debt);
		f->rnd.next = 0;
	}
	/* Making room may take the half-written log block itself. */
	while (!hyb_has_room(f, extra_debt)) {
		hyb_reclaim_oldest(f);
		if (stream->block != FTL_NONE)
			continue;
		stream = &f->rnd;
		if (f->rnd.block == FTL_NONE) {
			f->rnd.block = hyb_new_log(f, extra_debt);
			f->rnd.next = 0;
		}
	}
	f->open.unit = unit;
	f->open.phys = stream->block * f->slots + stream->next++;
	f->open.fill = first;
	hyb_fill(f, 0, first);
}

static inline void hyb_write(struct ftl *f, u32 page, u32 count)
{
	while (count) {
		u32 n = f->p.unit_pages;
		u32 unit = page / n;
		u32 first = page % n;
		u32 k = n - first < count ? n - first : count;
		u32 i;

		if (f->open.unit != unit || f->open.fill != first) {
			hyb_close(f);
			hyb_open(f, unit, first, k == n);
		}
		f->cost += k * f->p.t_prog;
		for (i = 0; i < k; i++)
			ftl_program(f, f->open.phys * n + first + i, FTL_NONE);
		f->open.fill += k;
		if (f->open.fill == n)
			hyb_close(f);
		page += k;
		count -= k;
	}
}

/* Only whole units can be given up: the map knows nothing smaller. */
static inline void hyb_trim(struct ftl *f, u32 page, u32 count)
{
	u32 n = f->p.unit_pages;
	u32 end = (page + count) / n;
	u32 unit;

	for (unit = page / n + !!(page % n); unit < end; unit++) {
		u32 phys = f->l2p[unit];

		if (f->open.unit == unit) {
			/* Its slot stays behind, written and unmapped. */
			f->open.unit = FTL_NONE;
			hyb_stream_written(f, f->open.phys);
			phys = f->l2p[unit];
		}
		if (phys == FTL_NONE)
			continue;
		hyb_unmap(f, unit);
		f->s.trimmed_pages += n;
		hyb_settle_log(f, phys / f->slots);
		hyb_settle_logical(f, hyb_logical(f, unit));
	}
}

/* Background: merges the oldest log blocks, then erases ahead. */
static inline void hyb_idle(struct ftl *f, u64 budget)
{
	hyb_close(f);
	while (f->nlog && f->cost < budget)
		hyb_reclaim_oldest(f);
	ftl_erase_ahead(f, budget);
}

/* Physical page of a logical one, or FTL_NONE. */
static inline u32 hyb_lookup(const struct ftl *f, u32 page)
{
	u32 n = f->p.unit_pages;
	u32 unit = page / n;
	u32 phys = f->l2p[unit];

	if (unit == f->open.unit && page % n < f->open.fill)
		phys = f->open.phys;
	return phys == FTL_NONE ? FTL_NONE : phys * n + page % n;
}

static inline bool hyb_init(struct ftl *f)
{
	u32 i;

	f->slots = f->p.block_pages / f->p.unit_pages;
	f->data_block = (u32 *)ftl_zalloc(f->nlogical, sizeof(u32));
	if (!f->data_block)
		return false;
	for (i = 0; i < f->nlogical; i++)
		f->data_block[i] = FTL_NONE;
	f->log_oldest = FTL_NONE;
	f->log_newest = FTL_NONE;
	f->open.unit = FTL_NONE;
	f->rnd.block = FTL_NONE;
	f->seq.block = FTL_NONE;
	return true;
}

#endif /* STOREKEEPER_FTL_HYBRID_IO_H */
