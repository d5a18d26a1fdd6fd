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

// The last measurement.
struct CryptoMeasured {
    std::string name;  // "cbc(aes)"
    size_t key_bytes = 0;
    std::string hardware;  // drivers; "" if there is none
    std::string cpu;
    std::string method;   // "af_alg", "file_io"
    std::string problem;  // why the better method was not possible
    std::string note;
    std::string wrong;  // fault found by the known answers or by reading across
    std::vector<CipherFigure> figures;
    std::optional<FileSpeed> file;
    // The figure of the driver that serves the volume now.
    std::optional<CryptoBaseline> now;
};

// One load measured with the engine and with the CPU.
struct EnginePair {
    Estimate hardware_mbps;
    Estimate cpu_mbps;
};

// The figure with one thread; nullptr if it was not measured.
const CipherFigure* FindFigure(const CryptoMeasured& measured, const std::string& driver,
                               size_t unit, bool encrypt);
// The speed without the cost of the calls, if that cost is known.
Estimate SpeedOf(const CipherFigure& figure);
std::optional<EnginePair> PairOf(const CryptoMeasured& measured, size_t unit, bool encrypt);
// CPU percentage while encrypting; 0 if it was not measured.
double CpuOf(const CryptoMeasured& measured, const std::string& driver, size_t unit);

// True if mainline's driver of the engine is as fast as the CPU's: then aes_sw_max_len makes the
// CPU do its work.
bool EngineRunsOnCpu(const CryptoMeasured& measured);

struct RecommendationInputs {
    VolumeState state;
    bool hardware_there = false;  // whether an engine has any driver
    // Speeds at the volume's unit. Absent if they could not be measured; `problem` says why.
    std::optional<EnginePair> write;
    std::optional<EnginePair> read;
    std::string problem;
    // Fault found by the known answers or by reading across; "" if there was none.
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

// The advice's name: "nothing-to-do", "report-only", "cannot-tell", "kernel", "hardware".
std::string_view AdviceName(Recommendation::Advice advice);

// A change to another engine is worthwhile if the lower bound of its speed is this many times the
// upper bound of the one in use, for writing and reading.
inline constexpr double kWorthChanging = 1.30;

// Reads nothing but its argument.
Recommendation Recommend(const RecommendationInputs& inputs);

}  // namespace storekeeper
