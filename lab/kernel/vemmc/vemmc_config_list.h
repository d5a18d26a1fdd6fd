/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * Parameters of the card and its host besides those of ftl_config_list.h.
 * Included with VEMMC_CONFIG(name, default, description) defined.
 */
VEMMC_CONFIG(manfid, 0x90, "CID: manufacturer id")
VEMMC_CONFIG(oemid, 0x4a, "CID: OEM/application id")
VEMMC_CONFIG(prv, 0x07, "CID: product revision")
VEMMC_CONFIG(serial, 0x20120713, "CID: product serial number")
VEMMC_CONFIG(month, 7, "CID: manufacturing month, 1-12")
VEMMC_CONFIG(year, 2012, "CID: manufacturing year, 2010-2025")
VEMMC_CONFIG(ext_csd_rev, 8, "EXT_CSD_REV [192]: 5 is 4.41, 6 is 4.5, 7 is 5.0, 8 is 5.1")
VEMMC_CONFIG(card_type, 0x57, "DEVICE_TYPE [196]: HS26, HS52, DDR52, HS200 and HS400 at 1.8 V")
VEMMC_CONFIG(cache_kib, 512, "CACHE_SIZE [249]: volatile cache, KiB; 0 is none")
VEMMC_CONFIG(boot_kib, 128, "BOOT_SIZE_MULT [226]: each boot partition, KiB, in steps of 128")
VEMMC_CONFIG(erase_group_kib, 512, "HC_ERASE_GRP_SIZE [224]: erase group, KiB, in steps of 512")
VEMMC_CONFIG(pref_erase_kib, 512,
	     "discard granularity that Linux shall derive: 512, 1024, 2048, 4096")
VEMMC_CONFIG(erased_mem_cont, 0,
	     "ERASED_MEM_CONT [181]: 1: erased bytes read 0xff, Linux then zeroes by writing")
VEMMC_CONFIG(discard, 1, "0: the card knows no erase, TRIM or discard")
VEMMC_CONFIG(max_busy_ms, 0,
	     "longest busy time the host allows, bounds a discard; 0: the 60 s of Linux")
VEMMC_CONFIG(t_ctl_us, 5, "command without data, us")
