// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {

// Owner of a uid by the ranges of system/core's android_filesystem_config.h. Each user of the
// device has these ranges at an offset of 100000 per user.
enum class UidKind {
    kSystem,      // below 10000: the system and its daemons, by the well-known AIDs
    kApp,         // 10000 to 19999: an app
    kSharedUser,  // an app's uid that several packages share; only its name reveals that
    kSdkSandbox,  // 20000 to 29999: the SDKs of the app 10000 below, from Android 13 on
    kIsolated,    // 90000 to 99999: a process without a name, whose uid is reused
    kOther,       // uids that own no process of Android's own
};

// The kind as text: "system", "app", "shared", "sdk_sandbox", "isolated" or "other"
// (docs/dump.schema.json).
const char* UidKindName(UidKind kind);

// Names by uid of the first user, from the package service: "com.example.app", or "shared:" and the
// name of a shared user id.
using UidNames = std::map<uint32_t, std::string>;

// The kind of a uid of any user; `names` distinguish kApp from kSharedUser.
UidKind KindOf(uint32_t uid, const UidNames& names);

// A uid's name in `names`. Isolated processes and the system have none, and neither has an app that
// the package service does not know, because it was removed. A sandbox has the name of its app.
std::optional<std::string> NameOf(uint32_t uid, const UidNames& names);

// The uids to pass to the package service to name `uids`: uids of the first user without
// duplicates.
std::vector<uint32_t> UidsToName(const std::vector<uint32_t>& uids);

// Checks the service's answer to `uids`; uids without a name are omitted. A wrong number of names,
// or an impossible name, is an error, "the package service returned an invalid value: ...".
android::base::Result<UidNames> CheckedNames(const std::vector<uint32_t>& uids,
                                             const std::vector<std::string>& answer);

}  // namespace storekeeper
