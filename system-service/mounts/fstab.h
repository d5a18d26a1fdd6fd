// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/file_reader.h"

namespace storekeeper {

// The mount points that a fstab excludes from trims, by the flag `notrim` of Android's fs_mgr
// (fifth field) or by util-linux's mount option `X-fstrim.notrim` (fourth field).
std::set<std::string> ParseNoTrim(std::string_view fstab);

// ParseNoTrim() of the fstab that this device was booted with, located as fs_mgr does. Empty if
// there is none.
std::set<std::string> ReadNoTrim(
        const FileReader& files,
        const std::function<std::string(const std::string& property)>& property);

}  // namespace storekeeper
