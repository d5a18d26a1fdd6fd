// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: /sys/kernel/debug/vemmc/{stats,powercut,faults}. They outlive the
 * host, as the card does.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "vemmc.h"

static struct dentry *vemmc_dir;

static void vemmc_stat(struct seq_file *s, const char *key, u64 value)
{
	seq_printf(s, "%s %llu\n", key, value);
}

static void vemmc_stats_wear(struct seq_file *s, const struct ftl *ftl)
{
	u32 least = U32_MAX;
	u32 most = 0;
	u32 i;

	for (i = 0; i < ftl->nblocks; i++) {
		least = min(least, ftl->blk[i].erases);
		most = max(most, ftl->blk[i].erases);
	}
	vemmc_stat(s, "erases", ftl->s.erases);
	vemmc_stat(s, "log_erases", ftl->s.log_erases);
	vemmc_stat(s, "block_erases_min", least);
	vemmc_stat(s, "block_erases_max", most);
	vemmc_stat(s, "bad_blocks", ftl->s.bad_blocks);
	vemmc_stat(s, "pre_eol_info", ftl_pre_eol_info(ftl));
	vemmc_stat(s, "life_time_a", ftl_life_time_a(ftl));
	vemmc_stat(s, "life_time_b", ftl_life_time_b(ftl));
}

static void vemmc_stats_ftl(struct seq_file *s, const struct ftl *ftl)
{
	vemmc_stat(s, "host_read_pages", ftl->s.host_read_pages);
	vemmc_stat(s, "host_write_pages", ftl->s.host_write_pages);
	vemmc_stat(s, "flushes", ftl->s.flushes);
	vemmc_stat(s, "trims", ftl->s.trims);
	vemmc_stat(s, "trimmed_pages", ftl->s.trimmed_pages);
	vemmc_stat(s, "programs", ftl->s.programs);
	vemmc_stat(s, "copies", ftl->s.copies);
	vemmc_stat(s, "full_merges", ftl->s.full_merges);
	vemmc_stat(s, "switch_merges", ftl->s.switch_merges);
	vemmc_stat(s, "reclaims", ftl->s.reclaims);
	vemmc_stat(s, "idle_ns", ftl->s.idle_ns);
	vemmc_stat(s, "busy_ns", ftl->s.busy_ns);
	vemmc_stat(s, "logical_pages", ftl->p.pages);
	vemmc_stat(s, "mapped_pages", ftl_mapped_pages(ftl));
	vemmc_stat(s, "blocks", ftl->nblocks);
	vemmc_stat(s, "free_blocks", ftl->nfree);
	vemmc_stat(s, "log_blocks", ftl->nlog);
	vemmc_stat(s, "debt", ftl->debt);
	vemmc_stats_wear(s, ftl);
}

static int stats_show(struct seq_file *s, void *unused)
{
	struct vemmc_card *card = s->private;

	mutex_lock(&card->lock);
	vemmc_stat(s, "reads", card->count.reads);
	vemmc_stat(s, "writes", card->count.writes);
	vemmc_stat(s, "reliable_writes", card->count.reliable_writes);
	vemmc_stat(s, "trimmed_bytes", card->count.trimmed_bytes);
	vemmc_stat(s, "max_service_ns", card->count.max_service_ns);
	vemmc_stat(s, "power_cuts", card->count.power_cuts);
	vemmc_stat(s, "lost_pages", card->count.lost_pages);
	vemmc_stat(s, "dead", card->dead);
	vemmc_stat(s, "cache_on", card->medium.cache_on);
	vemmc_stat(s, "cache_pages", card->medium.dirty_count);
	vemmc_stat(s, "held_pages", card->medium.held);
	vemmc_stats_ftl(s, &card->ftl);
	mutex_unlock(&card->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* 1: all that is not flushed is lost; 2: some of it, as chance has it. */
static int powercut_set(void *data, u64 value)
{
	if (value != 1 && value != 2)
		return -EINVAL;
	vemmc_card_power_cut(data, value == 2);
	return 0;
}

static int powercut_get(void *data, u64 *value)
{
	struct vemmc_card *card = data;

	*value = READ_ONCE(card->dead);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(powercut_fops, powercut_get, powercut_set, "%llu\n");

static int faults_show(struct seq_file *s, void *unused)
{
	struct vemmc_card *card = s->private;

	mutex_lock(&card->lock);
	vemmc_faults_show(s, card);
	mutex_unlock(&card->lock);
	return 0;
}

static int faults_open(struct inode *inode, struct file *file)
{
	return single_open(file, faults_show, inode->i_private);
}

/* 1: arm, from the first discard on; 0: a card without faults. */
static ssize_t faults_write(struct file *file, const char __user *text,
			    size_t len, loff_t *pos)
{
	struct seq_file *s = file->private_data;
	bool on;
	int err;

	err = kstrtobool_from_user(text, len, &on);
	if (!err)
		err = vemmc_faults_arm(s->private, on);
	return err ? err : len;
}

static const struct file_operations faults_fops = {
	.owner = THIS_MODULE,
	.open = faults_open,
	.read = seq_read,
	.write = faults_write,
	.llseek = seq_lseek,
	.release = single_release,
};

void vemmc_debugfs_init(struct vemmc_card *card)
{
	vemmc_dir = debugfs_create_dir("vemmc", NULL);
	debugfs_create_file("stats", 0444, vemmc_dir, card, &stats_fops);
	debugfs_create_file_unsafe("powercut", 0600, vemmc_dir, card,
				   &powercut_fops);
	debugfs_create_file("faults", 0600, vemmc_dir, card, &faults_fops);
}

void vemmc_debugfs_exit(void)
{
	debugfs_remove_recursive(vemmc_dir);
}
