// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/file_reader.h"

namespace storekeeper {

// The mount points that a fstab does not want trimmed: with the flag `notrim` of Android's fs_mgr
// (fifth field), or the mount option `X-fstrim.notrim` of util-linux (fourth).
std::set<std::string> ParseNoTrim(std::string_view fstab);

// ParseNoTrim() of the fstab that this device was booted with, found as fs_mgr finds it. Empty
// without one.
std::set<std::string> ReadNoTrim(
        const FileReader& files,
        const std::function<std::string(const std::string& property)>& property);

}  // namespace storekeeper
