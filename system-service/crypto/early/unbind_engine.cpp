// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/unbind_engine.h"

#include <android-base/strings.h>

#include <algorithm>

#include "crypto/early/attribute_writer.h"
#include "crypto/engine_devices.h"
#include "crypto/inventory.h"

namespace storekeeper {
namespace {

using android::base::Result;

bool IsEngines(const CryptoAlgorithm& algorithm) {
    return IsHardware(EngineOf(algorithm.driver));
}

bool AnyInUse(const CryptoTable& table) {
    return std::any_of(table.algorithms.begin(), table.algorithms.end(),
                       [](const CryptoAlgorithm& a) { return IsEngines(a) && a.refcount != 1; });
}

// A disk's cipher is served by a driver of its own or made of the plain one.
bool CpuHasAes(const CryptoTable& table) {
    const CryptoInventory inventory = MakeInventory(table);
    const bool plain = std::any_of(table.algorithms.begin(), table.algorithms.end(),
                                   [](const CryptoAlgorithm& algorithm) {
                                       return algorithm.name == "aes" && !IsEngines(algorithm);
                                   });
    return plain || std::all_of(inventory.drivers.begin(), inventory.drivers.end(),
                                [&](const CryptoDriver& driver) {
                                    return !IsHardware(driver.engine) ||
                                           inventory.BestCpu(driver.name) != nullptr;
                                });
}

std::string PathOf(const char* attribute) {
    return std::string(kEngineDriverFolder) + "/" + attribute;
}

}  // namespace

UnbindEngine::UnbindEngine(const FileReader& files, Syscalls& syscalls)
      : files_(files), syscalls_(syscalls) {}

MechanismRefusal UnbindEngine::Probe(const EarlyFacts& facts) const {
    const bool mainline = std::any_of(facts.table.algorithms.begin(), facts.table.algorithms.end(),
                                      [](const CryptoAlgorithm& algorithm) {
                                          return EngineOf(algorithm.driver) == CryptoEngine::kQce;
                                      });
    if (mainline) return MechanismRefusal::kOtherDriver;
    if (!files_.Exists(kEngineDriverFolder)) return MechanismRefusal::kNoDriver;
    if (BoundEngineDevices(files_).empty()) return MechanismRefusal::kNoDevice;
    if (AnyInUse(facts.table)) return MechanismRefusal::kEngineInUse;
    return CpuHasAes(facts.table) ? MechanismRefusal::kNone : MechanismRefusal::kNoCpuAes;
}

CryptoMechanism::Outcome UnbindEngine::Rebind(const std::vector<std::string>& devices,
                                              Outcome outcome) {
    for (const std::string& device : devices) {
        const Result<void> back = WriteAttribute(syscalls_, PathOf("bind"), device);
        if (!back.ok()) outcome.detail += "; not bound again: " + back.error().message();
    }
    return outcome;
}

CryptoMechanism::Outcome UnbindEngine::Apply(const EarlyFacts&) {
    const Result<std::string> now = files_.ReadTable(kProcCryptoPath);
    const CryptoTable table = ParseProcCrypto(now.value_or(""));
    if (!now.ok() || !table.problems.empty() || AnyInUse(table)) {
        return {.refusal = MechanismRefusal::kEngineInUse, .detail = "as counted right before"};
    }
    std::vector<std::string> unbound;
    for (const std::string& device : BoundEngineDevices(files_)) {
        bool opened = false;
        const Result<void> done = WriteAttribute(syscalls_, PathOf("unbind"), device, &opened);
        if (!done.ok()) {
            const MechanismRefusal refusal =
                    opened ? MechanismRefusal::kUnbindFailed : MechanismRefusal::kNoUnbind;
            return Rebind(unbound, {.refusal = refusal, .detail = done.error().message()});
        }
        unbound.push_back(device);
    }
    const Result<std::string> after = files_.ReadTable(kProcCryptoPath);
    const CryptoTable left = ParseProcCrypto(after.value_or(""));
    if (after.ok() && std::none_of(left.algorithms.begin(), left.algorithms.end(), IsEngines)) {
        return {.detail = android::base::Join(unbound, ' ')};
    }
    return Rebind(unbound, {.refusal = MechanismRefusal::kNoEffect,
                            .detail = "the engine's ciphers are still registered"});
}

}  // namespace storekeeper
