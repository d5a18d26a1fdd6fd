// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string_view>

namespace storekeeper::lab {

// Android's rule (IsLegalPropertyName in system/core/init/util.cpp): letters, digits and "._-@:",
// no dot at either end, no two dots in a row. Names longer than a file name are refused too.
android::base::Result<void> CheckPropertyName(std::string_view name);

// Android's rule (IsLegalPropertyValue in system/core/init/util.cpp): UTF-8 without NUL, less than
// PROP_VALUE_MAX (92) bytes unless the property is read-only. Those may be as long as one string of
// property_service's protocol, 0xffff bytes.
android::base::Result<void> CheckPropertyValue(std::string_view name, std::string_view value);

// "ro." properties get their value once.
bool IsReadOnlyProperty(std::string_view name);

// "persist." properties outlive a boot.
bool IsPersistentProperty(std::string_view name);

}  // namespace storekeeper::lab
