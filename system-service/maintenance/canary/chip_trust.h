// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>
#include <vector>

#include "maintenance/canary/canary.h"

namespace storekeeper {

// The trust in chips as the payload of a record.
std::string FormatChipTrust(const std::vector<ChipTrust>& chips);
// An empty text has no chips. A value of another type is an error; unknown keys are ignored.
android::base::Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text);

// For people, about a chip in quarantine: one sentence without a full stop.
std::string QuarantineText(const ChipTrust& trust);

// The chip's trust in reports; docs/dump.schema.json has the keys.
Json::Value ChipTrustToJson(const ChipTrust& trust);

// The entry with this id; an empty trust if there is none.
ChipTrust TrustOf(const std::vector<ChipTrust>& chips, const std::string& id);
// Replaces or adds the chip's entry.
void PutTrust(const ChipTrust& trust, std::vector<ChipTrust>* chips);

}  // namespace storekeeper
