// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/record_file.h"
#include "maintenance/actions/action_memory.h"

namespace storekeeper {

// What actions work with. All of it outlives them.
struct ActionSeams {
    const FileReader& files;
    const Clock& clock;
    RecordFile& records;
};

// The actions' memory in the file of records, with the week's budget as it is now. From any thread;
// one at a time changes it.
class ActionStore {
  public:
    ActionStore(const ActionSeams& seams, const PolicyConfig& config);

    RunStamp Now() const;
    // A memory that cannot be used is an empty one, and a note of the file's says so.
    ActionMemory Load() const;
    // In force; written with the next record.
    void Put(const ActionMemory& memory) const;
    // The same, and on the disk when it returns.
    android::base::Result<void> Write(const ActionMemory& memory) const;

    // Of the budget of this week.
    uint64_t LeftBytes() const { return LeftBytes(Load()); }
    uint64_t LeftBytes(const ActionMemory& memory) const {
        return WriteBudget::Left(memory.week, week_bytes_);
    }
    // That so much is going to be written, on the disk when it returns.
    android::base::Result<void> Charge(uint64_t bytes) const;
    // That it was `written` bytes instead; written down with the next record.
    void Correct(uint64_t charged, uint64_t written) const;

  private:
    const ActionSeams seams_;
    const uint64_t week_bytes_;
    const std::string boot_id_;
};

}  // namespace storekeeper
