// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <aidl/org/storekeeper/IStorekeeper.h>

namespace storekeeper {

template <typename Argument>
Argument ArgumentOf(ndk::ScopedAStatus (aidl::org::storekeeper::IStorekeeper::*)(const Argument&));

// AIDL's type for byte[]: a vector of int8_t on Android 11, of uint8_t since 12.
using AidlBytes = decltype(ArgumentOf(&aidl::org::storekeeper::IStorekeeper::setExtCsd));

}  // namespace storekeeper
