// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>
#include <vector>

#include "maintenance/trim/trimmer.h"

namespace storekeeper {

// A dry run as JSON: an array of mounts. Bytes are at most what is free; the time is what the last
// receipts of that mount took for as much, null without any.
Json::Value PlanToJson(const std::vector<Trimmer::Planned>& plan,
                       const std::vector<TrimReceipt>& receipts);

// The same for people.
std::string PlanText(const std::vector<Trimmer::Planned>& plan,
                     const std::vector<TrimReceipt>& receipts);

}  // namespace storekeeper
