// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/real_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Result;
using android::base::unique_fd;

constexpr uint32_t kNeighbourFiles = 8;
constexpr size_t kNeighbourBytes = 4096;

}  // namespace

Neighbour::Neighbour(std::string folder, uint32_t seed)
      : folder_(std::move(folder)), idle_(seed == 0), random_(seed) {}

std::string Neighbour::PathOf(uint32_t number) const {
    return folder_ + "/" + std::to_string(number % kNeighbourFiles);
}

// A full disk or an error of it shows in the product's own calls.
void Neighbour::Act() {
    if (idle_) return;
    const uint32_t what = random_() % 8;
    const std::string path = PathOf(random_());
    if (what < 3) return;
    if (what == 3) {
        static_cast<void>(rename(path.c_str(), PathOf(random_()).c_str()));
        return;
    }
    const unique_fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.ok()) return;
    if (what == 7) {
        static_cast<void>(syncfs(fd.get()));
        return;
    }
    const std::string content(kNeighbourBytes, static_cast<char>('a' + what));
    const auto offset = static_cast<off_t>(random_() % 4 * kNeighbourBytes);
    static_cast<void>(pwrite(fd.get(), content.data(), content.size(), offset));
    if (what == 5) static_cast<void>(fsync(fd.get()));
    if (what == 6) static_cast<void>(unlink(path.c_str()));
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
    if (options_.meanwhile) options_.meanwhile();
}

template <typename T>
Result<T> RealDisk::Then(Result<T> answer) {
    if (options_.meanwhile) options_.meanwhile();
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
    return Then(LinuxSyscalls::Pwrite(fd, buffer, size, offset));
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

Result<void> RealDisk::Exchange(const std::string& one, const std::string& other) {
    return Then(LinuxSyscalls::Exchange(one, other));
}

Result<void> RealDisk::Remove(const std::string& path) {
    return Then(LinuxSyscalls::Remove(path));
}

}  // namespace storekeeper
