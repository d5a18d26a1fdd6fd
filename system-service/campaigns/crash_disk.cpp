// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/crash_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using Kind = DiskOperation::Kind;

constexpr int kFolderFile = -1;

uint64_t Mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29);
}

// The string for a change: a copy, unless nobody else holds it. A thread that shares images must
// hold them until all threads have ended.
std::string* Own(DiskImage::Content* content) {
    if (content->use_count() != 1) *content = std::make_shared<std::string>(**content);
    return const_cast<std::string*>(content->get());
}

}  // namespace

uint64_t DiskImage::Hash() const {
    uint64_t hash = 0;
    for (const auto& [name, file] : names) {
        hash = Mix(hash, std::hash<std::string>()(name));
        hash = Mix(hash, std::hash<std::string>()(*contents.at(file)));
    }
    return hash;
}

void DiskImage::Put(const std::string& name, std::string content) {
    const int file = contents.empty() ? 1 : contents.rbegin()->first + 1;
    names[name] = file;
    contents[file] = std::make_shared<std::string>(std::move(content));
}

void Apply(const DiskOperation& operation, DiskImage* image) {
    switch (operation.kind) {
        case Kind::kCreate:
            image->names[operation.name] = operation.file;
            // The content may have reached the disk before the name.
            image->contents.try_emplace(operation.file, std::make_shared<std::string>());
            break;
        case Kind::kRename:
            image->names[operation.other] = image->names.at(operation.name);
            image->names.erase(operation.name);
            break;
        case Kind::kRemove:
            image->names.erase(operation.name);
            break;
        case Kind::kWrite: {
            std::string* content = Own(&image->contents.at(operation.file));
            content->resize(
                    std::max<size_t>(content->size(), operation.offset + operation.data.size()));
            content->replace(operation.offset, operation.data.size(), operation.data);
            break;
        }
        case Kind::kTruncate:
            Own(&image->contents.at(operation.file))->resize(operation.offset);
            break;
        case Kind::kSync:
        case Kind::kLostSync:
        case Kind::kSyncFolder:
        case Kind::kMark:
            break;
    }
}

CrashDisk::CrashDisk(DiskImage image) : image_(std::move(image)) {
    if (!image_.contents.empty()) next_file_ = image_.contents.rbegin()->first + 1;
}

int CrashDisk::Fate(const char*, const std::string&) {
    return 0;
}

bool CrashDisk::IsHere(const std::string& path) {
    const std::string_view folder = kFolder;
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string CrashDisk::NameOf(const std::string& path) {
    return path.substr(std::min(path.size(), strlen(kFolder) + 1));
}

int CrashDisk::FileOf(borrowed_fd fd) const {
    const auto open = open_.find(fd.get());
    return open == open_.end() || open->second == kFolderFile ? 0 : open->second;
}

bool CrashDisk::IsFolder(borrowed_fd fd) const {
    const auto open = open_.find(fd.get());
    return open != open_.end() && open->second == kFolderFile;
}

std::string CrashDisk::FileName(int file) const {
    for (const auto& [name, number] : image_.names) {
        if (number == file) return name;
    }
    return "a file without a name";
}

void CrashDisk::Note(DiskOperation operation) {
    Apply(operation, &image_);
    log_.push_back(std::move(operation));
}

void CrashDisk::Mark(const CrashMarks& marks) {
    Note({.kind = Kind::kMark, .marks = marks});
}

uint64_t CrashDisk::BytesMoved(const std::string& name) const {
    const auto file = image_.names.find(name);
    if (file == image_.names.end()) return 0;
    const auto moved = moved_.find(file->second);
    return moved == moved_.end() ? 0 : moved->second;
}

// An error if the call fails. `*nothing` if it must report success and do nothing.
Result<void> CrashDisk::Fails(const char* call, const std::string& object, bool* nothing) {
    const int fate = Fate(call, object);
    *nothing = fate == kNothing;
    if (fate > 0)
        return Error(fate) << "cannot " << call << " " << object << ": " << strerror(fate);
    return {};
}

Result<unique_fd> CrashDisk::Open(const std::string& path, int flags) {
    if (!IsHere(path)) {
        unique_fd fd = TRY(LinuxSyscalls::Open(path, flags));
        open_.erase(fd.get());
        return fd;
    }
    bool nothing = false;
    TRY(Fails("open", path, &nothing));
    const std::string name = NameOf(path);
    const auto found = image_.names.find(name);
    if (name.empty() == ((flags & O_DIRECTORY) == 0)) {
        return Error(name.empty() ? EISDIR : ENOTDIR) << "cannot open " << path;
    }
    if (!name.empty() && found == image_.names.end()) {
        if ((flags & O_CREAT) == 0) {
            return Error(ENOENT) << "cannot open " << path << ": " << strerror(ENOENT);
        }
        Note({.kind = Kind::kCreate, .file = next_file_++, .name = name});
    }
    // A real descriptor can be closed like any other.
    unique_fd fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    open_[fd.get()] = name.empty() ? kFolderFile : image_.names.at(name);
    return fd;
}

Result<size_t> CrashDisk::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    const int file = FileOf(fd);
    if (file == 0) return LinuxSyscalls::Pread(fd, buffer, size, offset);
    const int fate = Fate("pread", FileName(file));
    if (fate > 0) return Error(fate) << "cannot read at " << offset << ": " << strerror(fate);
    const std::string& content = *image_.contents.at(file);
    const size_t from = std::min(static_cast<size_t>(offset), content.size());
    size_t count = std::min(size, content.size() - from);
    if (fate == kBrief) count = (count + 1) / 2;
    memcpy(buffer, content.data() + from, count);
    moved_[file] += count;
    return count;
}

Result<size_t> CrashDisk::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    const int file = FileOf(fd);
    if (file == 0) return LinuxSyscalls::Pwrite(fd, buffer, size, offset);
    const int fate = Fate("pwrite", FileName(file));
    if (fate > 0) return Error(fate) << "cannot write at " << offset << ": " << strerror(fate);
    if (fate == kBrief) size = (size + 1) / 2;
    moved_[file] += size;
    if (fate == kNothing) return size;
    Note({.kind = Kind::kWrite,
          .file = file,
          .offset = static_cast<uint64_t>(offset),
          .data = std::string(static_cast<const char*>(buffer), size)});
    return size;
}

Result<void> CrashDisk::Sync(borrowed_fd fd, const char* call) {
    const int file = FileOf(fd);
    bool nothing = false;
    Result<void> fails = Fails(call, file == 0 ? kFolder : FileName(file), &nothing);
    if (!fails.ok()) {
        if (file != 0) Note({.kind = Kind::kLostSync, .file = file});
        return fails;
    }
    if (!nothing) Note({.kind = file == 0 ? Kind::kSyncFolder : Kind::kSync, .file = file});
    return {};
}

Result<void> CrashDisk::Fdatasync(borrowed_fd fd) {
    return open_.count(fd.get()) == 0 ? LinuxSyscalls::Fdatasync(fd) : Sync(fd, "fdatasync");
}

Result<void> CrashDisk::Fsync(borrowed_fd fd) {
    return open_.count(fd.get()) == 0 ? LinuxSyscalls::Fsync(fd) : Sync(fd, "fsync");
}

Result<void> CrashDisk::Ftruncate(borrowed_fd fd, off_t size) {
    const int file = FileOf(fd);
    if (file == 0) return LinuxSyscalls::Ftruncate(fd, size);
    bool nothing = false;
    TRY(Fails("ftruncate", FileName(file), &nothing));
    Note({.kind = Kind::kTruncate, .file = file, .offset = static_cast<uint64_t>(size)});
    return {};
}

Result<void> CrashDisk::Fchmod(borrowed_fd fd, mode_t mode) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::Fchmod(fd, mode);
    bool nothing = false;
    return Fails("fchmod", FileName(FileOf(fd)), &nothing);
}

Result<struct stat> CrashDisk::Fstat(borrowed_fd fd) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::Fstat(fd);
    const int file = FileOf(fd);
    bool nothing = false;
    TRY(Fails("fstat", file == 0 ? kFolder : FileName(file), &nothing));
    struct stat answer = {};
    answer.st_mode = file == 0 ? S_IFDIR | 0700 : S_IFREG | 0600;
    if (file != 0) answer.st_size = static_cast<off_t>(image_.contents.at(file)->size());
    return answer;
}

Result<struct stat> CrashDisk::Lstat(const std::string& path) {
    if (!IsHere(path)) return LinuxSyscalls::Lstat(path);
    bool nothing = false;
    TRY(Fails("lstat", path, &nothing));
    const std::string name = NameOf(path);
    struct stat answer = {};
    answer.st_mode = S_IFDIR | 0700;
    if (name.empty()) return answer;
    const auto found = image_.names.find(name);
    if (found == image_.names.end()) {
        return Error(ENOENT) << "cannot lstat " << path << ": " << strerror(ENOENT);
    }
    answer.st_mode = S_IFREG | 0600;
    answer.st_ino = static_cast<ino_t>(found->second);
    answer.st_size = static_cast<off_t>(image_.contents.at(found->second)->size());
    return answer;
}

Result<void> CrashDisk::Access(const std::string& path, int mode) {
    if (!IsHere(path)) return LinuxSyscalls::Access(path, mode);
    bool nothing = false;
    TRY(Fails("access", path, &nothing));
    const std::string name = NameOf(path);
    if (name.empty() || image_.names.count(name) != 0) return {};
    return Error(ENOENT) << "cannot access " << path << ": " << strerror(ENOENT);
}

Result<void> CrashDisk::Rename(const std::string& from, const std::string& to) {
    if (!IsHere(from)) return LinuxSyscalls::Rename(from, to);
    bool nothing = false;
    TRY(Fails("rename", from, &nothing));
    if (image_.names.count(NameOf(from)) == 0) {
        return Error(ENOENT) << "cannot rename " << from << ": " << strerror(ENOENT);
    }
    Note({.kind = Kind::kRename, .name = NameOf(from), .other = NameOf(to)});
    return {};
}

Result<void> CrashDisk::Remove(const std::string& path) {
    if (!IsHere(path)) return LinuxSyscalls::Remove(path);
    bool nothing = false;
    TRY(Fails("unlink", path, &nothing));
    if (image_.names.count(NameOf(path)) == 0) {
        return Error(ENOENT) << "cannot remove " << path << ": " << strerror(ENOENT);
    }
    Note({.kind = Kind::kRemove, .name = NameOf(path)});
    return {};
}

}  // namespace storekeeper
