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

// A kernel with the mounts, input devices and cards a test gives it. What it is not given does not
// exist (ENOENT), unless it lies in a folder that is passed on to the real kernel; a request a file
// does not know is ENOTTY.
class FakeSyscalls : public LinuxSyscalls {
  public:
    struct Mount {
        dev_t device = 0;
        uint64_t size_bytes = 1 << 30;
        // What FITRIM answers in all, for what lies at the beginning of the file system (2^64-1
        // it answers to everything), and the errno it fails with instead when not 0.
        uint64_t answer_bytes = 0;
        // Some 3.x kernels answer the length that they were asked for.
        bool echoes_length = false;
        int error = 0;
        // What fdatasync(2) fails with when not 0.
        int sync_error = 0;
        // Runs in the caller's thread while the FITRIM is under way.
        std::function<void()> during;
    };
    struct InputDevice {
        unsigned long event_types = 0;
        std::vector<input_event> queue;
        bool unplugged = false;
    };
    struct Card {
        std::vector<uint8_t> ext_csd;
        int error = 0;
    };

    // On storage that takes its time: O_DIRECT asks for whole 4 KiB pages in aligned memory, and
    // what was written is lost unless it is synced.
    struct File {
        std::string content;
        // What open(2) with O_DIRECT, pwrite(2) and fdatasync(2) fail with when not 0.
        int direct_error = 0;
        int write_error = 0;
        int sync_error = 0;
        // Runs in the caller's thread in each pread, pwrite and fdatasync, whose name it gets.
        std::function<void(std::string_view call)> during;
        size_t unsynced_bytes = 0;
        size_t written_bytes = 0;
    };

    void Add(const std::string& path, Mount mount) EXCLUDES(lock_);
    void Add(const std::string& path, File file) EXCLUDES(lock_);
    // O_CREAT makes this file, empty and otherwise like this one.
    void AllowToCreate(const std::string& path, File file) EXCLUDES(lock_);
    void Add(const std::string& path, InputDevice device) EXCLUDES(lock_);
    void Add(const std::string& path, Card card) EXCLUDES(lock_);
    // Files below this folder that it was not given are those of the real kernel.
    void PassOn(const std::string& folder) EXCLUDES(lock_);
    // Opening this path fails with this errno from now on; with 0 it does not.
    void FailOpen(const std::string& path, int error) EXCLUDES(lock_);
    void Unplug(const std::string& path) EXCLUDES(lock_);
    // A touch at this time since boot.
    void Touch(const std::string& path, std::chrono::nanoseconds time, uint16_t type = EV_KEY)
            EXCLUDES(lock_);

    struct Fitrim {
        std::string path;
        uint64_t start = 0;
        uint64_t length = 0;
    };

    // The mounts FITRIM was called on, in order: the calls that began at 0.
    std::vector<std::string> trimmed() const EXCLUDES(lock_);
    // Each call whose range lies within the file system and is more than the superblock.
    std::vector<Fitrim> fitrims() const EXCLUDES(lock_);

    // As it is now; it must exist.
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
