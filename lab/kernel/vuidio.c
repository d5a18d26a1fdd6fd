// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vuidio: /proc/uid_io/stats as Android's kernels have it. For each uid what its tasks have read,
 * written and synced, those that have ended included: the task's own I/O accounting, and the calls
 * of fsync(2) and fdatasync(2). All of it counts as in the foreground.
 */
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#define VUIDIO_BITS 8

struct vuidio_uid {
	struct hlist_node node;
	uid_t uid;
	/* Sums over tasks that have ended. */
	struct task_io_accounting ended;
	u64 fsyncs;
	/* Sums over live tasks, computed anew for each reading. */
	struct task_io_accounting alive;
};

static DEFINE_HASHTABLE(vuidio_uids, VUIDIO_BITS);
static DEFINE_SPINLOCK(vuidio_lock);
static struct proc_dir_entry *vuidio_folder;

static struct vuidio_uid *vuidio_find(uid_t uid)
{
	struct vuidio_uid *each;

	hash_for_each_possible(vuidio_uids, each, node, uid)
		if (each->uid == uid)
			return each;
	each = kzalloc(sizeof(*each), GFP_ATOMIC);
	if (!each)
		return NULL;
	each->uid = uid;
	hash_add(vuidio_uids, &each->node, uid);
	return each;
}

static void vuidio_add(struct task_io_accounting *to,
		       const struct task_io_accounting *io)
{
	u64 written = 0;

	if (io->write_bytes > io->cancelled_write_bytes)
		written = io->write_bytes - io->cancelled_write_bytes;
	to->rchar += io->rchar;
	to->wchar += io->wchar;
	to->read_bytes += io->read_bytes;
	to->write_bytes += written;
}

static uid_t vuidio_uid_of(struct task_struct *task)
{
	return from_kuid_munged(&init_user_ns, task_uid(task));
}

static int vuidio_ends(struct kprobe *probe, struct pt_regs *regs)
{
	struct vuidio_uid *uid;
	unsigned long flags;

	spin_lock_irqsave(&vuidio_lock, flags);
	uid = vuidio_find(vuidio_uid_of(current));
	if (uid && !(current->flags & PF_EXITING))
		vuidio_add(&uid->ended, &current->ioac);
	spin_unlock_irqrestore(&vuidio_lock, flags);
	return 0;
}

static int vuidio_syncs(struct kprobe *probe, struct pt_regs *regs)
{
	struct vuidio_uid *uid;
	unsigned long flags;

	spin_lock_irqsave(&vuidio_lock, flags);
	uid = vuidio_find(vuidio_uid_of(current));
	if (uid)
		uid->fsyncs++;
	spin_unlock_irqrestore(&vuidio_lock, flags);
	return 0;
}

static struct kprobe vuidio_probes[] = {
	{ .symbol_name = "do_exit", .pre_handler = vuidio_ends },
	{ .symbol_name = "__x64_sys_fsync", .pre_handler = vuidio_syncs },
	{ .symbol_name = "__x64_sys_fdatasync", .pre_handler = vuidio_syncs },
};
static struct kprobe *vuidio_all[] = { &vuidio_probes[0], &vuidio_probes[1],
				       &vuidio_probes[2] };

static void vuidio_read_alive(void)
{
	struct task_struct *process, *task;
	struct vuidio_uid *uid;
	int bucket;

	hash_for_each(vuidio_uids, bucket, uid, node)
		memset(&uid->alive, 0, sizeof(uid->alive));
	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (task->flags & PF_EXITING)
			continue;
		uid = vuidio_find(vuidio_uid_of(task));
		if (uid)
			vuidio_add(&uid->alive, &task->ioac);
	}
	rcu_read_unlock();
}

static int vuidio_show(struct seq_file *file, void *unused)
{
	struct vuidio_uid *uid;
	unsigned long flags;
	int bucket;

	spin_lock_irqsave(&vuidio_lock, flags);
	vuidio_read_alive();
	hash_for_each(vuidio_uids, bucket, uid, node)
		seq_printf(file, "%d %llu %llu %llu %llu 0 0 0 0 %llu 0\n",
			   uid->uid, uid->ended.rchar + uid->alive.rchar,
			   uid->ended.wchar + uid->alive.wchar,
			   uid->ended.read_bytes + uid->alive.read_bytes,
			   uid->ended.write_bytes + uid->alive.write_bytes,
			   uid->fsyncs);
	spin_unlock_irqrestore(&vuidio_lock, flags);
	return 0;
}

static int __init vuidio_init(void)
{
	int error = register_kprobes(vuidio_all, ARRAY_SIZE(vuidio_all));

	if (error)
		return error;
	vuidio_folder = proc_mkdir("uid_io", NULL);
	if (vuidio_folder &&
	    proc_create_single("stats", 0444, vuidio_folder, vuidio_show))
		return 0;
	proc_remove(vuidio_folder);
	unregister_kprobes(vuidio_all, ARRAY_SIZE(vuidio_all));
	return -ENOMEM;
}

static void __exit vuidio_exit(void)
{
	struct vuidio_uid *uid;
	struct hlist_node *next;
	int bucket;

	proc_remove(vuidio_folder);
	unregister_kprobes(vuidio_all, ARRAY_SIZE(vuidio_all));
	hash_for_each_safe(vuidio_uids, bucket, next, uid, node)
		kfree(uid);
}

module_init(vuidio_init);
module_exit(vuidio_exit);

MODULE_DESCRIPTION("I/O by uid, as Android's kernels count it");
MODULE_LICENSE("GPL");
