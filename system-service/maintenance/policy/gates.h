// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <vector>

#include "maintenance/policy/policy.h"

namespace storekeeper {

// What the gates have in common: the readings and how far a run is overdue.
struct GateContext {
    const PolicyInputs& inputs;
    const PolicyState& state;
    const PolicyConfig& config;
    RunAge age;
    std::chrono::seconds interval{};
    int relaxed_percent = 0;

    BootTime now() const { return inputs.now.since_boot; }
};

// Time since the last complete run, and since the last attempt: whether a run is due.
std::vector<Gate> TimeGates(const GateContext& context);

// Everything else, in the order in which reports show it.
std::vector<Gate> OtherGates(const GateContext& context);

}  // namespace storekeeper
