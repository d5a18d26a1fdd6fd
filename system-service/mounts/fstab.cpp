// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/fstab.h"

#include <android-base/strings.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Split;

struct Entry {
    std::string mount_point;
    std::vector<std::string> options;  // fourth field
    std::vector<std::string> flags;    // fifth field, fs_mgr's
};

std::vector<Entry> ParseFstab(std::string_view fstab) {
    constexpr size_t kMountPoint = 1;
    constexpr size_t kOptions = 3;
    constexpr size_t kFsMgrFlags = 4;
    std::vector<Entry> entries;
    for (const std::string& line : Split(std::string(fstab), "\n")) {
        const std::vector<std::string> fields = Tokenize(line, " \t");
        if (fields.size() <= kOptions || fields[0][0] == '#') continue;
        Entry entry{.mount_point = fields[kMountPoint], .options = Split(fields[kOptions], ",")};
        if (fields.size() > kFsMgrFlags) entry.flags = Split(fields[kFsMgrFlags], ",");
        entries.push_back(std::move(entry));
    }
    return entries;
}

bool Has(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The mode of file contents, which that of names may follow: "fileencryption=ice:aes-256-heh".
bool IsIce(std::string_view flag) {
    return flag == "fileencryption=ice" || flag.starts_with("fileencryption=ice:");
}

}  // namespace

// As in fs_mgr_fstab.cpp: the first existing fstab.SUFFIX in these folders, with the suffixes in
// this order.
std::string ReadFstab(const FileReader& files,
                      const std::function<std::string(const std::string& property)>& property) {
    for (const char* name :
         {"ro.boot.fstab_suffix", "ro.boot.hardware", "ro.boot.hardware.platform"}) {
        const std::string suffix = property(name);
        if (suffix.empty()) continue;
        for (const char* folder : {"/odm/etc/fstab.", "/vendor/etc/fstab.", "/system/etc/fstab."}) {
            const std::string path = folder + suffix;
            if (files.Exists(path)) return files.ReadText(path).value_or("");
        }
    }
    return files.ReadText("/etc/fstab").value_or("");
}

std::set<std::string> ParseNoTrim(std::string_view fstab) {
    std::set<std::string> mounts;
    for (const Entry& entry : ParseFstab(fstab)) {
        if (Has(entry.options, "X-fstrim.notrim") || Has(entry.flags, "notrim")) {
            mounts.insert(entry.mount_point);
        }
    }
    return mounts;
}

bool EncryptsInHost(std::string_view fstab, std::string_view mount_point) {
    const std::vector<Entry> entries = ParseFstab(fstab);
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.mount_point == mount_point &&
               std::any_of(entry.flags.begin(), entry.flags.end(), IsIce);
    });
}

}  // namespace storekeeper
