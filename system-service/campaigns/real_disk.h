// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <random>
#include <string>

#include "campaigns/scenario.h"

namespace storekeeper {

// Other activity on the file system. Files in a folder of its own grow, are synced or not, come, go
// and change names, and the kernel writes back some pages of a product's file. So unsynced data of
// the product may reach the medium, whole or in part. Equal seeds act alike; 0 does nothing.
class Neighbour {
  public:
    Neighbour(std::string folder, uint32_t seed);
    // Does one thing, or nothing. `written`: a descriptor of a product's file, or -1.
    void Act(int written);

  private:
    std::string PathOf(uint32_t number) const;
    void WriteSomePages(int fd);
    // Makes the file system write its journal or a checkpoint, but not other files' data.
    void SyncFolder(const std::string& path);

    const std::string folder_;
    const bool idle_;
    std::minstd_rand random_;
};

// A folder of a mounted file system.
class RealDisk : public ScenarioDisk {
  public:
    struct Options {
        std::string folder;
        // Called for each mark; may be empty.
        std::function<void(const CrashMarks& marks)> mark;
        // Called after each call that changes something and after each mark, with the descriptor of
        // a file that was written, or -1. May be empty.
        std::function<void(int written)> meanwhile;
        bool takes_sqlite = true;
        // With kNoFileSync and kNoFolderSync, such syncs do nothing.
        Flaw flaw = Flaw::kNone;
    };
    explicit RealDisk(Options options) : options_(std::move(options)) {}

    // Creates the image's files in the folder, and syncs nothing.
    android::base::Result<void> Put(const DiskImage& image);

    std::string Path(const std::string& name) const override {
        return options_.folder + "/" + name;
    }
    void Mark(const CrashMarks& marks) override;
    bool TakesSqlite() const override { return options_.takes_sqlite; }

    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;
    android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Fsync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Ftruncate(android::base::borrowed_fd fd, off_t size) override;
    android::base::Result<void> Rename(const std::string& from, const std::string& to) override;
    android::base::Result<void> Remove(const std::string& path) override;

  private:
    bool Skips(android::base::borrowed_fd fd);
    template <typename T>
    android::base::Result<T> Then(android::base::Result<T> answer, int written = -1);

    const Options options_;
};

}  // namespace storekeeper
