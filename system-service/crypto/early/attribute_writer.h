// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

#include "base/syscalls.h"

namespace storekeeper {

// Writes an attribute of sysfs, in one call, as its store() wants it. The error has the errno of
// opening or of writing; `opened`, where it is given, says which.
android::base::Result<void> WriteAttribute(Syscalls& syscalls, const std::string& path,
                                           std::string_view text, bool* opened = nullptr);

}  // namespace storekeeper
