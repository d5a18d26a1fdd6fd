// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// libbinder defines itself what an old kernel header lacks, and asks for it with #ifndef. Mainline
// has most of these names as enumerators, which #ifndef does not see, so each gets a macro of its
// own name.
#pragma once

#include_next <linux/android/binder.h>
#include <linux/version.h>

#define BR_FROZEN_REPLY BR_FROZEN_REPLY
#define BR_ONEWAY_SPAM_SUSPECT BR_ONEWAY_SPAM_SUSPECT
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define BR_TRANSACTION_PENDING_FROZEN BR_TRANSACTION_PENDING_FROZEN
#endif
// Macros with a value in older headers, enumerators in newer ones.
#ifndef BINDER_FREEZE
#define BINDER_FREEZE BINDER_FREEZE
#define BINDER_GET_FROZEN_INFO BINDER_GET_FROZEN_INFO
#define BINDER_ENABLE_ONEWAY_SPAM_DETECTION BINDER_ENABLE_ONEWAY_SPAM_DETECTION
#endif

// Only Android's own kernels know these flags; mainline ignores the bits.
#define FLAT_BINDER_FLAG_SCHED_POLICY_SHIFT 9
#define FLAT_BINDER_FLAG_SCHED_POLICY_MASK (3U << FLAT_BINDER_FLAG_SCHED_POLICY_SHIFT)
#define FLAT_BINDER_FLAG_INHERIT_RT 0x800
