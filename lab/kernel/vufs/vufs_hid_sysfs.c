// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: the group hid, with the names and formats of Linux 6.17.
 */
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/sysfs.h>

#include "vufs.h"

static const char * const vufs_hid_states[VUFS_HID_STATES] = {
	[VUFS_HID_IDLE] = "idle",
	[VUFS_HID_ANALYSIS] = "analysis_in_progress",
	[VUFS_HID_REQUIRED] = "defrag_required",
	[VUFS_HID_DEFRAG] = "defrag_in_progress",
	[VUFS_HID_COMPLETED] = "defrag_completed",
	[VUFS_HID_NOT_REQUIRED] = "defrag_not_required",
};

static ssize_t vufs_hid_trigger(struct device *dev, const char *buf, size_t len,
				enum vufs_hid_operation enable)
{
	struct vufs *ufs = vufs_of(dev);
	u32 refuse = READ_ONCE(ufs->model.c->hid_refuse);
	enum vufs_hid_operation operation;

	if (sysfs_streq(buf, "enable"))
		operation = enable;
	else if (sysfs_streq(buf, "disable"))
		operation = VUFS_HID_DISABLE;
	else
		return -EINVAL;
	if (refuse)
		return refuse == 1 ? -EIO : -EOPNOTSUPP;
	vufs_device_operate(ufs, operation);
	return len;
}

static ssize_t analysis_trigger_store(struct device *dev,
				      struct device_attribute *attr,
				      const char *buf, size_t len)
{
	return vufs_hid_trigger(dev, buf, len, VUFS_HID_ANALYSE);
}
static DEVICE_ATTR_WO(analysis_trigger);

static ssize_t defrag_trigger_store(struct device *dev,
				    struct device_attribute *attr,
				    const char *buf, size_t len)
{
	return vufs_hid_trigger(dev, buf, len, VUFS_HID_ANALYSE_AND_DEFRAG);
}
static DEVICE_ATTR_WO(defrag_trigger);

static ssize_t fragmented_size_show(struct device *dev,
				    struct device_attribute *attr, char *buf)
{
	struct vufs *ufs = vufs_of(dev);
	u32 units;

	spin_lock_irq(&ufs->lock);
	units = vufs_hid_fragmented_size(&ufs->model);
	spin_unlock_irq(&ufs->lock);
	if (units == VUFS_HID_NONE && READ_ONCE(ufs->model.c->hid_enodata))
		return -ENODATA;
	return sysfs_emit(buf, "%u\n", units);
}
static DEVICE_ATTR_RO(fragmented_size);

static ssize_t defrag_size_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(vufs_of(dev)->model.hid.size));
}

/* Sets the size of the next defragmentation, not of one under way. */
static ssize_t defrag_size_store(struct device *dev,
				 struct device_attribute *attr,
				 const char *buf, size_t len)
{
	struct vufs *ufs = vufs_of(dev);
	u32 units;

	if (kstrtou32(buf, 0, &units))
		return -EINVAL;
	spin_lock_irq(&ufs->lock);
	ufs->model.hid.size = units;
	spin_unlock_irq(&ufs->lock);
	return len;
}
static DEVICE_ATTR_RW(defrag_size);

static ssize_t progress_ratio_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	struct vufs *ufs = vufs_of(dev);
	u32 ratio;

	spin_lock_irq(&ufs->lock);
	ratio = vufs_hid_progress_ratio(&ufs->model);
	spin_unlock_irq(&ufs->lock);
	return sysfs_emit(buf, "%u\n", ratio);
}
static DEVICE_ATTR_RO(progress_ratio);

static ssize_t state_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	struct vufs *ufs = vufs_of(dev);
	enum vufs_hid_state state;

	spin_lock_irq(&ufs->lock);
	state = vufs_hid_read_state(&ufs->model);
	spin_unlock_irq(&ufs->lock);
	return sysfs_emit(buf, "%s\n", vufs_hid_states[state]);
}
static DEVICE_ATTR_RO(state);

static umode_t vufs_hid_visible(struct kobject *kobj, struct attribute *attr,
				int n)
{
	return vufs_of(kobj_to_dev(kobj))->model.c->hid ? attr->mode : 0;
}

static struct attribute *vufs_hid_attrs[] = {
	&dev_attr_analysis_trigger.attr,
	&dev_attr_defrag_trigger.attr,
	&dev_attr_fragmented_size.attr,
	&dev_attr_defrag_size.attr,
	&dev_attr_progress_ratio.attr,
	&dev_attr_state.attr,
	NULL
};

const struct attribute_group vufs_hid_group = {
	.name = "hid",
	.attrs = vufs_hid_attrs,
	.is_visible = vufs_hid_visible,
};
