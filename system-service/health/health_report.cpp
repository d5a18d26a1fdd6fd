// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/health_report.h"

#include <utility>

#include "health/ext_csd_report.h"

namespace storekeeper {
namespace {

// Why the card's wear could not be read; "" when it could, or is just not reported.
std::string WearProblem(const MmcHealth& mmc) {
    if (!mmc.problem.empty()) return mmc.problem;
    for (const HealthItem& item : mmc.items) {
        bool tells_wear = item.name == "life_time" || item.name == "life_time_est_typ_a" ||
                          item.name == "life_time_est_typ_b";
        if (tells_wear && !item.problem.empty()) return item.problem;
    }
    return "";
}

}  // namespace

HealthReport MakeHealthReport(MmcHealth mmc, const std::optional<ExtCsd>& ext_csd) {
    HealthReport report;
    report.wear_source = ext_csd.has_value() ? "ext_csd" : "sysfs";
    report.verdict = JudgeWear(ext_csd.has_value() ? WearOf(*ext_csd) : mmc.wear);
    std::string problem = ext_csd.has_value() ? "" : WearProblem(mmc);
    // "Not reported" would blame the card for what could not be read.
    if (!problem.empty() && !report.verdict.used_to_pct.has_value()) {
        report.verdict.line = "Storage life: not known (" + problem + ")";
    }
    report.mmc = std::move(mmc);
    report.ext_csd = ext_csd;
    return report;
}

}  // namespace storekeeper
