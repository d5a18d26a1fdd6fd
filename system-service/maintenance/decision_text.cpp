// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/decision_text.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <cctype>
#include <cerrno>
#include <vector>

#include "base/quantity_text.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// "battery 39 % (limit >= 40 %, off charger)", "chip (no known TRIM defect)".
std::string Describe(const Gate& gate) {
    std::string text = gate.name;
    std::vector<std::string> details;
    if (gate.value.has_value() && gate.unit != "yes") {
        text += " " + QuantityText(*gate.value, gate.unit);
        details.push_back((gate.at_most ? "limit <= " : "limit >= ") +
                          QuantityText(gate.limit, gate.unit));
    }
    if (!gate.note.empty()) details.push_back(gate.note);
    return details.empty() ? text : text + " (" + android::base::Join(details, ", ") + ")";
}

}  // namespace

std::string DescribeGates(const Decision& decision, bool pass) {
    std::vector<std::string> texts;
    for (const Gate& gate : decision.gates) {
        if (gate.pass == pass) texts.push_back(Describe(gate));
    }
    return android::base::Join(texts, ", ");
}

std::string ClosedGates(const Decision& decision) {
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) {
        if (!gate.pass) names.push_back(gate.name);
    }
    return android::base::Join(names, ' ');
}

std::string RangeText(const OverrideRange& range) {
    const std::string unit = range.unit;
    if (unit == "yes") return "0 keeps the gate in force, 1 waives it";
    return QuantityText(range.min, unit) + " to " + QuantityText(range.max, unit) +
           (unit == "dC" ? "; a number without a unit is in tenths of a degree, write 40C for 40 "
                           "degrees"
                         : "");
}

Result<int64_t> ParseGateLimit(const std::string& gate, const std::string& text) {
    const bool heat = gate == "heat" || gate == "zones";
    std::string number = text;
    // "C" alone is no number.
    const bool degrees = heat && text.size() > 1 && text.back() == 'C';
    if (degrees) {
        number.pop_back();
        if (number.size() > 2 && number[number.size() - 2] == '.') {
            number.erase(number.size() - 2, 1);
        } else {
            number += "0";
        }
    }
    int64_t value = 0;
    // ParseInt() accepts leading spaces, which are no limit.
    const bool starts = !number.empty() && (isdigit(number[0]) || number[0] == '-');
    const bool fits = starts && (!degrees || number.size() <= 6);
    if (fits && android::base::ParseInt(number, &value)) return value;
    // ParseInt() sets errno for a number beyond 64 bits.
    const bool is_beyond = fits && errno == ERANGE;
    const std::optional<OverrideRange> range = FindOverrideRange(gate);
    if (is_beyond && range.has_value()) {
        return Error() << "'" << text << "' is out of range: " << RangeText(*range);
    }
    return Error() << "'" << text << "' is neither a number nor reset"
                   << (heat ? "; write 40C for 40 degrees" : "");
}

void GateLog::Note(const Decision& decision, BootTime now) {
    for (const Gate& gate : decision.gates) {
        auto [entry, is_new] = entries_.try_emplace(gate.name, Entry{gate.pass, now});
        if (!is_new && entry->second.pass != gate.pass) entry->second = {gate.pass, now};
    }
}

std::optional<BootTime> GateLog::Since(const std::string& gate) const {
    auto entry = entries_.find(gate);
    if (entry == entries_.end()) return std::nullopt;
    return entry->second.since;
}

std::string WhyNoRun(const Decision& decision, const std::string& last_failure) {
    for (const Gate& gate : decision.gates) {
        // vold must not trim a chip either that must not be trimmed, or not yet.
        if (!gate.pass && (gate.name == "chip" || gate.name == "canary")) return "";
    }
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

std::string FailureOf(const TrimReceipt& receipt) {
    switch (receipt.outcome) {
        case TrimOutcome::kTrimmed:
        case TrimOutcome::kAborted:
        case TrimOutcome::kBusy:
        case TrimOutcome::kChipQuirk:
        case TrimOutcome::kNoTrim:
            return "";
        default:
            return receipt.reason.empty() ? std::string(OutcomeFactsOf(receipt.outcome).meaning)
                                          : receipt.reason;
    }
}

std::string LastFailure(const std::vector<TrimReceipt>& receipts) {
    for (const TrimReceipt& receipt : receipts) {
        if (!receipt.manual) return FailureOf(receipt);
    }
    return "";
}

}  // namespace storekeeper
