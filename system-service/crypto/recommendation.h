// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/benchmark.h"
#include "crypto/choice.h"
#include "crypto/volume_state.h"

namespace storekeeper {

// What was measured last.
struct CryptoMeasured {
    std::string name;  // "cbc(aes)"
    size_t key_bytes = 0;
    std::string hardware;  // drivers; "" where there is none
    std::string cpu;
    std::string method;   // "af_alg", "file_io"
    std::string problem;  // why it is not the better method
    std::string note;
    std::string wrong;  // what the known answers or reading across found
    std::vector<CipherFigure> figures;
    std::optional<FileSpeed> file;
    // Of what serves the volume now.
    std::optional<CryptoBaseline> now;
};

// The same thing measured with the engine and with the CPU.
struct EnginePair {
    Estimate hardware_mbps;
    Estimate cpu_mbps;
};

// With one thread; nullptr where that was not measured.
const CipherFigure* FindFigure(const CryptoMeasured& measured, const std::string& driver,
                               size_t unit, bool encrypt);
// Without the calls' cost where that is known.
Estimate SpeedOf(const CipherFigure& figure);
std::optional<EnginePair> PairOf(const CryptoMeasured& measured, size_t unit, bool encrypt);
// While it encrypts; 0 where that was not measured.
double CpuOf(const CryptoMeasured& measured, const std::string& driver, size_t unit);

// Whether mainline's driver of the engine is as fast as the CPU's: with aes_sw_max_len it has the
// CPU do it.
bool WorksLikeCpu(const CryptoMeasured& measured);

struct RecommendationInputs {
    VolumeState state;
    bool hardware_there = false;  // any driver of an engine
    // At the volume's unit; absent where they could not be measured, and why.
    std::optional<EnginePair> write;
    std::optional<EnginePair> read;
    std::string problem;
    // What the known answers or reading across found wrong; "" when all was right.
    std::string wrong;
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
