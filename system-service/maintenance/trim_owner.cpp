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

std::string LastFailure(const Json::Value& receipts) {
    for (const Json::Value& receipt : receipts) {
        if (receipt["manual"].asBool()) continue;
        const std::string name = receipt["outcome"].asString();
        for (const OutcomeFacts& facts : kOutcomes) {
            if (facts.name == name) return FailureOf(facts.outcome, receipt["reason"].asString());
        }
        return "";
    }
    return "";
}

}  // namespace storekeeper
