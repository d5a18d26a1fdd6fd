// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

import org.storekeeper.Gate;
import org.storekeeper.TrimReceipt;

/** What the maintenance is doing and what it waits for. */
parcelable Status {
    boolean trimming;
    /** The mount being trimmed; empty between mounts and when idle. */
    String trimmingMount = "";
    /** abort() was called for the run under way. */
    boolean stopping;
    /** All gates are open. */
    boolean wouldRun;
    Gate[] gates;
    /** Seconds until the gates are looked at again, at the latest. */
    long nextCheckInSeconds;
    /** The mounts that may be trimmed. */
    String[] mounts;
    /** Seconds since the Unix epoch of the last complete run; -1 when there was none. */
    long lastCompleteWallSeconds = -1;
    /** The last run since the service started. */
    @nullable TrimReceipt lastRun;
    /** What the owner should know, such as lost state; one sentence each. */
    String[] notes;
}
