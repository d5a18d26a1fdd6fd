// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/** A condition of maintenance, as evaluated. */
parcelable Gate {
    /** "interval", "retry", "untouched", "battery", "heat" and so on. */
    String name = "";
    /**
     * "s" for seconds, "pct" for percent, "dC" for tenths of a degree Celsius, "yes" for 1 as yes
     * and 0 as no.
     */
    String unit = "";
    /** -1 when it is not known or does not apply; see the note. */
    long value = -1;
    /** The gate is open when the value is at least this, or at most when atMost. */
    long limit;
    boolean atMost;
    /** By how much the limit is relaxed because a run is overdue. */
    long relaxedBy;
    /** The limit is one that root set until the next boot. */
    boolean overridden;
    boolean pass;
    /** Explains the value; may be empty. */
    String note = "";
}
