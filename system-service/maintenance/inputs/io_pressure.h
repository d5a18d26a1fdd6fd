// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string_view>

namespace storekeeper {

// The file is absent before Linux 4.20, without CONFIG_PSI, and with psi=0 on the kernel's command
// line.
inline constexpr char kIoPressurePath[] = "/proc/pressure/io";

// Share of the last 10 s in which a task waited for storage, in percent, rounded up: avg10 of the
// line "some" (Documentation/accounting/psi.rst).
android::base::Result<int> ParseIoPressure(std::string_view pressure);

}  // namespace storekeeper
