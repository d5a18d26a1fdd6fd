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

// Whose a uid is, by the ranges of system/core's android_filesystem_config.h. Each user of the
// device has the ranges anew, 100000 further on.
enum class UidKind {
    kSystem,      // below 10000: the system and its daemons, by the well-known AIDs
    kApp,         // 10000 to 19999: an app
    kSharedUser,  // an app's uid that several packages share; its name alone shows that
    kSdkSandbox,  // 20000 to 29999: the SDKs of the app that is 10000 below, from Android 13 on
    kIsolated,    // 90000 to 99999: a process without a name, whose uid goes to others after it
    kOther,       // what owns no process of Android's own
};

// "system", "app", "shared", "sdk_sandbox", "isolated" or "other": docs/dump.schema.json.
const char* UidKindName(UidKind kind);

// Names by uid of the first user, as the package service gives them: "com.example.app", or
// "shared:" and the name of a shared user id.
using UidNames = std::map<uint32_t, std::string>;

// Of a uid of any user; `names` distinguish kApp and kSharedUser.
UidKind KindOf(uint32_t uid, const UidNames& names);

// A uid's name among these. None for isolated processes and the system, which have none there, and
// for what the package service did not know: an app that was removed. A sandbox has its app's.
std::optional<std::string> NameOf(uint32_t uid, const UidNames& names);

// What the package service is asked so that these have names: uids of the first user, each once.
std::vector<uint32_t> UidsToName(const std::vector<uint32_t>& uids);

// The service's answer to that, found sane; uids that have no name are left out. An error, "the
// package service returned an invalid value: ...", for another number of names than of uids or for
// a name that no package has.
android::base::Result<UidNames> CheckedNames(const std::vector<uint32_t>& uids,
                                             const std::vector<std::string>& answer);

}  // namespace storekeeper
