// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: a virtual UFS. The device lives as long as the module; its host can be
 * unbound and bound again like a phone that is switched off and on.
 */
#include <linux/module.h>

#include "vufs.h"

static struct vufs ufs;

static int __init vufs_init(void)
{
	const struct vufs_config *c = vufs_config_get();
	int err;

	if (!c)
		return -EINVAL;
	err = vufs_device_init(&ufs, c);
	if (err)
		return err;
	err = vufs_host_register(&ufs);
	if (err) {
		vufs_device_destroy(&ufs);
		return err;
	}
	vufs_debugfs_init(&ufs);
	return 0;
}
module_init(vufs_init);

static void __exit vufs_exit(void)
{
	vufs_debugfs_exit();
	vufs_host_unregister();
	vufs_device_destroy(&ufs);
}
module_exit(vufs_exit);

MODULE_DESCRIPTION("Virtual UFS 4.1 with host-initiated defragmentation");
MODULE_AUTHOR("The Storekeeper Project");
MODULE_LICENSE("GPL");
