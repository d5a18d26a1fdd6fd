// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// FakeSyscalls' files.

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

bool IsDirect(const FakeSyscalls::File& file, const void* buffer, size_t size, off_t offset) {
    return reinterpret_cast<uintptr_t>(buffer) % file.block_bytes == 0 &&
           size % file.block_bytes == 0 && static_cast<size_t>(offset) % file.block_bytes == 0;
}

}  // namespace

void FakeSyscalls::Add(const std::string& path, File file) {
    MutexLock guard(lock_);
    files_[path] = std::move(file);
}

void FakeSyscalls::AllowToCreate(const std::string& path, File file) {
    MutexLock guard(lock_);
    creatable_[path] = std::move(file);
}

FakeSyscalls::File FakeSyscalls::FileAt(const std::string& path) const {
    MutexLock guard(lock_);
    auto file = files_.find(path);
    return file == files_.end() ? File() : file->second;
}

Result<size_t> FakeSyscalls::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Pread(fd, buffer, size, offset);
    const File file = FileAt(path);
    if (!IsDirect(file, buffer, size, offset)) return Error(EINVAL) << "cannot read";
    if (file.during) file.during("pread");
    const size_t from = std::min(static_cast<size_t>(offset), file.content.size());
    const size_t count = std::min(size, file.content.size() - from);
    memcpy(buffer, file.content.data() + from, count);
    return count;
}

Result<size_t> FakeSyscalls::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Pwrite(fd, buffer, size, offset);
    const File before = FileAt(path);
    if (!IsDirect(before, buffer, size, offset)) return Error(EINVAL) << "cannot write";
    if (before.write_error != 0) return Error(before.write_error) << "cannot write";
    if (before.during) before.during("pwrite");
    MutexLock guard(lock_);
    File& file = files_[path];
    const size_t from = static_cast<size_t>(offset);
    file.content.resize(std::max(file.content.size(), from + size));
    memcpy(file.content.data() + from, buffer, size);
    file.cached = true;
    file.unsynced_bytes += size;
    file.written_bytes += size;
    return size;
}

Result<void> FakeSyscalls::Fdatasync(borrowed_fd fd) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Fdatasync(fd);
    {
        MutexLock guard(lock_);
        auto mount = mounts_.find(path);
        if (mount != mounts_.end()) {
            if (mount->second.sync_error == 0) return {};
            return Error(mount->second.sync_error) << "cannot fdatasync";
        }
    }
    const File before = FileAt(path);
    if (before.sync_error != 0) return Error(before.sync_error) << "cannot fdatasync";
    if (before.during) before.during("fdatasync");
    MutexLock guard(lock_);
    files_[path].unsynced_bytes = 0;
    return {};
}

Result<void> FakeSyscalls::Fsync(borrowed_fd fd) {
    if (PathOf(fd).empty()) return LinuxSyscalls::Fsync(fd);
    return {};
}

Result<void> FakeSyscalls::DropCache(borrowed_fd fd) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::DropCache(fd);
    MutexLock guard(lock_);
    File& file = files_[path];
    // The kernel drops clean pages only.
    file.cached = file.cached && file.unsynced_bytes != 0;
    return {};
}

}  // namespace storekeeper
