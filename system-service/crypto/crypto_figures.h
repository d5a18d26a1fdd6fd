// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "crypto/crypto_keeper.h"
#include "crypto/recommendation.h"

namespace storekeeper {

// What was measured, asked by driver; pure.

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

}  // namespace storekeeper
