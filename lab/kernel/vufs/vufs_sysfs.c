// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: attributes of the host's device, with the names and formats of Linux's
 * UFS driver.
 */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "vufs.h"

static u32 vufs_value(struct device *dev, u32 (*get)(const struct vufs_model *))
{
	struct vufs *ufs = vufs_of(dev);
	u32 value;

	spin_lock_irq(&ufs->lock);
	value = get(&ufs->model);
	spin_unlock_irq(&ufs->lock);
	return value;
}

static ssize_t critical_health_show(struct device *dev,
				    struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(vufs_of(dev)->critical));
}
static DEVICE_ATTR_RO(critical_health);

static ssize_t eol_info_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "0x%02X\n", vufs_value(dev, vufs_pre_eol_info));
}
static DEVICE_ATTR_RO(eol_info);

static ssize_t life_time_estimation_a_show(struct device *dev,
					   struct device_attribute *attr,
					   char *buf)
{
	return sysfs_emit(buf, "0x%02X\n", vufs_value(dev, vufs_life_time));
}
static DEVICE_ATTR_RO(life_time_estimation_a);

static ssize_t life_time_estimation_b_show(struct device *dev,
					   struct device_attribute *attr,
					   char *buf)
{
	return life_time_estimation_a_show(dev, attr, buf);
}
static DEVICE_ATTR_RO(life_time_estimation_b);

static ssize_t specification_version_show(struct device *dev,
					  struct device_attribute *attr,
					  char *buf)
{
	return sysfs_emit(buf, "0x%04X\n", vufs_of(dev)->model.c->spec);
}
static DEVICE_ATTR_RO(specification_version);

#define VUFS_STRING_ATTR(name, string)                                      \
static ssize_t name##_show(struct device *dev,                              \
			   struct device_attribute *attr, char *buf)         \
{                                                                           \
	return sysfs_emit(buf, "%s\n", (string));                            \
}                                                                           \
static DEVICE_ATTR_RO(name)

VUFS_STRING_ATTR(manufacturer_name, vufs_strings_get()->manufacturer);
VUFS_STRING_ATTR(product_name, vufs_strings_get()->product);
VUFS_STRING_ATTR(product_revision, vufs_strings_get()->revision);
VUFS_STRING_ATTR(serial_number, vufs_strings_get()->serial);

static struct attribute *vufs_host_attrs[] = {
	&dev_attr_critical_health.attr,
	NULL
};

static const struct attribute_group vufs_host_group = {
	.attrs = vufs_host_attrs,
};

static struct attribute *vufs_health_attrs[] = {
	&dev_attr_eol_info.attr,
	&dev_attr_life_time_estimation_a.attr,
	&dev_attr_life_time_estimation_b.attr,
	NULL
};

static const struct attribute_group vufs_health_group = {
	.name = "health_descriptor",
	.attrs = vufs_health_attrs,
};

static struct attribute *vufs_device_attrs[] = {
	&dev_attr_specification_version.attr,
	NULL
};

static const struct attribute_group vufs_device_group = {
	.name = "device_descriptor",
	.attrs = vufs_device_attrs,
};

static struct attribute *vufs_string_attrs[] = {
	&dev_attr_manufacturer_name.attr,
	&dev_attr_product_name.attr,
	&dev_attr_product_revision.attr,
	&dev_attr_serial_number.attr,
	NULL
};

static const struct attribute_group vufs_string_group = {
	.name = "string_descriptors",
	.attrs = vufs_string_attrs,
};

const struct attribute_group *vufs_groups[] = {
	&vufs_host_group,
	&vufs_health_group,
	&vufs_device_group,
	&vufs_string_group,
	&vufs_hid_group,
	NULL
};
