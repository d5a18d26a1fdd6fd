// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "campaigns/scenario_disk.h"

namespace storekeeper {

// The files of one folder. Files have numbers, as inodes do, because a name may come to stand for
// another one.
struct DiskImage {
    // None of them was made as a const object: the last that holds one may change it in place.
    using Content = std::shared_ptr<const std::string>;

    std::map<std::string, int> names;
    std::map<int, Content> contents;

    // Of names and contents; the numbers do not count.
    uint64_t Hash() const;
    void Put(const std::string& name, std::string content);
};

// A change of the disk, in the order of the calls.
struct DiskOperation {
    enum class Kind {
        kCreate,      // `name` stands for `file`
        kRename,      // `name` to `other`
        kRemove,      // `name`
        kWrite,       // `data` at `offset` of `file`
        kTruncate,    // `file` to `offset` bytes
        kSync,        // what was written to `file` is on the disk
        kLostSync,    // what was written to `file` never will be: syncing it has failed
        kSyncFolder,  // and so are the names
        kMark,        // `marks` from now on
    };
    Kind kind = Kind::kMark;
    int file = 0;
    std::string name;
    std::string other;
    uint64_t offset = 0;
    std::string data;
    CrashMarks marks;
};

// A file system in memory behind the seam of the product's file calls. It records what changes it.
// It has one folder, of any name; everything else is the real kernel's. A sync of a file that fails
// leaves its pages clean, as Linux does: they can be read, and no later sync writes them.
class CrashDisk : public ScenarioDisk {
  public:
    static constexpr char kFolder[] = "/crash-disk";
    static std::string PathOf(const std::string& name) { return std::string(kFolder) + "/" + name; }

    explicit CrashDisk(DiskImage image = {});

    const DiskImage& image() const { return image_; }
    const std::vector<DiskOperation>& log() const { return log_; }
    std::string Path(const std::string& name) const override { return PathOf(name); }
    void Mark(const CrashMarks& marks) override;
    // What was read and written of this file.
    uint64_t BytesMoved(const std::string& name) const;

    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer, size_t size,
                                        off_t offset) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;
    android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Fsync(android::base::borrowed_fd fd) override;
    android::base::Result<void> Ftruncate(android::base::borrowed_fd fd, off_t size) override;
    android::base::Result<void> Fchmod(android::base::borrowed_fd fd, mode_t mode) override;
    android::base::Result<struct stat> Fstat(android::base::borrowed_fd fd) override;
    android::base::Result<struct stat> Lstat(const std::string& path) override;
    android::base::Result<void> Access(const std::string& path, int mode) override;
    android::base::Result<void> Rename(const std::string& from, const std::string& to) override;
    android::base::Result<void> Remove(const std::string& path) override;

  protected:
    // What becomes of a call, by its name in man(2): 0, it is done; an errno, it fails with that;
    // kBrief, half of what is asked for is read or written; kNothing, it reports that it is done,
    // and is not.
    static constexpr int kBrief = -1;
    static constexpr int kNothing = -2;
    virtual int Fate(const char* call, const std::string& object);

  private:
    // The name below the folder; "" for the folder itself, absent for the real kernel's.
    static bool IsHere(const std::string& path);
    static std::string NameOf(const std::string& path);
    // Of a file that is open here; 0 for others, the folder among them.
    int FileOf(android::base::borrowed_fd fd) const;
    bool IsFolder(android::base::borrowed_fd fd) const;
    android::base::Result<void> Sync(android::base::borrowed_fd fd, const char* call);
    android::base::Result<void> Fails(const char* call, const std::string& object, bool* nothing);
    void Note(DiskOperation operation);
    std::string Named(int file) const;

    DiskImage image_;
    std::vector<DiskOperation> log_;
    // By descriptor: the file's number, kFolderFile for the folder.
    std::map<int, int> open_;
    std::map<int, uint64_t> moved_;
    int next_file_ = 1;
};

// Does to an image what an operation on names or contents does.
void Apply(const DiskOperation& operation, DiskImage* image);

}  // namespace storekeeper
