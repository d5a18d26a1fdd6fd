// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// libbase's header declares these two for bionic only; in the virtual phone they exist as well.
#pragma once

#include_next <android-base/properties.h>

#if !defined(__BIONIC__)

namespace android {
namespace base {

// Waits for the system property key to have the value expected_value. Returns false on timeout.
bool WaitForProperty(const std::string& key, const std::string& expected_value,
                     std::chrono::milliseconds relative_timeout = std::chrono::milliseconds::max());

// Waits for the system property key to be created. Returns false on timeout.
bool WaitForPropertyCreation(const std::string& key, std::chrono::milliseconds relative_timeout =
                                                             std::chrono::milliseconds::max());

}  // namespace base
}  // namespace android

#endif
