/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * What a faulty card does, besides what its discarded pages read as: parameters
 * fault_NAME of vemmc. Included with FTL_FAULT(name, default, description)
 * defined.
 */
FTL_FAULT(garble, 0, "overwrite as much on either side of a discarded range, bytes")
FTL_FAULT(garble_every, 1, "garble: at each so manieth discard")
FTL_FAULT(garble_later, 0, "garble: 1: the damage shows after the next power-up")
FTL_FAULT(die, 0, "answer nothing any more from this discard on; 1: the first")
FTL_FAULT(seed, 1, "where chance begins, and with it other content")
