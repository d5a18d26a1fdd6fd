// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// For the Android versions whose kernels are on both sides of dm-crypt 1.17.0: names the CPU's
// driver where dm-crypt takes one, unbinds the engine where it does not.

#pragma once

#include "StorekeeperCipher.h"
#include "StorekeeperUnbind.h"

// Like storekeeper_cipher(). Call it before the device-mapper device of `label` exists.
static inline const char* storekeeper_cipher_or_unbind(const char* label, const char* cipher) {
    if (!storekeeper_kernel_chosen(label)) return NULL;
    if (storekeeper_takes_capi()) return storekeeper_cipher(label, cipher);
    storekeeper_unbind_engine(label, cipher);
    return NULL;
}
