// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/files.h"

#include <android-base/file.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/syscalls.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr size_t kQuantum = 128 * 1024;

Result<unique_fd> OpenFile(const std::string& path, int flags) {
    return LinuxSyscalls().Open(path, flags | O_NOFOLLOW);
}

constexpr int kOutputFlags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
constexpr mode_t kOutputMode = 0666;  // less the umask

constexpr char kMarker[] = "storekeeper_bench.marker";
constexpr char kKept[] = "storekeeper_bench.kept";
constexpr auto kFuse = static_cast<decltype(statfs::f_type)>(0x65735546);  // FUSE_SUPER_MAGIC

// proc_pid_fd(5). The dot makes the path not end in a link, whose following may be forbidden.
std::string FdPath(int folder) {
    return "/proc/self/fd/" + std::to_string(folder) + "/.";
}

Result<std::vector<std::string>> NamesIn(int folder, const std::string& path) {
    std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(FdPath(folder).c_str()), closedir);
    if (stream == nullptr) return ErrnoError() << "cannot list " << path;
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(stream.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
        errno = 0;
    }
    if (errno != 0) return ErrnoError() << "cannot list " << path;
    return names;
}

// An absent file is no error.
Result<void> RemoveFrom(int folder, const std::string& path, const std::string& name) {
    if (unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return ErrnoError() << "cannot remove " << path << "/" << name;
}

bool HasFile(int folder, const char* name) {
    struct stat of = {};
    return fstatat(folder, name, &of, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(of.st_mode);
}

// An error unless we made the folder: another user could put a link to anything into it. FUSE
// reports an invented owner and has no links.
Result<void> CheckOwner(int folder, const std::string& path) {
    struct stat of = {};
    struct statfs system = {};
    if (fstat(folder, &of) != 0 || fstatfs(folder, &system) != 0) {
        return ErrnoError() << "cannot find out whose folder " << path << " is";
    }
    if (of.st_uid == geteuid() || system.f_type == kFuse) return {};
    return Error(EEXIST) << path << " is there and was made by user " << of.st_uid
                         << "; remove it or choose another folder";
}

// An error unless the folder has a marker or is empty, as after a kill between making and marking
// it.
Result<void> CheckOurs(int folder, const std::string& path) {
    if (HasFile(folder, kMarker) || TRY(NamesIn(folder, path)).empty()) return {};
    return Error(EEXIST) << path << " is there and was not made by storekeeper_bench; "
                         << "remove it or choose another folder";
}

// The lock identifies a folder in use; the marker's text is for people.
Result<InstanceLock> Mark(const std::string& marker) {
    LinuxSyscalls calls;
    TRY(CreatePrivateFile(calls, marker));
    InstanceLock lock = TRY(InstanceLock::Acquire(marker));
    if (!android::base::WriteStringToFile(std::to_string(getpid()) + "\n", marker)) {
        return ErrnoError() << "cannot write " << marker;
    }
    return lock;
}

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
    return WithPath(path, LinuxSyscalls().DropCache(fd));
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
    unique_fd fd(
            TEMP_FAILURE_RETRY(open(path.c_str(), kOutputFlags | O_CREAT | O_EXCL, kOutputMode)));
    const bool is_new = fd.ok();
    if (!is_new && errno == EEXIST) fd.reset(TEMP_FAILURE_RETRY(open(path.c_str(), kOutputFlags)));
    // This write of nothing fails on /dev/full, too.
    if (!fd.ok() || TEMP_FAILURE_RETRY(write(fd.get(), "", 0)) < 0) {
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

OwnFolder::OwnFolder(std::string path, unique_fd fd, InstanceLock lock)
      : path_(std::move(path)),
        fd_path_(FdPath(fd.get())),
        fd_(std::move(fd)),
        lock_(std::move(lock)) {}

std::string OwnFolder::WithRealPath(const std::string& text) const {
    return android::base::StringReplace(text, fd_path_, path_, /*all=*/true);
}

Result<OwnFolder> OwnFolder::Acquire(const std::string& parent, const std::string& name) {
    const std::string path = parent + "/" + name;
    const bool made = mkdir(path.c_str(), 0700) == 0;
    if (!made && errno != EEXIST) return ErrnoError() << "cannot make the folder " << path;
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot open the folder " << path;
    TRY(CheckOwner(fd.get(), path));
    TRY(CheckOurs(fd.get(), path));
    const std::string fd_path = FdPath(fd.get());
    Result<InstanceLock> lock = Mark(fd_path + "/" + kMarker);
    if (!lock.ok() && lock.error().code() == EWOULDBLOCK) {
        return Error(EWOULDBLOCK) << "another storekeeper_bench is at work in " << path;
    }
    if (!lock.ok()) {
        // On a full disk there is no marker, or an empty one.
        if (made) {
            unlinkat(fd.get(), kMarker, 0);
            rmdir(path.c_str());
        }
        return ResultFailure(android::base::StringReplace(lock.error().message(), fd_path, path,
                                                          /*all=*/true),
                             lock.error().code());
    }
    return OwnFolder(path, std::move(fd), std::move(*lock));
}

Result<void> OwnFolder::RemoveLeftOver(const std::string& parent, const std::string& name) {
    const std::string path = parent + "/" + name;
    if (access(path.c_str(), F_OK) != 0) return {};
    OwnFolder folder = TRY(Acquire(parent, name));
    if (folder.kept()) return {};
    return folder.Remove();
}

Result<void> OwnFolder::SetKept(bool kept) {
    if (!kept) return RemoveFrom(fd_.get(), path_, kKept);
    const unique_fd fd(TEMP_FAILURE_RETRY(
            openat(fd_.get(), kKept, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot write " << path_ << "/" << kKept;
    return {};
}

bool OwnFolder::kept() const {
    return HasFile(fd_.get(), kKept);
}

Result<std::map<std::string, uint64_t>> OwnFolder::Files() const {
    std::map<std::string, uint64_t> files;
    for (const std::string& name : TRY(NamesIn(fd_.get(), path_))) {
        if (!name.starts_with(kOurs) || name == kMarker || name == kKept) continue;
        struct stat of = {};
        if (fstatat(fd_.get(), name.c_str(), &of, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(of.st_mode)) continue;
        files[name.substr(strlen(kOurs))] = static_cast<uint64_t>(of.st_size);
    }
    return files;
}

Result<void> OwnFolder::RemoveFile(const std::string& name) {
    return RemoveFrom(fd_.get(), path_, kOurs + name);
}

Result<void> OwnFolder::Remove() {
    for (const auto& [name, bytes] : TRY(Files())) TRY(RemoveFile(name));
    for (const std::string& name : TRY(NamesIn(fd_.get(), path_))) {
        if (name == kMarker || name == kKept) continue;
        return Error(ENOTEMPTY) << path_ << " stays: " << name << " in it is not ours";
    }
    TRY(SetKept(false));
    // The marker is removed last: without it the folder would not count as ours.
    TRY(RemoveFrom(fd_.get(), path_, kMarker));
    if (rmdir(path_.c_str()) != 0) return ErrnoError() << "cannot remove " << path_;
    return {};
}

}  // namespace storekeeper
