// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/direct_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

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

}  // namespace storekeeper
