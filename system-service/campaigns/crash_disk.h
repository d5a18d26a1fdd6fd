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

// The files of one folder. Files have numbers, like inodes, because a name may later belong to
// another file.
struct DiskImage {
    // The strings are never const objects, so their only owner may change them in place.
    using Content = std::shared_ptr<const std::string>;

    std::map<std::string, int> names;
    std::map<int, Content> contents;

    // Hash of names and contents; the numbers do not count.
    uint64_t Hash() const;
    void Put(const std::string& name, std::string content);
};

// A change of the disk, in the order of the calls.
struct DiskOperation {
    enum class Kind {
        kCreate,      // `name` belongs to `file`
        kRename,      // `name` becomes `other`
        kRemove,      // `name`
        kWrite,       // `data` at `offset` of `file`
        kTruncate,    // `file` to `offset` bytes
        kSync,        // data written to `file` is on the disk
        kLostSync,    // data written to `file` is lost: its sync has failed
        kSyncFolder,  // names are on the disk
        kMark,        // `marks` hold from now on
    };
    Kind kind = Kind::kMark;
    int file = 0;
    std::string name;
    std::string other;
    uint64_t offset = 0;
    std::string data;
    CrashMarks marks;
};

// A file system in memory behind the seam of the product's file calls, which records each change.
// It has one folder; all other paths are the real kernel's. A failed sync of a file leaves its
// pages clean, as in Linux: they can be read, and no later sync writes them.
class CrashDisk : public ScenarioDisk {
  public:
    static constexpr char kFolder[] = "/crash-disk";
    static std::string PathOf(const std::string& name) { return std::string(kFolder) + "/" + name; }

    explicit CrashDisk(DiskImage image = {});

    const DiskImage& image() const { return image_; }
    const std::vector<DiskOperation>& log() const { return log_; }
    std::string Path(const std::string& name) const override { return PathOf(name); }
    void Mark(const CrashMarks& marks) override;
    // Bytes of this file that were read and written.
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
    // The result of a call, by its name in man(2). 0: it is done. An errno: it fails. kBrief: half
    // of the bytes is read or written. kNothing: it reports success and does nothing.
    static constexpr int kBrief = -1;
    static constexpr int kNothing = -2;
    virtual int Fate(const char* call, const std::string& object);

  private:
    // NameOf() returns the name below the folder, "" for the folder itself. IsHere() is false for
    // paths of the real kernel.
    static bool IsHere(const std::string& path);
    static std::string NameOf(const std::string& path);
    // Number of the file that is open here; 0 for others and for the folder.
    int FileOf(android::base::borrowed_fd fd) const;
    bool IsFolder(android::base::borrowed_fd fd) const;
    android::base::Result<void> Sync(android::base::borrowed_fd fd, const char* call);
    android::base::Result<void> Fails(const char* call, const std::string& object, bool* nothing);
    void Note(DiskOperation operation);
    std::string FileName(int file) const;

    DiskImage image_;
    std::vector<DiskOperation> log_;
    // Number of the file by descriptor; kFolderFile for the folder.
    std::map<int, int> open_;
    std::map<int, uint64_t> moved_;
    int next_file_ = 1;
};

// Applies an operation on names or contents to an image.
void Apply(const DiskOperation& operation, DiskImage* image);

}  // namespace storekeeper
