// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/json_fields.h"
#include "base/record_file.h"
#include "maintenance/actions/defrag_policy.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// The bytes that garbage collection and defragmentation have written together in a week: both wear
// the flash. A week is one of powered time, which no clock can falsify.
struct WriteWeek {
    RunAge began;
    uint64_t written_bytes = 0;
};

// The week brought up to `now`, or a new one if it is over.
WriteWeek BringUpToDate(const WriteWeek& week, const RunStamp& now);

// The actions' memory across reboots.
struct ActionMemory {
    WriteWeek week;
    DefragMemory defrag;
};

// Payload of the record `actions`.
void Fields(JsonFields& json, ActionMemory& memory);

// Services of the system that actions use. They outlive the actions.
struct ActionSeams {
    const FileReader& files;
    const Clock& clock;
    RecordFile& records;
};

// The actions' memory in the file of records. Any thread may read it; one thread at a time may
// change it.
class ActionStore {
  public:
    ActionStore(const ActionSeams& seams, const PolicyConfig& config);

    RunStamp Now() const { return StampOf(seams_.clock, boot_id_); }
    // The memory, with the week's budget brought up to now. If it cannot be parsed, it is replaced
    // by an empty one and a note is added to the records.
    ActionMemory Load() const;
    // Replaces the memory; the next write of the records stores it.
    void Put(const ActionMemory& memory) const;

    // Bytes left of this week's budget.
    uint64_t RemainingBytes(const ActionMemory& memory) const;
    // Charges the budget with bytes that are about to be written. On the disk on return.
    android::base::Result<void> Charge(uint64_t bytes) const;
    // Replaces a charge by the bytes that were really written. The next write of the records stores
    // it.
    void Correct(uint64_t charged, uint64_t written) const;

  private:
    const ActionSeams seams_;
    const uint64_t week_bytes_;
    const std::string boot_id_;
};

}  // namespace storekeeper
