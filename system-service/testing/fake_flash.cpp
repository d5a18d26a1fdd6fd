// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// FakeFlash's file system.

#include "testing/fake_flash.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// The blocks before it hold the file system's own data.
constexpr uint64_t kFirstBlock = 64;

}  // namespace

bool FakeFlash::IsHere(const std::string& path) {
    return path == kFolder || path.starts_with(std::string(kFolder) + "/");
}

std::string FakeFlash::NameOf(const std::string& path) {
    return path == kFolder ? "" : path.substr(std::string(kFolder).size() + 1);
}

Result<void> FakeFlash::Begin(const std::string& what) {
    ++calls_;
    if (dead_ || (power_off_after.has_value() && calls_ > *power_off_after)) {
        return Error(EIO) << "cannot " << what;
    }
    return {};
}

FakeFlash::File* FakeFlash::FileOf(borrowed_fd fd) {
    const auto open = open_.find(fd.get());
    if (open == open_.end() || open->second == 0) return nullptr;
    return &now_.files[open->second];
}

bool FakeFlash::IsFree(uint64_t block) {
    if (block < kFirstBlock || block >= blocks || occupied_.count(block) != 0) return false;
    if (!used_.has_value()) {
        used_.emplace();
        for (const Names* names : {&now_, &committed_}) {
            for (const auto& [inode, file] : names->files) {
                for (const auto& [page, at] : file.blocks) used_->insert(at);
            }
        }
    }
    return used_->count(block) == 0;
}

void FakeFlash::Allocate(uint64_t first_page, uint64_t end_page, File* file) {
    uint64_t missing = 0;
    for (uint64_t page = first_page; page < end_page; ++page) {
        if (file->blocks.count(page) == 0) ++missing;
    }
    if (missing == 0) return;
    const auto before = file->blocks.find(first_page - 1);
    uint64_t block = before == file->blocks.end() ? kFirstBlock : before->second + 1;
    const auto fits = [&] {
        for (uint64_t i = 0; i < missing; ++i) {
            if (!IsFree(block + i)) return false;
        }
        return true;
    };
    while (block + missing < blocks && !fits()) ++block;
    for (uint64_t page = first_page; page < end_page; ++page) {
        if (file->blocks.count(page) != 0) continue;
        while (!IsFree(block) || (piece_blocks != 0 && block % piece_blocks == 0)) ++block;
        file->blocks[page] = block;
        file->unwritten.insert(page);
        used_->insert(block++);
    }
}

void FakeFlash::Commit() {
    used_.reset();
    const Names before = committed_;
    committed_ = now_;
    for (auto it = committed_.files.begin(); it != committed_.files.end();) {
        const bool named = std::any_of(committed_.names.begin(), committed_.names.end(),
                                       [&](const auto& name) { return name.second == it->first; });
        it = named ? std::next(it) : committed_.files.erase(it);
    }
    now_.files = committed_.files;
    used_.reset();
    if (!discards_itself) return;
    for (const auto& [inode, file] : before.files) {
        for (const auto& [page, block] : file.blocks) {
            if (IsFree(block)) DoDiscard(block, block + 1);
        }
    }
}

Result<unique_fd> FakeFlash::Open(const std::string& path, int flags) {
    if (!IsHere(path)) return LinuxSyscalls::Open(path, flags);
    TRY(Begin("open " + path));
    const std::string name = NameOf(path);
    uint64_t inode = 0;
    if (!name.empty()) {
        const auto known = now_.names.find(name);
        if (known == now_.names.end() && (flags & O_CREAT) == 0) {
            return Error(ENOENT) << "cannot open " << path;
        }
        inode = known == now_.names.end() ? next_inode_++ : known->second;
        now_.names[name] = inode;
        now_.files[inode];
    }
    unique_fd fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    open_[fd.get()] = inode;
    return fd;
}

Result<int> FakeFlash::Ioctl(borrowed_fd fd, unsigned long request, void* argument,
                             const std::string& what) {
    File* file = FileOf(fd);
    if (file == nullptr || request != FS_IOC_FIEMAP) {
        return LinuxSyscalls::Ioctl(fd, request, argument, what);
    }
    TRY(Begin("FIEMAP"));
    auto* map = static_cast<struct fiemap*>(argument);
    map->fm_mapped_extents = 0;
    for (const auto& [page, block] : file->blocks) {
        struct fiemap_extent* last = map->fm_mapped_extents == 0
                                             ? nullptr
                                             : &map->fm_extents[map->fm_mapped_extents - 1];
        if (last != nullptr && last->fe_logical + last->fe_length == page * kBlock &&
            last->fe_physical + last->fe_length == block * kBlock) {
            last->fe_length += kBlock;
        } else if (map->fm_mapped_extents < map->fm_extent_count) {
            struct fiemap_extent& extent = map->fm_extents[map->fm_mapped_extents++];
            extent = {};
            extent.fe_logical = page * kBlock;
            extent.fe_physical = block * kBlock;
            extent.fe_length = kBlock;
        }
    }
    return 0;
}

Result<size_t> FakeFlash::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    File* file = FileOf(fd);
    if (file == nullptr) return LinuxSyscalls::Pread(fd, buffer, size, offset);
    TRY(Begin("read"));
    if (faults.unreadable) return Error(EIO) << "cannot read";
    const uint64_t from = std::min<uint64_t>(static_cast<uint64_t>(offset), file->size);
    const size_t count = std::min<size_t>(size, file->size - from);
    for (uint64_t at = from; at < from + count;) {
        const uint64_t page = at / kBlock;
        const uint64_t length = std::min(kBlock - at % kBlock, from + count - at);
        char* const to = static_cast<char*>(buffer) + (at - from);
        memset(to, 0, length);
        if (file->blocks.count(page) != 0 && file->unwritten.count(page) == 0) {
            const uint64_t block = file->blocks[page];
            const auto fresh = unsynced_.find(block);
            const std::string& content = fresh != unsynced_.end() ? fresh->second : medium_[block];
            if (content.size() == kBlock) memcpy(to, content.data() + at % kBlock, length);
        }
        at += length;
    }
    return count;
}

Result<size_t> FakeFlash::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    File* file = FileOf(fd);
    if (file == nullptr) return LinuxSyscalls::Pwrite(fd, buffer, size, offset);
    TRY(Begin("write"));
    const auto from = static_cast<uint64_t>(offset);
    Allocate(from / kBlock, (from + size + kBlock - 1) / kBlock, file);
    for (uint64_t at = from; at < from + size;) {
        const uint64_t page = at / kBlock;
        const uint64_t length = std::min(kBlock - at % kBlock, from + size - at);
        const uint64_t block = file->blocks[page];
        auto fresh = unsynced_.find(block);
        if (fresh == unsynced_.end()) {
            std::string content = file->unwritten.count(page) != 0 ? "" : medium_[block];
            content.resize(kBlock);
            fresh = unsynced_.emplace(block, std::move(content)).first;
        }
        file->unwritten.erase(page);
        memcpy(fresh->second.data() + at % kBlock, static_cast<const char*>(buffer) + (at - from),
               length);
        at += length;
    }
    file->size = std::max<uint64_t>(file->size, from + size);
    file->modified = ++time_;
    return size;
}

Result<void> FakeFlash::Fdatasync(borrowed_fd fd) {
    return Fsync(fd);
}

Result<void> FakeFlash::Fsync(borrowed_fd fd) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::Fsync(fd);
    TRY(Begin("fsync"));
    if (File* file = FileOf(fd); file != nullptr && !loses_synced) {
        for (const auto& [page, block] : file->blocks) {
            const auto fresh = unsynced_.find(block);
            if (fresh == unsynced_.end()) continue;
            medium_[block] = fresh->second;
            written_bytes_ += kBlock;
            unsynced_.erase(fresh);
        }
    }
    Commit();
    return {};
}

Result<void> FakeFlash::Ftruncate(borrowed_fd fd, off_t size) {
    File* file = FileOf(fd);
    if (file == nullptr) return LinuxSyscalls::Ftruncate(fd, size);
    TRY(Begin("truncate"));
    file->size = static_cast<uint64_t>(size);
    file->blocks.erase(file->blocks.lower_bound((file->size + kBlock - 1) / kBlock),
                       file->blocks.end());
    return {};
}

Result<void> FakeFlash::Fallocate(borrowed_fd fd, int mode, off_t offset, off_t length) {
    File* file = FileOf(fd);
    if (file == nullptr) return LinuxSyscalls::Fallocate(fd, mode, offset, length);
    TRY(Begin("fallocate"));
    const uint64_t first = static_cast<uint64_t>(offset) / kBlock;
    const uint64_t end = first + static_cast<uint64_t>(length) / kBlock;
    if ((mode & FALLOC_FL_PUNCH_HOLE) != 0) {
        file->blocks.erase(file->blocks.lower_bound(first), file->blocks.lower_bound(end));
        used_.reset();
        file->modified = ++time_;
        return {};
    }
    Allocate(first, end, file);
    file->size = std::max(file->size, end * kBlock);
    return {};
}

Result<void> FakeFlash::DropCache(borrowed_fd fd) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::DropCache(fd);
    return Begin("fadvise");
}

Result<void> FakeFlash::SetWriteLife(borrowed_fd fd, uint64_t life) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::SetWriteLife(fd, life);
    TRY(Begin("fcntl"));
    if (!knows_write_lives) return android::base::Error(EINVAL) << "cannot F_SET_RW_HINT";
    write_lives.push_back(life);
    return {};
}

Result<void> FakeFlash::Fchmod(borrowed_fd fd, mode_t mode) {
    if (open_.count(fd.get()) == 0) return LinuxSyscalls::Fchmod(fd, mode);
    return Begin("chmod");
}

struct stat FakeFlash::StatOf(uint64_t inode) const {
    struct stat answer = {};
    answer.st_ino = inode;
    answer.st_mode = inode == 0 ? S_IFDIR | 0700 : S_IFREG | 0600;
    if (inode == 0) return answer;
    const File& file = now_.files.at(inode);
    answer.st_size = static_cast<off_t>(file.size);
    answer.st_mtim.tv_sec = file.modified;
    return answer;
}

Result<struct stat> FakeFlash::Fstat(borrowed_fd fd) {
    const auto open = open_.find(fd.get());
    if (open == open_.end()) return LinuxSyscalls::Fstat(fd);
    TRY(Begin("fstat"));
    return StatOf(open->second);
}

Result<struct stat> FakeFlash::Lstat(const std::string& path) {
    if (!IsHere(path)) return LinuxSyscalls::Lstat(path);
    TRY(Begin("lstat " + path));
    const std::string name = NameOf(path);
    if (name.empty()) return StatOf(0);
    const auto known = now_.names.find(name);
    if (known == now_.names.end()) return Error(ENOENT) << "cannot lstat " << path;
    return StatOf(known->second);
}

Result<struct statvfs> FakeFlash::Statvfs(const std::string& path) {
    if (path != "/data") return LinuxSyscalls::Statvfs(path);
    TRY(Begin("statvfs " + path));
    struct statvfs answer = {};
    answer.f_frsize = kBlock;
    answer.f_bsize = kBlock;
    answer.f_blocks = blocks;
    answer.f_bavail = free_blocks_for_users;
    return answer;
}

Result<void> FakeFlash::Access(const std::string& path, int mode) {
    if (!IsHere(path)) return LinuxSyscalls::Access(path, mode);
    TRY(Begin("access " + path));
    const std::string name = NameOf(path);
    if (name.empty() || now_.names.count(name) != 0) return {};
    return Error(ENOENT) << "cannot access " << path;
}

Result<void> FakeFlash::Rename(const std::string& from, const std::string& to) {
    if (!IsHere(from)) return LinuxSyscalls::Rename(from, to);
    TRY(Begin("rename " + from));
    const auto known = now_.names.find(NameOf(from));
    if (known == now_.names.end()) return Error(ENOENT) << "cannot rename " << from;
    const uint64_t inode = known->second;
    now_.names.erase(known);
    now_.names[NameOf(to)] = inode;
    return {};
}

Result<void> FakeFlash::Remove(const std::string& path) {
    if (!IsHere(path)) return LinuxSyscalls::Remove(path);
    TRY(Begin("remove " + path));
    if (now_.names.erase(NameOf(path)) == 0) return Error(ENOENT) << "cannot remove " << path;
    return {};
}

}  // namespace storekeeper
