// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/** One thing known, or not, about the storage chip. */
parcelable HealthItem {
    /** The kernel's name of the attribute, such as "pre_eol_info". */
    String name = "";
    /** Null when it is not reported, or could not be read. */
    @nullable String value;
    /** The value in words; may be empty. */
    String explanation = "";
    /** Why it could not be read; empty when it was, or is not reported. */
    String problem = "";
}
