// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: module parameters.
 */
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "vemmc.h"

static struct vemmc_config cfg = {
#define FTL_CONFIG(name, value, description) .flash.name = (value),
#include "../ftl/ftl_config_list.h"
#undef FTL_CONFIG
#define VEMMC_CONFIG(name, value, description) .name = (value),
#include "vemmc_config_list.h"
#undef VEMMC_CONFIG
};

#define FTL_CONFIG(key, value, description)                \
	module_param_named(key, cfg.flash.key, uint, 0444); \
	MODULE_PARM_DESC(key, description " (" #value ")");
#include "../ftl/ftl_config_list.h"
#undef FTL_CONFIG

#define VEMMC_CONFIG(key, value, description)        \
	module_param_named(key, cfg.key, uint, 0444); \
	MODULE_PARM_DESC(key, description " (" #value ")");
#include "vemmc_config_list.h"
#undef VEMMC_CONFIG

static char *ftl = "hybrid";
module_param(ftl, charp, 0444);
MODULE_PARM_DESC(ftl, "flash translation layer: hybrid or page (hybrid)");

static char *name = "VEMMC1";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "CID: product name, up to 6 characters (VEMMC1)");

static unsigned long long fwrev = 0x0100000000000000ull;
module_param(fwrev, ullong, 0444);
MODULE_PARM_DESC(fwrev, "FIRMWARE_VERSION [254..261], first byte most significant (0x0100000000000000)");

static const char *vemmc_config_error(void)
{
	const struct ftl_config *flash = &cfg.flash;

	if (flash->capacity_mib < 8 || flash->capacity_mib > 256 * 1024)
		return "capacity_mib: 8 to 262144";
	if (flash->block_kib < 64 || flash->block_kib > 65536)
		return "block_kib: 64 to 65536";
	if (flash->unit_kib < 4 || flash->unit_kib > flash->block_kib ||
	    flash->unit_kib % 4)
		return "unit_kib: a multiple of 4 up to block_kib";
	if (strlen(name) > sizeof(cfg.name))
		return "name: up to 6 characters";
	if (cfg.ext_csd_rev < 5 && (cfg.year < 1997 || cfg.year > 2012))
		return "year: 1997 to 2012";
	if (cfg.ext_csd_rev >= 5 && (cfg.year < 2010 || cfg.year > 2025))
		return "year: 2010 to 2025 (JESD84-B451 counts from 2010 on)";
	if (cfg.month < 1 || cfg.month > 12)
		return "month: 1 to 12";
	if (cfg.erase_group_kib % 512 || cfg.erase_group_kib / 512 < 1 ||
	    cfg.erase_group_kib / 512 > 255)
		return "erase_group_kib: a multiple of 512 up to 130560";
	if (cfg.boot_kib % 128 || cfg.boot_kib / 128 > 255)
		return "boot_kib: a multiple of 128 up to 32640";
	if (cfg.pref_erase_kib != 512 && cfg.pref_erase_kib != 1024 &&
	    cfg.pref_erase_kib != 2048 && cfg.pref_erase_kib != 4096)
		return "pref_erase_kib: 512, 1024, 2048 or 4096";
	if (cfg.erased_mem_cont > 1)
		return "erased_mem_cont: 0 or 1";
	if (cfg.ext_csd_rev > 8)
		return "ext_csd_rev: up to 8";
	if (cfg.cache_kib > 65536)
		return "cache_kib: up to 65536";
	return NULL;
}

const struct vemmc_config *vemmc_config_get(void)
{
	const char *error = vemmc_config_error();
	struct ftl_params params;

	if (!strcmp(ftl, "hybrid"))
		cfg.model = FTL_HYBRID;
	else if (!strcmp(ftl, "page"))
		cfg.model = FTL_PAGE;
	else
		error = "ftl: hybrid or page";
	if (!error) {
		params = ftl_config_params(&cfg.flash, cfg.model);
		error = ftl_params_error(&params);
	}
	if (error) {
		pr_err("vemmc: bad parameter: %s\n", error);
		return NULL;
	}
	memset(cfg.name, ' ', sizeof(cfg.name));
	memcpy(cfg.name, name, strlen(name));
	cfg.fwrev = fwrev;
	return &cfg;
}
