// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

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

// The memory as the payload of a record.
std::string FormatActionMemory(const ActionMemory& memory);
// An empty text is an empty memory. A value of another type or out of range is an error; unknown
// keys are ignored.
android::base::Result<ActionMemory> ParseActionMemory(const std::string& text);

}  // namespace storekeeper
