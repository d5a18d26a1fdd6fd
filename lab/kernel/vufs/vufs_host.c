// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: the host controller, a platform device without hardware where a
 * Qualcomm phone has it. A command is played at once; a timer completes it
 * when the device would.
 */
#include <linux/hrtimer.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_host.h>

#include "vufs.h"
#include "../compat.h"

#define VUFS_QUEUE 32
#define VUFS_MAX_SECTORS 1024 /* 512 KiB */
#define VUFS_SEGMENTS 128

struct vufs_cmd {
	struct hrtimer timer;
	struct scsi_cmnd *scsi;
};

static struct vufs *the_ufs;
static struct platform_device *vufs_soc;
static struct platform_device *vufs_device;

struct vufs *vufs_of(struct device *dev)
{
	return the_ufs;
}

static enum hrtimer_restart vufs_done(struct hrtimer *timer)
{
	struct vufs_cmd *cmd = container_of(timer, struct vufs_cmd, timer);

	scsi_done(cmd->scsi);
	return HRTIMER_NORESTART;
}

static int vufs_init_cmd(struct Scsi_Host *shost, struct scsi_cmnd *scsi)
{
	struct vufs_cmd *cmd = scsi_cmd_priv(scsi);

	hrtimer_setup(&cmd->timer, vufs_done, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
	cmd->scsi = scsi;
	return 0;
}

static int vufs_exit_cmd(struct Scsi_Host *shost, struct scsi_cmnd *scsi)
{
	struct vufs_cmd *cmd = scsi_cmd_priv(scsi);

	hrtimer_cancel(&cmd->timer);
	return 0;
}

/* Process context, as queuecommand_may_block says. */
static compat_queuecommand_result
vufs_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *scsi)
{
	struct vufs_cmd *cmd = scsi_cmd_priv(scsi);
	/* The CPU time of playing the command is part of its service time. */
	u64 now = ktime_get_ns();
	u64 ns, end;

	if (scsi->device->lun) {
		scsi->result = DID_NO_CONNECT << 16;
		scsi_done(scsi);
		return 0;
	}
	scsi->result = 0;
	ns = vufs_scsi_command(the_ufs, scsi);
	end = vufs_device_queue(the_ufs, now, ns);
	hrtimer_start(&cmd->timer, ns_to_ktime(end), HRTIMER_MODE_ABS_HARD);
	return 0;
}

/* Not const: scsi_host_alloc() of kernels before 6.4 would refuse it. */
static struct scsi_host_template vufs_template = {
	.module = THIS_MODULE,
	.name = "vufs",
	.proc_name = "vufs",
	.queuecommand = vufs_queuecommand,
	.init_cmd_priv = vufs_init_cmd,
	.exit_cmd_priv = vufs_exit_cmd,
	.cmd_size = sizeof(struct vufs_cmd),
	.can_queue = VUFS_QUEUE,
	.cmd_per_lun = VUFS_QUEUE,
	.this_id = -1,
	.sg_tablesize = VUFS_SEGMENTS,
	.max_sectors = VUFS_MAX_SECTORS,
	.skip_settle_delay = 1,
	COMPAT_QUEUECOMMAND_MAY_BLOCK
};

static int vufs_probe(struct platform_device *pdev)
{
	struct Scsi_Host *shost = scsi_host_alloc(&vufs_template, 0);
	int err;

	if (!shost)
		return -ENOMEM;
	shost->max_id = 1;
	shost->max_lun = 1;
	shost->max_channel = 0;
	shost->max_cmd_len = 16;
	vufs_device_power(the_ufs, &pdev->dev);
	platform_set_drvdata(pdev, shost);
	err = scsi_add_host(shost, &pdev->dev);
	if (err) {
		vufs_device_power(the_ufs, NULL);
		scsi_host_put(shost);
		return err;
	}
	compat_queuecommand_may_block(shost);
	scsi_scan_host(shost);
	return 0;
}

static void vufs_remove(struct platform_device *pdev)
{
	struct Scsi_Host *shost = platform_get_drvdata(pdev);

	scsi_remove_host(shost);
	scsi_host_put(shost);
	vufs_device_power(the_ufs, NULL);
}
COMPAT_REMOVE(vufs_remove)

static const struct platform_device_id vufs_ids[] = {
	{ .name = "1d84000.ufshc" },
	{}
};

static struct platform_driver vufs_driver = {
	.probe = vufs_probe,
	.remove = COMPAT_REMOVE_OF(vufs_remove),
	.id_table = vufs_ids,
	.driver = {
		.name = "vufs",
		.dev_groups = vufs_groups,
	},
};

int vufs_host_register(struct vufs *ufs)
{
	const struct platform_device_info info = {
		.name = "1d84000.ufshc",
		.id = PLATFORM_DEVID_NONE,
		.dma_mask = DMA_BIT_MASK(64),
	};
	struct platform_device_info below = info;
	int err;

	the_ufs = ufs;
	vufs_soc = platform_device_register_simple("soc", PLATFORM_DEVID_NONE,
						   NULL, 0);
	if (IS_ERR(vufs_soc))
		return PTR_ERR(vufs_soc);
	err = platform_driver_register(&vufs_driver);
	if (err)
		goto no_driver;
	below.parent = &vufs_soc->dev;
	vufs_device = platform_device_register_full(&below);
	if (!IS_ERR(vufs_device))
		return 0;
	err = PTR_ERR(vufs_device);
	platform_driver_unregister(&vufs_driver);
no_driver:
	platform_device_unregister(vufs_soc);
	return err;
}

void vufs_host_unregister(void)
{
	platform_device_unregister(vufs_device);
	platform_driver_unregister(&vufs_driver);
	platform_device_unregister(vufs_soc);
}
