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

// A line of the receipts' file as ReceiptToJson() made it: each value has the type that texts and
// reports take for granted. jsoncpp ends the process where a value is asked for as another type.
android::base::Result<Json::Value> ParseReceipt(const std::string& line);

}  // namespace storekeeper
