/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * A flash translation layer without the flash: which physical pages are
 * programmed, copied and erased for the host's operations, and how long each
 * operation takes. The data itself is the caller's.
 *
 * Times are nanoseconds on one monotonic clock. Every operation takes the time
 * at which it begins and returns its service time; the caller must not begin the
 * next one earlier than begin + service. Background work is done lazily: the
 * first operation after a quiet time finds done what fitted into it.
 *
 * The caller keeps page ranges inside [0, ftl_params.pages) and serialises.
 */
#ifndef STOREKEEPER_FTL_H
#define STOREKEEPER_FTL_H

#include "ftl_hybrid_io.h"
#include "ftl_page.h"

static inline u32 ftl_map_unit(const struct ftl *f)
{
	return f->p.model == FTL_HYBRID ? f->p.unit_pages : 1;
}

/* Returns NULL if the parameters are usable, else a message about the first bad one. */
static inline const char *ftl_params_error(const struct ftl_params *p)
{
	u64 extra = p->spare_blocks;

	if (!p->pages || !p->block_pages || !p->unit_pages)
		return "pages, block_pages and unit_pages must not be 0";
	if (p->block_pages % p->unit_pages)
		return "unit_pages must divide block_pages";
	if (!p->endurance || !p->endurance_log || !p->bad_reserve)
		return "endurance, endurance_log, bad_reserve must not be 0";
	if (p->model == FTL_HYBRID && !p->spare_blocks)
		return "a hybrid card needs a spare block";
	if (p->model == FTL_PAGE)
		extra = (u64)p->pages * p->op_permille / 1000 / p->block_pages;
	if (p->pages + (extra + FTL_GC_MIN_SPARE + 2) * p->block_pages >= FTL_NONE)
		return "more pages than a 32-bit map can name";
	return NULL;
}

static inline void ftl_destroy(struct ftl *f)
{
	ftl_free(f->blk);
	ftl_free(f->l2p);
	ftl_free(f->p2l);
	ftl_free(f->logical_live);
	ftl_free(f->free_fifo);
	ftl_free(f->data_block);
	*f = (struct ftl){};
}

/*
 * A new card: nothing mapped, every block erased. @f is zeroed by the caller;
 * the parameters have passed ftl_params_error(). False: out of memory, @f holds
 * nothing.
 */
static inline bool ftl_init(struct ftl *f, const struct ftl_params *params)
{
	u32 extra, units, phys, i;

	f->p = *params;
	f->nlogical = (f->p.pages - 1) / f->p.block_pages + 1;
	if (f->p.model == FTL_HYBRID) {
		extra = f->p.spare_blocks + FTL_MERGE_RESERVE;
	} else {
		extra = (u32)ftl_div((u64)f->nlogical * f->p.op_permille, 1000);
		if (extra < FTL_GC_MIN_SPARE)
			extra = FTL_GC_MIN_SPARE;
	}
	f->nblocks = f->nlogical + extra;
	units = f->nlogical * (f->p.block_pages / ftl_map_unit(f));
	phys = f->nblocks * (f->p.block_pages / ftl_map_unit(f));
	f->blk = (struct ftl_block *)ftl_zalloc(f->nblocks, sizeof(*f->blk));
	f->l2p = (u32 *)ftl_zalloc(units, sizeof(u32));
	f->p2l = (u32 *)ftl_zalloc(phys, sizeof(u32));
	f->logical_live = (u32 *)ftl_zalloc(f->nlogical, sizeof(u32));
	f->free_fifo = (u32 *)ftl_zalloc(f->nblocks, sizeof(u32));
	if (!f->blk || !f->l2p || !f->p2l || !f->logical_live ||
	    !f->free_fifo ||
	    !(f->p.model == FTL_HYBRID ? hyb_init(f) : pg_init(f))) {
		ftl_destroy(f);
		return false;
	}
	for (i = 0; i < units; i++)
		f->l2p[i] = FTL_NONE;
	for (i = 0; i < phys; i++)
		f->p2l[i] = FTL_NONE;
	for (i = 0; i < f->nblocks; i++) {
		f->blk[i].erases = (u32)ftl_div((u64)f->p.endurance *
						f->p.worn_permille, 1000);
		f->free_fifo[i] = i;
	}
	f->nfree = f->nblocks;
	return true;
}

static inline void ftl_background(struct ftl *f, u64 budget)
{
	f->cost = 0;
	if (f->p.model == FTL_HYBRID)
		hyb_idle(f, budget);
	else
		pg_idle(f, budget);
	f->s.idle_ns += f->cost;
}

static inline void ftl_begin(struct ftl *f, u64 now, u64 overhead)
{
	if (now > f->busy_until && now - f->busy_until > f->p.idle)
		ftl_background(f, now - f->busy_until - f->p.idle);
	f->cost = overhead;
}

static inline u64 ftl_end(struct ftl *f, u64 now)
{
	f->busy_until = now + f->cost;
	f->s.busy_ns += f->cost;
	return f->cost;
}

static inline u64 ftl_read(struct ftl *f, u64 now, u32 page, u32 count)
{
	(void)page;
	ftl_begin(f, now, f->p.t_cmd_r + count * f->p.t_read);
	f->s.host_read_pages += count;
	return ftl_end(f, now);
}

static inline u64 ftl_write(struct ftl *f, u64 now, u32 page, u32 count)
{
	ftl_begin(f, now, f->p.t_cmd_w);
	f->s.host_write_pages += count;
	if (f->p.model == FTL_HYBRID)
		hyb_write(f, page, count);
	else
		pg_write(f, page, count);
	return ftl_end(f, now);
}

/* Completes what is half-written (the open unit); costs nothing by itself. */
static inline u64 ftl_sync(struct ftl *f, u64 now)
{
	ftl_begin(f, now, 0);
	if (f->p.model == FTL_HYBRID)
		hyb_close(f);
	return ftl_end(f, now);
}

/* Cache flush: as ftl_sync(), plus the time the command takes. */
static inline u64 ftl_flush(struct ftl *f, u64 now)
{
	ftl_begin(f, now, f->p.t_flush);
	f->s.flushes++;
	if (f->p.model == FTL_HYBRID)
		hyb_close(f);
	return ftl_end(f, now);
}

/* The map treats TRIM, discard and erase alike. */
static inline u64 ftl_trim(struct ftl *f, u64 now, u32 page, u32 count)
{
	ftl_begin(f, now, f->p.t_trim +
		  ftl_div(f->p.t_trim_mib * count, FTL_PAGES_PER_MIB));
	f->s.trims++;
	if (f->p.model == FTL_HYBRID)
		hyb_trim(f, page, count);
	else
		pg_trim(f, page, count);
	return ftl_end(f, now);
}

/*
 * Power is lost and comes back at @now: the recovery scan completes the open
 * unit before the card answers, so that no later operation pays for it.
 */
static inline void ftl_power_loss(struct ftl *f, u64 now)
{
	f->cost = 0;
	if (f->p.model == FTL_HYBRID)
		hyb_close(f);
	f->busy_until = now;
}

/* Physical page that holds a logical page, or FTL_NONE. */
static inline u32 ftl_lookup(const struct ftl *f, u32 page)
{
	return f->p.model == FTL_HYBRID ? hyb_lookup(f, page) :
					  pg_lookup(f, page);
}

static inline u64 ftl_mapped_pages(const struct ftl *f)
{
	return (u64)f->mapped * ftl_map_unit(f);
}

#endif /* STOREKEEPER_FTL_H */
