// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <string>

namespace storekeeper {

static_assert(sizeof(off_t) == 8, "build with -D_FILE_OFFSET_BITS=64: files are longer than 2 GiB");

// The kernel calls whose outcome decides something, so that a test can play the kernel.
// Every error keeps its errno as the Result's code and names the call and its object. A call that a
// signal interrupts is made again, but for ioctl(2).
class Syscalls {
  public:
    virtual ~Syscalls() = default;

    // open(2); O_CLOEXEC is always added. What O_CREAT makes has mode 0600.
    virtual android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                                 int flags) = 0;
    // ioctl(2); `what` names request and object in the error.
    virtual android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                             void* argument, const std::string& what) = 0;
    // read(2); 0 is the end of the file. EAGAIN on a non-blocking descriptor is an error.
    virtual android::base::Result<size_t> Read(android::base::borrowed_fd fd, void* buffer,
                                               size_t size) = 0;
    // pread(2), pwrite(2). Fewer bytes than asked for are no error.
    virtual android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer,
                                                size_t size, off_t offset) = 0;
    virtual android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                                 size_t size, off_t offset) = 0;
    virtual android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) = 0;
    // fsync(2), of a directory as well: its entries.
    virtual android::base::Result<void> Fsync(android::base::borrowed_fd fd) = 0;
    virtual android::base::Result<void> Ftruncate(android::base::borrowed_fd fd, off_t size) = 0;
    // fallocate(2).
    virtual android::base::Result<void> Fallocate(android::base::borrowed_fd fd, int mode,
                                                  off_t offset, off_t length) = 0;
    // posix_fadvise(2) with POSIX_FADV_DONTNEED for the whole file: what is not dirty leaves the
    // page cache.
    virtual android::base::Result<void> DropCache(android::base::borrowed_fd fd) = 0;
    // fcntl(2), F_SET_RW_HINT: how long what is written to the file will live, one of
    // RWH_WRITE_LIFE_*. EINVAL before Linux 4.13.
    virtual android::base::Result<void> SetWriteLife(android::base::borrowed_fd fd,
                                                     uint64_t life) = 0;
    virtual android::base::Result<void> Fchmod(android::base::borrowed_fd fd, mode_t mode) = 0;
    virtual android::base::Result<struct stat> Fstat(android::base::borrowed_fd fd) = 0;
    virtual android::base::Result<struct stat> Lstat(const std::string& path) = 0;
    virtual android::base::Result<struct statvfs> Statvfs(const std::string& path) = 0;
    // access(2)
    virtual android::base::Result<void> Access(const std::string& path, int mode) = 0;
    virtual android::base::Result<void> Rename(const std::string& from, const std::string& to) = 0;
    // remove(3): a file, or a directory that is empty.
    virtual android::base::Result<void> Remove(const std::string& path) = 0;
};

class LinuxSyscalls : public Syscalls {
  public:
    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                     void* argument, const std::string& what) override;
    android::base::Result<size_t> Read(android::base::borrowed_fd fd, void* buffer,
                                       size_t size) override;
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
};

}  // namespace storekeeper
