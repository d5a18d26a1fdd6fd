// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {

// Another text at each boot of the kernel (random(4)).
inline constexpr char kBootIdPath[] = "/proc/sys/kernel/random/boot_id";

// Reads the small text files of /proc and /sys under a root, which a test points at a tree of its
// own. Never returns what a caller would have to distrust: an empty, over-long or, but for names in
// tables, binary file is an error that names the file and what is wrong with it. Paths are absolute
// below the root.
class FileReader {
  public:
    // A sysfs attribute fills at most one page.
    static constexpr size_t kMaxAttributeBytes = 4096;
    // /proc/self/mountinfo and /proc/diskstats of the busiest devices stay far below.
    static constexpr size_t kMaxTableBytes = 4 * 1024 * 1024;

    explicit FileReader(std::string root = "");

    // A one-line attribute in printable ASCII, without the newline and the spaces around it.
    android::base::Result<std::string> ReadAttribute(const std::string& path) const;

    // What people write, such as JSON or an fstab: its last line need not end.
    android::base::Result<std::string> ReadText(const std::string& path) const;

    // A table of lines, which must end in a newline (else it is truncated). Any byte but 0 may
    // stand in it: names are bytes. The length of a line is the parser's affair.
    android::base::Result<std::string> ReadTable(const std::string& path) const;

    // Names in a directory, sorted, without "." and "..".
    android::base::Result<std::vector<std::string>> List(const std::string& path) const;

    bool Exists(const std::string& path) const;

    // Where that lies for others than this reader.
    std::string PathOf(const std::string& path) const { return root_ + path; }

  private:
    android::base::Result<std::string> ReadAtMost(const std::string& path, size_t limit) const;

    const std::string root_;
};

// An attribute that is a number from 0 on.
android::base::Result<uint64_t> ReadNumber(const FileReader& files, const std::string& path);
// The same; absent where there is none or it is something else.
std::optional<uint64_t> ReadCount(const FileReader& files, const std::string& path);

// An attribute that is a number from `min` to `max`; `what` says in the error what it should be.
android::base::Result<int> ReadInt(const FileReader& files, const std::string& path, int min,
                                   int max, const char* what);

}  // namespace storekeeper
