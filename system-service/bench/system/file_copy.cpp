// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/file_copy.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

constexpr size_t kQuantum = 128 * 1024;

Result<unique_fd> OpenFile(const std::string& path, int flags) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    return fd;
}

}  // namespace

Result<void> WriteRandomFile(const std::string& path, uint64_t bytes, uint64_t seed) {
    const unique_fd fd = TRY(OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC));
    std::mt19937_64 random(seed);
    std::vector<uint64_t> buffer(kQuantum / sizeof(uint64_t));
    while (bytes > 0) {
        std::generate(buffer.begin(), buffer.end(), std::ref(random));
        const auto count = static_cast<size_t>(std::min<uint64_t>(bytes, kQuantum));
        if (!android::base::WriteFully(fd, buffer.data(), count)) {
            return ErrnoError() << "cannot write " << path;
        }
        bytes -= count;
    }
    if (fdatasync(fd.get()) != 0) return ErrnoError() << "cannot sync " << path;
    return {};
}

Result<void> ForgetCached(const std::string& path) {
    const unique_fd fd = TRY(OpenFile(path, O_RDONLY));
    const int error = posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    if (error == 0) return {};
    errno = error;
    return ErrnoError() << "cannot have the page cache forget " << path;
}

Result<void> CopyFile(const std::string& from, const std::string& to) {
    const unique_fd in = TRY(OpenFile(from, O_RDONLY));
    const unique_fd out = TRY(OpenFile(to, O_WRONLY | O_CREAT | O_TRUNC));
    std::vector<char> buffer(kQuantum);
    while (true) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(in.get(), buffer.data(), buffer.size()));
        if (count < 0) return ErrnoError() << "cannot read " << from;
        if (count == 0) return {};
        if (!android::base::WriteFully(out, buffer.data(), static_cast<size_t>(count))) {
            return ErrnoError() << "cannot write " << to;
        }
    }
}

Result<void> SyncFileSystem(const std::string& path) {
    const unique_fd fd = TRY(OpenFile(path, O_RDONLY));
    if (syncfs(fd.get()) != 0) return ErrnoError() << "cannot sync the file system of " << path;
    return {};
}

}  // namespace storekeeper
