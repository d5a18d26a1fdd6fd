// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: a faulty card.
 */
#include <linux/bitmap.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/scatterlist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "vemmc.h"

static struct ftl_fault_config cfg = {
#define FTL_FAULT(name, value, description) .name = (value),
#include "../ftl/ftl_fault_list.h"
#undef FTL_FAULT
};

/* Read when the faults are armed. */
#define FTL_FAULT(key, value, description)                 \
	module_param_named(fault_##key, cfg.key, uint, 0644); \
	MODULE_PARM_DESC(fault_##key, description " (" #value ")");
#include "../ftl/ftl_fault_list.h"
#include "../compat.h"
#undef FTL_FAULT

static const char * const vemmc_discarded[] = {
	[FTL_DISCARDED_ZEROS] = "zeros",
	[FTL_DISCARDED_OLD] = "old",
	[FTL_DISCARDED_RANDOM] = "random",
};

static int vemmc_discarded_set(const char *text, const struct kernel_param *kp)
{
	int i = sysfs_match_string(vemmc_discarded, text);

	if (i < 0)
		return i;
	cfg.discarded = i;
	return 0;
}

static int vemmc_discarded_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%s\n", vemmc_discarded[cfg.discarded]);
}

static const struct kernel_param_ops vemmc_discarded_ops = {
	.set = vemmc_discarded_set,
	.get = vemmc_discarded_get,
};
module_param_cb(fault_discarded, &vemmc_discarded_ops, NULL, 0644);
MODULE_PARM_DESC(fault_discarded, "what discarded pages read as: zeros, old or random (zeros)");

/* Once, and before the card's lock: allocating may wait for write-back. */
static int vemmc_faults_alloc(struct vemmc_card *card)
{
	unsigned long *later;
	u64 *noise, *random;
	int err = 0;

	if (READ_ONCE(card->faults.noise))
		return 0;
	later = vcalloc(BITS_TO_LONGS(card->user_pages), sizeof(long));
	noise = (u64 *)__get_free_page(GFP_KERNEL);
	random = (u64 *)__get_free_page(GFP_KERNEL);
	if (later && noise && random) {
		ftl_fault_noise(0, 0, random);
		mutex_lock(&card->lock);
		if (!card->faults.noise) {
			swap(card->faults.later, later);
			swap(card->faults.noise, noise);
			card->medium.random = random;
			random = NULL;
		}
		mutex_unlock(&card->lock);
	} else {
		err = -ENOMEM;
	}
	vfree(later);
	free_page((unsigned long)noise);
	free_page((unsigned long)random);
	return err;
}

int vemmc_faults_arm(struct vemmc_card *card, bool on)
{
	struct vemmc_faults *faults = &card->faults;
	struct ftl_fault_config now;
	const char *error;
	int err;

	kernel_param_lock(THIS_MODULE);
	now = cfg;
	kernel_param_unlock(THIS_MODULE);
	error = on ? ftl_fault_error(&now) : NULL;
	if (error) {
		pr_err("vemmc: bad parameter: %s\n", error);
		return -EINVAL;
	}
	err = vemmc_faults_alloc(card);
	if (err)
		return err;
	mutex_lock(&card->lock);
	ftl_faults_arm(&faults->f, &now);
	memset(&faults->count, 0, sizeof(faults->count));
	bitmap_zero(faults->later, card->user_pages);
	faults->pending = 0;
	faults->died = false;
	faults->armed = on;
	mutex_unlock(&card->lock);
	return 0;
}

void vemmc_faults_destroy(struct vemmc_card *card)
{
	vfree(card->faults.later);
	free_page((unsigned long)card->faults.noise);
	card->faults = (struct vemmc_faults){};
}

void vemmc_faults_show(struct seq_file *s, const struct vemmc_card *card)
{
	const struct vemmc_faults *faults = &card->faults;

	seq_printf(s, "armed %d\n", faults->armed);
	seq_printf(s, "discards %llu\n", faults->f.discards);
	seq_printf(s, "died %d\n", faults->died);
	seq_printf(s, "garbled_pages %llu\n", faults->count.garbled_pages);
	seq_printf(s, "pending_pages %u\n", faults->pending);
	seq_printf(s, "noops %llu\n", faults->count.noops);
	seq_printf(s, "unerased %llu\n", faults->count.unerased);
	seq_printf(s, "stalls %llu\n", faults->count.stalls);
	seq_printf(s, "failed_reads %llu\n", faults->count.failed_reads);
	seq_printf(s, "altered_reads %llu\n", faults->count.altered_reads);
	seq_printf(s, "failed_writes %llu\n", faults->count.failed_writes);
	seq_printf(s, "ignored_flushes %llu\n", faults->count.ignored_flushes);
}

/* Changes the flash at once: no power cut brings the old data back. */
static void vemmc_garble(struct vemmc_card *card, u32 page)
{
	struct vemmc_faults *faults = &card->faults;

	ftl_fault_noise(faults->f.cfg.seed, page, faults->noise);
	if (!vemmc_medium_write(&card->medium, (u64)page * FTL_PAGE_SIZE,
				faults->noise, FTL_PAGE_SIZE, true))
		faults->count.garbled_pages++;
}

static void vemmc_garble_range(struct vemmc_card *card, u32 first, u32 count,
			       bool later)
{
	struct vemmc_faults *faults = &card->faults;

	for (; count; first++, count--) {
		if (!later)
			vemmc_garble(card, first);
		else if (!__test_and_set_bit(first, faults->later))
			faults->pending++;
	}
}

/* Pages that were to be garbled later have been written or discarded. */
static void vemmc_spare(struct vemmc_card *card, u32 first, u32 count)
{
	struct vemmc_faults *faults = &card->faults;

	for (; count && faults->pending; first++, count--) {
		if (__test_and_clear_bit(first, faults->later))
			faults->pending--;
	}
}

struct ftl_discard_fault vemmc_fault_discard(struct vemmc_card *card, u64 start,
					     u64 end)
{
	u32 first = start / VEMMC_SECTORS_PER_PAGE;
	u32 last = DIV_ROUND_UP(end, VEMMC_SECTORS_PER_PAGE);
	struct ftl_discard_fault d;

	d = ftl_fault_discard(&card->faults.f, first, last, card->user_pages);
	if (d.dies) {
		card->faults.died = true;
		WRITE_ONCE(card->dead, true);
		return d;
	}
	vemmc_garble_range(card, first - d.before, d.before, d.later);
	vemmc_garble_range(card, last, d.after, d.later);
	if (!d.noop)
		vemmc_spare(card, first, last - first);
	card->faults.count.noops += d.noop;
	card->faults.count.unerased += d.reads_as != FTL_DISCARDED_ZEROS;
	return d;
}

static bool vemmc_write_fails(struct vemmc_card *card, u32 first, u32 count)
{
	u64 worn = max(ftl_worn_a(&card->ftl), ftl_worn_b(&card->ftl));

	return ftl_fault_program(&card->faults.f, worn, first, count);
}

enum ftl_outcome vemmc_fault_transfer(struct vemmc_card *card, bool write,
				      u32 first, u32 count)
{
	struct vemmc_faults *faults = &card->faults;
	enum ftl_outcome outcome = FTL_WORKS;

	if (!write) {
		outcome = ftl_fault_read(&faults->f);
		faults->count.failed_reads += outcome == FTL_FAILS;
		faults->count.altered_reads += outcome == FTL_LIES;
	} else if (vemmc_write_fails(card, first, count)) {
		outcome = FTL_FAILS;
		faults->count.failed_writes++;
	} else {
		vemmc_spare(card, first, count);
	}
	return outcome;
}

void vemmc_fault_alter(struct mmc_data *data, size_t len)
{
	u8 byte;

	sg_pcopy_to_buffer(data->sg, data->sg_len, &byte, 1, len / 2);
	byte ^= 1;
	sg_pcopy_from_buffer(data->sg, data->sg_len, &byte, 1, len / 2);
}

u64 vemmc_fault_stall(struct vemmc_card *card, u32 opcode)
{
	u64 ns = 0;

	if (opcode == MMC_WRITE_BLOCK || opcode == MMC_WRITE_MULTIPLE_BLOCK ||
	    opcode == MMC_ERASE)
		ns = ftl_fault_stall(&card->faults.f);
	card->faults.count.stalls += ns > 0;
	card->ftl.busy_until += ns;
	return ns;
}

bool vemmc_fault_flush(struct vemmc_card *card)
{
	if (!card->faults.armed || !card->faults.f.cfg.flush)
		return false;
	card->faults.count.ignored_flushes++;
	return true;
}

void vemmc_fault_power_up(struct vemmc_card *card)
{
	struct vemmc_faults *faults = &card->faults;
	u32 page;

	for_each_set_bit(page, faults->later, card->user_pages)
		vemmc_garble(card, page);
	bitmap_zero(faults->later, card->user_pages);
	faults->pending = 0;
}
