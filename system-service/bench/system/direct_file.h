// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "base/pages.h"

namespace storekeeper {

// A file read block by block past the page cache (open(2), O_DIRECT).
class DirectFile {
  public:
    static constexpr size_t kBlock = 4096;

    // What is no plain file is an error. It keeps errno as its code: EINVAL where the file system
    // has no direct I/O.
    static android::base::Result<DirectFile> Open(const std::string& path);

    // Whole ones.
    uint64_t blocks() const { return blocks_; }

    struct Block {
        std::span<const uint8_t, kBlock> data;  // until the next one is read
        std::chrono::nanoseconds took{};        // by CLOCK_MONOTONIC_RAW
    };
    // `number` is below blocks(). The error keeps errno; a file that has become shorter is EIO.
    android::base::Result<Block> Read(uint64_t number);

  private:
    DirectFile(std::string path, android::base::unique_fd fd, uint64_t blocks)
          : path_(std::move(path)), fd_(std::move(fd)), blocks_(blocks) {}

    std::string path_;
    android::base::unique_fd fd_;
    uint64_t blocks_;
    AlignedPages buffer_ = AllocatePages(kBlock);
};

}  // namespace storekeeper
