// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity_text.h"
#include "maintenance/decision_text.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::Join;
using android::base::StringPrintf;

// Number of newest deferred runs in a text; --json shows all.
constexpr size_t kShownRefusals = 3;

// Reasons why a due run does not begin, by the closed gate.
constexpr std::pair<std::string_view, std::string_view> kCauses[] = {
        {"untouched", "device in use"},
        {"battery", "battery low"},
        {"heat", "battery hot"},
        {"zones", "device hot"},
        {"storage", "storage busy"},
        {"checkpoint", "vold checkpoint active"},
        {"framework", "smart idle maintenance enabled"},
        {"chip", "discard harms the chip"},
        {"canary", "chip not yet read after a restart"},
        {"state", "no state kept"},
};

std::string CausesText(const std::string& gates) {
    std::vector<std::string> causes = android::base::Split(gates, " ");
    for (std::string& cause : causes) {
        for (const auto& [gate, text] : kCauses) {
            if (cause == gate) cause = text;
        }
    }
    return Join(causes, ", ");
}

std::string TimeUntilText(BootTime at, BootTime now) {
    return DurationText(std::chrono::ceil<std::chrono::seconds>(at - now).count());
}

std::string ValueText(const Gate& gate) {
    if (gate.unit == "yes") return "-";
    if (gate.value.has_value()) return QuantityText(*gate.value, gate.unit);
    return gate.pass ? "-" : "unknown";
}

std::string LimitText(const Gate& gate) {
    if (gate.unit == "yes") return "-";
    return (gate.at_most ? "<= " : ">= ") + QuantityText(gate.limit, gate.unit);
}

std::string DifferenceText(int64_t difference, const std::string& unit) {
    const int64_t size = std::llabs(difference);
    return unit == "pct" ? Counted(static_cast<uint64_t>(size), "point") : QuantityText(size, unit);
}

// Distance of a closed gate from its limit and the time since it closed; changes of its limit; its
// note.
std::string DetailText(const Gate& gate, const KeeperStatus& status) {
    std::vector<std::string> parts;
    if (!gate.pass) {
        std::string closed;
        if (const std::optional<int64_t> margin = gate.margin();
            margin.has_value() && gate.unit != "yes") {
            closed = DifferenceText(*margin, gate.unit) + (gate.unit == "s" ? " to go"
                                                           : gate.at_most   ? " over the limit"
                                                                            : " under the limit");
        }
        if (const std::optional<BootTime> since = status.gate_log.Since(gate.name);
            since.has_value()) {
            const auto time =
                    std::chrono::floor<std::chrono::seconds>(status.now.since_boot - *since);
            const std::string text = "closed for " + DurationText(time.count());
            closed += closed.empty() ? text : " (" + text + ")";
        }
        if (!closed.empty()) parts.push_back(std::move(closed));
    }
    if (!gate.note.empty()) parts.push_back(gate.note);
    if (gate.relaxed_by() != 0 && gate.value.has_value()) {
        parts.push_back("limit relaxed by " + DifferenceText(gate.relaxed_by(), gate.unit));
    }
    if (gate.overridden) {
        parts.emplace_back(gate.unit != "yes" ? "limit set by root"
                           : gate.limit > 0   ? "waived by root"
                                              : "in force by root");
    }
    return Join(parts, "; ");
}

std::string Row(const std::string& gate, const char* state, const std::string& value,
                const std::string& limit, const std::string& detail) {
    const std::string line = StringPrintf("  %-10s %-6s %-11s %-9s ", gate.c_str(), state,
                                          value.c_str(), limit.c_str());
    return WrapText(line + detail, line.size());
}

std::string GatesText(const KeeperStatus& status, bool closed_only) {
    std::string text;
    std::vector<std::string> others;
    for (const Gate& gate : status.decision.gates) {
        if (gate.pass && closed_only) {
            others.push_back(gate.name);
        } else {
            text += Row(gate.name, gate.pass ? "open" : "closed", ValueText(gate), LimitText(gate),
                        DetailText(gate, status));
        }
    }
    if (!text.empty()) text.insert(0, Row("Gate", "State", "Value", "Limit", "Detail"));
    return others.empty() ? text : text + WrapText("  Open gates: " + Join(others, ", "));
}

std::string HeadText(const KeeperStatus& status) {
    if (status.report_only) {
        return "Maintenance: " + std::string(kReportOnlyText) + "; Android's own trims go on\n";
    }
    const BootTime now = status.now.since_boot;
    if (status.progress.running) {
        const std::string& mount = status.progress.mount;
        return "Maintenance: " + ActionVerb(status.progress.action) +
               (mount.empty() ? "" : " " + mount) + (status.progress.stopping ? ", stopping" : "") +
               "\n";
    }
    if (!status.decision.run) {
        const auto next =
                std::chrono::floor<std::chrono::seconds>(status.decision.next_check - now);
        return "Maintenance: idle, next check in " + DurationText(next.count()) +
               (status.decision.watch_power ? " or when the power supply changes\n" : "\n");
    }
    const std::chrono::seconds held = HeldBackFor(status);
    if (held.count() == 0) return "Maintenance: idle, about to run\n";
    return "Maintenance: idle, next check in " + DurationText(held.count()) + "\n";
}

// Time at which the last closed gate opens or is checked again; absent if only events can open
// them. With `due_only`, only gates that make a run due count.
std::optional<BootTime> LastOpening(const Decision& decision, bool due_only) {
    std::optional<BootTime> last;
    for (const Gate& gate : decision.gates) {
        if (gate.pass || (due_only && !gate.makes_due)) continue;
        const std::optional<BootTime> at = gate.opens_at.has_value() ? gate.opens_at : gate.look_at;
        if (at.has_value() && (!last.has_value() || *at > *last)) last = at;
    }
    return last;
}

std::string NextRunText(const KeeperStatus& status) {
    if (status.report_only) return "";
    const Decision& decision = status.decision;
    const BootTime now = status.now.since_boot;
    if (status.progress.running) return "A run is in progress.\n";
    if (decision.run && HeldBackFor(status).count() > 0) {
        return "The wake-up budget defers the next run for " +
               DurationText(HeldBackFor(status).count()) + ": " +
               Counted(status.wakes.InLastHour(now), "wake-up") + " in the last hour, the limit.\n";
    }
    if (decision.run) return "All gates are open.\n";
    if (!decision.due) {
        const std::optional<BootTime> opening = LastOpening(decision, true);
        return "Next run: in " + TimeUntilText(opening.value_or(now), now) +
               " at the earliest, if all other gates are open.\n";
    }
    std::string text = "A run is due, waiting for: " +
                       Join(android::base::Split(ClosedGates(decision), " "), ", ");
    if (const std::optional<BootTime> opening = LastOpening(decision, false); opening.has_value()) {
        text += "; " + TimeUntilText(*opening, now) + " at the earliest";
    }
    text += ".";
    if (decision.deadline_at.has_value()) {
        text += " In " + TimeUntilText(*decision.deadline_at, now) +
                " all gates except the safety gates are waived.";
    }
    return text + "\n";
}

std::string RefusalsText(const std::vector<RefusedRun>& refused, size_t count) {
    std::string text;
    for (size_t i = refused.size() - std::min(refused.size(), count); i < refused.size(); ++i) {
        text += "Deferred at " + WallTimeText(refused[i].at.wall) + ": " +
                CausesText(refused[i].gates) + "\n";
    }
    return text;
}

}  // namespace

std::chrono::seconds HeldBackFor(const KeeperStatus& status) {
    const BootTime wait = status.wakes.NextAllowed(status.decision) - status.now.since_boot;
    return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds(0));
}

std::string WhyText(const KeeperStatus& status) {
    return HeadText(status) + GatesText(status, false) +
           WrapText(NextRunText(status) + RefusalsText(status.state.refused, kShownRefusals) +
                    "Configuration: " +
                    (status.config_files.empty() ? "built-in defaults"
                                                 : Join(status.config_files, ", ")) +
                    "\n");
}

std::string WhyBrief(const KeeperStatus& status) {
    return HeadText(status) + GatesText(status, true) +
           WrapText(NextRunText(status) + RefusalsText(status.state.refused, 1));
}

}  // namespace storekeeper
