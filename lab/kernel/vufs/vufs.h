/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: a UFS 4.1 and its host controller in one module.
 */
#ifndef STOREKEEPER_VUFS_H
#define STOREKEEPER_VUFS_H

#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "vufs_hid.h"
#include "vufs_model.h"

struct device;
struct platform_device;
struct scsi_cmnd;

/* String descriptors. */
struct vufs_strings {
	char *manufacturer;
	char *product;
	char *revision;
	char *serial;
};

/* The device, which lives as long as the module. */
struct vufs {
	struct mutex medium_lock; /* commands, one at a time: pages */
	struct xarray pages; /* by unit; none is a unit of zeros */
	u64 held; /* units of memory in use */
	spinlock_t lock; /* all below */
	struct vufs_model model;
	struct hrtimer hid_timer;
	u32 critical; /* HEALTH_CRITICAL events */
	struct device *host; /* NULL: unbound */
};

/* vufs_params.c: the parameters, checked; NULL and a message if bad. */
const struct vufs_config *vufs_config_get(void);
const struct vufs_strings *vufs_strings_get(void);
bool vufs_instant(void);
u32 vufs_critical(void);

/* vufs_medium.c: the data of units. */
int vufs_medium_read(struct vufs *ufs, u32 unit, u32 off, void *buf, u32 len);
int vufs_medium_write(struct vufs *ufs, u32 unit, u32 off, const void *buf,
		      u32 len);
void vufs_medium_unmap(struct vufs *ufs, u32 first, u32 n);
void vufs_medium_destroy(struct vufs *ufs);

/* vufs_scsi.c: plays a command and returns its service time in ns. */
u64 vufs_scsi_command(struct vufs *ufs, struct scsi_cmnd *cmd);
/* vufs_pages.c: answers that describe the device; false: no such thing. */
bool vufs_scsi_describe(struct vufs *ufs, struct scsi_cmnd *cmd);
void vufs_scsi_answer(struct scsi_cmnd *cmd, const u8 *data, u32 len,
		      u32 allowed);

/* vufs_device.c: the device as a whole. */
int vufs_device_init(struct vufs *ufs, const struct vufs_config *c);
void vufs_device_destroy(struct vufs *ufs);
/* Returns the time at which a command that came at @now and takes @ns is done. */
u64 vufs_device_queue(struct vufs *ufs, u64 now, u64 ns);
void vufs_device_operate(struct vufs *ufs, enum vufs_hid_operation operation);
void vufs_device_raise_critical(struct vufs *ufs);
void vufs_device_power(struct vufs *ufs, struct device *host);

/* vufs_sysfs.c, vufs_hid_sysfs.c */
extern const struct attribute_group *vufs_groups[];
extern const struct attribute_group vufs_hid_group;

/* vufs_debugfs.c */
void vufs_debugfs_init(struct vufs *ufs);
void vufs_debugfs_exit(void);

/* vufs_host.c */
int vufs_host_register(struct vufs *ufs);
void vufs_host_unregister(void);
struct vufs *vufs_of(struct device *dev);

#endif /* STOREKEEPER_VUFS_H */
