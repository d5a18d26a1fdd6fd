// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "base/syscalls.h"
#include "base/try.h"

namespace storekeeper {

// Passes every call on to other Syscalls, unless Before() refuses it. A fake overrides the calls
// that it plays. It may be used by as many threads as the Syscalls behind it.
class ForwardingSyscalls : public Syscalls {
  protected:
    template <typename T>
    using Result = android::base::Result<T>;
    using borrowed_fd = android::base::borrowed_fd;
    using unique_fd = android::base::unique_fd;

  public:
    explicit ForwardingSyscalls(Syscalls& calls) : calls_(calls) {}

    Result<unique_fd> Open(const std::string& path, int flags) override {
        TRY(Before("open", path));
        return calls_.Open(path, flags);
    }
    Result<int> Ioctl(borrowed_fd fd, unsigned long request, void* argument,
                      const std::string& what) override {
        TRY(Before("ioctl", what));
        return calls_.Ioctl(fd, request, argument, what);
    }
    Result<size_t> Read(borrowed_fd fd, void* buffer, size_t size) override {
        TRY(Before("read", fd));
        return calls_.Read(fd, buffer, size);
    }
    Result<size_t> Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) override {
        TRY(Before("pread", fd));
        return calls_.Pread(fd, buffer, size, offset);
    }
    Result<size_t> Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) override {
        TRY(Before("pwrite", fd));
        return calls_.Pwrite(fd, buffer, size, offset);
    }
    Result<void> Fdatasync(borrowed_fd fd) override {
        TRY(Before("fdatasync", fd));
        return calls_.Fdatasync(fd);
    }
    Result<void> Fsync(borrowed_fd fd) override {
        TRY(Before("fsync", fd));
        return calls_.Fsync(fd);
    }
    Result<void> Ftruncate(borrowed_fd fd, off_t size) override {
        TRY(Before("ftruncate", fd));
        return calls_.Ftruncate(fd, size);
    }
    Result<void> Fallocate(borrowed_fd fd, int mode, off_t offset, off_t length) override {
        TRY(Before("fallocate", fd));
        return calls_.Fallocate(fd, mode, offset, length);
    }
    Result<void> DropCache(borrowed_fd fd) override {
        TRY(Before("fadvise", fd));
        return calls_.DropCache(fd);
    }
    Result<void> SetWriteLife(borrowed_fd fd, uint64_t life) override {
        TRY(Before("fcntl", fd));
        return calls_.SetWriteLife(fd, life);
    }
    Result<void> Fchmod(borrowed_fd fd, mode_t mode) override {
        TRY(Before("fchmod", fd));
        return calls_.Fchmod(fd, mode);
    }
    Result<struct stat> Fstat(borrowed_fd fd) override {
        TRY(Before("fstat", fd));
        return calls_.Fstat(fd);
    }
    Result<struct stat> Lstat(const std::string& path) override {
        TRY(Before("lstat", path));
        return calls_.Lstat(path);
    }
    Result<struct statvfs> Statvfs(const std::string& path) override {
        TRY(Before("statvfs", path));
        return calls_.Statvfs(path);
    }
    Result<void> Access(const std::string& path, int mode) override {
        TRY(Before("access", path));
        return calls_.Access(path, mode);
    }
    Result<void> Rename(const std::string& from, const std::string& to) override {
        TRY(Before("rename", from));
        return calls_.Rename(from, to);
    }
    Result<void> Remove(const std::string& path) override {
        TRY(Before("unlink", path));
        return calls_.Remove(path);
    }

  protected:
    // Asked before a call on an open file, by the call's name in man(2). An error is the call's
    // result.
    virtual Result<void> Before(const char* /*call*/, borrowed_fd) { return {}; }
    // Likewise before a call on a path; the object of an ioctl is its `what`.
    virtual Result<void> Before(const char* /*call*/, const std::string& /*object*/) { return {}; }

  private:
    Syscalls& calls_;
};

}  // namespace storekeeper
