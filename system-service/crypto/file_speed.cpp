// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/file_speed.h"

#include <errno.h>
#include <fcntl.h>

#include <vector>

#include "base/pages.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::nanoseconds;

constexpr size_t kFileBytes = 1 << 20;
constexpr int kRounds = 8;
// O_NONBLOCK: a fifo in place of the file must not hold the caller.
constexpr int kFlags = O_DIRECT | O_NOFOLLOW | O_NONBLOCK;

Result<void> Whole(Result<size_t> count, const std::string& path) {
    if (TRY(std::move(count)) == kFileSpeedUnit) return {};
    return Error(EIO) << path << " is shorter than it should be";
}

Result<void> Write(Syscalls& syscalls, const unique_fd& fd, const AlignedPages& pages,
                   const std::string& path) {
    for (size_t at = 0; at < kFileBytes; at += kFileSpeedUnit) {
        TRY(Whole(syscalls.Pwrite(fd, pages[0].data(), kFileSpeedUnit, static_cast<off_t>(at)),
                  path));
    }
    return syscalls.Fdatasync(fd);
}

Result<void> Read(Syscalls& syscalls, const unique_fd& fd, const AlignedPages& pages,
                  const std::string& path) {
    for (size_t at = 0; at < kFileBytes; at += kFileSpeedUnit) {
        TRY(Whole(syscalls.Pread(fd, pages[0].data(), kFileSpeedUnit, static_cast<off_t>(at)),
                  path));
    }
    return {};
}

}  // namespace

Result<FileSpeed> MeasureFileSpeed(Syscalls& syscalls, CipherCalls& calls,
                                   const std::string& path) {
    const unique_fd fd = TRY(syscalls.Open(path, O_RDWR | O_CREAT | kFlags));
    const AlignedPages pages = AllocatePages(kFileSpeedUnit);
    TRY(calls.Random(pages[0].data(), kFileSpeedUnit));
    std::vector<double> write;
    std::vector<double> read;
    nanoseconds all{0};
    const nanoseconds cpu = calls.ProcessCpu();
    for (int round = 0; round < kRounds; ++round) {
        for (bool writing : {true, false}) {
            const nanoseconds start = calls.Raw();
            TRY(writing ? Write(syscalls, fd, pages, path) : Read(syscalls, fd, pages, path));
            const nanoseconds time = calls.Raw() - start;
            if (time.count() <= 0) return Error() << "no time passes while " << path << " is used";
            all += time;
            (writing ? write : read)
                    .push_back(static_cast<double>(kFileBytes) * 1e3 /
                               static_cast<double>(time.count()));
        }
    }
    return FileSpeed{.write_mbps = EstimateOf(write),
                     .read_mbps = EstimateOf(read),
                     .cpu_percent = 100.0 *
                                    static_cast<double>((calls.ProcessCpu() - cpu).count()) /
                                    static_cast<double>(all.count())};
}

Result<void> ReadSpeedFile(Syscalls& syscalls, const std::string& path) {
    const unique_fd fd = TRY(syscalls.Open(path, O_RDONLY | kFlags));
    return Read(syscalls, fd, AllocatePages(kFileSpeedUnit), path);
}

}  // namespace storekeeper
