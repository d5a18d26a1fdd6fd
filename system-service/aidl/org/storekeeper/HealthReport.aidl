// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

import org.storekeeper.HealthItem;

/** How worn the storage chip is, and what it reports of itself. */
parcelable HealthReport {
    /** One line for people. */
    String verdict = "";
    /** One of IStorekeeper.LEVEL_. */
    int level;
    /** Range of the used life in percent, 0-100; both -1 when it is not reported. */
    int usedFromPercent = -1;
    int usedToPercent = -1;
    /** Where the wear comes from: "ext_csd" (handed in), "health_hal", "sysfs" (eMMC) or "ufs". */
    String wearSource = "";
    /** "mmcblk0", "sda"; empty when there is none, see the problem. */
    String device = "";
    String problem = "";
    HealthItem[] items;
}
