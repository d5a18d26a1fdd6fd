// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "maintenance/actions/defrag_policy.h"
#include "maintenance/actions/write_budget.h"

namespace storekeeper {

// The actions' memory across reboots.
struct ActionMemory {
    WriteBudget::Week week;
    DefragMemory defrag;
};

// The memory as the payload of a record.
std::string FormatActionMemory(const ActionMemory& memory);
// An empty text is an empty memory. A value of another type or out of range is an error; unknown
// keys are ignored.
android::base::Result<ActionMemory> ParseActionMemory(const std::string& text);

}  // namespace storekeeper
