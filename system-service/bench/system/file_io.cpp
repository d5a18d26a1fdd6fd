// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/file_io.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/clock.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr size_t kQuantum = 128 * 1024;

Result<unique_fd> OpenFile(const std::string& path, int flags) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    return fd;
}

constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
constexpr mode_t kMode = 0666;  // less the umask

}  // namespace

Result<DirectFile> DirectFile::Open(const std::string& path) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)));
    struct stat of = {};
    if (!fd.ok() || fstat(fd.get(), &of) != 0) {
        return ErrnoError() << "cannot open " << path << " past the page cache";
    }
    if (!S_ISREG(of.st_mode)) return Error() << path << " is not a plain file";
    return DirectFile(path, std::move(fd), static_cast<uint64_t>(of.st_size) / kBlock);
}

Result<DirectFile::Block> DirectFile::Read(uint64_t number) {
    const auto begin = ReadClock(CLOCK_MONOTONIC_RAW);
    const ssize_t count = TEMP_FAILURE_RETRY(
            pread(fd_.get(), buffer_[0].data(), kBlock, static_cast<off_t>(number * kBlock)));
    const auto end = ReadClock(CLOCK_MONOTONIC_RAW);
    if (count < 0) return ErrnoError() << "cannot read block " << number << " of " << path_;
    if (count != static_cast<ssize_t>(kBlock)) {
        return Error(EIO) << "block " << number << " of " << path_ << " is not there";
    }
    return Block{.data = std::span<const uint8_t, kBlock>(buffer_[0].data(), kBlock),
                 .took = end - begin};
}

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

Result<OutputFile> OutputFile::Open(const std::string& path) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), kFlags | O_CREAT | O_EXCL, kMode)));
    const bool is_new = fd.ok();
    if (!is_new && errno == EEXIST) fd.reset(TEMP_FAILURE_RETRY(open(path.c_str(), kFlags)));
    if (!fd.ok()) return ErrnoError() << "cannot write " << path;
    // /dev/full says so to nothing, too.
    if (TEMP_FAILURE_RETRY(write(fd.get(), "", 0)) < 0) {
        return ErrnoError() << "cannot write " << path;
    }
    return OutputFile(std::move(fd), path, is_new);
}

OutputFile::~OutputFile() {
    if (fd_.ok() && is_new_) unlink(path_.c_str());
}

Result<void> OutputFile::Write(const std::string& text) {
    struct stat of = {};
    if (fstat(fd_.get(), &of) != 0 || (S_ISREG(of.st_mode) && ftruncate(fd_.get(), 0) != 0) ||
        !android::base::WriteStringToFd(text, fd_)) {
        return ErrnoError() << "cannot write " << path_;
    }
    is_new_ = false;
    return {};
}

}  // namespace storekeeper
