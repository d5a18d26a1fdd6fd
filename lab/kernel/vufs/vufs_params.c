// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: module parameters.
 */
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "vufs.h"

/* A unit descriptor's string is of UTF-16 in at most 252 bytes. */
#define VUFS_STRING 126

static struct vufs_config cfg = {
#define VUFS_FIXED(name, value, description) .name = (value),
#define VUFS_CONFIG(name, value, description) .name = (value),
#include "vufs_config_list.h"
#undef VUFS_FIXED
#undef VUFS_CONFIG
};

#define VUFS_FIXED(key, value, description)          \
	module_param_named(key, cfg.key, uint, 0444); \
	MODULE_PARM_DESC(key, description " (" #value ")");
#define VUFS_CONFIG(key, value, description)         \
	module_param_named(key, cfg.key, uint, 0644); \
	MODULE_PARM_DESC(key, description " (" #value ")");
#include "vufs_config_list.h"
#undef VUFS_FIXED
#undef VUFS_CONFIG

static struct vufs_strings strings = {
	.manufacturer = "VUFS",
	.product = "VUFS-HID",
	.revision = "0100",
	.serial = "5709eeee0001",
};

module_param_named(manufacturer, strings.manufacturer, charp, 0444);
MODULE_PARM_DESC(manufacturer, "string descriptor: manufacturer, 8 characters of it in INQUIRY (VUFS)");
module_param_named(product, strings.product, charp, 0444);
MODULE_PARM_DESC(product, "string descriptor: product, 16 characters of it in INQUIRY (VUFS-HID)");
module_param_named(revision, strings.revision, charp, 0444);
MODULE_PARM_DESC(revision, "string descriptor: revision, 4 characters of it in INQUIRY (0100)");
module_param_named(serial, strings.serial, charp, 0444);
MODULE_PARM_DESC(serial, "string descriptor: serial number (5709eeee0001)");

static unsigned int critical;
module_param(critical, uint, 0444);
MODULE_PARM_DESC(critical, "HEALTH_CRITICAL events before the module was loaded (0)");

static bool instant;
module_param(instant, bool, 0644);
MODULE_PARM_DESC(instant, "commands take no time (N)");

static const char *vufs_config_error(void)
{
	const char * const texts[] = { strings.manufacturer, strings.product,
				       strings.revision, strings.serial };
	u32 i;

	if (cfg.capacity_mib < 8 || cfg.capacity_mib > 256 * 1024)
		return "capacity_mib: 8 to 262144";
	if (cfg.spec > 0xffff)
		return "spec: up to 0xffff";
	if (cfg.unmap_max_mib < 1 || cfg.unmap_max_mib > 256 * 1024)
		return "unmap_max_mib: 1 to 262144";
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (strlen(texts[i]) > VUFS_STRING)
			return "a string of more than 126 characters";
	return NULL;
}

const struct vufs_config *vufs_config_get(void)
{
	const char *error = vufs_config_error();

	if (!error)
		return &cfg;
	pr_err("vufs: bad parameter: %s\n", error);
	return NULL;
}

const struct vufs_strings *vufs_strings_get(void)
{
	return &strings;
}

bool vufs_instant(void)
{
	return READ_ONCE(instant);
}

u32 vufs_critical(void)
{
	return critical;
}
