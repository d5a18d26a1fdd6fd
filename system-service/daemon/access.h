// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

// Who may ask for an operation: a row of the table in access.cpp, which docs/security.md shows.
struct AccessRule {
    std::string_view operation;  // "setExtCsd()", "cmd storekeeper trim"
    unsigned callers;            // a bit each

    bool Admits(uid_t uid) const;
    // "root and shell", as texts name them.
    std::string Callers() const;
};

std::span<const AccessRule> AccessRules();

// Null for an operation without a row.
const AccessRule* FindAccessRule(std::string_view operation);

// An error unless the operation has a row that admits the caller.
android::base::Result<void> CheckCaller(std::string_view operation, uid_t uid);

// What FindAccessRule() knows a verb of `cmd storekeeper` by.
std::string VerbOperation(std::string_view verb);

// What callers may hand in. What is longer is refused before it is used or recorded.
inline constexpr size_t kMaxArguments = 32;
inline constexpr size_t kMaxArgumentBytes = 255;
// With as many, a receipt is still far from filling the file of receipts.
inline constexpr size_t kMaxMounts = 16;

android::base::Result<void> CheckArguments(const std::vector<std::string>& arguments,
                                           size_t most = kMaxArguments);

// Of these no more than it takes CheckArguments() to refuse them.
std::vector<std::string> TakeArguments(const char** arguments, uint32_t count);

}  // namespace storekeeper
