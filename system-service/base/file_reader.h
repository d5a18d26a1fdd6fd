// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {

// A random id that the kernel draws anew at each boot (random(4)).
inline constexpr char kBootIdPath[] = "/proc/sys/kernel/random/boot_id";

// Reads the small text files of /proc and /sys below a root directory, which a test replaces by a
// tree of its own. An empty, oversized or (except for names in tables) binary file is an error that
// names the file and the defect. Paths are absolute below the root.
class FileReader {
  public:
    // A sysfs attribute fills at most one page.
    static constexpr size_t kMaxAttributeBytes = 4096;
    // /proc/self/mountinfo and /proc/diskstats stay far below this on the busiest devices.
    static constexpr size_t kMaxTableBytes = 4 * 1024 * 1024;

    explicit FileReader(std::string root = "");

    // A one-line attribute in printable ASCII, without the newline and the spaces around it.
    android::base::Result<std::string> ReadAttribute(const std::string& path) const;

    // A text that people edit, such as JSON or an fstab. Its last line may lack a newline.
    android::base::Result<std::string> ReadText(const std::string& path) const;

    // A table of lines. A missing final newline means a truncated file and is an error. Names may
    // hold any byte except 0. The parser bounds the length of a line.
    android::base::Result<std::string> ReadTable(const std::string& path) const;

    // The names in a directory, sorted, without "." and "..".
    android::base::Result<std::vector<std::string>> List(const std::string& path) const;

    bool Exists(const std::string& path) const;

    // The full path, for code that does not read through this class.
    std::string PathOf(const std::string& path) const { return root_ + path; }

  private:
    android::base::Result<std::string> ReadAtMost(const std::string& path, size_t limit) const;

    const std::string root_;
};

// Reads an attribute that is a number from 0 on.
android::base::Result<uint64_t> ReadNumber(const FileReader& files, const std::string& path);
// Like ReadNumber(), but nullopt if the file is absent or holds no number.
std::optional<uint64_t> ReadCount(const FileReader& files, const std::string& path);

// Reads an attribute that is a number from `min` to `max`; `what` describes the expected value in
// the error.
android::base::Result<int> ReadInt(const FileReader& files, const std::string& path, int min,
                                   int max, const char* what);

}  // namespace storekeeper
