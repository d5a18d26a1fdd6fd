// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: /sys/kernel/debug/vufs/{stats,age,critical,written_bytes}. They
 * outlive the host, as the device does.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "vufs.h"

static struct dentry *vufs_dir;

static void vufs_stat(struct seq_file *s, const char *key, u64 value)
{
	seq_printf(s, "%s %llu\n", key, value);
}

static void vufs_stats_model(struct seq_file *s, const struct vufs_model *m)
{
	vufs_stat(s, "reads", m->s.reads);
	vufs_stat(s, "writes", m->s.writes);
	vufs_stat(s, "unmaps", m->s.unmaps);
	vufs_stat(s, "flushes", m->s.flushes);
	vufs_stat(s, "read_units", m->s.read_units);
	vufs_stat(s, "slow_read_units", m->s.slow_read_units);
	vufs_stat(s, "unmapped_bytes", m->s.unmapped_units * VUFS_UNIT);
	vufs_stat(s, "written_bytes", vufs_written_units(m) * VUFS_UNIT);
	vufs_stat(s, "host_written_bytes", m->s.host_write_units * VUFS_UNIT);
	vufs_stat(s, "moved_bytes", m->s.moved_units * VUFS_UNIT);
	vufs_stat(s, "units", m->units);
	vufs_stat(s, "mapped_units", m->mapped_units);
	vufs_stat(s, "fragmented_units", m->fragmented_units);
	vufs_stat(s, "slow_units", m->slow_units);
	vufs_stat(s, "analyses", m->s.analyses);
	vufs_stat(s, "defrags", m->s.defrags);
	vufs_stat(s, "steps", m->s.steps);
	vufs_stat(s, "step_waits", m->s.step_waits);
	vufs_stat(s, "step_wait_ns", m->s.step_wait_ns);
	vufs_stat(s, "busy_ns", m->s.busy_ns);
	vufs_stat(s, "max_service_ns", m->s.max_service_ns);
	vufs_stat(s, "life_permille", vufs_life_permille(m));
}

static int stats_show(struct seq_file *s, void *unused)
{
	struct vufs *ufs = s->private;
	struct vufs_model m;

	spin_lock_irq(&ufs->lock);
	m = ufs->model;
	spin_unlock_irq(&ufs->lock);
	vufs_stats_model(s, &m);
	vufs_stat(s, "held_units", READ_ONCE(ufs->held));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* Marks @value permille of the mapped units as fragmented. */
static int age_set(void *data, u64 value)
{
	struct vufs *ufs = data;

	if (value > 1000)
		return -EINVAL;
	spin_lock_irq(&ufs->lock);
	vufs_age(&ufs->model, value);
	spin_unlock_irq(&ufs->lock);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(age_fops, NULL, age_set, "%llu\n");

static int critical_set(void *data, u64 value)
{
	if (value != 1)
		return -EINVAL;
	vufs_device_raise_critical(data);
	return 0;
}

static int critical_get(void *data, u64 *value)
{
	struct vufs *ufs = data;

	*value = READ_ONCE(ufs->critical);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(critical_fops, critical_get, critical_set, "%llu\n");

static int written_bytes_get(void *data, u64 *value)
{
	struct vufs *ufs = data;

	spin_lock_irq(&ufs->lock);
	*value = vufs_written_units(&ufs->model) * VUFS_UNIT;
	spin_unlock_irq(&ufs->lock);
	return 0;
}

/* A device that has had a life: what is written counts from there. */
static int written_bytes_set(void *data, u64 value)
{
	struct vufs *ufs = data;
	struct vufs_stats *s = &ufs->model.s;
	u64 units = value / VUFS_UNIT;
	int err = -EINVAL;

	spin_lock_irq(&ufs->lock);
	if (units >= s->moved_units) {
		s->host_write_units = units - s->moved_units;
		err = 0;
	}
	spin_unlock_irq(&ufs->lock);
	return err;
}
DEFINE_DEBUGFS_ATTRIBUTE(written_bytes_fops, written_bytes_get,
			 written_bytes_set, "%llu\n");

void vufs_debugfs_init(struct vufs *ufs)
{
	vufs_dir = debugfs_create_dir("vufs", NULL);
	debugfs_create_file("stats", 0444, vufs_dir, ufs, &stats_fops);
	debugfs_create_file_unsafe("age", 0200, vufs_dir, ufs, &age_fops);
	debugfs_create_file_unsafe("critical", 0600, vufs_dir, ufs,
				   &critical_fops);
	debugfs_create_file_unsafe("written_bytes", 0600, vufs_dir, ufs,
				   &written_bytes_fops);
}

void vufs_debugfs_exit(void)
{
	debugfs_remove_recursive(vufs_dir);
}
