// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/budget.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/quantity_text.h"
#include "base/tokens.h"

namespace storekeeper {
namespace {

constexpr uint64_t kDaySeconds = 86'400;
constexpr int kMibShift = 20;

int64_t BudgetMib(uint32_t uid, const WritersConfig& config) {
    return KindOf(uid, {}) == UidKind::kSystem ? config.system_budget_mib : config.app_budget_mib;
}

void Add(const Offender::Day& day, Offender* to) {
    if (to->days_over == 0 || day.day < to->first.day) to->first = day;
    if (to->days_over == 0 || day.day > to->last.day) to->last = day;
    if (day.bytes > to->most.bytes) to->most = day;
    ++to->days_over;
}

}  // namespace

std::optional<uint64_t> BudgetOf(uint32_t uid, const WritersConfig& config) {
    const int64_t mib = BudgetMib(uid, config);
    if (mib <= 0) return std::nullopt;
    return static_cast<uint64_t>(mib) << kMibShift;
}

bool HasBudgets(const WritersConfig& config) {
    return config.app_budget_mib > 0 || config.system_budget_mib > 0;
}

uint64_t BytesOfADay(const UidRow& row) {
    if (row.span_s <= kDaySeconds) return row.device_bytes;
    return static_cast<uint64_t>(static_cast<double>(row.device_bytes) * kDaySeconds /
                                 static_cast<double>(row.span_s));
}

std::vector<Offender> FindOffenders(std::span<const UidRow> rows, const WritersConfig& config,
                                    int64_t today) {
    std::map<uint32_t, Offender> by_uid;
    for (const UidRow& row : rows) {
        if (row.uid == UidRow::kOthers || row.day > today || row.day <= today - kBudgetDays) {
            continue;
        }
        const std::optional<uint64_t> budget = BudgetOf(row.uid, config);
        const uint64_t bytes = BytesOfADay(row);
        if (!budget.has_value() || bytes <= *budget) continue;
        Offender& offender = by_uid[row.uid];
        offender.uid = row.uid;
        offender.kind = KindOf(row.uid, {});
        offender.budget_bytes = *budget;
        Add({.day = row.day, .bytes = bytes}, &offender);
    }
    std::vector<Offender> offenders;
    for (auto& [uid, offender] : by_uid) {
        offender.today = offender.last.day == today;
        offender.repeats = offender.days_over >= kRepeatDays && offender.kind != UidKind::kIsolated;
        offenders.push_back(offender);
    }
    std::sort(offenders.begin(), offenders.end(), [](const Offender& a, const Offender& b) {
        return std::tuple(b.today, b.last.bytes, a.uid) < std::tuple(a.today, a.last.bytes, b.uid);
    });
    return offenders;
}

std::string OverBudgetProperty(std::span<const Offender> offenders) {
    std::vector<std::string> uids;
    for (const Offender& offender : offenders) {
        if (offender.today) uids.push_back(std::to_string(offender.uid));
    }
    return PropertyList(uids);
}

std::string OverBudgetText(std::span<const Offender> offenders) {
    const auto today = std::count_if(offenders.begin(), offenders.end(),
                                     [](const Offender& each) { return each.today; });
    if (today == 0) return "";
    const Offender& most = offenders[0];
    std::string text = "uid " + std::to_string(most.uid) + " wrote " + SizeText(most.last.bytes) +
                       " to the flash in a day, over budget on " + std::to_string(most.days_over) +
                       " of the last " + std::to_string(kBudgetDays) + " days (warning above " +
                       SizeText(most.budget_bytes) + " a day)";
    if (today == 1) return text;
    return text + "; " + Counted(static_cast<uint64_t>(today) - 1, "more uid") +
           ", see dumpsys storekeeper latency";
}

}  // namespace storekeeper
