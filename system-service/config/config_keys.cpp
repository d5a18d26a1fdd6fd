// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "config/config_keys.h"

#include <chrono>
#include <type_traits>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// A key of the section "maintenance", by the member that holds it.
template <auto member>
constexpr ConfigKey Maintenance(std::string_view name, int64_t min, int64_t max,
                                std::string_view description) {
    using Type = std::remove_reference_t<decltype(PolicyConfig().*member)>;
    return {.section = "maintenance",
            .name = name,
            .is_switch = std::is_same_v<Type, bool>,
            .min = min,
            .max = max,
            .description = description,
            .get = [](const Config& config) -> int64_t {
                if constexpr (std::is_same_v<Type, std::chrono::seconds>) {
                    return (config.maintenance.*member).count();
                } else {
                    return config.maintenance.*member;
                }
            },
            .set = [](Config* config,
                      int64_t value) { config->maintenance.*member = static_cast<Type>(value); }};
}

using P = PolicyConfig;

// The bounds keep a typing error from switching the policy off or from running all day.
constexpr ConfigKey kKeys[] = {
        Maintenance<&P::min_untouched>("untouched_s", kMinute, kDay,
                                       "Screen off and no input for this long"),
        Maintenance<&P::interval>("interval_s", kHour, 30 * kDay,
                                  "From one complete run to the next, to begin with"),
        Maintenance<&P::min_interval>("interval_min_s", kHour, 30 * kDay,
                                      "The interval gets no shorter, however much runs free"),
        Maintenance<&P::max_interval>("interval_max_s", kHour, 30 * kDay,
                                      "The interval gets no longer, however little runs free"),
        Maintenance<&P::deadline>("deadline_s", 2 * kHour, 60 * kDay,
                                  "Powered-on time since the last complete run after which all "
                                  "gates except the safety gates are waived"),
        Maintenance<&P::relax_steps>("relax_steps", 1, 100,
                                     "Steps in which gates relax from interval to deadline"),
        Maintenance<&P::min_retry>("retry_s", 5 * kMinute, kDay,
                                   "From an attempt that did not complete to the next"),
        Maintenance<&P::min_percent_on_battery>("battery_pct", 20, 100,
                                                "Battery level without a charger"),
        Maintenance<&P::min_percent_on_charger>("battery_charging_pct", 5, 100,
                                                "Battery level on a charger"),
        Maintenance<&P::floor_percent_on_battery>("battery_floor_pct", 15, 100,
                                                  "Battery level without a charger below which "
                                                  "no run begins, however overdue"),
        Maintenance<&P::floor_percent_on_charger>("battery_charging_floor_pct", 5, 100,
                                                  "The same on a charger"),
        Maintenance<&P::max_battery_heat>("heat_dc", 0, 500,
                                          "Battery temperature, tenths of a degree Celsius"),
        Maintenance<&P::never_battery_heat>("heat_never_dc", 0, 500,
                                            "Battery temperature above which no run begins, "
                                            "however overdue"),
        Maintenance<&P::max_zone_heat>("zones_dc", 0, 1000,
                                       "Hottest thermal zone, tenths of a degree Celsius"),
        Maintenance<&P::never_zone_heat>("zones_never_dc", 0, 1000,
                                         "Hottest thermal zone above which no run begins, however "
                                         "overdue"),
        Maintenance<&P::max_io_percent>("io_pct", 0, 100, "I/O stall time of the last seconds"),
        Maintenance<&P::max_io_in_flight>("io_in_flight", 0, 1000, "I/O requests in flight"),
        Maintenance<&P::yield_to_framework>("yield_to_framework", 0, 1,
                                            "No run while the framework's smart idle maintenance "
                                            "is enabled"),
        Maintenance<&P::freed_much_permille>("freed_much_permille", 1, 1000,
                                             "Share of the file systems' size that a run freed: "
                                             "from here on the interval is halved"),
        Maintenance<&P::freed_little_permille>("freed_little_permille", 0, 1000,
                                               "Freed by a run: below this the interval grows by "
                                               "half"),
        Maintenance<&P::gain_much_percent>("gain_much_pct", 1, 100,
                                           "Fall of the 99th percentile of latency by a run: from "
                                           "here on the interval is halved"),
        Maintenance<&P::event_fallback>("event_fallback_s", 15 * kMinute, kDay,
                                        "Gates that only an event opens are read again after this"),
        Maintenance<&P::recheck>("recheck_s", 5 * kMinute, kDay,
                                 "Heat and busy storage are read again after this"),
};

struct Order {
    std::string_view low;
    std::string_view high;
    bool strict = false;
};

constexpr Order kOrders[] = {
        {"interval_min_s", "interval_s"},
        {"interval_s", "interval_max_s"},
        {"interval_max_s", "deadline_s", true},
        {"battery_floor_pct", "battery_pct"},
        {"battery_charging_floor_pct", "battery_charging_pct"},
        {"heat_dc", "heat_never_dc"},
        {"zones_dc", "zones_never_dc"},
        {"freed_little_permille", "freed_much_permille"},
};

int64_t ValueOf(const Config& config, std::string_view name) {
    for (const ConfigKey& key : kKeys) {
        if (key.name == name) return key.get(config);
    }
    return 0;
}

}  // namespace

std::span<const ConfigKey> ConfigKeys() {
    return kKeys;
}

Result<void> CheckConfig(const Config& config) {
    for (const Order& order : kOrders) {
        const int64_t low = ValueOf(config, order.low);
        const int64_t high = ValueOf(config, order.high);
        if (order.strict ? low < high : low <= high) continue;
        return Error() << "maintenance." << order.low << " (" << low << ") must "
                       << (order.strict ? "be less than" : "not be more than") << " maintenance."
                       << order.high << " (" << high << ")";
    }
    return {};
}

}  // namespace storekeeper
