// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

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

// Files as a benchmark copies them. Errors keep errno as their code and name the file.

// Writes `bytes` that do not compress, and syncs them.
android::base::Result<void> WriteRandomFile(const std::string& path, uint64_t bytes, uint64_t seed);

// Has the page cache forget the file, which must be synced (posix_fadvise(2), DONTNEED).
android::base::Result<void> ForgetCached(const std::string& path);

// Copies as cp(1) does, through the page cache.
android::base::Result<void> CopyFile(const std::string& from, const std::string& to);

// syncfs(2) of the file system that holds this path.
android::base::Result<void> SyncFileSystem(const std::string& path);

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
