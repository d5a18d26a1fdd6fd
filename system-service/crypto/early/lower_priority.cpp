// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/lower_priority.h"

#include <errno.h>

#include <algorithm>

#include "crypto/inventory.h"

namespace storekeeper {
namespace {

using android::base::Result;

MechanismRefusal RefusalOf(int error) {
    switch (error) {
        case EPROTONOSUPPORT:
        case EAFNOSUPPORT:
            return MechanismRefusal::kNoNetlink;
        case EPERM:
        case EACCES:
            return MechanismRefusal::kNotPermitted;
        default:
            return MechanismRefusal::kPriorityFailed;
    }
}

// Not an instance of essiv() or the like: those follow what they are made of.
bool IsBase(const CryptoDriver& driver) {
    return driver.name == "cbc(aes)" || driver.name == "xts(aes)";
}

}  // namespace

LowerPriority::LowerPriority(const FileReader& files, CryptoPriorities& priorities)
      : files_(files), priorities_(priorities) {}

// The engine's first: what asks in between gets either.
std::vector<LowerPriority::Driver> LowerPriority::Plan(const CryptoTable& table) {
    const CryptoInventory inventory = MakeInventory(table);
    std::vector<Driver> engine;
    std::vector<Driver> cpu;
    for (const CryptoDriver& driver : inventory.drivers) {
        if (!IsBase(driver) || driver.priority < 0) continue;
        const CryptoDriver* best = inventory.BestCpu(driver.name);
        // The lowest there is: nothing can be put behind 0.
        if (best == nullptr || best->priority <= 0) continue;
        const auto before = static_cast<uint32_t>(driver.priority);
        const bool hardware = IsHardware(driver.engine);
        (hardware ? engine : cpu)
                .push_back({.name = driver.name,
                            .driver = driver.driver,
                            .before = before,
                            .wanted = hardware ? 0 : before});
    }
    if (engine.empty()) return {};
    engine.insert(engine.end(), cpu.begin(), cpu.end());
    return engine;
}

MechanismRefusal LowerPriority::Probe(const EarlyFacts& facts) const {
    return Plan(facts.table).empty() ? MechanismRefusal::kNoCpuDriver : MechanismRefusal::kNone;
}

CryptoMechanism::Outcome LowerPriority::Restore(const std::vector<Driver>& done, Outcome outcome) {
    for (const Driver& driver : done) {
        const Result<void> back = priorities_.Set(driver.driver, driver.before);
        if (!back.ok()) outcome.detail += "; not restored: " + back.error().message();
    }
    return outcome;
}

CryptoMechanism::Outcome LowerPriority::Apply(const EarlyFacts& facts) {
    std::vector<Driver> done;
    std::string reported;
    for (const Driver& driver : Plan(facts.table)) {
        const Result<void> set = priorities_.Set(driver.driver, driver.wanted);
        if (!set.ok()) {
            return Restore(done, {.refusal = RefusalOf(set.error().code()),
                                  .detail = set.error().message()});
        }
        done.push_back(driver);
        reported +=
                (reported.empty() ? "" : " ") + driver.driver + "=" + std::to_string(driver.wanted);
    }
    const Result<std::string> after = files_.ReadTable(kProcCryptoPath);
    const CryptoInventory inventory = MakeInventory(ParseProcCrypto(after.value_or("")));
    const bool behind = std::all_of(done.begin(), done.end(), [&](const Driver& driver) {
        const CryptoDriver* serving = inventory.Serving(driver.name);
        return serving != nullptr && !IsHardware(serving->engine);
    });
    if (after.ok() && behind) return {.detail = reported};
    return Restore(done,
                   {.refusal = MechanismRefusal::kNoEffect, .detail = "the engine still serves"});
}

}  // namespace storekeeper
