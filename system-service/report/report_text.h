// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

namespace storekeeper {

// The JSON reports of report.h as text for a terminal.
std::string StatusText(const Json::Value& status);
// A warning in one line where the status has a state_problem; else "".
std::string StateProblemText(const Json::Value& status);
std::string HealthText(const Json::Value& health);
// One line a mount: "Trimmed 445079552 bytes on /cache ..." or why not.
std::string ReceiptText(const Json::Value& receipt);
// The health in a few lines: the verdict, the chip, what could not be read.
std::string SummaryText(const Json::Value& health);

// Runs as a JSON array of receipts, each with its mounts.
std::string ReceiptsText(const Json::Value& receipts);

}  // namespace storekeeper
