// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto: /sys/kernel/debug/qcrypto/stats-*, labelled as _disp_stats() of Qualcomm's qcrypto.c
 * labels them in 3.4, in msm8974's 3.4 and in 3.18. They outlive the engine; any write clears them.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include "vqcrypto.h"

/* MAX_CRYPTO_DEVICE of 3.4's qcrypto.c; there is one engine, the other files stay at zero. */
#define VQCRYPTO_FILES_3_4 3

struct vqcrypto_row {
	const char *label;
	u64 value;
};

static struct dentry *vqcrypto_dir;
static DEFINE_SPINLOCK(vqcrypto_counts_lock);
static struct vqcrypto_counts vqcrypto_counts;

void vqcrypto_count(bool encrypt, int err)
{
	unsigned long flags;

	spin_lock_irqsave(&vqcrypto_counts_lock, flags);
	if (encrypt)
		vqcrypto_counts.encryptions++;
	else
		vqcrypto_counts.decryptions++;
	if (err)
		vqcrypto_counts.failures++;
	else
		vqcrypto_counts.successes++;
	spin_unlock_irqrestore(&vqcrypto_counts_lock, flags);
}

static struct vqcrypto_counts vqcrypto_counts_of(unsigned long id)
{
	struct vqcrypto_counts counts = {};
	unsigned long flags;

	if (id)
		return counts;
	spin_lock_irqsave(&vqcrypto_counts_lock, flags);
	counts = vqcrypto_counts;
	spin_unlock_irqrestore(&vqcrypto_counts_lock, flags);
	return counts;
}

static int vqcrypto_stats_show(struct seq_file *s, void *unused)
{
	enum vqcrypto_generation generation = vqcrypto_params.generation;
	unsigned long id = (unsigned long)s->private;
	struct vqcrypto_counts c = vqcrypto_counts_of(id);
	const struct vqcrypto_row old_rows[] = {
		{ "ABLK AES CIPHER encryption", c.encryptions },
		{ "ABLK AES CIPHER decryption", c.decryptions },
		{ "ABLK DES CIPHER encryption", 0 },
		{ "ABLK DES CIPHER decryption", 0 },
		{ "ABLK 3DES CIPHER encryption", 0 },
		{ "ABLK 3DES CIPHER decryption", 0 },
		{ "ABLK CIPHER operation success", c.successes },
		{ "ABLK CIPHER operation fail", c.failures },
	};
	const struct vqcrypto_row new_rows[] = {
		{ "ABLK CIPHER AES encryption", c.encryptions },
		{ "ABLK CIPHER AES decryption", c.decryptions },
		{ "ABLK CIPHER DES encryption", 0 },
		{ "ABLK CIPHER DES decryption", 0 },
		{ "ABLK CIPHER 3DES encryption", 0 },
		{ "ABLK CIPHER 3DES decryption", 0 },
		{ "ABLK CIPHER operation success", c.successes },
		{ "ABLK CIPHER operation fail", c.failures },
	};
	const struct vqcrypto_row *rows = old_rows;
	const char *title = "Qualcomm crypto accelerator %lu Statistics:\n";
	unsigned int i;

	if (generation == VQCRYPTO_3_18) {
		rows = new_rows;
		title = "QTI crypto accelerator %lu Statistics\n";
	}
	seq_putc(s, '\n');
	seq_printf(s, title, id + 1);
	for (i = 0; i < ARRAY_SIZE(old_rows); i++) {
		/* 3.4's driver prints 32 bits as a signed number. */
		if (generation == VQCRYPTO_3_4)
			seq_printf(s, "   %-29s: %d\n", rows[i].label,
				   (int)rows[i].value);
		else
			seq_printf(s, "   %-36s: %llu\n", rows[i].label,
				   rows[i].value);
	}
	return 0;
}

static int vqcrypto_stats_open(struct inode *inode, struct file *file)
{
	return single_open(file, vqcrypto_stats_show, inode->i_private);
}

static ssize_t vqcrypto_stats_write(struct file *file, const char __user *text,
				    size_t size, loff_t *at)
{
	unsigned long flags;

	spin_lock_irqsave(&vqcrypto_counts_lock, flags);
	vqcrypto_counts = (struct vqcrypto_counts){};
	spin_unlock_irqrestore(&vqcrypto_counts_lock, flags);
	return size;
}

static const struct file_operations vqcrypto_stats_fops = {
	.owner = THIS_MODULE,
	.open = vqcrypto_stats_open,
	.read = seq_read,
	.write = vqcrypto_stats_write,
	.llseek = seq_lseek,
	.release = single_release,
};

void vqcrypto_debugfs_init(void)
{
	unsigned long files = 1;
	unsigned long id;
	char name[16];

	if (vqcrypto_params.generation == VQCRYPTO_MAINLINE)
		return;
	if (vqcrypto_params.generation == VQCRYPTO_3_4)
		files = VQCRYPTO_FILES_3_4;
	vqcrypto_dir = debugfs_create_dir("qcrypto", NULL);
	for (id = 0; id < files; id++) {
		snprintf(name, sizeof(name), "stats-%lu", id + 1);
		debugfs_create_file(name, 0644, vqcrypto_dir, (void *)id,
				    &vqcrypto_stats_fops);
	}
}

void vqcrypto_debugfs_exit(void)
{
	debugfs_remove_recursive(vqcrypto_dir);
}
