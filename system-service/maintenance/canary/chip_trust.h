// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>
#include <vector>

#include "maintenance/canary/canary.h"

namespace storekeeper {

// What is known of chips as the payload of a record.
std::string FormatChipTrust(const std::vector<ChipTrust>& chips);
// Of an empty text, none. A value of another type is an error; unknown keys are ignored.
android::base::Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text);

// For people, of a chip in quarantine: one sentence without a full stop.
std::string QuarantineText(const ChipTrust& trust);

// As reports have it; docs/dump.schema.json has the keys.
Json::Value ChipTrustToJson(const ChipTrust& trust);

// The chip of this id among them; one of which nothing is known where it is not there.
ChipTrust TrustOf(const std::vector<ChipTrust>& chips, const std::string& id);
// Puts it in the place of what was known of the chip.
void KeepTrust(const ChipTrust& trust, std::vector<ChipTrust>* chips);

}  // namespace storekeeper
