// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/uid_name.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr uint32_t kPerUser = 100'000;    // AID_USER_OFFSET
constexpr uint32_t kApps = 10'000;        // AID_APP_START
constexpr uint32_t kSandboxes = 20'000;   // AID_SDK_SANDBOX_PROCESS_START
constexpr uint32_t kAfterThese = 30'000;  // AID_SDK_SANDBOX_PROCESS_END + 1
constexpr uint32_t kIsolated = 90'000;    // AID_ISOLATED_START, app zygotes included
constexpr std::string_view kShared = "shared:";
// PackageManager.MAX_PACKAGE_NAME_LENGTH is 223.
constexpr size_t kMaxName = 255;

bool IsNameByte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '.' || byte == '_';
}

bool IsName(std::string_view name) {
    if (name.starts_with(kShared)) name.remove_prefix(kShared.size());
    return !name.empty() && name.size() <= kMaxName &&
           std::all_of(name.begin(), name.end(), IsNameByte);
}

// The first user's uid whose name this uid carries.
std::optional<uint32_t> NamedBy(uint32_t uid) {
    const uint32_t app = uid % kPerUser;
    if (app >= kSandboxes && app < kAfterThese) return app - (kSandboxes - kApps);
    if (app >= kApps && app < kSandboxes) return app;
    return std::nullopt;
}

}  // namespace

const char* UidKindName(UidKind kind) {
    // Indexed by UidKind.
    static constexpr const char* kNames[] = {"system",      "app",      "shared",
                                             "sdk_sandbox", "isolated", "other"};
    return kNames[static_cast<size_t>(kind)];
}

UidKind KindOf(uint32_t uid, const UidNames& names) {
    const uint32_t app = uid % kPerUser;
    if (app < kApps) return UidKind::kSystem;
    if (app < kSandboxes) {
        const auto name = names.find(app);
        return name != names.end() && name->second.starts_with(kShared) ? UidKind::kSharedUser
                                                                        : UidKind::kApp;
    }
    if (app < kAfterThese) return UidKind::kSdkSandbox;
    return app >= kIsolated ? UidKind::kIsolated : UidKind::kOther;
}

std::optional<std::string> NameOf(uint32_t uid, const UidNames& names) {
    const std::optional<uint32_t> named_by = NamedBy(uid);
    if (!named_by.has_value()) return std::nullopt;
    const auto name = names.find(*named_by);
    if (name == names.end()) return std::nullopt;
    return name->second;
}

std::vector<uint32_t> UidsToName(const std::vector<uint32_t>& uids) {
    std::set<uint32_t> apps;
    for (const uint32_t uid : uids) {
        if (const std::optional<uint32_t> app = NamedBy(uid); app.has_value()) apps.insert(*app);
    }
    return {apps.begin(), apps.end()};
}

Result<UidNames> CheckedNames(const std::vector<uint32_t>& uids,
                              const std::vector<std::string>& answer) {
    constexpr char kInvalid[] = "the package service returned an invalid value: ";
    if (answer.size() != uids.size()) {
        return Error() << kInvalid << answer.size() << " names for " << uids.size() << " uids";
    }
    UidNames names;
    for (size_t i = 0; i < uids.size(); ++i) {
        if (answer[i].empty()) continue;
        if (!IsName(answer[i])) {
            return Error() << kInvalid << "for uid " << uids[i] << " a name that no package has";
        }
        names[uids[i]] = answer[i];
    }
    return names;
}

}  // namespace storekeeper
