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

// Size of a terminal without scrolling and wrapping.
inline constexpr size_t kScreenColumns = 80;
inline constexpr size_t kScreenLines = 24;

// Wraps lines of `text` at blanks to at most 80 columns. Continued lines are indented by `indent`,
// by default four columns more than the line they continue. Each line ends in a newline, and none
// in a blank.
std::string WrapText(const std::string& text, std::optional<size_t> indent = std::nullopt);

// Reports as JSON. Keys contain the unit; an unknown value is null, never 0.
Json::Value StatusToJson(const KeeperStatus& status);
Json::Value HealthToJson(const HealthReport& report);
Json::Value ReceiptsToJson(const std::vector<TrimReceipt>& receipts);

// Reports as text for a terminal.
std::string StatusText(const KeeperStatus& status);
std::string HealthText(const HealthReport& health);
// One line per trimmed mount: "Trimmed 424.5 MiB on /cache ...".
std::string ReceiptText(const TrimReceipt& receipt);
// Receipts with their runs, and the reasons for mounts that were not trimmed.
std::string ReceiptsText(const std::vector<TrimReceipt>& receipts);

// Parts of the one-screen report: warnings about a quarantined chip or a missing state,
// maintenance, and health.
std::string WarningsText(const KeeperStatus& status);
std::string StatusBrief(const KeeperStatus& status);
std::string HealthBrief(const HealthReport& health);

// Time for which the wake-up budget defers the next run; 0 if it allows one.
std::chrono::seconds HeldBackFor(const KeeperStatus& status);

// Explains why maintenance runs or waits: its current activity, a table of all gates, the earliest
// next run, deferred runs, and the configuration files. At most 80 columns.
std::string WhyText(const KeeperStatus& status);

// The one-screen version: only closed gates, the last deferred run, no configuration.
std::string WhyBrief(const KeeperStatus& status);

// A dry run as JSON: "mounts" and "actions". A mount's bytes are an upper bound, its free space.
// The time is an estimate from the mount's last receipts, null without any.
Json::Value PlanToJson(const RunPlan& plan, const std::vector<TrimReceipt>& receipts);

std::string PlanText(const RunPlan& plan, const std::vector<TrimReceipt>& receipts);

// Noun for an ActionReceipt::action: "Defragmentation".
std::string ActionTitle(const std::string& action);
// Verb for a TrimProgress::action: "defragmenting".
std::string ActionVerb(const std::string& action);

// A line "  4952 more mounts are left out"; "" if `count` is 0.
std::string MountsLeftOutText(uint64_t count);

// "mount_audit" of docs/dump.schema.json.
Json::Value MountAuditToJson(const MountAuditInputs& inputs);

std::string MountsText(const MountAuditInputs& inputs);

// "crypto" of docs/dump.schema.json: names, numbers and counts of users, but neither keys nor
// tables.
Json::Value CryptoToJson(const CryptoStatus& status);

// The "measured" part of CryptoToJson(), printed by `crypto bench`.
Json::Value CryptoMeasuredToJson(const CryptoMeasured& measured);

// The "choice" part of CryptoToJson(), printed by `crypto choose` and `crypto rollback`.
Json::Value CryptoChoiceToJson(const CryptoChoice& choice);

std::string CryptoText(const CryptoStatus& status);
std::string CryptoMeasuredText(const CryptoMeasured& measured);
std::string CryptoChoiceText(const CryptoChoice& choice);

}  // namespace storekeeper
