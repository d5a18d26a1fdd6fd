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

// One entry of the log that device mapper's target log-writes makes of a device
// (Documentation/admin-guide/device-mapper/log-writes.rst). The target records a write when it is
// on the medium: at the end of the next flush, or of the write itself if it is FUA. A mark is
// recorded at the time of its message.
struct WriteLogEntry {
    uint64_t offset = 0;  // bytes on the recorded device
    uint64_t bytes = 0;
    bool flush = false;
    bool fua = false;
    bool discard = false;
    bool mark = false;
    std::string text;      // text of a mark
    uint64_t data_at = 0;  // place of the written data: bytes from the log's beginning
};

// Reads a log of at most `log_bytes`. An error names the entry, from 0, and its fault.
android::base::Result<std::vector<WriteLogEntry>> ReadWriteLog(Syscalls& calls,
                                                               android::base::borrowed_fd log,
                                                               uint64_t log_bytes);

// Writes a log's entries to a device whose content is that of the recorded device at the log's
// beginning.
class Replayer {
  public:
    struct Devices {
        android::base::borrowed_fd log;
        android::base::borrowed_fd target;
    };
    Replayer(Syscalls& calls, std::vector<WriteLogEntry> entries, const Devices& devices)
          : calls_(calls), entries_(std::move(entries)), devices_(devices) {}

    // Goes on to the next state that a power cut may leave: after a flush, a FUA write or a mark,
    // and before the next change of the device. States whose content and marks have occurred before
    // are skipped. False at the log's end.
    android::base::Result<bool> Next();

    // Call it at the end. An error if the recorded device differs from the replayed one in a place
    // that the log writes; discarded places may differ.
    android::base::Result<void> CompareWith(android::base::borrowed_fd recorded) const;

    // Number of entries that are done.
    size_t position() const { return next_; }
    // The marks that hold for this state: the last one before it, and those that came while the
    // device had this content. "" stands for none.
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
    // Hash of the content: a sum over all sectors, so that their order does not matter.
    uint64_t hash_ = 0;
    std::set<uint64_t> seen_;
};

}  // namespace storekeeper
