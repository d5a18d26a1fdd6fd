/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The one list of card parameters that the flash translation layer reads:
 * module parameters of vemmc, arguments of ftl_sim, keys of the profiles.
 * Include this file with FTL_CONFIG(name, default, description) defined.
 */
FTL_CONFIG(capacity_mib, 1024, "user area, MiB")
FTL_CONFIG(block_kib, 1024, "erase block, KiB")
FTL_CONFIG(unit_kib, 64, "hybrid: mapping unit, KiB")
FTL_CONFIG(spare_blocks, 2, "hybrid: log blocks left when the card is full")
FTL_CONFIG(log_low, 8,
	   "hybrid: free log blocks below which a sequential stream has none of its own")
FTL_CONFIG(op_permille, 70, "page map: over-provisioning, permille")
FTL_CONFIG(endurance, 3000, "P/E cycles of a block")
FTL_CONFIG(endurance_log, 30000, "P/E cycles of a block while it serves as log")
FTL_CONFIG(bad_reserve, 16, "blocks in reserve for worn-out ones")
FTL_CONFIG(worn_permille, 0, "life used up before the module was loaded, permille")
FTL_CONFIG(t_cmd_r_us, 396, "overhead of a read command, us")
FTL_CONFIG(t_cmd_w_us, 396, "overhead of a write command, us")
FTL_CONFIG(t_read_us, 156, "read of a 4 KiB page, us")
FTL_CONFIG(t_prog_us, 370, "program of a 4 KiB page, us")
FTL_CONFIG(t_cread_us, 156, "internal read of a page for a copy, us")
FTL_CONFIG(t_cprog_us, 650, "internal program of a page in a merge or GC, us")
FTL_CONFIG(t_erase_us, 2000, "erase of a block, us")
FTL_CONFIG(t_trim_us, 500, "trim, discard or erase command, us")
FTL_CONFIG(t_trim_mib_us, 0, "the same, for each MiB of its range, us")
FTL_CONFIG(t_flush_us, 200, "cache flush, us")
FTL_CONFIG(idle_ms, 20000, "quiet time before background work, ms")
