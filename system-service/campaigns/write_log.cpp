// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/write_log.h"

#include <errno.h>
#include <stdlib.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;

// drivers/md/dm-log-writes.c: struct log_write_super and log_write_entry, little endian, each in
// its own sector. An entry's data follows it.
constexpr uint64_t kMagic = 0x6a736677736872;
constexpr uint64_t kVersion = 1;
constexpr uint64_t kFlush = 1 << 0;
constexpr uint64_t kFua = 1 << 1;
constexpr uint64_t kDiscard = 1 << 2;
constexpr uint64_t kMark = 1 << 3;
constexpr uint64_t kMetadata = 1 << 4;
constexpr uint64_t kKnown = kFlush | kFua | kDiscard | kMark | kMetadata;
constexpr uint64_t kEntryBytes = 32;
// The mark that the target writes when it is removed.
constexpr char kEndMark[] = "dm-log-writes-end";

constexpr size_t kUnit = 512;
// Alignment of memory for O_DIRECT.
constexpr size_t kAlignment = 4096;
constexpr size_t kMaxPiece = 256 * 1024;

struct Free {
    void operator()(void* memory) const { free(memory); }
};
using Buffer = std::unique_ptr<char, Free>;

Buffer MakeBuffer(size_t bytes) {
    void* memory = nullptr;
    if (posix_memalign(&memory, kAlignment, std::max(bytes, kAlignment)) != 0) abort();
    return Buffer(static_cast<char*>(memory));
}

uint64_t Number(const char* bytes, size_t size = 8) {
    uint64_t number = 0;
    for (size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
    return number;
}

Result<void> ReadFully(Syscalls& calls, borrowed_fd fd, char* to, size_t bytes, uint64_t at) {
    for (size_t done = 0; done < bytes;) {
        const size_t count =
                TRY(calls.Pread(fd, to + done, bytes - done, static_cast<off_t>(at + done)));
        if (count == 0) return Error(EIO) << "the end is at " << at + done;
        done += count;
    }
    return {};
}

Result<WriteLogEntry> Parse(const char* sector, uint64_t sector_bytes, uint64_t at,
                            uint64_t log_bytes) {
    const uint64_t flags = Number(sector + 16);
    const uint64_t count = Number(sector + 8);
    const uint64_t text_bytes = Number(sector + 24);
    if ((flags & ~kKnown) != 0) return Error() << "unknown flags " << flags;
    constexpr uint64_t kMax = UINT64_MAX / 4096;
    if (count > kMax || Number(sector) > kMax) return Error() << "no such sector";
    WriteLogEntry entry{.offset = Number(sector) * sector_bytes,
                        .bytes = count * sector_bytes,
                        .flush = (flags & kFlush) != 0,
                        .fua = (flags & kFua) != 0,
                        .discard = (flags & kDiscard) != 0,
                        .mark = (flags & kMark) != 0,
                        .data_at = at + sector_bytes};
    if (!entry.mark && text_bytes != 0) return Error() << "data without a kind";
    if (entry.mark) {
        if (text_bytes > sector_bytes - kEntryBytes) {
            return Error() << "a mark of " << text_bytes << " bytes";
        }
        entry.text = std::string(sector + kEntryBytes, text_bytes);
    }
    if (!entry.discard && entry.bytes > log_bytes - entry.data_at) {
        return Error() << entry.bytes << " bytes beyond the log's end";
    }
    return entry;
}

}  // namespace

Result<std::vector<WriteLogEntry>> ReadWriteLog(Syscalls& calls, borrowed_fd log,
                                                uint64_t log_bytes) {
    const Buffer sector = MakeBuffer(kAlignment);
    if (log_bytes < kUnit) return Error() << "the log has " << log_bytes << " bytes";
    TRY(ReadFully(calls, log, sector.get(), kUnit, 0));
    if (Number(sector.get()) != kMagic) return Error() << "not a log of writes";
    if (const uint64_t version = Number(sector.get() + 8); version != kVersion) {
        return Error() << "the log's version is " << version << ", not " << kVersion;
    }
    const uint64_t count = Number(sector.get() + 16);
    const uint64_t size = Number(sector.get() + 24, 4);
    if (size < kUnit || size > kAlignment || (size & (size - 1)) != 0) {
        return Error() << "sectors of " << size << " bytes";
    }
    std::vector<WriteLogEntry> entries;
    uint64_t at = size;
    while (entries.size() < count) {
        if (at + size > log_bytes) {
            return Error() << "entry " << entries.size() << ": the log ends before it";
        }
        TRY(ReadFully(calls, log, sector.get(), size, at));
        Result<WriteLogEntry> entry = Parse(sector.get(), size, at, log_bytes);
        if (!entry.ok()) {
            return Error() << "entry " << entries.size() << ": " << entry.error().message();
        }
        at = entry->data_at + (entry->discard ? 0 : entry->bytes);
        entries.push_back(std::move(*entry));
    }
    return entries;
}

// Writes a piece of an entry. Discarded sectors read as zeros.
Result<void> Replayer::Put(uint64_t offset, size_t bytes, uint64_t data_at) {
    const Buffer now = MakeBuffer(bytes);
    const Buffer before = MakeBuffer(bytes);
    std::fill_n(now.get(), bytes, '\0');
    if (data_at != 0) TRY(ReadFully(calls_, devices_.log, now.get(), bytes, data_at));
    TRY(ReadFully(calls_, devices_.target, before.get(), bytes, offset));
    const auto hash_of = [offset](const char* content, size_t at) {
        return (std::hash<std::string_view>()({content + at, kUnit}) ^ (offset + at)) *
               0x9e3779b97f4a7c15;
    };
    for (size_t at = 0; at < bytes; at += kUnit) {
        hash_ += hash_of(now.get(), at) - hash_of(before.get(), at);
    }
    return WriteFullyAt(calls_, devices_.target, {now.get(), bytes}, static_cast<off_t>(offset),
                        "the device");
}

Result<void> Replayer::Apply(const WriteLogEntry& entry) {
    for (uint64_t at = 0; at < entry.bytes; at += kMaxPiece) {
        TRY(Put(entry.offset + at,
                static_cast<size_t>(std::min<uint64_t>(kMaxPiece, entry.bytes - at)),
                entry.discard ? 0 : entry.data_at + at));
    }
    return {};
}

void Replayer::Note(const WriteLogEntry& entry) {
    if (entry.mark && entry.text != kEndMark) marks_.push_back(entry.text);
}

uint64_t Replayer::StateHash() const {
    uint64_t hash = hash_;
    for (const std::string& mark : marks_) {
        hash = (hash ^ std::hash<std::string>()(mark)) * 0x9e3779b97f4a7c15 + (hash >> 29);
    }
    return hash;
}

Result<bool> Replayer::Next() {
    while (next_ < entries_.size()) {
        marks_.erase(marks_.begin(), marks_.end() - 1);
        bool is_stop = false;
        // Applies the changes up to the next moment at which all of them are on the medium.
        while (next_ < entries_.size() && !is_stop) {
            const WriteLogEntry& entry = entries_[next_];
            if (Result<void> applied = Apply(entry); !applied.ok()) {
                return Error() << "entry " << next_ << ": " << applied.error().message();
            }
            Note(entry);
            is_stop = entry.flush || entry.fua || entry.mark;
            ++next_;
        }
        // Passes entries that do not change the device.
        while (next_ < entries_.size() && entries_[next_].bytes == 0) {
            Note(entries_[next_]);
            ++next_;
        }
        if (seen_.insert(StateHash()).second) return true;
    }
    return false;
}

Result<void> Replayer::CompareWith(borrowed_fd recorded) const {
    std::set<uint64_t> written;
    for (const WriteLogEntry& entry : entries_) {
        for (uint64_t at = entry.offset; at < entry.offset + entry.bytes; at += kUnit) {
            if (entry.discard) written.erase(at);
            if (!entry.discard) written.insert(at);
        }
    }
    const Buffer here = MakeBuffer(kUnit);
    const Buffer there = MakeBuffer(kUnit);
    for (const uint64_t at : written) {
        TRY(ReadFully(calls_, devices_.target, here.get(), kUnit, at));
        TRY(ReadFully(calls_, recorded, there.get(), kUnit, at));
        if (!std::equal(here.get(), here.get() + kUnit, there.get())) {
            return Error() << "the recorded device differs from the replayed one at byte " << at;
        }
    }
    return {};
}

}  // namespace storekeeper
