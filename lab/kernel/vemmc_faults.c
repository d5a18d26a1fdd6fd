// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: a faulty card.
 */
#include <linux/bitmap.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "vemmc.h"

static struct ftl_fault_config cfg = {
#define FTL_FAULT(name, value, description) .name = (value),
#include "ftl_fault_list.h"
#undef FTL_FAULT
};

/* Read when the faults are armed. */
#define FTL_FAULT(key, value, description)                 \
	module_param_named(fault_##key, cfg.key, uint, 0644); \
	MODULE_PARM_DESC(fault_##key, description " (" #value ")");
#include "ftl_fault_list.h"
#undef FTL_FAULT

/* Once, and before the card's lock: allocating may wait for write-back. */
static int vemmc_faults_alloc(struct vemmc_card *card)
{
	unsigned long *later = NULL;
	u64 *noise = NULL;

	if (READ_ONCE(card->faults.noise))
		return 0;
	later = vcalloc(BITS_TO_LONGS(card->user_pages), sizeof(long));
	noise = kmalloc(FTL_PAGE_SIZE, GFP_KERNEL);
	if (!later || !noise) {
		vfree(later);
		kfree(noise);
		return -ENOMEM;
	}
	mutex_lock(&card->lock);
	if (!card->faults.noise) {
		swap(card->faults.later, later);
		swap(card->faults.noise, noise);
	}
	mutex_unlock(&card->lock);
	vfree(later);
	kfree(noise);
	return 0;
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
	kfree(card->faults.noise);
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
}

/* On the flash at once: no power cut brings back what was there. */
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
	vemmc_fault_rewritten(card, first, last - first);
	return d;
}

/* What was to be garbled has gone from where it was. */
void vemmc_fault_rewritten(struct vemmc_card *card, u32 first, u32 count)
{
	struct vemmc_faults *faults = &card->faults;
	u32 page;

	if (!faults->pending)
		return;
	for (page = first; page < first + count; page++) {
		if (__test_and_clear_bit(page, faults->later))
			faults->pending--;
	}
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
