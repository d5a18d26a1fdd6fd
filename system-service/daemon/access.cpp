// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/access.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <string.h>

#include <algorithm>
#include <iterator>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

struct Caller {
    unsigned bit;
    uid_t uid;
    std::string_view name;
};

constexpr unsigned kRoot = 1;
constexpr unsigned kSystem = 2;
constexpr unsigned kShell = 4;

// AID_ROOT, AID_SYSTEM and AID_SHELL of private/android_filesystem_config.h, which never change.
// The same accounts of secondary users have other uids and are not admitted.
constexpr Caller kCallers[] = {{kRoot, 0, "root"},
                               {kSystem, 1000, "system"},
                               {kShell, 2000, "shell"}};

// One operation per line, which tools/access parses. An operation without a line admits no caller.
// libbinder_ndk passes `cmd` on for root and the shell only.
constexpr AccessRule kAccess[] = {
        {"setExtCsd()", kRoot},
        {"dumpsys storekeeper", kRoot | kSystem | kShell},
        {"cmd storekeeper", kRoot | kShell},
        {"cmd storekeeper help", kRoot | kShell},
        {"cmd storekeeper status", kRoot | kShell},
        {"cmd storekeeper why", kRoot | kShell},
        {"cmd storekeeper plan", kRoot | kShell},
        {"cmd storekeeper receipts", kRoot | kShell},
        {"cmd storekeeper health", kRoot | kShell},
        {"cmd storekeeper ledger", kRoot | kShell},
        {"cmd storekeeper latency", kRoot | kShell},
        {"cmd storekeeper mounts", kRoot | kShell},
        {"cmd storekeeper crypto", kRoot | kShell},
        {"cmd storekeeper crypto status", kRoot | kShell},
        {"cmd storekeeper crypto bench", kRoot | kShell},
        {"cmd storekeeper crypto recommend", kRoot | kShell},
        {"cmd storekeeper crypto choose", kRoot},
        {"cmd storekeeper crypto confirm", kRoot},
        {"cmd storekeeper crypto rollback", kRoot},
        {"cmd storekeeper maintain", kRoot | kShell},
        {"cmd storekeeper trim", kRoot | kShell},
        {"cmd storekeeper abort", kRoot | kShell},
        {"cmd storekeeper set-gate-override", kRoot},
        {"cmd storekeeper lift-quarantine", kRoot},
};

}  // namespace

bool AccessRule::Admits(uid_t uid) const {
    return std::any_of(std::begin(kCallers), std::end(kCallers), [this, uid](const Caller& caller) {
        return caller.uid == uid && (callers & caller.bit) != 0;
    });
}

std::string AccessRule::Callers() const {
    std::vector<std::string> names;
    for (const Caller& caller : kCallers) {
        if ((callers & caller.bit) != 0) names.emplace_back(caller.name);
    }
    if (names.empty()) return "nobody";
    const std::string last = names.back();
    names.pop_back();
    return names.empty() ? last : android::base::Join(names, ", ") + " and " + last;
}

std::span<const AccessRule> AccessRules() {
    return kAccess;
}

const AccessRule* FindAccessRule(std::string_view operation) {
    const auto* found = std::find_if(std::begin(kAccess), std::end(kAccess),
                                     [operation](const AccessRule& rule) {
                                         return rule.operation == operation;
                                     });
    return found == std::end(kAccess) ? nullptr : found;
}

Result<void> CheckCaller(std::string_view operation, uid_t uid) {
    const AccessRule* rule = FindAccessRule(operation);
    if (rule != nullptr && rule->Admits(uid)) return {};
    return Error() << "uid " << uid << " may not use " << operation << "; "
                   << (rule == nullptr ? "nobody" : rule->Callers()) << " may";
}

std::string VerbOperation(std::string_view verb) {
    return "cmd storekeeper " + std::string(verb);
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

}  // namespace storekeeper
