// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/mutex.h"
#include "base/syscalls.h"

namespace storekeeper {

enum class RecordKind { kState, kCursors, kAlerts, kReceipt, kDiscards, kChips, kActions };

// What the service remembers, in one file. Its first line names format and version; each of the
// others is a record, `kind checksum payload`, the newest last. In force are the newest of each
// kind, and of receipts the newest kMaxReceipts. The file has its full size from the beginning, so
// that a record costs the page it lies in; what is no longer in force leaves the file when it is
// full. Every method may be called from any thread; only Load() and Write() wait for the storage.
class RecordFile {
  public:
    static constexpr size_t kMaxReceipts = 32;
    static constexpr size_t kMaxReceiptBytes = 24 * 1024;
    // Of one record. All in force together fill less than the file.
    static constexpr size_t kMaxPayloadBytes = 7680;
    static constexpr size_t kFileBytes = kMaxStateFileBytes;

    struct Record {
        RecordKind kind;
        std::string payload;
    };
    // The records in force, oldest first.
    struct Parsed {
        std::vector<Record> records;
        size_t damaged = 0;  // lines that are none
    };

    // An error when the header is another. A line whose checksum is wrong is counted and skipped. A
    // kind that this version does not know is skipped, and lost when the file is written anew.
    static android::base::Result<Parsed> Parse(std::string_view text);
    // The text of such a file.
    static std::string Format(const std::vector<Record>& records);

    // Loads the file.
    RecordFile(Syscalls& calls, std::string path);

    // Reads the file, unless that is done; without one, what earlier versions kept beside it, which
    // is written into a new one and then removed. A file that cannot be used is set aside. An error
    // means that it may be there and cannot be read now: nothing is written before it is read.
    android::base::Result<void> Load() EXCLUDES(write_lock_, lock_);

    // In force at once, also over what is read later; written by the next Write(), unless it says
    // nothing new. `payload` is one line of at most kMaxPayloadBytes, else it is left out.
    void Put(RecordKind kind, std::string payload) EXCLUDES(lock_);
    // Returns once all is on the disk. A power cut leaves some of the new records or none; those of
    // before stay in any case. What cannot be written now is written by the next call.
    android::base::Result<void> Write() EXCLUDES(write_lock_, lock_);
    // Whether Write() can be expected to succeed, without writing anything: a file system that is
    // read-only or shut down shows so.
    android::base::Result<void> CheckWritable() const;

    // The payload in force; "" when there is none.
    std::string Last(RecordKind kind) const EXCLUDES(lock_);
    // Newest first.
    std::vector<std::string> Last(RecordKind kind, size_t count) const EXCLUDES(lock_);

    // What could not be used of the file, and what became of it.
    std::vector<std::string> notes() const EXCLUDES(lock_);
    // Adds one about a record that its owner cannot use.
    void AddNote(const std::string& note) EXCLUDES(lock_);

  private:
    android::base::Result<void> LoadOnce() EXCLUDES(lock_) REQUIRES(write_lock_);
    android::base::Result<std::vector<Record>> ReadRecords() EXCLUDES(lock_) REQUIRES(write_lock_);
    android::base::Result<std::vector<Record>> ReadOldFiles() EXCLUDES(lock_) REQUIRES(write_lock_);
    void SetAside(const std::string& path, const ResultFailure& why) EXCLUDES(lock_);
    android::base::Result<void> WriteWhatWaits() EXCLUDES(lock_) REQUIRES(write_lock_);

    Syscalls& calls_;
    const std::string path_;
    const std::string folder_;
    // One at a time reads or writes the file; taken before lock_.
    Mutex write_lock_;
    bool loaded_ GUARDED_BY(write_lock_) = false;
    bool rewrite_ GUARDED_BY(write_lock_) = false;  // the file cannot be appended to
    size_t end_ GUARDED_BY(write_lock_) = 0;        // of the last record in the file
    mutable Mutex lock_;
    std::vector<Record> records_ GUARDED_BY(lock_);
    std::vector<Record> waiting_ GUARDED_BY(lock_);
    std::vector<std::string> notes_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
