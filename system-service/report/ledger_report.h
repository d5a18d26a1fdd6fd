// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "report/collected.h"

namespace storekeeper {

// "ledger" of docs/dump.schema.json; the alerts that stand. Its series has at most some 300 points:
// all at which the wear moved, and others evenly between them.
Json::Value LedgerToJson(const Collected& collected);

// The same for people.
std::string LedgerText(const Collected& collected);

}  // namespace storekeeper
