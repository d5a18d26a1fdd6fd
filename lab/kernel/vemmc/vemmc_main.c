// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: a virtual eMMC. The card lives as long as the module; its host can be
 * unbound and bound again like a card that is powered off and on.
 */
#include <linux/module.h>

#include "vemmc.h"

static struct vemmc_card card;

static int __init vemmc_init(void)
{
	const struct vemmc_config *cfg = vemmc_config_get();
	int err;

	if (!cfg)
		return -EINVAL;
	err = vemmc_card_init(&card, cfg);
	if (err)
		return err;
	err = vemmc_host_register(&card);
	if (err) {
		vemmc_card_destroy(&card);
		return err;
	}
	vemmc_debugfs_init(&card);
	return 0;
}
module_init(vemmc_init);

static void __exit vemmc_exit(void)
{
	vemmc_debugfs_exit();
	vemmc_host_unregister();
	vemmc_card_destroy(&card);
}
module_exit(vemmc_exit);

MODULE_DESCRIPTION("Virtual eMMC 5.1 card with a modelled flash translation layer");
MODULE_AUTHOR("The Storekeeper Project");
MODULE_LICENSE("GPL");
