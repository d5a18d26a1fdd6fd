// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/recommendation.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <iterator>

#include "base/quantity_text.h"

namespace storekeeper {
namespace {

using Advice = Recommendation::Advice;
using android::base::StringPrintf;

// Share of the CPU's speed from which on the engine's driver counts as equally fast.
constexpr double kLikeCpu = 0.8;

// One load measured with the engine and with the CPU.
struct EnginePair {
    Estimate hardware_mbps;
    Estimate cpu_mbps;
    double hardware_cpu_percent = 0;
    double cpu_cpu_percent = 0;
};

std::optional<EnginePair> PairOf(const CryptoMeasured& measured, size_t unit, bool encrypt) {
    const CipherFigure* hardware = FindFigure(measured, measured.hardware, unit, encrypt);
    const CipherFigure* cpu = FindFigure(measured, measured.cpu, unit, encrypt);
    if (hardware == nullptr || cpu == nullptr) return std::nullopt;
    EnginePair pair{.hardware_mbps = SpeedOf(*hardware),
                    .cpu_mbps = SpeedOf(*cpu),
                    .hardware_cpu_percent = hardware->cpu_percent,
                    .cpu_cpu_percent = cpu->cpu_percent};
    // A figure without the cost of the calls and one with it are not comparable.
    if (hardware->net_mbps.has_value() != cpu->net_mbps.has_value()) {
        pair.hardware_mbps = hardware->gross_mbps;
        pair.cpu_mbps = cpu->gross_mbps;
    }
    return pair;
}

// Factor by which `then` is faster at least, by the confidence intervals.
double MinGain(const Estimate& now, const Estimate& then) {
    return now.upper > 0 ? then.lower / now.upper : 0;
}

bool WorthIt(const EnginePair& pair, bool to_cpu) {
    return (to_cpu ? MinGain(pair.hardware_mbps, pair.cpu_mbps)
                   : MinGain(pair.cpu_mbps, pair.hardware_mbps)) >= kWorthChanging;
}

std::string FiguresText(const EnginePair& write, const EnginePair& read) {
    return "write " + FigureText(write.hardware_mbps.mean) + " -> " +
           FigureText(write.cpu_mbps.mean) + ", read " + FigureText(read.hardware_mbps.mean) +
           " -> " + FigureText(read.cpu_mbps.mean) +
           StringPrintf(" MB/s, CPU %.0f %% -> %.0f %%, measured by AF_ALG, n=%u",
                        write.hardware_cpu_percent, write.cpu_cpu_percent,
                        std::min({write.hardware_mbps.n, write.cpu_mbps.n, read.hardware_mbps.n,
                                  read.cpu_mbps.n}));
}

// The pairs must be worth a change, so that the engine's means are above 0.
std::string CpuIsFaster(const EnginePair& write, const EnginePair& read) {
    return StringPrintf("kernel AES is %.1fx faster writing and %.1fx reading (",
                        write.cpu_mbps.mean / write.hardware_mbps.mean,
                        read.cpu_mbps.mean / read.hardware_mbps.mean) +
           FiguresText(write, read) + ")";
}

}  // namespace

const CipherFigure* FindFigure(const CryptoMeasured& measured, const std::string& driver,
                               size_t unit, bool encrypt) {
    for (const CipherFigure& figure : measured.figures) {
        if (figure.driver == driver && figure.unit_bytes == unit && figure.threads == 1 &&
            figure.encrypt == encrypt) {
            return &figure;
        }
    }
    return nullptr;
}

Estimate SpeedOf(const CipherFigure& figure) {
    return figure.net_mbps.value_or(figure.gross_mbps);
}

bool EngineRunsOnCpu(const CryptoMeasured& measured) {
    if (EngineOf(measured.hardware) != CryptoEngine::kQce || !measured.now.has_value())
        return false;
    for (bool encrypt : {true, false}) {
        const std::optional<EnginePair> pair = PairOf(measured, measured.now->unit_bytes, encrypt);
        if (!pair.has_value() || pair->hardware_mbps.mean < pair->cpu_mbps.mean * kLikeCpu) {
            return false;
        }
    }
    return true;
}

std::string_view AdviceName(Advice advice) {
    constexpr std::string_view kNames[] = {"nothing-to-do", "report-only", "cannot-tell", "kernel",
                                           "hardware"};
    static_assert(std::size(kNames) == static_cast<size_t>(Advice::kHardware) + 1);
    return kNames[static_cast<size_t>(advice)];
}

Recommendation Recommend(const VolumeState& volume, bool hardware_there,
                         const CryptoMeasured& measured) {
    // Cases in which no figure changes the advice.
    if (volume.state == CryptoState::kNone) {
        return {Advice::kNothingToDo, "nothing to do: not encrypted"};
    }
    if (volume.state == CryptoState::kInline) {
        return {Advice::kReportOnly, "report only: inline encryption by the storage host"};
    }
    if (volume.state == CryptoState::kHwKey) {
        return {Advice::kReportOnly,
                "report only: only the engine has the key, so the data cannot be read without it"};
    }
    if (volume.state == CryptoState::kCpu) {
        return {Advice::kNothingToDo,
                "nothing to do: the CPU already encrypts, with " + volume.driver};
    }
    // A driver of neither the CPU nor Qualcomm, such as Allwinner's ss-cbc-aes or Rockchip's
    // cbc-aes-rk.
    if (volume.state == CryptoState::kUnknown && !volume.driver.empty() &&
        EngineOf(volume.driver) == CryptoEngine::kUnknown) {
        return {Advice::kCannotTell, "undecided: the engine of driver " + volume.driver +
                                             " is not known, see crypto status"};
    }
    if (!hardware_there) {
        return {Advice::kNothingToDo,
                "nothing to do: the kernel has no Qualcomm crypto engine driver"};
    }
    if (volume.state == CryptoState::kUnknown) {
        return {Advice::kCannotTell,
                "undecided: the engine in use is not known, see crypto status"};
    }
    if (!measured.wrong.empty()) {
        return {Advice::kCannotTell, "undecided, no switch possible: " + measured.wrong};
    }
    const std::optional<EnginePair> write = PairOf(measured, volume.unit_bytes, true);
    const std::optional<EnginePair> read = PairOf(measured, volume.unit_bytes, false);
    if (!write.has_value() || !read.has_value()) {
        return {Advice::kCannotTell,
                "undecided: " + (measured.problem.empty() ? "no measurement" : measured.problem)};
    }
    if (WorthIt(*write, true) && WorthIt(*read, true)) {
        return {Advice::kKernel,
                CpuIsFaster(*write, *read) +
                        (UsesTables(measured.cpu) ? "; its timing depends on the key (S-box tables)"
                                                  : "")};
    }
    if (WorthIt(*write, false) && WorthIt(*read, false)) {
        return {Advice::kHardware,
                "the engine is faster, leave it (" + FiguresText(*write, *read) + ")"};
    }
    return {Advice::kCannotTell,
            "undecided: neither is certainly 1.3 times faster at both writing and reading (" +
                    FiguresText(*write, *read) + ")"};
}

}  // namespace storekeeper
