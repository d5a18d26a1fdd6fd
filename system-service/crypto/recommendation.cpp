// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/recommendation.h"

#include <android-base/stringprintf.h>

#include <algorithm>

namespace storekeeper {
namespace {

using Advice = Recommendation::Advice;
using android::base::StringPrintf;

// How many times faster, at the least that can be said.
double LeastGain(const Estimate& now, const Estimate& then) {
    return now.upper > 0 ? then.lower / now.upper : 0;
}

bool WorthIt(const EnginePair& pair, bool to_cpu) {
    return (to_cpu ? LeastGain(pair.hardware_mbps, pair.cpu_mbps)
                   : LeastGain(pair.cpu_mbps, pair.hardware_mbps)) >= kWorthChanging;
}

double Ratio(double of, double to) {
    return to > 0 ? of / to : 0;
}

std::string FiguresText(const RecommendationInputs& inputs) {
    const EnginePair& write = *inputs.write;
    const EnginePair& read = *inputs.read;
    return StringPrintf("write %.1f -> %.1f, read %.1f -> %.1f MB/s, CPU %.0f %% -> %.0f %%",
                        write.hardware_mbps.mean, write.cpu_mbps.mean, read.hardware_mbps.mean,
                        read.cpu_mbps.mean, inputs.hardware_cpu_percent, inputs.cpu_cpu_percent) +
           StringPrintf(", measured by %s, n=%u", inputs.method.c_str(),
                        std::min({write.hardware_mbps.n, write.cpu_mbps.n, read.hardware_mbps.n,
                                  read.cpu_mbps.n}));
}

std::string CpuIsFaster(const RecommendationInputs& inputs) {
    std::string text =
            StringPrintf("kernel AES is %.1fx faster writing and %.1fx reading (",
                         Ratio(inputs.write->cpu_mbps.mean, inputs.write->hardware_mbps.mean),
                         Ratio(inputs.read->cpu_mbps.mean, inputs.read->hardware_mbps.mean)) +
            FiguresText(inputs) + ")";
    if (inputs.cpu_uses_tables) {
        text += "; it looks its S-boxes up in tables, so that its time depends on the key";
    }
    return text;
}

// What no figure changes.
std::optional<Recommendation> WithoutFigures(const RecommendationInputs& inputs) {
    switch (inputs.state.state) {
        case CryptoState::kNone:
            return Recommendation{Advice::kNothingToDo, "nothing to do: it is not encrypted"};
        case CryptoState::kInline:
            return Recommendation{Advice::kReportOnly,
                                  "report only: the storage host encrypts while it transfers"};
        case CryptoState::kHwKey:
            return Recommendation{Advice::kReportOnly,
                                  "report only: the engine alone has the key; without it the data "
                                  "could not be read"};
        case CryptoState::kCpu:
        case CryptoState::kHwOffload:
        case CryptoState::kUnknown:
            break;
    }
    if (!inputs.hardware_there) {
        return Recommendation{Advice::kNothingToDo,
                              "nothing to do: the kernel has no driver of a crypto engine"};
    }
    if (inputs.state.state == CryptoState::kCpu) {
        return Recommendation{Advice::kNothingToDo,
                              "nothing to do: the CPU encrypts already, by " + inputs.state.driver};
    }
    if (inputs.state.state == CryptoState::kUnknown) {
        return Recommendation{Advice::kCannotTell,
                              "cannot tell: it is not known who encrypts, see crypto status"};
    }
    return std::nullopt;
}

}  // namespace

std::string_view AdviceName(Advice advice) {
    switch (advice) {
        case Advice::kNothingToDo:
            return "nothing-to-do";
        case Advice::kReportOnly:
            return "report-only";
        case Advice::kKernel:
            return "kernel";
        case Advice::kHardware:
            return "hardware";
        case Advice::kCannotTell:
            break;
    }
    return "cannot-tell";
}

Recommendation Recommend(const RecommendationInputs& inputs) {
    if (std::optional<Recommendation> early = WithoutFigures(inputs); early.has_value()) {
        return *early;
    }
    if (!inputs.wrong.empty()) {
        return {Advice::kCannotTell, "cannot tell, nothing may be switched: " + inputs.wrong};
    }
    if (!inputs.write.has_value() || !inputs.read.has_value()) {
        return {Advice::kCannotTell,
                "cannot tell: " +
                        (inputs.problem.empty() ? "nothing was measured" : inputs.problem)};
    }
    if (WorthIt(*inputs.write, true) && WorthIt(*inputs.read, true)) {
        return {Advice::kKernel, CpuIsFaster(inputs)};
    }
    if (WorthIt(*inputs.write, false) && WorthIt(*inputs.read, false)) {
        return {Advice::kHardware, "the engine is faster, leave it (" + FiguresText(inputs) + ")"};
    }
    return {Advice::kCannotTell, "cannot tell: neither is surely 1.3 times faster both ways (" +
                                         FiguresText(inputs) + ")"};
}

}  // namespace storekeeper
