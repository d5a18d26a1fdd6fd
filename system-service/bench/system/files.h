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

// A folder of our own inside one of the user's. A marker in it says so, and is locked while it is
// used. Only files that begin with kOurs are ever removed from it, and it goes only when nothing
// else is there. Whoever owns the folder above can rename it and put another in its place, as uid
// shell in /data/local/tmp: what we opened is used, not what has its name.
class OwnFolder {
  public:
    static constexpr char kOurs[] = "storekeeper_bench.";

    // Makes the folder, or takes over what an earlier run has left there. A folder of that name
    // that has no marker and is not empty, or was made by another user, is an error (EEXIST), as is
    // one in use (EWOULDBLOCK).
    static android::base::Result<OwnFolder> Take(const std::string& parent,
                                                 const std::string& name);
    // Removes what a killed run has left there, unless it was to be kept or is in use.
    static android::base::Result<void> RemoveLeftOver(const std::string& parent,
                                                      const std::string& name);

    // What it is called, for people.
    const std::string& path() const { return path_; }
    // How this process comes to it, whatever it is called by now.
    const std::string& way() const { return way_; }
    std::string PathOf(const std::string& name) const { return way_ + "/" + kOurs + name; }
    // A text about a file of it, with the name that people know.
    std::string Named(const std::string& text) const;

    // Whether it is to stay when whoever uses it is killed. Not so in a new one.
    android::base::Result<void> SetKept(bool kept);
    bool kept() const;

    // Its files, by what follows kOurs, with their lengths; not the marker's.
    android::base::Result<std::map<std::string, uint64_t>> Files() const;
    // One of its files; no file is no error.
    android::base::Result<void> RemoveFile(const std::string& name);
    // The folder with all that is ours in it. An error says what stays.
    android::base::Result<void> Remove();

  private:
    OwnFolder(std::string path, android::base::unique_fd fd, InstanceLock lock);

    std::string path_;
    std::string way_;
    android::base::unique_fd fd_;
    InstanceLock lock_;
};

}  // namespace storekeeper
