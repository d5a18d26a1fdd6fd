// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

// Who may call the service at all: root, the system and the shell.
android::base::Result<void> CheckCaller(uid_t uid);

// Who may hand in what the reports then say of the chip: root.
android::base::Result<void> CheckRoot(uid_t uid);

// Who may choose who encrypts: root and the system.
android::base::Result<void> CheckRootOrSystem(uid_t uid);

// What callers may hand in. What is longer is refused before it is used or recorded.
inline constexpr size_t kMaxArguments = 32;
inline constexpr size_t kMaxArgumentBytes = 255;
// With as many, a receipt is still far from filling the file of receipts.
inline constexpr size_t kMaxMounts = 16;

android::base::Result<void> CheckArguments(const std::vector<std::string>& arguments,
                                           size_t most = kMaxArguments);

// Of these no more than it takes CheckArguments() to refuse them.
std::vector<std::string> TakeArguments(const char** arguments, uint32_t count);

// On one line of a terminal or log: what is not printable ASCII as \x0a.
std::string Printable(std::string_view text);

}  // namespace storekeeper
