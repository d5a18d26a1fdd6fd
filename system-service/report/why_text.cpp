// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/why_text.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "base/quantity_text.h"
#include "maintenance/gate_limit.h"
#include "report/report_text.h"

namespace storekeeper {
namespace {

using android::base::Join;
using android::base::StringPrintf;

// The newest refusals of due runs that are shown; --json has all.
constexpr Json::ArrayIndex kShownRefusals = 3;
// Of the year 9999.
constexpr Json::Int64 kLastSecond = 253'402'300'799;

std::string ValueText(const Json::Value& gate) {
    if (!gate["value"].isNull())
        return QuantityText(gate["value"].asInt64(), gate["unit"].asString());
    return gate["pass"].asBool() ? "-" : "unknown";
}

std::string LimitText(const Json::Value& gate) {
    if (gate["unit"].asString() == "yes") {
        return gate["limit"].asInt64() == 0 ? "must be no" : "is not asked";
    }
    return (gate["at_most"].asBool() ? "at most " : "needs ") +
           QuantityText(gate["limit"].asInt64(), gate["unit"].asString());
}

// How far from its limit, since when, how relaxed, and what explains it.
std::string DetailText(const Json::Value& gate) {
    const std::string unit = gate["unit"].asString();
    std::vector<std::string> parts;
    if (!gate["margin"].isNull() && unit != "yes") {
        const Json::Int64 margin = gate["margin"].asInt64();
        parts.push_back(QuantityText(std::llabs(margin), unit) + (margin >= 0 ? " to spare"
                                                                  : gate["at_most"].asBool()
                                                                          ? " too much"
                                                                          : " short"));
    }
    if (!gate["since_s"].isNull())
        parts.push_back("for " + DurationText(gate["since_s"].asInt64()));
    if (gate["relaxed_by"].asInt64() != 0) {
        parts.push_back("relaxed by " + QuantityText(gate["relaxed_by"].asInt64(), unit));
    }
    if (gate["overridden"].asBool()) parts.emplace_back("limit set by root");
    if (!gate["note"].asString().empty()) parts.push_back(gate["note"].asString());
    return Join(parts, ", ");
}

std::string GateText(const Json::Value& gate) {
    std::string line =
            StringPrintf("  %-10s %-6s %-12s %-15s  %s", gate["name"].asCString(),
                         gate["pass"].asBool() ? "open" : "closed", ValueText(gate).c_str(),
                         LimitText(gate).c_str(), DetailText(gate).c_str());
    while (line.back() == ' ') line.pop_back();
    return line + "\n";
}

// For how long the wake-up budget lets no run begin; 0 when it does.
Json::Int64 HeldBackFor(const Json::Value& status) {
    const Json::Value& in = status["wakeups"]["next_allowed_in_s"];
    return in.isNull() ? 0 : in.asInt64();
}

std::string BudgetText(const Json::Value& status) {
    return "The wake-up budget defers the next run for " + DurationText(HeldBackFor(status)) +
           ": " + Counted(status["wakeups"]["last_hour"].asUInt64(), "wake-up") +
           " in the last hour, the limit.\n";
}

std::string HeadText(const Json::Value& status) {
    std::string text = "Maintenance: " + status["state"].asString();
    if (status["state"].asString() == "trimming") {
        std::string mount = status["trimming_mount"].asString();
        text += mount.empty() ? "" : " " + mount;
        text += status["stopping"].asBool() ? ", stopping after it" : "";
    } else if (status["would_run"].asBool()) {
        const Json::Int64 held_s = HeldBackFor(status);
        text += held_s > 0 ? ", next look in " + DurationText(held_s) : ", about to run";
    } else {
        text += ", next look in " + DurationText(status["next_check_in_s"].asInt64());
        text += status["waits_for_power"].asBool() ? " or when the power changes" : "";
    }
    return text + "\n";
}

// "in 40 min", of what opens or is read anew last; "" when only events open the closed gates.
std::string LastOpening(const Json::Value& gates, bool time_only) {
    Json::Int64 last = -1;
    for (const Json::Value& gate : gates) {
        const std::string name = gate["name"].asString();
        if (gate["pass"].asBool() || (time_only && name != "interval" && name != "retry")) continue;
        const Json::Value& in =
                gate["opens_in_s"].isNull() ? gate["look_in_s"] : gate["opens_in_s"];
        if (!in.isNull() && in.asInt64() > last) last = in.asInt64();
    }
    return last < 0 ? "" : "in " + DurationText(last);
}

std::string ClosedNames(const Json::Value& gates) {
    std::vector<std::string> names;
    for (const Json::Value& gate : gates) {
        if (!gate["pass"].asBool()) names.push_back(gate["name"].asString());
    }
    return Join(names, ", ");
}

std::string NextRunText(const Json::Value& status) {
    const Json::Value& gates = status["gates"];
    if (status["state"].asString() == "trimming") return "A run is under way.\n";
    if (status["would_run"].asBool() && HeldBackFor(status) > 0) return BudgetText(status);
    if (status["would_run"].asBool()) return "Nothing stands in the way of the next run.\n";
    if (!status["due"].asBool()) {
        return "The next run can happen " + LastOpening(gates, true) +
               ", if the other gates are open then.\n";
    }
    const std::string opening = LastOpening(gates, false);
    std::string text =
            "A run is due and can happen " +
            (opening.empty() ? "as soon as what is closed opens" : opening + " at the earliest") +
            ": " + ClosedNames(gates) + ".";
    if (!status["deadline_in_s"].isNull()) {
        text += " All but battery, heat and what forbids it give way in " +
                DurationText(status["deadline_in_s"].asInt64()) + ".";
    }
    return text + "\n";
}

std::string FilesText(const Json::Value& files) {
    std::vector<std::string> names;
    for (const Json::Value& file : files) names.push_back(file.asString());
    return "Configuration: " + (names.empty() ? "built-in defaults" : Join(names, ", ")) + "\n";
}

std::string RefusedText(const Json::Value& refused) {
    std::string text;
    const Json::ArrayIndex first =
            refused.size() > kShownRefusals ? refused.size() - kShownRefusals : 0;
    for (Json::ArrayIndex i = first; i < refused.size(); ++i) {
        text += "Held up: " + WallTimeText(refused[i]["wall_s"].asInt64()) + " by " +
                refused[i]["gates"].asString() + "\n";
    }
    return text;
}

}  // namespace

std::string WallTimeText(Json::Int64 wall_s) {
    if (wall_s < 0 || wall_s > kLastSecond) return "?";
    // Not by gmtime(3): time_t of a 32-bit device ends in 2038.
    const std::chrono::sys_seconds at{std::chrono::seconds(wall_s)};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::seconds time = at - day;
    return StringPrintf("%04d-%02u-%02u %02d:%02d:%02d UTC", static_cast<int>(date.year()),
                        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                        static_cast<int>(time / std::chrono::hours(1)),
                        static_cast<int>(time / std::chrono::minutes(1) % 60),
                        static_cast<int>(time / std::chrono::seconds(1) % 60));
}

std::string WhyText(const Json::Value& status) {
    std::string text = HeadText(status);
    for (const Json::Value& gate : status["gates"]) text += GateText(gate);
    return text + NextRunText(status) + RefusedText(status["refused"]) +
           FilesText(status["config_files"]);
}

}  // namespace storekeeper
