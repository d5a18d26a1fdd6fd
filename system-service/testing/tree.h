// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/file.h>

#include <string>
#include <string_view>

#include "base/file_reader.h"
#include "base/syscalls.h"

namespace storekeeper {

// A directory of its own that stands for the root of a device and is gone afterwards.
class Tree {
  public:
    // Creates the directories above, too. Paths are absolute below the root.
    void Write(const std::string& path, std::string_view content);
    void MakeDirectory(const std::string& path);
    // Creates the directories above the link, too.
    void Link(const std::string& path, const std::string& target);
    // The files below a directory of the host; a symbolic link there is an error.
    void CopyFrom(const std::string& directory);
    void Remove(const std::string& path);
    std::string Read(const std::string& path) const;

    std::string root() const { return directory_.path; }
    std::string PathOf(const std::string& path) const { return root() + path; }
    FileReader files() const { return FileReader(root()); }

  private:
    TemporaryDir directory_;
};

// The calls of the kernel that the test runs on.
Syscalls& RealCalls();

// The folder of recorded devices beside the test program.
std::string TestDataDirectory();

}  // namespace storekeeper
