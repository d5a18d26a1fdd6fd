// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>

#include "maintenance/trim/receipt.h"

namespace storekeeper {

// A run as a receipt that is kept and shown; docs/dump.schema.json has the keys.
Json::Value ReceiptToJson(const TrimReceipt& receipt);
// The same as the payload of a record.
std::string ReceiptLine(const TrimReceipt& receipt);

// Such a payload. A value of another type or out of
// range is an error; unknown keys are ignored.
android::base::Result<TrimReceipt> ParseReceipt(const std::string& line);

}  // namespace storekeeper
