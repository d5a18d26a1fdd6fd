// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: the host controller, a platform device without hardware. A request is
 * played at once; its completion comes when the card would be done, busy time
 * included (MMC_CAP_WAIT_WHILE_BUSY), so that the core has nothing to poll.
 */
#include <linux/hrtimer.h>
#include <linux/mmc/host.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/semaphore.h>
#include <linux/sizes.h>

#include "vemmc.h"
#include "../compat.h"

struct vemmc_host {
	struct mmc_host *mmc;
	struct vemmc_card *card;
	struct mmc_request *mrq;
	struct semaphore bus; /* held from the request to its completion */
	struct hrtimer timer;
};

static struct platform_device *vemmc_device;

static bool instant;
module_param(instant, bool, 0644);
MODULE_PARM_DESC(instant, "requests take no time (N)");

static enum hrtimer_restart vemmc_done(struct hrtimer *timer)
{
	struct vemmc_host *host = container_of(timer, struct vemmc_host, timer);
	struct mmc_request *mrq = host->mrq;

	/* The power may have been cut while the card was at it. */
	if (READ_ONCE(host->card->dead))
		mrq->cmd->error = -ETIMEDOUT;
	host->mrq = NULL;
	up(&host->bus);
	mmc_request_done(host->mmc, mrq);
	return HRTIMER_NORESTART;
}

/*
 * Process context, always: the core only starts requests there. One that comes
 * while another is under way waits; the block driver does that when it recovers
 * from an error and after a failed reset selects the partition again for the
 * next request (mmc_blk_part_switch() is called before mmc_blk_rw_wait()).
 */
static void vemmc_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct vemmc_host *host = mmc_priv(mmc);
	u64 now, ns;

	down(&host->bus);
	now = ktime_get_ns();
	ns = vemmc_card_request(host->card, mrq, now);
	if (READ_ONCE(instant))
		ns = 0;
	host->mrq = mrq;
	hrtimer_start(&host->timer, ns_to_ktime(now + ns), HRTIMER_MODE_ABS);
}

static void vemmc_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
}

static int vemmc_get_cd(struct mmc_host *mmc)
{
	return 1;
}

static int vemmc_get_ro(struct mmc_host *mmc)
{
	return 0;
}

static int vemmc_card_busy(struct mmc_host *mmc)
{
	return 0;
}

static int vemmc_voltage_switch(struct mmc_host *mmc, struct mmc_ios *ios)
{
	return 0;
}

static int vemmc_execute_tuning(struct mmc_host *mmc, u32 opcode)
{
	return 0;
}

static void vemmc_hw_reset(struct mmc_host *mmc)
{
	struct vemmc_host *host = mmc_priv(mmc);

	mutex_lock(&host->card->lock);
	if (!host->card->dead)
		vemmc_card_reset(host->card);
	mutex_unlock(&host->card->lock);
}

static const struct mmc_host_ops vemmc_ops = {
	.request = vemmc_request,
	.set_ios = vemmc_set_ios,
	.get_cd = vemmc_get_cd,
	.get_ro = vemmc_get_ro,
	.card_busy = vemmc_card_busy,
	.start_signal_voltage_switch = vemmc_voltage_switch,
	.execute_tuning = vemmc_execute_tuning,
	.card_hw_reset = vemmc_hw_reset,
};

static int vemmc_probe(struct platform_device *pdev)
{
	struct vemmc_card *card = *(struct vemmc_card **)pdev->dev.platform_data;
	struct vemmc_host *host;
	struct mmc_host *mmc;
	int err;

	mmc = mmc_alloc_host(sizeof(*host), &pdev->dev);
	if (!mmc)
		return -ENOMEM;
	host = mmc_priv(mmc);
	host->mmc = mmc;
	host->card = card;
	sema_init(&host->bus, 1);
	hrtimer_setup(&host->timer, vemmc_done, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);

	mmc->ops = &vemmc_ops;
	mmc->f_min = 400000;
	mmc->f_max = 200000000;
	mmc->ocr_avail = MMC_VDD_165_195 | MMC_VDD_32_33 | MMC_VDD_33_34;
	mmc->caps = MMC_CAP_8_BIT_DATA | MMC_CAP_4_BIT_DATA |
		    MMC_CAP_MMC_HIGHSPEED | MMC_CAP_1_8V_DDR |
		    MMC_CAP_NONREMOVABLE | MMC_CAP_WAIT_WHILE_BUSY |
		    MMC_CAP_CMD23 | MMC_CAP_HW_RESET;
	mmc->caps2 = MMC_CAP2_NO_SD | MMC_CAP2_NO_SDIO |
		     MMC_CAP2_HS200_1_8V_SDR | MMC_CAP2_HS400_1_8V;
	mmc->max_segs = 128;
	mmc->max_seg_size = SZ_64K;
	mmc->max_req_size = SZ_512K;
	mmc->max_blk_size = VEMMC_SECTOR;
	mmc->max_blk_count = SZ_512K / VEMMC_SECTOR;
	mmc->max_busy_timeout = card->cfg->max_busy_ms;

	vemmc_card_power_up(card);
	platform_set_drvdata(pdev, host);
	err = mmc_add_host(mmc);
	if (err)
		mmc_free_host(mmc);
	return err;
}

static void vemmc_remove(struct platform_device *pdev)
{
	struct vemmc_host *host = platform_get_drvdata(pdev);

	mmc_remove_host(host->mmc);
	hrtimer_cancel(&host->timer);
	mmc_free_host(host->mmc);
}
COMPAT_REMOVE(vemmc_remove)

static struct platform_driver vemmc_driver = {
	.probe = vemmc_probe,
	.remove = COMPAT_REMOVE_OF(vemmc_remove),
	.driver = {
		.name = "vemmc",
	},
};

int vemmc_host_register(struct vemmc_card *card)
{
	int err = platform_driver_register(&vemmc_driver);

	if (err)
		return err;
	vemmc_device = platform_device_register_data(NULL, "vemmc", 0, &card,
						     sizeof(card));
	if (!IS_ERR(vemmc_device))
		return 0;
	platform_driver_unregister(&vemmc_driver);
	return PTR_ERR(vemmc_device);
}

void vemmc_host_unregister(void)
{
	platform_device_unregister(vemmc_device);
	platform_driver_unregister(&vemmc_driver);
}
