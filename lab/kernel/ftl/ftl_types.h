/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * Parameters, counters and state of the flash translation layer.
 */
#ifndef STOREKEEPER_FTL_TYPES_H
#define STOREKEEPER_FTL_TYPES_H

#include "ftl_platform.h"

#define FTL_PAGE_SIZE 4096u
#define FTL_PAGES_PER_MIB (1024u * 1024u / FTL_PAGE_SIZE)

/* "Nowhere" in every map: an unmapped page, a block that has no data block. */
#define FTL_NONE 0xffffffffu

enum ftl_model {
	FTL_HYBRID, /* log blocks over a block-mapped data area (FAST) */
	FTL_PAGE, /* page map, greedy garbage collection */
};

/* Times are nanoseconds, sizes are 4 KiB pages unless the name says otherwise. */
struct ftl_params {
	enum ftl_model model;
	u32 pages; /* logical capacity */
	u32 block_pages; /* erase block */
	u32 unit_pages; /* hybrid: mapping unit, divides block_pages */
	u32 spare_blocks; /* hybrid: log blocks of a completely full card */
	u32 log_low; /* hybrid: the pool is short when fewer could be taken */
	u32 op_permille; /* page map: over-provisioning, of the capacity */
	u32 endurance; /* P/E cycles of a block */
	u32 endurance_log; /* P/E cycles of a block used as log (SLC mode) */
	u32 bad_reserve; /* blocks held back to replace worn-out ones */
	u32 worn_permille; /* life already used when the card is new */
	u64 t_cmd_r; /* per read command */
	u64 t_cmd_w; /* per write command */
	u64 t_read; /* host read of a page, transfer included */
	u64 t_prog; /* program of a page, transfer included */
	u64 t_cread; /* internal read of a page (RMW, merge, GC) */
	u64 t_cprog; /* internal program of a page (merge, GC) */
	u64 t_erase; /* erase of a block */
	u64 t_trim; /* per trim, discard or erase command */
	u64 t_trim_mib; /* the same, for each MiB of the range */
	u64 t_flush; /* per cache flush */
	u64 idle; /* quiet time after which background work starts */
};

struct ftl_stats {
	u64 host_read_pages;
	u64 host_write_pages;
	u64 flushes;
	u64 trims;
	u64 trimmed_pages; /* mapped pages given up by a trim */
	u64 programs; /* all page programs: WAF = programs / host_write_pages */
	u64 copies; /* page programs whose data came from flash */
	u64 full_merges;
	u64 switch_merges;
	u64 reclaims; /* log blocks reclaimed, or GC victims */
	u64 erases;
	u64 log_erases; /* of erases: block had served as log */
	u64 bad_blocks; /* blocks replaced from the reserve */
	u64 idle_ns; /* background work done in quiet time */
	u64 busy_ns; /* sum of all service times */
};

enum ftl_block_state {
	FTL_BLOCK_FREE,
	FTL_BLOCK_DATA,
	FTL_BLOCK_LOG, /* hybrid only */
};

struct ftl_block {
	u32 erases;
	u32 live; /* mapped units (hybrid) or pages (page map) in it */
	u32 prev; /* neighbours in the list of log blocks, oldest first */
	u32 next;
	u8 state;
	bool dirty; /* free, but to be erased before it is programmed */
	bool was_log; /* the role it had when it became dirty */
};

/*
 * Callbacks for tests: every physical page programmed (src is FTL_NONE for data
 * from the host) and every block erased.
 */
struct ftl_watch {
	void (*program)(void *ctx, u32 phys, u32 src);
	void (*erase)(void *ctx, u32 block);
	void *ctx;
};

/* The unit being written: pages [head, fill) are in the new place already. */
struct ftl_open_unit {
	u32 unit; /* FTL_NONE: none open */
	u32 phys; /* physical unit it goes to */
	u32 fill;
};

struct ftl_stream {
	u32 block; /* FTL_NONE: none open */
	u32 next; /* next slot in it */
	u32 logical; /* sequential stream: the logical block it rewrites */
};

struct ftl {
	struct ftl_params p;
	struct ftl_stats s;
	const struct ftl_watch *watch;
	u64 cost; /* of the operation in progress */
	u64 busy_until; /* end of the last operation */

	u32 nblocks;
	u32 nlogical; /* logical blocks */
	struct ftl_block *blk;
	u32 *l2p; /* unit or page -> physical unit or page */
	u32 *p2l;
	u32 *logical_live; /* mapped units or pages of each logical block */

	u32 *free_fifo;
	u32 free_head;
	u32 nfree;

	/* hybrid */
	u32 slots; /* units in a block */
	u32 *data_block; /* of each logical block, or FTL_NONE */
	u32 debt; /* logical blocks with data but without a data block */
	u32 log_oldest;
	u32 log_newest;
	u32 nlog;
	struct ftl_open_unit open;
	struct ftl_stream rnd;
	struct ftl_stream seq;

	/* page map */
	struct ftl_stream host;
	struct ftl_stream gc;
	u32 mapped; /* both: mapped units or pages */
};

#endif /* STOREKEEPER_FTL_TYPES_H */
