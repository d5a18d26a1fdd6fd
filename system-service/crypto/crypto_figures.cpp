// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/crypto_figures.h"

#include "crypto/inventory.h"

namespace storekeeper {
namespace {

// Of the CPU's speed.
constexpr double kLikeCpu = 0.8;

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

std::optional<EnginePair> PairOf(const CryptoMeasured& measured, size_t unit, bool encrypt) {
    const CipherFigure* hardware = FindFigure(measured, measured.hardware, unit, encrypt);
    const CipherFigure* cpu = FindFigure(measured, measured.cpu, unit, encrypt);
    if (hardware == nullptr || cpu == nullptr) return std::nullopt;
    // Nothing compares a figure without the calls' cost with one that has it.
    if (hardware->net_mbps.has_value() != cpu->net_mbps.has_value()) {
        return EnginePair{.hardware_mbps = hardware->gross_mbps, .cpu_mbps = cpu->gross_mbps};
    }
    return EnginePair{.hardware_mbps = SpeedOf(*hardware), .cpu_mbps = SpeedOf(*cpu)};
}

double CpuOf(const CryptoMeasured& measured, const std::string& driver, size_t unit) {
    const CipherFigure* figure = FindFigure(measured, driver, unit, true);
    return figure == nullptr ? 0 : figure->cpu_percent;
}

bool WorksLikeCpu(const CryptoMeasured& measured) {
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

}  // namespace storekeeper
