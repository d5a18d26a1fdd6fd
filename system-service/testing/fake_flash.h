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

// A file system of one folder on a flash card, in memory: files have blocks on the card, what is
// deleted is free once that is synced, a discard of free blocks may harm others, and a power cut
// loses what was not synced. Everything else is the real kernel's. For one thread.
class FakeFlash : public LinuxSyscalls {
  public:
    static constexpr char kFolder[] = "/fake-flash";
    static constexpr uint64_t kBlock = 4096;

    struct Faults {
        // Of blocks on each side of a discard.
        uint64_t garbled = 0;
        // They are garbled by the next restart alone.
        bool garbled_later = false;
        // All I/O fails from this discard on, the first being 1; 0 is never.
        unsigned dies_at_discard = 0;
        // With the next restart it lives again, until so many discards later.
        bool revives = false;
        // Every read of a file's content fails.
        bool unreadable = false;
    };
    Faults faults;
    uint64_t blocks = 64 * 256;  // of the file system
    uint64_t free_blocks_for_users = 64 * 256;
    // Nothing longer than this is given in one piece; 0 is any length.
    uint64_t piece_blocks = 0;
    // Discards what is freed by itself, as with the mount option.
    bool discards_itself = false;
    // Synced writes are lost by a power cut nevertheless, as with nobarrier.
    bool loses_synced = false;
    bool knows_write_lives = true;
    // Of files that got one.
    std::vector<uint64_t> write_lives;
    // Every call fails, and does nothing, after so many; absent is never.
    std::optional<uint64_t> power_off_after;

    static std::string PathOf(const std::string& name) { return std::string(kFolder) + "/" + name; }

    // Discards free blocks of this range and returns how many bytes these were.
    android::base::Result<uint64_t> Discard(uint64_t start, uint64_t length);
    // A power cut now, and the next boot. `seed` chooses what of the unsynced writes is kept.
    void Restart(uint64_t seed);

    uint64_t calls() const { return calls_; }
    // By Discard().
    uint64_t discarded_bytes() const { return discarded_bytes_; }
    uint64_t written_bytes() const { return written_bytes_; }
    bool Has(const std::string& name) const { return now_.names.count(name) != 0; }
    void RemoveFile(const std::string& name);
    // Somebody else writes a byte of it, later than before.
    void Change(const std::string& name, uint64_t offset);
    // The file system moves it to other blocks.
    void Move(const std::string& name);
    // The card alters a byte of the block that holds this of the file.
    void Garble(const std::string& name, uint64_t offset);
    // Others take free blocks of this range.
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
        std::map<uint64_t, uint64_t> blocks;  // by page of the file
        std::set<uint64_t> unwritten;         // pages that read as zeros
    };
    struct Names {
        std::map<std::string, uint64_t> names;
        std::map<uint64_t, File> files;
    };

    // Counts the call; an error once there is no power.
    android::base::Result<void> Begin(const std::string& what);
    static bool IsHere(const std::string& path);
    static std::string NameOf(const std::string& path);
    File* FileOf(android::base::borrowed_fd fd);
    struct stat StatOf(uint64_t inode) const;
    // Gives the file blocks for these pages, where it has none: in one piece if it can.
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
    // Blocks of files, now or as committed; absent when that has changed.
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
