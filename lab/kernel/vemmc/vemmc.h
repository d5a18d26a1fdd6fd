/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: an eMMC 5.1 card and its host controller in one module.
 */
#ifndef STOREKEEPER_VEMMC_H
#define STOREKEEPER_VEMMC_H

#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "../ftl/ftl.h"
#include "../ftl/ftl_config.h"
#include "vemmc_faults.h"

#define VEMMC_SECTOR 512u
#define VEMMC_SECTORS_PER_PAGE (FTL_PAGE_SIZE / VEMMC_SECTOR)
#define VEMMC_EXT_CSD_SIZE 512u

struct vemmc_config {
	struct ftl_config flash;
	enum ftl_model model;
	char name[6]; /* CID PNM, not terminated */
	u64 fwrev; /* EXT_CSD FIRMWARE_VERSION, first byte most significant */
#define VEMMC_CONFIG(name, value, description) u32 name;
#include "vemmc_config_list.h"
#undef VEMMC_CONFIG
};

/* vemmc_params.c: the module parameters, checked; NULL and a message if bad. */
const struct vemmc_config *vemmc_config_get(void);

/*
 * vemmc_medium.c: the data of the flash in 4 KiB pages, and the volatile cache.
 * Pages of zeros take no memory. While the cache is on, a page written keeps
 * its old data until it is flushed, pushed out or written reliably.
 */
struct vemmc_dirty {
	u32 page; /* FTL_NONE: settled meanwhile */
	void *before; /* NULL: zeros */
};

struct vemmc_medium {
	void ***chunks; /* of VEMMC_CHUNK_PAGES page pointers */
	u32 nchunks;
	unsigned long *dirty_map;
	struct vemmc_dirty *dirty; /* ring, oldest at dirty_head */
	u32 dirty_cap;
	u32 dirty_head;
	u32 dirty_count;
	bool cache_on;
	void *ones; /* data of erased pages when ERASED_MEM_CONT is 1 */
	void *random; /* data of a faulty card's discarded pages, or NULL */
	u64 held; /* pages of memory in use */
};

int vemmc_medium_init(struct vemmc_medium *m, u32 pages, u32 cache_pages);
void vemmc_medium_destroy(struct vemmc_medium *m);
void vemmc_medium_read(const struct vemmc_medium *m, u64 pos, void *buf,
		       size_t len);
int vemmc_medium_write(struct vemmc_medium *m, u64 pos, const void *buf,
		       size_t len, bool reliable);
/* Reads as @fill from now on: @ones, @random, or NULL for zeros. */
int vemmc_medium_erase(struct vemmc_medium *m, u64 pos, u64 len, void *fill);
void vemmc_medium_flush(struct vemmc_medium *m);
/* Returns the number of unflushed pages lost; @keep_some: a coin flip for each. */
u32 vemmc_medium_power_cut(struct vemmc_medium *m, bool keep_some);

/* Counters of debugfs `stats` that the layer below does not have. */
struct vemmc_counters {
	u64 reads; /* commands */
	u64 writes;
	u64 reliable_writes;
	u64 trimmed_bytes; /* ranges asked for, mapped or not */
	u64 max_service_ns;
	u64 power_cuts;
	u64 lost_pages; /* by power cuts */
};

struct vemmc_card {
	struct mutex lock; /* all below */
	const struct vemmc_config *cfg;
	struct ftl ftl;
	struct vemmc_medium medium;
	struct vemmc_counters count;
	struct vemmc_faults faults;
	u32 user_pages;
	u32 boot_pages;
	u32 cid[4];
	u32 csd[4];
	u8 ext_csd[VEMMC_EXT_CSD_SIZE];
	u32 status; /* R1 error bits not yet reported */
	u32 state; /* R1_STATE_* */
	u32 rca;
	u32 block_count; /* CMD23 for the next command, 0: open-ended */
	bool reliable; /* CMD23 bit 31 */
	bool erase_start_set; /* CMD35 and CMD36 have come */
	bool erase_end_set;
	u32 erase_start; /* sectors, end inclusive */
	u32 erase_end;
	bool dead; /* power was cut, waits for the host to be bound again; or died */
};

/* vemmc_registers.c: CID, CSD and EXT_CSD. */
void vemmc_registers_init(struct vemmc_card *card);
/* CMD0, reset or power-up: fields of the type "modes segment" fall back. */
void vemmc_registers_reset(struct vemmc_card *card);
/* Fields that change by themselves: PRE_EOL_INFO, DEVICE_LIFE_TIME_EST. */
void vemmc_registers_refresh(struct vemmc_card *card);
/* CMD6: service time in ns added to @ns; false is SWITCH_ERROR. */
bool vemmc_switch(struct vemmc_card *card, u32 arg, u64 now, u64 *ns);

/* vemmc_card.c: the card's side of the bus. */
int vemmc_card_init(struct vemmc_card *card, const struct vemmc_config *cfg);
void vemmc_card_destroy(struct vemmc_card *card);
void vemmc_card_reset(struct vemmc_card *card);
void vemmc_card_power_up(struct vemmc_card *card);
void vemmc_card_power_cut(struct vemmc_card *card, bool keep_some);
/* Plays a request, writes the answer to @mrq and returns the service time. */
u64 vemmc_card_request(struct vemmc_card *card, struct mmc_request *mrq,
		       u64 now);

/* vemmc_data.c: commands that move or erase data; return the service time. */
u64 vemmc_transfer(struct vemmc_card *card, struct mmc_command *cmd, u64 now);
u64 vemmc_erase(struct vemmc_card *card, u32 arg, u64 now);

/* vemmc_debugfs.c */
void vemmc_debugfs_init(struct vemmc_card *card);
void vemmc_debugfs_exit(void);

/* vemmc_host.c */
int vemmc_host_register(struct vemmc_card *card);
void vemmc_host_unregister(void);

#endif /* STOREKEEPER_VEMMC_H */
