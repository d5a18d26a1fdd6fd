// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <selinux/selinux.h>

// restorecon is not called either: the flags need a value alone.
#define SELINUX_ANDROID_RESTORECON_RECURSE 0
#define SELINUX_ANDROID_RESTORECON_SKIPCE 0
#define SELINUX_ANDROID_RESTORECON_CROSS_FILESYSTEMS 0
