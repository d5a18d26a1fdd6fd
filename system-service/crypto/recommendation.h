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

// The figure with one thread; nullptr if it was not measured.
const CipherFigure* FindFigure(const CryptoMeasured& measured, const std::string& driver,
                               size_t unit, bool encrypt);
// The speed without the cost of the calls, if that cost is known.
Estimate SpeedOf(const CipherFigure& figure);

// True if mainline's driver of the engine is as fast as the CPU's: then aes_sw_max_len makes the
// CPU do its work.
bool EngineRunsOnCpu(const CryptoMeasured& measured);

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

// Reads nothing but its arguments. `hardware_there`: Qualcomm's engine has a driver. `measured` has
// the speeds of both at the volume's unit; without them its `problem` says why.
Recommendation Recommend(const VolumeState& volume, bool hardware_there,
                         const CryptoMeasured& measured);

}  // namespace storekeeper
