/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: a faulty card. ftl_fault.h decides what is struck, this does it.
 */
#ifndef STOREKEEPER_VEMMC_FAULTS_H
#define STOREKEEPER_VEMMC_FAULTS_H

#include <linux/types.h>

#include "../ftl/ftl_fault.h"

struct mmc_data;
struct seq_file;
struct vemmc_card;

/* Counts of faults since they were armed. */
struct vemmc_fault_counters {
	u64 garbled_pages;
	u64 noops; /* discards that did nothing */
	u64 unerased; /* discards after which the range was not erased */
	u64 stalls;
	u64 failed_reads; /* commands */
	u64 altered_reads;
	u64 failed_writes;
	u64 ignored_flushes; /* and reliable writes that were none */
};

struct vemmc_faults {
	bool armed;
	bool died; /* for good: a power-up changes nothing */
	struct ftl_faults f;
	struct vemmc_fault_counters count;
	unsigned long *later; /* user pages to be garbled at a power-up */
	u32 pending; /* pages in it */
	u64 *noise; /* a page that is to be written */
};

/* The module parameters from now on, counters anew; or no faults. */
int vemmc_faults_arm(struct vemmc_card *card, bool on);
void vemmc_faults_destroy(struct vemmc_card *card);
void vemmc_faults_show(struct seq_file *s, const struct vemmc_card *card);

/*
 * The rest with card->lock held, and while armed alone. Sectors [start, end) of
 * the user area are about to be discarded.
 */
struct ftl_discard_fault vemmc_fault_discard(struct vemmc_card *card, u64 start,
					     u64 end);
/* The host reads or writes user pages [first, first + count). */
enum ftl_outcome vemmc_fault_transfer(struct vemmc_card *card, bool write,
				      u32 first, u32 count);
/* A bit of what was read. */
void vemmc_fault_alter(struct mmc_data *data, size_t len);
/* How much longer a command takes, ns. */
u64 vemmc_fault_stall(struct vemmc_card *card, u32 opcode);
/* Before the card answers again. */
void vemmc_fault_power_up(struct vemmc_card *card);
/* Armed or not: whether the cache keeps what it was to write back. */
bool vemmc_fault_flush(struct vemmc_card *card);

#endif /* STOREKEEPER_VEMMC_FAULTS_H */
