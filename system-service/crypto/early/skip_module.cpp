// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/skip_module.h"

#include <utility>

#include "crypto/engine_devices.h"
#include "crypto/properties.h"

namespace storekeeper {

SkipModule::SkipModule(const FileReader& files, SetProperty set)
      : files_(files), set_(std::move(set)) {}

MechanismRefusal SkipModule::Probe(const EarlyFacts&) const {
    if (files_.Exists(kEngineDriverFolder)) return MechanismRefusal::kDriverLoaded;
    return EngineWaits(files_) ? MechanismRefusal::kNone : MechanismRefusal::kNoDevice;
}

CryptoMechanism::Outcome SkipModule::Apply(const EarlyFacts&) {
    if (set_(kEngineProperty, "skip")) return {};
    return {.refusal = MechanismRefusal::kNoTriggers,
            .detail = std::string("cannot set ") + kEngineProperty};
}

}  // namespace storekeeper
