// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.hardware.health;

parcelable StorageInfo {
    int eol;
    int lifetimeA;
    int lifetimeB;
    String version;
}
