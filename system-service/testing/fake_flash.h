// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/syscalls.h"

namespace storekeeper {

// A file system of one folder on a flash card, in memory. Files have blocks on the card; a deleted
// file's blocks are free after a sync; a discard of free blocks may harm others; a power cut loses
// unsynced data. All other paths are the real kernel's. Use it from one thread only.
class FakeFlash : public LinuxSyscalls {
  public:
    static constexpr char kFolder[] = "/fake-flash";
    static constexpr uint64_t kBlock = 4096;

    struct Faults {
        // Blocks on each side of a discard that are garbled.
        uint64_t garbled = 0;
        // They are garbled by the next restart, not at once.
        bool garbled_later = false;
        // Number of the discard, from 1 on, from which all I/O fails; 0 is never.
        unsigned dies_at_discard = 0;
        // The next restart revives the card until it has counted as many discards again.
        bool revives = false;
        // Each read of a file's content fails.
        bool unreadable = false;
    };
    Faults faults;
    uint64_t blocks = 64 * 256;  // of the file system
    uint64_t free_blocks_for_users = 64 * 256;
    // Pieces of files are shorter than this many blocks; 0 is any length.
    uint64_t piece_blocks = 0;
    // The file system discards freed blocks by itself, as with the mount option.
    bool discards_itself = false;
    // A power cut loses synced writes, too, as with nobarrier.
    bool loses_synced = false;
    bool knows_write_lives = true;
    // Lifetimes of writes that were set, in order of the calls.
    std::vector<uint64_t> write_lives;
    // Number of calls after which each call fails and does nothing; absent is never.
    std::optional<uint64_t> power_off_after;

    static std::string PathOf(const std::string& name) { return std::string(kFolder) + "/" + name; }

    // Discards the free blocks of this range and returns their bytes.
    android::base::Result<uint64_t> Discard(uint64_t start, uint64_t length);
    // Cuts the power and boots again. `seed` selects the unsynced writes that survive.
    void Restart(uint64_t seed);

    uint64_t calls() const { return calls_; }
    // Bytes discarded by Discard().
    uint64_t discarded_bytes() const { return discarded_bytes_; }
    uint64_t written_bytes() const { return written_bytes_; }
    bool Has(const std::string& name) const { return now_.names.count(name) != 0; }
    void RemoveFile(const std::string& name);
    // Another process writes a byte of the file, which changes its mtime.
    void Change(const std::string& name, uint64_t offset);
    // The file system moves the file to other blocks.
    void Move(const std::string& name);
    // The card alters the block that holds this offset of the file.
    void Garble(const std::string& name, uint64_t offset);
    // Other files take the blocks of this range.
    void Occupy(uint64_t start, uint64_t length);

    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                     void* argument, const std::string& what) override;
    android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer, size_t size,
                                        off_t offset) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;
    android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Fsync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Ftruncate(android::base::borrowed_fd fd, off_t size) override;
    android::base::Result<void> Fallocate(android::base::borrowed_fd fd, int mode, off_t offset,
                                          off_t length) override;
    android::base::Result<void> DropCache(android::base::borrowed_fd fd) override;
    android::base::Result<void> SetWriteLife(android::base::borrowed_fd fd, uint64_t life) override;
    android::base::Result<void> Fchmod(android::base::borrowed_fd fd, mode_t mode) override;
    android::base::Result<struct stat> Fstat(android::base::borrowed_fd fd) override;
    android::base::Result<struct stat> Lstat(const std::string& path) override;
    android::base::Result<struct statvfs> Statvfs(const std::string& path) override;
    android::base::Result<void> Access(const std::string& path, int mode) override;
    android::base::Result<void> Rename(const std::string& from, const std::string& to) override;
    android::base::Result<void> Remove(const std::string& path) override;

  private:
    struct File {
        uint64_t size = 0;
        int64_t modified = 0;
        std::map<uint64_t, uint64_t> blocks;  // block by page of the file
        std::set<uint64_t> unwritten;         // pages that read as zeros
    };
    struct Names {
        std::map<std::string, uint64_t> names;
        std::map<uint64_t, File> files;
    };

    // Counts the call; an error if the power is off or the card is dead.
    android::base::Result<void> Begin(const std::string& what);
    static bool IsHere(const std::string& path);
    static std::string NameOf(const std::string& path);
    File* FileOf(android::base::borrowed_fd fd);
    struct stat StatOf(uint64_t inode) const;
    // Allocates blocks for the pages that have none, in one piece if possible.
    void Allocate(uint64_t first_page, uint64_t end_page, File* file);
    bool IsFree(uint64_t block);
    void Commit();
    void Harm(uint64_t block);
    void HarmBeside(uint64_t begin, uint64_t end);
    void DoDiscard(uint64_t begin, uint64_t end);

    Names now_;
    Names committed_;
    std::map<uint64_t, std::string> medium_;
    std::map<uint64_t, std::string> unsynced_;
    std::set<uint64_t> occupied_;
    // Blocks of files, now or as committed; absent if it must be computed again.
    std::optional<std::set<uint64_t>> used_;
    std::set<uint64_t> harmed_later_;
    std::map<int, uint64_t> open_;  // inode by descriptor; 0 is the folder
    uint64_t next_inode_ = 12;
    int64_t time_ = 1;
    uint64_t calls_ = 0;
    bool dead_ = false;
    unsigned discards_ = 0;
    uint64_t discarded_bytes_ = 0;
    uint64_t written_bytes_ = 0;
};

}  // namespace storekeeper
