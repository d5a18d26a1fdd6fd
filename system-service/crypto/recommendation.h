// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "crypto/benchmark.h"
#include "crypto/volume_state.h"

namespace storekeeper {

// The same thing measured with the engine and with the CPU.
struct EnginePair {
    Estimate hardware_mbps;
    Estimate cpu_mbps;
};

struct RecommendationInputs {
    VolumeState state;
    bool hardware_there = false;  // any driver of an engine
    // At the volume's unit; absent where they could not be measured, and why.
    std::optional<EnginePair> write;
    std::optional<EnginePair> read;
    std::string problem;
    // What the known answers or reading across found wrong; "" when all was right.
    std::string wrong;
    std::string method;  // "AF_ALG", "file I/O"
    double hardware_cpu_percent = 0;
    double cpu_cpu_percent = 0;
    bool cpu_uses_tables = false;
};

struct Recommendation {
    enum class Advice { kNothingToDo, kReportOnly, kCannotTell, kKernel, kHardware };

    Advice advice = Advice::kCannotTell;
    std::string text;  // one line
};

// "nothing-to-do", "report-only", "cannot-tell", "kernel", "hardware".
std::string_view AdviceName(Recommendation::Advice advice);

// Another engine is worth a change when the lower bound of its speed is this many times the upper
// bound of the one in use, for writing and reading.
inline constexpr double kWorthChanging = 1.30;

// Pure.
Recommendation Recommend(const RecommendationInputs& inputs);

}  // namespace storekeeper
