// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "maintenance/policy/policy.h"

namespace storekeeper {

// The policy's memory as the payload of a record: entries `key value...`, a tab between them.
std::string FormatState(const PolicyState& state);
// Of an empty text, an empty memory.
android::base::Result<PolicyState> ParseState(const std::string& text);

}  // namespace storekeeper
