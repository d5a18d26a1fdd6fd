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

// Callers that an operation admits: a row of the table in access.cpp, which docs/security.md shows.
struct AccessRule {
    std::string_view operation;  // "setExtCsd()", "cmd storekeeper trim"
    unsigned callers;            // one bit per caller

    bool Admits(uid_t uid) const;
    // The callers as text: "root and shell".
    std::string Callers() const;
};

std::span<const AccessRule> AccessRules();

// Finds the row of an operation; null if it has none.
const AccessRule* FindAccessRule(std::string_view operation);

// Fails unless the operation has a row that admits the caller.
android::base::Result<void> CheckCaller(std::string_view operation, uid_t uid);

// The operation of a verb of `cmd storekeeper`, for FindAccessRule().
std::string VerbOperation(std::string_view verb);

// Limits of a caller's arguments. Longer input is refused before it is used or recorded.
inline constexpr size_t kMaxArguments = 32;
inline constexpr size_t kMaxArgumentBytes = 255;
// A receipt with this many mounts is far smaller than state.log.
inline constexpr size_t kMaxMounts = 16;

android::base::Result<void> CheckArguments(const std::vector<std::string>& arguments,
                                           size_t most = kMaxArguments);

// Copies the arguments, but no more than CheckArguments() needs to refuse them.
std::vector<std::string> TakeArguments(const char** arguments, uint32_t count);

}  // namespace storekeeper
