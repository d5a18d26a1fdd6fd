// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: the device as a whole: its time, its defragmentation, its events.
 */
#include <linux/device.h>
#include <linux/hrtimer.h>

#include "vufs.h"
#include "../compat.h"

/* The lock is held. The timer fires when there is something to do again. */
static void vufs_device_run(struct vufs *ufs, u64 now)
{
	u64 next = vufs_hid_run(&ufs->model, now);

	if (next)
		hrtimer_start(&ufs->hid_timer, ns_to_ktime(next),
			      HRTIMER_MODE_ABS_HARD);
}

static enum hrtimer_restart vufs_device_timer(struct hrtimer *timer)
{
	struct vufs *ufs = container_of(timer, struct vufs, hid_timer);
	unsigned long flags;
	u64 next;

	spin_lock_irqsave(&ufs->lock, flags);
	/* A timer that was restarted meanwhile keeps its new expiry. */
	next = hrtimer_is_queued(timer) ? 0 :
	       vufs_hid_run(&ufs->model, ktime_get_ns());
	if (next)
		hrtimer_set_expires(timer, ns_to_ktime(next));
	spin_unlock_irqrestore(&ufs->lock, flags);
	return next ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

int vufs_device_init(struct vufs *ufs, const struct vufs_config *c)
{
	mutex_init(&ufs->medium_lock);
	spin_lock_init(&ufs->lock);
	xa_init(&ufs->pages);
	ufs->critical = vufs_critical();
	hrtimer_setup(&ufs->hid_timer, vufs_device_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
	return vufs_model_init(&ufs->model, c) ? 0 : -ENOMEM;
}

void vufs_device_destroy(struct vufs *ufs)
{
	hrtimer_cancel(&ufs->hid_timer);
	vufs_medium_destroy(ufs);
	vufs_model_destroy(&ufs->model);
}

u64 vufs_device_queue(struct vufs *ufs, u64 now, u64 ns)
{
	unsigned long flags;
	u64 end;

	spin_lock_irqsave(&ufs->lock, flags);
	end = vufs_instant() ? now : vufs_queue(&ufs->model, now, ns);
	spin_unlock_irqrestore(&ufs->lock, flags);
	return end;
}

void vufs_device_operate(struct vufs *ufs, enum vufs_hid_operation operation)
{
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&ufs->lock, flags);
	now = ktime_get_ns();
	vufs_hid_write(&ufs->model, operation, now);
	vufs_device_run(ufs, now);
	spin_unlock_irqrestore(&ufs->lock, flags);
}

/* HEALTH_CRITICAL of wExceptionEventStatus: the driver counts and notifies. */
void vufs_device_raise_critical(struct vufs *ufs)
{
	unsigned long flags;
	struct device *host;

	spin_lock_irqsave(&ufs->lock, flags);
	ufs->critical++;
	host = get_device(ufs->host);
	spin_unlock_irqrestore(&ufs->lock, flags);
	if (host)
		sysfs_notify(&host->kobj, NULL, "critical_health");
	put_device(host);
}

/* Power-up under this host, or power off. */
void vufs_device_power(struct vufs *ufs, struct device *host)
{
	unsigned long flags;

	spin_lock_irqsave(&ufs->lock, flags);
	vufs_hid_reset(&ufs->model);
	ufs->host = host;
	spin_unlock_irqrestore(&ufs->lock, flags);
}
