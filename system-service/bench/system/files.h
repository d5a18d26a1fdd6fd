// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/instance_lock.h"
#include "base/pages.h"

namespace storekeeper {

// A file that is read block by block past the page cache (open(2), O_DIRECT).
class DirectFile {
  public:
    static constexpr size_t kBlock = 4096;

    // An error if the file is not a regular file. Errors keep errno as their code: EINVAL if the
    // file system has no direct I/O.
    static android::base::Result<DirectFile> Open(const std::string& path);

    // Number of whole blocks.
    uint64_t blocks() const { return blocks_; }

    struct Block {
        std::span<const uint8_t, kBlock> data;  // valid until the next Read()
        std::chrono::nanoseconds took{};        // by CLOCK_MONOTONIC_RAW
    };
    // `number` must be below blocks(). The error keeps errno; EIO if the file has become shorter.
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

// Writes `bytes` of incompressible data and syncs them.
android::base::Result<void> WriteRandomFile(const std::string& path, uint64_t bytes, uint64_t seed);

// Drops the file, which must be synced, from the page cache (posix_fadvise(2), DONTNEED).
android::base::Result<void> ForgetCached(const std::string& path);

// Copies through the page cache, as cp(1) does.
android::base::Result<void> CopyFile(const std::string& from, const std::string& to);

// Calls syncfs(2) for the file system of this path.
android::base::Result<void> SyncFileSystem(const std::string& path);

// The user's file for a result. It is opened before the work begins, so that an unwritable file is
// known early.
class OutputFile {
  public:
    // Creates the file if necessary; follows no symbolic link. Its content stays for now.
    static android::base::Result<OutputFile> Open(const std::string& path);

    OutputFile(OutputFile&&) = default;
    // Removes a file that Open() has created, unless a Write() succeeded.
    ~OutputFile();

    // Replaces the content by `text`.
    android::base::Result<void> Write(const std::string& text);

  private:
    OutputFile(android::base::unique_fd fd, std::string path, bool is_new)
          : fd_(std::move(fd)), path_(std::move(path)), is_new_(is_new) {}

    android::base::unique_fd fd_;
    std::string path_;
    bool is_new_ = false;
};

// A folder of our own inside one of the user's. A marker in it identifies it and is locked while
// the folder is in use. Only files whose names begin with kOurs are ever removed from it, and the
// folder itself only if nothing else is in it. The owner of the folder above, such as uid shell in
// /data/local/tmp, can rename ours and put another in its place. So we use the folder that we
// opened, not the one that has its name.
class OwnFolder {
  public:
    static constexpr char kOurs[] = "storekeeper_bench.";

    // Creates the folder, or takes over the one that an earlier run left. EEXIST: a folder of that
    // name has no marker and is not empty, or was made by another user. EWOULDBLOCK: it is in use.
    static android::base::Result<OwnFolder> Acquire(const std::string& parent,
                                                    const std::string& name);
    // Removes the files that a killed run left, unless they were to be kept or are in use.
    static android::base::Result<void> RemoveLeftOver(const std::string& parent,
                                                      const std::string& name);

    // Its name, for people.
    const std::string& path() const { return path_; }
    // The path by which this process reaches it, also if it was renamed.
    const std::string& fd_path() const { return fd_path_; }
    std::string PathOf(const std::string& name) const { return fd_path_ + "/" + kOurs + name; }
    // Replaces fd_path() by path() in a text about one of its files.
    std::string WithRealPath(const std::string& text) const;

    // Sets whether the folder stays if its user is killed. A new folder does not.
    android::base::Result<void> SetKept(bool kept);
    bool kept() const;

    // Its files, by the rest of their names behind kOurs, with their lengths. The marker is not
    // included.
    android::base::Result<std::map<std::string, uint64_t>> Files() const;
    // Removes one of its files. An absent one is no error.
    android::base::Result<void> RemoveFile(const std::string& name);
    // Removes the folder with all our files. The error says which file prevents that.
    android::base::Result<void> Remove();

  private:
    OwnFolder(std::string path, android::base::unique_fd fd, InstanceLock lock);

    std::string path_;
    std::string fd_path_;
    android::base::unique_fd fd_;
    InstanceLock lock_;
};

}  // namespace storekeeper
