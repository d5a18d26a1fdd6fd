// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>

#include <algorithm>
#include <chrono>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "report/collected.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

Json::Value Microseconds(const std::optional<std::chrono::nanoseconds>& time) {
    if (!time.has_value()) return {};
    return Json::Int64{std::chrono::round<std::chrono::microseconds>(*time).count()};
}

Json::Value PointToJson(const LatencyPoint& point) {
    Json::Value json;
    json["wall_s"] = Json::Int64{point.wall.count()};
    json["span_s"] = Json::Int64{point.span.count()};
    json["source"] = LatencySourceName(point.source);
    json["kind"] = IoKindName(point.kind);
    json["count"] = Json::UInt64{point.count};
    json["mean_us"] = Microseconds(point.mean);
    json["p50_us"] = Microseconds(point.p50);
    json["p90_us"] = Microseconds(point.p90);
    json["p99_us"] = Microseconds(point.p99);
    json["p999_us"] = Microseconds(point.p999);
    return json;
}

Json::Value SourceToJson(const LatencySourceState& state) {
    Json::Value json;
    json["name"] = LatencySourceName(state.source);
    json["on"] = state.why.empty();
    json["why"] = state.why;
    return json;
}

// The reason why names are missing, also if they were not requested.
std::string MissingNamesReason(const LatencyReport& report, bool names) {
    return names ? report.names_problem : "for --apps";
}

// The JSON members common to UidCost and Offender.
template <typename Who>
Json::Value UidToJson(const Who& who, bool names) {
    Json::Value json;
    json["uid"] = who.uid;
    json["kind"] = UidKindName(who.kind);
    json["name"] = names ? OrNull(who.name) : Json::Value();
    return json;
}

Json::Value CostToJson(const UidCost& cost, bool names) {
    Json::Value json = UidToJson(cost, names);
    json["bytes_per_day"] = Json::UInt64{cost.bytes_per_day};
    json["device_bytes_per_day"] = Json::UInt64{cost.device_bytes_per_day};
    json["fsyncs_per_day"] = Json::UInt64{cost.fsyncs_per_day};
    json["fsync_storm"] = cost.fsync_storm;
    json["life_pct_per_year"] = OrNull(cost.life_pct_per_year);
    return json;
}

WallTime BeginOf(int64_t day) {
    return std::chrono::days(day);
}

Json::Value OffenderToJson(const Offender& offender, bool names) {
    Json::Value json = UidToJson(offender, names);
    json["budget_bytes"] = Json::UInt64{offender.budget_bytes};
    json["days_over"] = Json::Int64{offender.days_over};
    json["today"] = offender.today;
    json["repeats"] = offender.repeats;
    const auto put = [&json](const char* name, const Offender::Day& day) {
        json[name]["wall_s"] = Json::Int64{BeginOf(day.day).count()};
        json[name]["bytes"] = Json::UInt64{day.bytes};
    };
    put("first", offender.first);
    put("last", offender.last);
    put("most", offender.most);
    return json;
}

Json::Value BudgetsToJson(const BudgetReport& report, bool names) {
    if (!HasBudgets(report.limits)) return {};
    const auto mib = [](int64_t limit) {
        return limit > 0 ? Json::Value(Json::Int64{limit}) : Json::Value();
    };
    Json::Value json;
    json["app_mib"] = mib(report.limits.app_budget_mib);
    json["system_mib"] = mib(report.limits.system_budget_mib);
    json["offenders"] = ArrayOf(report.offenders, [names](const Offender& offender) {
        return OffenderToJson(offender, names);
    });
    return json;
}

Json::Value WritePathToJson(const WritePath& path) {
    Json::Value json;
    json["filesystem"] = TextOrNull(path.filesystem);
    json["span_s"] = Json::Int64{path.span.count()};
    json["uid_bytes"] = OrNull(path.uids);
    json["filesystem_bytes"] = OrNull(path.filesystem_device);
    json["disk_bytes"] = OrNull(path.disk);
    json["why"] = path.not_counted;
    return json;
}

// A time as "1.2 ms" or "85 us"; "-" if unknown.
std::string TimeText(const std::optional<std::chrono::nanoseconds>& time) {
    if (!time.has_value()) return "-";
    const double us = std::chrono::duration<double, std::micro>(*time).count();
    if (us < 1000) return StringPrintf("%.0f us", us);
    return us < 100'000 ? StringPrintf("%.1f ms", us / 1000) : StringPrintf("%.0f ms", us / 1000);
}

std::string PointText(const LatencyPoint& point) {
    std::string text = StringPrintf("  %-10s %-8s %13s, mean %s", LatencySourceName(point.source),
                                    IoKindName(point.kind), Counted(point.count, "I/O").c_str(),
                                    TimeText(point.mean).c_str());
    if (point.p50.has_value()) {
        text += ", p50 " + TimeText(point.p50) + ", p90 " + TimeText(point.p90) + ", p99 " +
                TimeText(point.p99) + ", p99.9 " + TimeText(point.p999);
    }
    return text + "\n";
}

std::string WriterText(const UidCost& cost, bool names) {
    std::string text = StringPrintf("  uid %-12u %12s %12s %8llu  ", cost.uid,
                                    SizeText(cost.bytes_per_day).c_str(),
                                    SizeText(cost.device_bytes_per_day).c_str(),
                                    static_cast<unsigned long long>(cost.fsyncs_per_day));
    text += cost.life_pct_per_year.has_value() ? StringPrintf("%10.2f %%", *cost.life_pct_per_year)
                                               : StringPrintf("%12s", "unknown");
    if (names && cost.name.has_value()) text += "  " + *cost.name;
    text += "\n";
    if (!cost.fsync_storm) return text;
    return text +
           "    fsync storm: it syncs more often than once for each 4 pages that it writes\n";
}

std::string WritersText(const std::vector<UidCost>& writers, bool names) {
    if (writers.empty()) return "";
    std::string text = "Largest writers:    written/day     on flash   fsyncs     life/year\n";
    for (const UidCost& writer : writers) text += WriterText(writer, names);
    return text;
}

// A day as "2026-11-20".
std::string DayText(int64_t day) {
    return WallTimeText(BeginOf(day)).substr(0, sizeof("2026-11-20") - 1);
}

std::string OffenderText(const Offender& offender, bool names) {
    std::string text =
            StringPrintf("  uid %-10u %4lld %13s on %s %13s on %s", offender.uid,
                         static_cast<long long>(offender.days_over),
                         SizeText(offender.most.bytes).c_str(), DayText(offender.most.day).c_str(),
                         SizeText(offender.last.bytes).c_str(), DayText(offender.last.day).c_str());
    if (names && offender.name.has_value()) text += "  " + *offender.name;
    text += "\n";
    if (!offender.repeats) return text;
    return text + "    repeat offender: over its budget on " + std::to_string(kRepeatDays) +
           " days or more of the last " + std::to_string(kBudgetDays) + "\n";
}

std::string BudgetsText(const BudgetReport& report, bool names) {
    if (!HasBudgets(report.limits)) return "";
    const auto budget = [](int64_t mib) {
        return mib > 0 ? SizeText(static_cast<uint64_t>(mib) << 20) : std::string("none");
    };
    std::string text = "Budgets a day, on flash: " + budget(report.limits.app_budget_mib) +
                       " for an app, " + budget(report.limits.system_budget_mib) +
                       " for a uid of the system\n";
    const std::string days = std::to_string(kBudgetDays);
    if (report.offenders.empty())
        return text + "  no uid was over its budget in the last " + days + " days\n";
    text += StringPrintf("%-21s %27s %27s\n", ("Days over, of " + days + ":").c_str(), "most",
                         "last");
    for (const Offender& offender : report.offenders) text += OffenderText(offender, names);
    return text;
}

}  // namespace

Json::Value LatencyToJson(const LatencyReport& report, bool names) {
    Json::Value json;
    json["sources"] = ArrayOf(report.sources, SourceToJson);
    json["now"] = ArrayOf(report.now, PointToJson);
    json["uid_writes"] = ArrayOf(report.uid_writes,
                                 [&](const UidCost& cost) { return CostToJson(cost, names); });
    json["budgets"] = BudgetsToJson(report.budgets, names);
    const std::string why = MissingNamesReason(report, names);
    json["uid_names"]["why"] = why;
    json["uid_names"]["on"] = why.empty();
    json["write_path"] = WritePathToJson(report.write_path);
    json["series"] = ArrayOf(report.series, PointToJson);
    return json;
}

std::string LatencyText(const LatencyReport& report, bool names) {
    std::string text = "Latency:";
    if (report.now.empty()) text += " no samples yet";
    text += "\n";
    for (const LatencyPoint& point : report.now) text += PointText(point);
    for (const LatencySourceState& source : report.sources) {
        if (source.why.empty()) continue;
        text += std::string("  ") + LatencySourceName(source.source) + ": " + source.why + "\n";
    }
    text += WritersText(report.uid_writes, names);
    if (!report.write_path.not_counted.empty()) {
        text += "  Writes on flash are " + report.write_path.not_counted;
        if (!report.uid_writes.empty()) text += "; the column shows the bytes that the uid wrote";
        text += "\n";
    }
    text += BudgetsText(report.budgets, names);
    if (names && !report.names_problem.empty())
        text += "  No names: " + report.names_problem + "\n";
    return text;
}

}  // namespace storekeeper
