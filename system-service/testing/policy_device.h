// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "maintenance/policy/policy.h"

namespace storekeeper {

inline constexpr BootTime kNow = std::chrono::hours(100);
inline constexpr WallTime kWall = std::chrono::hours(24 * 365 * 56);

// A device on which every gate is open.
struct Device {
    PowerReading power{.has_battery = true, .percent = 80, .on_charger = false};
    InteractionReading interaction{.screen_on = false, .last_input = kNow - std::chrono::hours(1)};
    std::string boot_id = "this-boot";
    std::string power_error;
    std::string interaction_error;
    std::string heat_error;
    int heat_errno = 0;
    std::string storage_error;
    std::string checkpoint_error;
    std::optional<int> battery_heat = 250;
    ZoneReading zones{.hottest = 350, .name = "soc", .problems = {}};
    StorageReading storage{.busy_percent = 0, .in_flight = 0, .source = "waited for"};
    std::string checkpoint;
    bool framework = false;
    // 1 % of the size since a run that ended at 1000 bytes.
    android::base::Result<WrittenReading> written =
            WrittenReading{.bytes = 1010, .size_bytes = 1000};
    std::vector<Refusal> refusals;
    bool requested = false;
    PolicyState state;
    PolicyConfig config;

    // Sets the last complete run to this long ago, with the device on ever since.
    void SetAge(std::chrono::nanoseconds time) {
        state.last_complete = Ago(time);
        state.age = RunAge{.at = Ago(time)};
    }

    RunStamp Ago(std::chrono::nanoseconds time, const std::string& boot = "this-boot") const {
        return {.boot_id = boot,
                .since_boot = kNow - time,
                .wall = kWall - std::chrono::duration_cast<std::chrono::seconds>(time)};
    }

    Decision Ask() const {
        PolicyInputs inputs{.now = {.boot_id = boot_id, .since_boot = kNow, .wall = kWall},
                            .written = written,
                            .readings = {.power = power,
                                         .interaction = interaction,
                                         .battery_heat = battery_heat,
                                         .zones = zones,
                                         .storage = storage,
                                         .checkpoint = checkpoint,
                                         .framework_maintains = framework},
                            .refusals = refusals,
                            .requested = requested};
        if (!heat_error.empty())
            inputs.readings.battery_heat = android::base::Error(heat_errno) << heat_error;
        if (!storage_error.empty())
            inputs.readings.storage = android::base::Error() << storage_error;
        if (!checkpoint_error.empty())
            inputs.readings.checkpoint = android::base::Error() << checkpoint_error;
        if (!power_error.empty()) inputs.readings.power = android::base::Error() << power_error;
        if (!interaction_error.empty())
            inputs.readings.interaction = android::base::Error() << interaction_error;
        return Decide(inputs, state, config);
    }
};

inline std::vector<std::string> Closed(const Decision& decision) {
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) {
        if (!gate.pass) names.push_back(gate.name);
    }
    return names;
}

inline const Gate& GateOf(const Decision& decision, const std::string& name) {
    for (const Gate& gate : decision.gates) {
        if (gate.name == name) return gate;
    }
    ADD_FAILURE() << "no gate " << name;
    return decision.gates.front();
}

}  // namespace storekeeper
