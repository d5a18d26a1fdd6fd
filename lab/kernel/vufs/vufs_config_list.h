/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The one list of vufs's parameters: those of the module, keys of the profiles.
 * Included with VUFS_FIXED(name, default, description) for what is read when
 * the module is loaded, and VUFS_CONFIG for what may be written at any time.
 */
VUFS_FIXED(capacity_mib, 1024, "logical unit, MiB")
VUFS_FIXED(spec, 0x0410, "wSpecVersion")
VUFS_FIXED(unmap_max_mib, 1024, "largest UNMAP, MiB")
VUFS_FIXED(worn_permille, 0, "life used up before the module was loaded, permille")
VUFS_CONFIG(seed, 1, "other numbers age other units")
VUFS_CONFIG(age, 0, "share of what is written from now on that is fragmented, permille")
VUFS_CONFIG(small_kib, 32, "shorter writes that do not continue the one before are fragmented, KiB")
VUFS_CONFIG(read_slow, 3, "a fragmented 4 KiB unit takes so many times as long to read")
VUFS_CONFIG(endurance, 3000, "life in writes of the whole capacity")
VUFS_CONFIG(t_cmd_r_us, 40, "overhead of a read command, us")
VUFS_CONFIG(t_cmd_w_us, 40, "overhead of a write command, us")
VUFS_CONFIG(t_read_us, 10, "read of a 4 KiB unit, us")
VUFS_CONFIG(t_write_us, 15, "write of a 4 KiB unit, us")
VUFS_CONFIG(t_unmap_us, 200, "UNMAP, us")
VUFS_CONFIG(t_unmap_mib_us, 20, "the same, for each MiB of its ranges, us")
VUFS_CONFIG(t_flush_us, 500, "SYNCHRONIZE CACHE, us")
VUFS_CONFIG(t_ctl_us, 5, "command without data of the medium, us")
VUFS_CONFIG(analysis_ms, 2000, "analysis, ms; commands do not wait for it")
VUFS_CONFIG(defrag_mib_ms, 20, "rewriting 1 MiB in a defragmentation, ms")
VUFS_CONFIG(defrag_step_ms, 5, "step of a defragmentation, for which commands wait, ms")
VUFS_CONFIG(defrag_quiet_us, 0, "time without a command before a step, us")
VUFS_CONFIG(hid, 1, "0: an empty group hid, from the next binding of the host on")
VUFS_CONFIG(hid_helps, 1, "0: what was defragmented is still read slowly")
VUFS_CONFIG(hid_unknown, 0, "1: no analysis finds a fragmented size")
VUFS_CONFIG(hid_enodata, 0, "1: an unknown fragmented size is ENODATA, not 4294967295")
VUFS_CONFIG(hid_refuse, 0, "1: the triggers answer EIO, 2: EOPNOTSUPP")
VUFS_CONFIG(hid_stale_mib, 0,
	    "so much written makes the result of an analysis invalid, MiB; 0: never")
VUFS_CONFIG(hid_state_once, 0, "1: reading a final state makes it idle")
