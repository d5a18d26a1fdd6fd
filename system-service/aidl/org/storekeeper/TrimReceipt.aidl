// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

import org.storekeeper.MountReceipt;

/** What a run did. */
parcelable TrimReceipt {
    /** Asked for by a caller, rather than decided by the policy. */
    boolean manual;
    /** Seconds since the Unix epoch. */
    long startedWallSeconds;
    /** Nanoseconds. */
    long durationNanos;
    /** 0, or the IStorekeeper.ERROR_ code of the first failure. */
    int code;
    /** Of the first failure; empty without one. */
    String reason = "";
    /** Every mount that can be trimmed was. */
    boolean complete;
    MountReceipt[] mounts;
}
