// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/fstab.h"

#include <android-base/strings.h>

#include <algorithm>
#include <vector>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Split;

bool Has(const std::string& list, std::string_view word) {
    const std::vector<std::string> words = Split(list, ",");
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::set<std::string> ParseNoTrim(std::string_view fstab) {
    constexpr size_t kMountPoint = 1;
    constexpr size_t kOptions = 3;
    constexpr size_t kFsMgrFlags = 4;
    std::set<std::string> mounts;
    for (const std::string& line : Split(std::string(fstab), "\n")) {
        const std::vector<std::string> fields = Tokenize(line, " \t");
        if (fields.size() <= kOptions || fields[0][0] == '#') continue;
        if (Has(fields[kOptions], "X-fstrim.notrim") ||
            (fields.size() > kFsMgrFlags && Has(fields[kFsMgrFlags], "notrim"))) {
            mounts.insert(fields[kMountPoint]);
        }
    }
    return mounts;
}

// As in fs_mgr_fstab.cpp: the first existing fstab.SUFFIX in these folders, with the suffixes in
// this order.
std::set<std::string> ReadNoTrim(
        const FileReader& files,
        const std::function<std::string(const std::string& property)>& property) {
    for (const char* name :
         {"ro.boot.fstab_suffix", "ro.boot.hardware", "ro.boot.hardware.platform"}) {
        const std::string suffix = property(name);
        if (suffix.empty()) continue;
        for (const char* folder : {"/odm/etc/fstab.", "/vendor/etc/fstab.", "/system/etc/fstab."}) {
            const std::string path = folder + suffix;
            if (files.Exists(path)) return ParseNoTrim(files.ReadText(path).value_or(""));
        }
    }
    return ParseNoTrim(files.ReadText("/etc/fstab").value_or(""));
}

}  // namespace storekeeper
