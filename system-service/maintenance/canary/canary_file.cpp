// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/canary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/pages.h"
#include "base/quantity_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using Kind = CanaryReading::Kind;

// Unit in which the content is made and compared.
constexpr uint64_t kPage = 4096;
// A file of more pieces has no gap long enough.
constexpr size_t kMaxExtents = 64;
// Flags of extents without a place of their own on the device, or without one yet.
constexpr uint32_t kNoPlace = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
                              FIEMAP_EXTENT_NOT_ALIGNED | FIEMAP_EXTENT_DATA_INLINE |
                              FIEMAP_EXTENT_DATA_TAIL;
constexpr int64_t kNanoseconds = 1'000'000'000;

int64_t ModifiedOf(const struct stat& file) {
    return static_cast<int64_t>(file.st_mtim.tv_sec) * kNanoseconds + file.st_mtim.tv_nsec;
}

}  // namespace

Result<void> CanaryFile::Remove() {
    return RemoveTree(calls_, path_);
}

Result<std::vector<FileExtent>> CanaryFile::Extents(borrowed_fd fd) {
    // A vector of 64-bit numbers has the alignment of the structure, whose extents follow it.
    std::vector<uint64_t> request(
            (sizeof(struct fiemap) + kMaxExtents * sizeof(struct fiemap_extent)) /
            sizeof(uint64_t));
    auto* const map = reinterpret_cast<struct fiemap*>(request.data());
    map->fm_length = FIEMAP_MAX_OFFSET;
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_extent_count = kMaxExtents;
    TRY(calls_.Ioctl(fd, FS_IOC_FIEMAP, map, "cannot FIEMAP " + path_));
    std::vector<FileExtent> extents;
    for (uint32_t i = 0; i < std::min<uint32_t>(map->fm_mapped_extents, kMaxExtents); ++i) {
        const struct fiemap_extent& extent = map->fm_extents[i];
        if ((extent.fe_flags & kNoPlace) != 0) continue;
        extents.push_back({.logical = extent.fe_logical,
                           .physical = extent.fe_physical,
                           .length = extent.fe_length});
    }
    return extents;
}

Result<void> CanaryFile::Write(borrowed_fd fd, uint64_t seed, uint64_t from, uint64_t to) {
    const AlignedPages pages = AllocatePages(to - from);
    auto* const bytes = reinterpret_cast<uint8_t*>(pages.get());
    for (uint64_t at = from; at < to; at += kPage) {
        FillCanaryPage(seed, at, std::span(bytes + (at - from), kPage));
    }
    const std::string_view content(reinterpret_cast<const char*>(bytes), to - from);
    return WriteFullyAt(calls_, fd, content, static_cast<off_t>(from), path_);
}

// O_DIRECT lets other processes' requests in between. It is used only if their blocks cannot get in
// between as well: with reserved blocks or a log of its own.
Result<unique_fd> CanaryFile::Create(const CanaryPlan& plan) {
    constexpr int kFlags = O_RDWR | O_CREAT;
    if (plan.reserve || plan.own_log) {
        unique_fd fd = TRY(OpenDirect(kFlags));
        if (plan.reserve || calls_.SetWriteLife(fd, RWH_WRITE_LIFE_EXTREME).ok()) return fd;
    }
    return OpenStateFile(calls_, path_, kFlags);
}

Result<Canary> CanaryFile::Plant(const CanaryPlan& plan, uint64_t seed, uint64_t* written) {
    TRY(Remove());
    const unique_fd fd = TRY(Create(plan));
    const auto no_place = [&]() -> Result<Canary> {
        return Error() << path_ << ": free space is too fragmented for a canary of "
                       << SizeText(plan.size());
    };
    // With reserved blocks, nothing is written if their places do not fit.
    if (plan.reserve) {
        TRY(WithPath(path_, calls_.Fallocate(fd, 0, 0, static_cast<off_t>(plan.size()))));
        if (!PlaceGap(plan, TRY(Extents(fd))).has_value()) return no_place();
    }
    const uint64_t each = plan.written_at_each_end();
    *written += 2 * each;
    TRY(Write(fd, seed, 0, each));
    TRY(Write(fd, seed, plan.size() - each, plan.size()));
    const std::optional<CanaryGap> gap = PlaceGap(plan, TRY(Extents(fd)));
    if (!gap.has_value()) return no_place();
    const struct stat file = TRY(WithPath(path_, calls_.Fstat(fd)));
    return Canary{.seed = seed,
                  .inode = file.st_ino,
                  .size = static_cast<uint64_t>(file.st_size),
                  .gap = *gap};
}

Result<void> CanaryFile::Sync() {
    return WithPath(path_, calls_.Fsync(TRY(OpenStateFile(calls_, path_, O_RDWR))));
}

// The folder is not synced, which would be a checkpoint of f2fs: ext4 and f2fs keep a new file's
// name with the file. A canary that is lost by a power cut is planted anew.
Result<void> CanaryFile::OpenGap(Canary* canary) {
    const unique_fd fd = TRY(OpenStateFile(calls_, path_, O_RDWR));
    TRY(WithPath(path_, calls_.Fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                         static_cast<off_t>(canary->gap.offset),
                                         static_cast<off_t>(canary->gap.length))));
    TRY(WithPath(path_, calls_.Fsync(fd)));
    canary->modified_ns = ModifiedOf(TRY(WithPath(path_, calls_.Fstat(fd))));
    return {};
}

Result<unique_fd> CanaryFile::OpenDirect(int flags) {
    Result<unique_fd> fd = OpenStateFile(calls_, path_, flags | O_DIRECT);
    if (!fd.ok() && fd.error().code() == EINVAL) fd = OpenStateFile(calls_, path_, flags);
    return fd;
}

Result<unique_fd> CanaryFile::OpenPastCaches() {
    Result<unique_fd> fd = OpenDirect(O_RDONLY);
    // Without inlinecrypt an encrypted file is read through the page cache despite O_DIRECT
    // (Documentation/filesystems/fscrypt.rst, "Direct I/O support").
    if (fd.ok()) TRY(WithPath(path_, calls_.DropCache(*fd)));
    return fd;
}

CanaryReading CanaryFile::Unreadable(const ResultFailure& why) {
    const bool of_the_card = why.code() == EIO;
    return {.kind = of_the_card ? Kind::kDamaged : Kind::kUnreadable,
            .why = of_the_card ? "the canary beside a discard cannot be read: " + why.message()
                               : why.message(),
            .io_error = of_the_card};
}

CanaryReading CanaryFile::ReadPart(borrowed_fd fd, const Canary& canary, uint64_t offset) {
    const AlignedPages pages = AllocatePages(kCanaryKeptBytes);
    auto* const bytes = reinterpret_cast<uint8_t*>(pages.get());
    uint64_t count = 0;
    while (count < kCanaryKeptBytes) {
        const Result<size_t> got =
                WithPath(path_, calls_.Pread(fd, bytes + count, kCanaryKeptBytes - count,
                                             static_cast<off_t>(offset + count)));
        if (!got.ok()) return Unreadable(got.error());
        if (*got == 0) return {.kind = Kind::kUnreadable, .why = path_ + " ends before its size"};
        count += *got;
    }
    // Without an mtime, a write by another process cannot be excluded.
    const bool comparable = canary.modified_ns != 0;
    std::array<uint8_t, kPage> wanted = {};
    std::optional<Result<std::vector<FileExtent>>> extents;
    uint64_t damaged = 0;
    for (uint64_t at = 0; at < kCanaryKeptBytes; at += kPage) {
        FillCanaryPage(canary.seed, offset + at, wanted);
        if (memcmp(bytes + at, wanted.data(), kPage) == 0) continue;
        if (!comparable) return {.kind = Kind::kGone, .why = "the canary was cut off"};
        if (!extents.has_value()) extents = Extents(fd);
        if (!extents->ok()) return Unreadable(extents->error());
        if (!LieBesideGap(canary.gap, **extents, offset + at, kPage)) {
            return {.kind = Kind::kGone, .why = "the file system has moved the canary"};
        }
        ++damaged;
    }
    if (damaged == 0) return {.kind = Kind::kIntact, .why = ""};
    return {.kind = Kind::kDamaged,
            .why = std::to_string(damaged) + " of " + std::to_string(kCanaryKeptBytes / kPage) +
                   " blocks of 4 KiB right " + (offset < canary.gap.offset ? "before" : "behind") +
                   " a discard have other content"};
}

CanaryReading CanaryFile::Read(const Canary& canary) {
    const Result<unique_fd> fd = OpenPastCaches();
    if (!fd.ok()) {
        if (fd.error().code() == ENOENT || IsUnusable(fd.error())) {
            return {.kind = Kind::kGone, .why = "the canary was removed"};
        }
        return Unreadable(fd.error());
    }
    const Result<struct stat> file = WithPath(path_, calls_.Fstat(*fd));
    if (!file.ok()) return Unreadable(file.error());
    if (file->st_ino != canary.inode || static_cast<uint64_t>(file->st_size) != canary.size ||
        (canary.modified_ns != 0 && ModifiedOf(*file) != canary.modified_ns)) {
        return {.kind = Kind::kGone, .why = "the canary was replaced or written by others"};
    }
    CanaryReading reading;
    for (const uint64_t offset : {canary.gap.offset - kCanaryKeptBytes, canary.gap.end()}) {
        reading = ReadPart(*fd, canary, offset);
        if (reading.kind != Kind::kIntact) break;
    }
    return reading;
}

}  // namespace storekeeper
