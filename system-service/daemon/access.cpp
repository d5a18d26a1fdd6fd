// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/access.h"

#include <android-base/stringprintf.h>
#include <string.h>

#include <algorithm>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// AID_ROOT, AID_SYSTEM and AID_SHELL of private/android_filesystem_config.h, fixed for ever. Users
// beside the first have other ids and no business here.
constexpr uid_t kRoot = 0;
constexpr uid_t kSystem = 1000;
constexpr uid_t kShell = 2000;

}  // namespace

Result<void> CheckCaller(uid_t uid) {
    if (uid == kRoot || uid == kSystem || uid == kShell) return {};
    return Error() << "uid " << uid << " may not use storekeeper; root, system and shell may";
}

Result<void> CheckRoot(uid_t uid) {
    if (uid == kRoot) return {};
    return Error() << "uid " << uid << " may not do this; root may";
}

Result<void> CheckRootOrSystem(uid_t uid) {
    if (uid == kRoot || uid == kSystem) return {};
    return Error() << "uid " << uid << " may not do this; root and system may";
}

Result<void> CheckArguments(const std::vector<std::string>& arguments, size_t most) {
    if (arguments.size() > most) return Error() << "more than " << most << " names: give fewer";
    for (const std::string& argument : arguments) {
        if (argument.size() > kMaxArgumentBytes) {
            return Error() << "'" << Printable(std::string_view(argument).substr(0, 16))
                           << "...' is longer than " << kMaxArgumentBytes << " bytes: shorten it";
        }
    }
    return {};
}

std::vector<std::string> TakeArguments(const char** arguments, uint32_t count) {
    std::vector<std::string> taken;
    for (size_t i = 0; i < std::min(size_t{count}, kMaxArguments + 1); ++i) {
        taken.emplace_back(arguments[i], strnlen(arguments[i], kMaxArgumentBytes + 1));
    }
    return taken;
}

std::string Printable(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    for (const char c : text) {
        if (c >= ' ' && c <= '~') {
            line += c;
        } else {
            line += android::base::StringPrintf("\\x%02x", static_cast<unsigned char>(c));
        }
    }
    return line;
}

}  // namespace storekeeper
