// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <linux/input.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/syscalls.h"

namespace storekeeper {

// A kernel with the mounts, input devices and cards that a test adds. Other paths do not exist
// (ENOENT), except below folders that are passed on to the real kernel. A request that a file does
// not support is ENOTTY.
class FakeSyscalls : public LinuxSyscalls {
  public:
    struct Mount {
        dev_t device = 0;
        uint64_t size_bytes = 1 << 30;
        // FITRIM's answer for a range that begins at 0; other ranges get 0, or also this value if
        // it is 2^64-1. `error` replaces it if not 0.
        uint64_t answer_bytes = 0;
        // Answers the requested length, as some 3.x kernels do.
        bool echoes_length = false;
        int error = 0;
        // errno of fdatasync(2); 0 is success.
        int sync_error = 0;
        // Runs in the caller's thread during the FITRIM.
        std::function<void()> during;
    };
    struct InputDevice {
        unsigned long event_types = 0;
        std::vector<input_event> queue;
        bool unplugged = false;
        int clock = CLOCK_BOOTTIME;  // the only one that EVIOCSCLOCKID accepts
    };
    struct Card {
        std::vector<uint8_t> ext_csd;
        int error = 0;
    };

    // A file on storage that takes time. Reads and writes must be whole blocks in aligned memory,
    // as with O_DIRECT. Writes are counted as unsynced until fdatasync(2).
    struct File {
        std::string content;
        size_t block_bytes = 4096;
        // errno of open(2) with O_DIRECT, pwrite(2) and fdatasync(2); 0 is success.
        int direct_error = 0;
        int write_error = 0;
        int sync_error = 0;
        // Runs in the caller's thread in each pread, pwrite and fdatasync, with its name.
        std::function<void(std::string_view call)> during;
        // True if the page cache holds written pages: after a pwrite, until DropCache().
        bool cached = false;
        size_t unsynced_bytes = 0;
        size_t written_bytes = 0;
    };

    void Add(const std::string& path, Mount mount) EXCLUDES(lock_);
    void Add(const std::string& path, File file) EXCLUDES(lock_);
    // Permits O_CREAT of this file, which then is a copy of `file`.
    void AllowToCreate(const std::string& path, File file) EXCLUDES(lock_);
    void Add(const std::string& path, InputDevice device) EXCLUDES(lock_);
    void Add(const std::string& path, Card card) EXCLUDES(lock_);
    // Paths below this folder are those of the real kernel, unless they were added.
    void PassOn(const std::string& folder) EXCLUDES(lock_);
    // From now on, opening this path fails with this errno; 0 makes it work again.
    void FailOpen(const std::string& path, int error) EXCLUDES(lock_);
    void Unplug(const std::string& path) EXCLUDES(lock_);
    // Adds an input event at this time since boot.
    void Touch(const std::string& path, std::chrono::nanoseconds time, uint16_t type = EV_KEY)
            EXCLUDES(lock_);

    struct Fitrim {
        std::string path;
        uint64_t start = 0;
        uint64_t length = 0;
    };

    // The mounts on which FITRIM was called, in order; only calls whose range begins at 0 count.
    std::vector<std::string> trimmed() const EXCLUDES(lock_);
    // The calls whose range begins within the file system and is more than the superblock.
    std::vector<Fitrim> fitrims() const EXCLUDES(lock_);

    // The file's present state; an empty one if it does not exist.
    File FileAt(const std::string& path) const EXCLUDES(lock_);

    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override EXCLUDES(lock_);
    android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                     void* argument, const std::string& what) override
            EXCLUDES(lock_);
    android::base::Result<size_t> Read(android::base::borrowed_fd fd, void* buffer,
                                       size_t size) override EXCLUDES(lock_);
    android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer, size_t size,
                                        off_t offset) override EXCLUDES(lock_);
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override EXCLUDES(lock_);
    android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) override EXCLUDES(lock_);
    android::base::Result<void> Fsync(android::base::borrowed_fd fd) override EXCLUDES(lock_);
    android::base::Result<void> DropCache(android::base::borrowed_fd fd) override EXCLUDES(lock_);
    android::base::Result<struct statvfs> Statvfs(const std::string& path) override EXCLUDES(lock_);
    android::base::Result<struct stat> Fstat(android::base::borrowed_fd fd) override
            EXCLUDES(lock_);

  private:
    // "" for a descriptor of the real kernel.
    std::string PathOf(android::base::borrowed_fd fd) const EXCLUDES(lock_);
    int DoFitrim(const std::string& path, void* argument) EXCLUDES(lock_);
    android::base::unique_fd NewDescriptor(const std::string& path) REQUIRES(lock_);
    int SendExtCsd(const std::string& path, void* argument) EXCLUDES(lock_);

    mutable Mutex lock_;
    std::map<std::string, Mount> mounts_ GUARDED_BY(lock_);
    std::map<std::string, InputDevice> inputs_ GUARDED_BY(lock_);
    std::map<std::string, Card> cards_ GUARDED_BY(lock_);
    std::map<std::string, File> files_ GUARDED_BY(lock_);
    std::map<std::string, File> creatable_ GUARDED_BY(lock_);
    std::map<std::string, int> open_errors_ GUARDED_BY(lock_);
    std::vector<std::string> passed_on_ GUARDED_BY(lock_);
    std::map<int, std::string> open_files_ GUARDED_BY(lock_);
    std::vector<Fitrim> fitrims_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
