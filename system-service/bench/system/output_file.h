// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <utility>

namespace storekeeper {

// The file that the user wants a result in. It is opened before the work begins that the result
// comes from: whether it can be written is known then.
class OutputFile {
  public:
    // Makes the file where need be; follows no symbolic link. What stands in it stays for now.
    static android::base::Result<OutputFile> Open(const std::string& path);

    OutputFile(OutputFile&&) = default;
    // Without a Write() that succeeded, a file that Open() has made goes again.
    ~OutputFile();

    // Puts `text` in the place of what stands in it.
    android::base::Result<void> Write(const std::string& text);

  private:
    OutputFile(android::base::unique_fd fd, std::string path, bool is_new)
          : fd_(std::move(fd)), path_(std::move(path)), is_new_(is_new) {}

    android::base::unique_fd fd_;
    std::string path_;
    bool is_new_ = false;
};

}  // namespace storekeeper
