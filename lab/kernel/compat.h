/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The one place that knows kernel versions. The sources are written for the newest kernel; this
 * header gives older ones, from 5.10 on, what they have under another name or do not have. What it
 * defines are macros, so that a stable kernel which took the newer function as well still builds.
 * Include it last.
 */
#ifndef STOREKEEPER_COMPAT_H
#define STOREKEEPER_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/mod_devicetable.h>
#include <linux/platform_device.h>
#include <linux/version.h>

/* 5.11: linux/math.h out of linux/kernel.h. 6.12: linux/unaligned.h out of asm/. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* 5.14: a function for an answer with sense data. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 14, 0)
#define scsi_build_sense(cmd, descriptor, key, asc, ascq) \
	do { \
		scsi_build_sense_buffer(descriptor, (cmd)->sense_buffer, key, \
					asc, ascq); \
		(cmd)->result = DRIVER_SENSE << 24 | \
				SAM_STAT_CHECK_CONDITION; \
	} while (0)
#endif

/* 5.16: a function instead of a member of the command. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
#define scsi_done(cmd) ((cmd)->scsi_done(cmd))
#endif

/* 5.18: the member of mmc_host_ops has a new name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
#define card_hw_reset hw_reset
#endif

/* 6.3: what `complete` is given is no longer the request. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define crypto_request_complete(req, err) ((req)->complete(req, err))
#endif

/*
 * 6.4: a host says that its queuecommand may sleep. Before, a flag of the tag set does it, between
 * scsi_add_host() and scsi_scan_host(): queues of devices take it over when they are made.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define COMPAT_QUEUECOMMAND_MAY_BLOCK
#define compat_queuecommand_may_block(shost) \
	((shost)->tag_set.flags |= BLK_MQ_F_BLOCKING)
#else
#define COMPAT_QUEUECOMMAND_MAY_BLOCK .queuecommand_may_block = 1,
#define compat_queuecommand_may_block(shost) do { } while (0)
#endif

/* 6.8: a function for zones without trip points. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define thermal_tripless_zone_device_register(type, data, ops, params) \
	thermal_zone_device_register(type, 0, 0, data, \
				     (struct thermal_zone_device_ops *)(ops), \
				     params, 0, 0)
#endif

/* 6.11: a platform driver's `remove` returns nothing. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define COMPAT_REMOVE(name) \
	static int compat_##name(struct platform_device *pdev) \
	{ \
		name(pdev); \
		return 0; \
	}
#define COMPAT_REMOVE_OF(name) compat_##name
#else
#define COMPAT_REMOVE(name)
#define COMPAT_REMOVE_OF(name) name
#endif

/* 6.13: a timer gets its function where it gets its clock. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define hrtimer_setup(timer, callback, clock, mode) \
	do { \
		hrtimer_init(timer, clock, mode); \
		(timer)->function = callback; \
	} while (0)
#define hrtimer_setup_on_stack(timer, callback, clock, mode) \
	do { \
		hrtimer_init_on_stack(timer, clock, mode); \
		(timer)->function = callback; \
	} while (0)
#endif

/*
 * 6.16: the AES of the CPU's instructions is no longer two ciphers, an inner one and one that
 * wraps it. Its users then include us.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define COMPAT_AES_NAME "__%s-aes-aesni"
#define COMPAT_AES_TYPE CRYPTO_ALG_INTERNAL
#else
#define COMPAT_AES_NAME "%s-aes-aesni"
#define COMPAT_AES_TYPE 0
#endif

/* 7.x: queuecommand returns an enumeration, before an int. */
#define compat_queuecommand_result \
	typeof(((struct scsi_host_template *)0)->queuecommand(NULL, NULL))

#endif
