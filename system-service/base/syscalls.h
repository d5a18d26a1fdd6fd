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

// The kernel calls whose outcome matters, behind an interface that a test can fake. Every error
// keeps its errno as the Result's code and names the call and its object. An interrupted call is
// retried, except ioctl(2).
class Syscalls {
  public:
    virtual ~Syscalls() = default;

    // open(2); O_CLOEXEC is always added. O_CREAT creates files with mode 0600.
    virtual android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                                 int flags) = 0;
    // ioctl(2); `what` names the request and its object in the error.
    virtual android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                             void* argument, const std::string& what) = 0;
    // read(2); 0 is the end of the file. EAGAIN on a non-blocking descriptor is an error.
    virtual android::base::Result<size_t> Read(android::base::borrowed_fd fd, void* buffer,
                                               size_t size) = 0;
    // pread(2) and pwrite(2). A short transfer is no error.
    virtual android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer,
                                                size_t size, off_t offset) = 0;
    virtual android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                                 size_t size, off_t offset) = 0;
    virtual android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) = 0;
    // fsync(2); on a directory it flushes the entries.
    virtual android::base::Result<void> Fsync(android::base::borrowed_fd fd) = 0;
    virtual android::base::Result<void> Ftruncate(android::base::borrowed_fd fd, off_t size) = 0;
    virtual android::base::Result<void> Fallocate(android::base::borrowed_fd fd, int mode,
                                                  off_t offset, off_t length) = 0;
    // posix_fadvise(2) with POSIX_FADV_DONTNEED for the whole file, which drops its clean pages
    // from the page cache.
    virtual android::base::Result<void> DropCache(android::base::borrowed_fd fd) = 0;
    // fcntl(2) with F_SET_RW_HINT: the expected lifetime of data written to the file, one of
    // RWH_WRITE_LIFE_*. EINVAL before Linux 4.13.
    virtual android::base::Result<void> SetWriteLife(android::base::borrowed_fd fd,
                                                     uint64_t life) = 0;
    virtual android::base::Result<void> Fchmod(android::base::borrowed_fd fd, mode_t mode) = 0;
    virtual android::base::Result<struct stat> Fstat(android::base::borrowed_fd fd) = 0;
    virtual android::base::Result<struct stat> Lstat(const std::string& path) = 0;
    virtual android::base::Result<struct statvfs> Statvfs(const std::string& path) = 0;
    virtual android::base::Result<void> Access(const std::string& path, int mode) = 0;
    virtual android::base::Result<void> Rename(const std::string& from, const std::string& to) = 0;
    // remove(3): removes a file or an empty directory.
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
