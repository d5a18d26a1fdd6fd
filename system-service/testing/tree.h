// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/file.h>

#include <string>
#include <string_view>

#include "base/file_reader.h"
#include "base/syscalls.h"

namespace storekeeper {

// A temporary directory that stands for the root of a device.
class Tree {
  public:
    // Creates the parent directories, too. Paths are absolute below the root.
    void Write(const std::string& path, std::string_view content);
    void MakeDirectory(const std::string& path);
    // Creates the parent directories, too.
    void Link(const std::string& path, const std::string& target);
    // Copies the files below a directory of the host; a symbolic link there is an error.
    void CopyFrom(const std::string& directory);
    void Remove(const std::string& path);
    std::string Read(const std::string& path) const;

    std::string root() const { return directory_.path; }
    std::string PathOf(const std::string& path) const { return root() + path; }
    FileReader files() const { return FileReader(root()); }

  private:
    TemporaryDir directory_;
};

// The system calls of the kernel that runs the test.
Syscalls& RealCalls();

// The folder of recorded devices beside the test program.
std::string TestDataDirectory();

}  // namespace storekeeper
