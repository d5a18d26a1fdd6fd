// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/real_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Result;
using android::base::unique_fd;

constexpr uint32_t kNeighbourFiles = 8;
constexpr off_t kPage = 4096;

}  // namespace

Neighbour::Neighbour(std::string folder, uint32_t seed)
      : folder_(std::move(folder)), idle_(seed == 0), random_(seed) {}

std::string Neighbour::PathOf(uint32_t number) const {
    return folder_ + "/" + std::to_string(number % kNeighbourFiles);
}

// Errors are ignored: a full disk or a fault shows in the product's own calls.
void Neighbour::Act(int written) {
    if (idle_) return;
    const uint32_t what = random_() % 9;
    const std::string path = PathOf(random_());
    if (what < 2) return;
    if (what == 2) {
        static_cast<void>(rename(path.c_str(), PathOf(random_()).c_str()));
        return;
    }
    const unique_fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.ok()) return;
    const std::string content(kPage, static_cast<char>('a' + what));
    const auto offset = static_cast<off_t>(random_() % 4 * kPage);
    static_cast<void>(TEMP_FAILURE_RETRY(pwrite(fd.get(), content.data(), content.size(), offset)));
    if (what == 4) static_cast<void>(unlink(path.c_str()));
    if (what == 5) static_cast<void>(fsync(fd.get()));
    if (what == 6) static_cast<void>(syncfs(fd.get()));
    if (what < 7) return;
    if (written >= 0) WriteSomePages(written);
    SyncFolder(path);
}

void Neighbour::WriteSomePages(int fd) {
    struct stat of = {};
    if (fstat(fd, &of) != 0 || !S_ISREG(of.st_mode)) return;
    const uint32_t pages = static_cast<uint32_t>((of.st_size + kPage - 1) / kPage);
    // Writes all pages but one, or about half of them.
    const bool most = random_() % 2 == 0;
    const uint32_t left = random_() % std::max(1U, pages);
    for (uint32_t page = 0; page < pages; ++page) {
        if (most ? page == left : random_() % 2 == 0) continue;
        static_cast<void>(sync_file_range(fd, static_cast<off_t>(page) * kPage, kPage,
                                          SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                                                  SYNC_FILE_RANGE_WAIT_AFTER));
    }
}

void Neighbour::SyncFolder(const std::string& path) {
    // The rename makes sure that there is something to sync.
    static_cast<void>(rename(path.c_str(), (folder_ + "/moved").c_str()));
    const unique_fd folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.ok()) static_cast<void>(fsync(folder.get()));
}

Result<void> RealDisk::Put(const DiskImage& image) {
    for (const auto& [name, file] : image.names) {
        const unique_fd fd = TRY(LinuxSyscalls::Open(Path(name), O_RDWR | O_CREAT | O_EXCL));
        TRY(WriteFullyAt(*this, fd, *image.contents.at(file), 0, Path(name)));
    }
    return {};
}

void RealDisk::Mark(const CrashMarks& marks) {
    if (options_.mark) options_.mark(marks);
    if (options_.meanwhile) options_.meanwhile(-1);
}

template <typename T>
Result<T> RealDisk::Then(Result<T> answer, int written) {
    if (options_.meanwhile) options_.meanwhile(written);
    return answer;
}

bool RealDisk::Skips(borrowed_fd fd) {
    const Result<struct stat> of = Fstat(fd);
    if (!of.ok()) return false;
    return options_.flaw == (S_ISDIR(of->st_mode) ? Flaw::kNoFolderSync : Flaw::kNoFileSync);
}

Result<unique_fd> RealDisk::Open(const std::string& path, int flags) {
    Result<unique_fd> fd = LinuxSyscalls::Open(path, flags);
    return (flags & O_CREAT) == 0 ? std::move(fd) : Then(std::move(fd));
}

Result<size_t> RealDisk::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    return Then(LinuxSyscalls::Pwrite(fd, buffer, size, offset), fd.get());
}

Result<void> RealDisk::Fdatasync(borrowed_fd fd) {
    return Skips(fd) ? Result<void>() : Then(LinuxSyscalls::Fdatasync(fd));
}

Result<void> RealDisk::Fsync(borrowed_fd fd) {
    return Skips(fd) ? Result<void>() : Then(LinuxSyscalls::Fsync(fd));
}

Result<void> RealDisk::Ftruncate(borrowed_fd fd, off_t size) {
    return Then(LinuxSyscalls::Ftruncate(fd, size));
}

Result<void> RealDisk::Rename(const std::string& from, const std::string& to) {
    return Then(LinuxSyscalls::Rename(from, to));
}

Result<void> RealDisk::Remove(const std::string& path) {
    return Then(LinuxSyscalls::Remove(path));
}

}  // namespace storekeeper
