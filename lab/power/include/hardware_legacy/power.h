// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The calls of AOSP's libpower, which on a device speaks to android.system.suspend.

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum { PARTIAL_WAKE_LOCK = 1, FULL_WAKE_LOCK = 2 };

// 0 when the device stays awake from now on, also when it did already; -1 when nobody keeps it so.
int acquire_wake_lock(int lock, const char* id);

// 0, or -1 when there is no such lock. A process that ends has none any more.
int release_wake_lock(const char* id);

#ifdef __cplusplus
}
#endif
