// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/syscalls.h"

namespace storekeeper {

// One entry of what device mapper's target log-writes records of a device
// (Documentation/admin-guide/device-mapper/log-writes.rst). The target records a write when it is
// on the medium: at the end of the flush that follows it, or of the write itself if that is FUA. A
// mark stands where its message came.
struct WriteLogEntry {
    uint64_t offset = 0;  // bytes, of the recorded device
    uint64_t bytes = 0;
    bool flush = false;
    bool fua = false;
    bool discard = false;
    bool mark = false;
    std::string text;      // of a mark
    uint64_t data_at = 0;  // of what was written: bytes from the log's beginning
};

// Reads a log of at most `log_bytes`. An error names the entry, from 0, and what is wrong with it.
android::base::Result<std::vector<WriteLogEntry>> ReadWriteLog(Syscalls& calls,
                                                               android::base::borrowed_fd log,
                                                               uint64_t log_bytes);

// Writes a log's entries to a device that has what the recorded one had at the log's beginning.
class Replayer {
  public:
    struct Devices {
        android::base::borrowed_fd log;
        android::base::borrowed_fd target;
    };
    Replayer(Syscalls& calls, std::vector<WriteLogEntry> entries, const Devices& devices)
          : calls_(calls), entries_(std::move(entries)), devices_(devices) {}

    // Goes on to the next state that a power cut may leave: behind a flush, a FUA write or a mark,
    // before what changes the device next. States with a content and marks that were there before
    // are passed over. False at the log's end.
    android::base::Result<bool> Next();

    // At the end: whether the recorded device has what the replayed one has, where the log writes.
    // What is discarded may have anything.
    android::base::Result<void> CompareWith(android::base::borrowed_fd recorded) const;

    // So many entries are done.
    size_t position() const { return next_; }
    // Those that are true of this state: the last one that came before it, and those that came
    // while the device had this content. "" stands for none.
    const std::vector<std::string>& marks() const { return marks_; }

  private:
    android::base::Result<void> Apply(const WriteLogEntry& entry);
    android::base::Result<void> Put(uint64_t offset, size_t bytes, uint64_t data_at);
    void Note(const WriteLogEntry& entry);
    uint64_t StateHash() const;

    Syscalls& calls_;
    const std::vector<WriteLogEntry> entries_;
    const Devices devices_;
    size_t next_ = 0;
    std::vector<std::string> marks_ = {""};
    // Of the content: changes with each sector, and does not depend on their order.
    uint64_t hash_ = 0;
    std::set<uint64_t> seen_;
};

}  // namespace storekeeper
