/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The faults of a card: parameters fault_NAME of vemmc. The content of its
 * discarded pages is a separate parameter. Include this file with
 * FTL_FAULT(name, default, description) defined.
 */
FTL_FAULT(garble, 0, "overwrite so many bytes on either side of a discarded range")
FTL_FAULT(garble_every, 1, "garble: on every Nth discard alone")
FTL_FAULT(garble_later, 0, "garble: 1: the damage shows after the next power-up")
FTL_FAULT(die, 0, "answer nothing from the Nth discard on; 0: never")
FTL_FAULT(noop, 0, "1: a discard succeeds and does nothing")
FTL_FAULT(stall_ms, 0, "a write or discard keeps the card busy so much longer, ms")
FTL_FAULT(stall_every, 1, "stall_ms: every Nth write or discard")
FTL_FAULT(read_every, 0, "after so many reads that work ...")
FTL_FAULT(read_burst, 1, "... so many read commands may fail")
FTL_FAULT(read_permille, 1000, "... and how many of these do, permille")
FTL_FAULT(read_change, 0, "1: a read that would fail succeeds with a wrong bit")
FTL_FAULT(flush, 0, "1: flushes and reliable writes succeed and leave all in the cache")
FTL_FAULT(wear, 0, "life used up from which on pages cannot be written, permille")
FTL_FAULT(wear_permille, 0, "wear: how many pages that concerns, permille")
FTL_FAULT(seed, 1, "chance and other content")
