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

// The service's state in one file. The first line names format and version; each further line is a
// record, `kind checksum payload`, the newest last. The newest record of each kind is in force, and
// the newest kMaxReceipts receipts. The file has its full size from the beginning, so that an
// appended record costs one page. When the file is full, it is rewritten with the records in force.
// Every method may be called from any thread; only Load() and Write() access the storage.
class RecordFile {
  public:
    static constexpr size_t kMaxReceipts = 32;
    static constexpr size_t kMaxReceiptBytes = 24 * 1024;
    // Limit of one record. All records in force together are smaller than the file.
    static constexpr size_t kMaxPayloadBytes = 7680;
    static constexpr size_t kFileBytes = kMaxStateFileBytes;

    struct Record {
        RecordKind kind;
        std::string payload;
    };
    // The records in force, oldest first.
    struct Parsed {
        std::vector<Record> records;
        size_t damaged = 0;  // number of invalid lines
    };

    // Fails if the header differs. A line with a wrong checksum is counted and skipped. A record of
    // an unknown kind is skipped, and lost when the file is rewritten.
    static android::base::Result<Parsed> Parse(std::string_view text);
    static std::string Format(const std::vector<Record>& records);

    // Loads the file at once; a failure is retried by Load() and Write().
    RecordFile(Syscalls& calls, std::string path);

    // Reads the file unless that was done before. An unusable file is set aside. An error means
    // that the file may exist but cannot be read now; nothing is written before it has been read.
    android::base::Result<void> Load() EXCLUDES(write_lock_, lock_);

    // Adds a record, which is in force at once and precedes records read later. The next Write()
    // stores it. A payload equal to the one in force is ignored, except for receipts. Newlines in
    // `payload` become blanks; one longer than kMaxPayloadBytes is dropped.
    void Put(RecordKind kind, std::string payload) EXCLUDES(lock_);
    // Returns after all records are on the disk. A power cut may lose any of the new records, never
    // earlier ones. The next call retries records that could not be written.
    android::base::Result<void> Write() EXCLUDES(write_lock_, lock_);
    // Predicts the success of Write() without writing: fails on a file system that is read-only or
    // shut down.
    android::base::Result<void> CheckWritable() const;

    // The payload in force; "" if there is none.
    std::string Last(RecordKind kind) const EXCLUDES(lock_);
    // The payloads in force, newest first, at most `count`.
    std::vector<std::string> Last(RecordKind kind, size_t count) const EXCLUDES(lock_);

    // Problems found in the file and their handling, for people.
    std::vector<std::string> notes() const EXCLUDES(lock_);
    // Adds a note about a record that its owner cannot use.
    void AddNote(const std::string& note) EXCLUDES(lock_);

  private:
    android::base::Result<void> LoadOnce() EXCLUDES(lock_) REQUIRES(write_lock_);
    android::base::Result<std::vector<Record>> ReadRecords() EXCLUDES(lock_) REQUIRES(write_lock_);
    android::base::Result<void> WritePending() EXCLUDES(lock_) REQUIRES(write_lock_);

    Syscalls& calls_;
    const std::string path_;
    const std::string folder_;
    // Serializes access to the file. Taken before lock_.
    Mutex write_lock_;
    bool loaded_ GUARDED_BY(write_lock_) = false;
    bool rewrite_ GUARDED_BY(write_lock_) = false;  // the file cannot be appended to
    size_t end_ GUARDED_BY(write_lock_) = 0;        // offset behind the last record in the file
    mutable Mutex lock_;
    std::vector<Record> records_ GUARDED_BY(lock_);
    std::vector<Record> pending_ GUARDED_BY(lock_);
    std::vector<std::string> notes_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
