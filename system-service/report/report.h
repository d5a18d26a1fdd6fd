// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "crypto/crypto_keeper.h"
#include "health/card_health.h"
#include "maintenance/keeper.h"
#include "maintenance/maintenance_run.h"
#include "mounts/mount_audit.h"

namespace storekeeper {

// What a terminal shows without scrolling or wrapping.
inline constexpr size_t kScreenColumns = 80;
inline constexpr size_t kScreenLines = 24;

// `text` with its longer lines broken at blanks into lines of at most 80 columns. Continued lines
// are indented by `indent`, by default four columns more than the line they continue. Each line
// ends in a newline, and none in a blank.
std::string WrapText(const std::string& text, std::optional<size_t> indent = std::nullopt);

// Reports as JSON. Units stand in the keys, what is not known is null and never 0.
Json::Value StatusToJson(const KeeperStatus& status);
Json::Value HealthToJson(const HealthReport& report);
Json::Value ReceiptsToJson(const std::vector<TrimReceipt>& receipts);

// What report.h has as JSON, as text for a terminal.
std::string StatusText(const KeeperStatus& status);
std::string HealthText(const HealthReport& health);
// One line for each mount that was trimmed: "Trimmed 424.5 MiB on /cache ...".
std::string ReceiptText(const TrimReceipt& receipt);
// The same with the runs they belong to, and why the other mounts were not trimmed.
std::string ReceiptsText(const std::vector<TrimReceipt>& receipts);

// For one screen: the maintenance, with warnings first when a chip is in quarantine or no state
// is kept, and the health.
std::string StateProblemText(const KeeperStatus& status);
std::string StatusBrief(const KeeperStatus& status);
std::string HealthBrief(const HealthReport& health);

// For how long the wake-up budget lets no run begin; 0 when it does.
std::chrono::seconds HeldBackFor(const KeeperStatus& status);

// Why maintenance runs or does not: what it is doing, a table of all gates, when the next run can
// begin, which due runs were deferred, and the configuration in force. At most 80 columns.
std::string WhyText(const KeeperStatus& status);

// The same for one screen: the closed gates alone in the table, the last deferred run, no
// configuration.
std::string WhyBrief(const KeeperStatus& status);

// A dry run as JSON: "mounts" and "actions". A mount's bytes are at most what is free; the time is
// what the last receipts of that mount took for as much, null without any.
Json::Value PlanToJson(const RunPlan& plan, const std::vector<TrimReceipt>& receipts);

// The same for people.
std::string PlanText(const RunPlan& plan, const std::vector<TrimReceipt>& receipts);

// Of ActionReceipt::action: "Defragmentation".
std::string ActionTitle(const std::string& action);
// Of TrimProgress::action: "defragmenting".
std::string ActionVerb(const std::string& action);

// "  4952 more mounts are left out", a line of a list; "" if none is.
std::string MountsLeftOutText(uint64_t count);

// "mount_audit" of docs/dump.schema.json.
Json::Value MountAuditToJson(const MountAuditInputs& inputs);

// The same for people.
std::string MountsText(const MountAuditInputs& inputs);

// "crypto" of docs/dump.schema.json: names, numbers and counts of users; neither keys nor tables.
Json::Value CryptoToJson(const CryptoStatus& status);

// What `crypto bench` prints: "measured" in that.
Json::Value CryptoMeasuredToJson(const CryptoMeasured& measured);

// What `crypto choose` and `crypto rollback` print: "choice" in that.
Json::Value CryptoChoiceToJson(const CryptoChoice& choice);

// The same for people.
std::string CryptoText(const CryptoStatus& status);
std::string CryptoMeasuredText(const CryptoMeasured& measured);
std::string CryptoChoiceText(const CryptoChoice& choice);

}  // namespace storekeeper
