// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/status_properties.h"

#include "health/ledger.h"

namespace storekeeper {
namespace {

constexpr char kPrefix[] = "storekeeper.status.";

std::string PreEolWord(const WearReading& wear) {
    static constexpr const char* kWords[] = {"normal", "warning", "urgent"};
    const std::optional<uint8_t> value = WearValue(wear, WearField::kPreEol);
    return value.has_value() ? kWords[*value - 1] : "";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> StatusProperties(const Verdict& verdict,
                                                                  const WearReading& wear,
                                                                  const Forecast& forecast,
                                                                  const AlertState& alerts) {
    const std::string prefix = kPrefix;
    std::string codes;
    for (const AlertState::Entry& entry : alerts.entries) {
        codes += (codes.empty() ? "" : ",") + entry.alert.code + ":" + LevelName(entry.alert.level);
    }
    return {{prefix + "level", LevelName(verdict.level)},
            {prefix + "life_used_pct",
             verdict.used_to_pct.has_value() ? std::to_string(*verdict.used_to_pct) : ""},
            {prefix + "pre_eol", PreEolWord(wear)},
            {prefix + "forecast_end",
             forecast.state == Forecast::State::kRange ? MonthText(*forecast.earliest) : "unknown"},
            {prefix + "alerts", codes}};
}

}  // namespace storekeeper
