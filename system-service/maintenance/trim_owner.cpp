// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim_owner.h"

#include <algorithm>

#include "maintenance/decision_text.h"

namespace storekeeper {

std::string WhyNoRun(const Decision& decision, const std::string& last_failure) {
    const auto refuses_chip = [](const Gate& gate) { return gate.name == "chip" && !gate.pass; };
    if (std::any_of(decision.gates.begin(), decision.gates.end(), refuses_chip)) return "";
    if (!last_failure.empty()) return "the last run failed: " + last_failure;
    if (decision.run) return "";
    if (!decision.deadline_at.has_value()) {
        return "the deadline is past: " + DescribeGates(decision, false);
    }
    for (const Gate& gate : decision.gates) {
        if (gate.pass || gate.name == "untouched" || gate.name == "storage") continue;
        if (gate.name == "state" || !gate.value.has_value()) return gate.name + ": " + gate.note;
    }
    return "";
}

std::string FailureOf(TrimOutcome outcome, const std::string& reason) {
    switch (outcome) {
        case TrimOutcome::kTrimmed:
        case TrimOutcome::kAborted:
        case TrimOutcome::kBusy:
        case TrimOutcome::kChipQuirk:
        case TrimOutcome::kNoTrim:
            return "";
        default:
            return reason.empty() ? std::string(FactsOf(outcome).meaning) : reason;
    }
}

std::string LastFailure(const std::vector<TrimReceipt>& receipts) {
    for (const TrimReceipt& receipt : receipts) {
        if (!receipt.manual) return FailureOf(receipt.outcome, receipt.reason);
    }
    return "";
}

}  // namespace storekeeper
