// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/mechanisms.h"

#include <android-base/strings.h>
#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "base/try.h"
#include "crypto/inventory.h"
#include "crypto/properties.h"
#include "crypto/qcrypto_driver.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using Outcome = CryptoMechanism::Outcome;

// The first kernel whose dm-crypt ignores drivers that allocate memory for each request (commit
// cd74693870fb).
constexpr KernelVersion kFirstThatPassesOver{5, 10};
// The largest request of a disk: a page, which is at most 64 KiB, has one IV.
constexpr uint32_t kAllRequests = 64 * 1024;

// Writes an attribute of sysfs in one call, as its store() requires. The error has the errno of
// opening or of writing; `opened`, if given, says which.
Result<void> WriteAttribute(Syscalls& syscalls, const std::string& path, std::string_view text,
                            bool* opened = nullptr) {
    const unique_fd fd = TRY(syscalls.Open(path, O_WRONLY));
    if (opened != nullptr) *opened = true;
    const Result<size_t> written = syscalls.Pwrite(fd, text.data(), text.size(), 0);
    if (!written.ok()) {
        return Error(written.error().code())
               << "'" << text << "' to " << path << ": " << written.error().message();
    }
    if (*written != text.size()) {
        return Error(EIO) << path << " took " << *written << " of " << text.size() << " bytes";
    }
    return {};
}

bool IsEngines(const CryptoAlgorithm& algorithm) {
    return IsHardware(EngineOf(algorithm.driver));
}

bool HasMainlineDriver(const CryptoTable& table) {
    return std::any_of(table.algorithms.begin(), table.algorithms.end(),
                       [](const CryptoAlgorithm& algorithm) {
                           return EngineOf(algorithm.driver) == CryptoEngine::kQce;
                       });
}

bool AnyInUse(const CryptoTable& table) {
    return std::any_of(table.algorithms.begin(), table.algorithms.end(),
                       [](const CryptoAlgorithm& a) { return IsEngines(a) && a.refcount != 1; });
}

// True if each disk cipher has a driver of the CPU, or if the plain cipher exists that one can be
// made of.
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

Outcome Rebind(Syscalls& syscalls, const std::vector<std::string>& devices, Outcome outcome) {
    for (const std::string& device : devices) {
        const Result<void> back =
                WriteAttribute(syscalls, std::string(kEngineDriverFolder) + "/bind", device);
        if (!back.ok()) outcome.detail += "; not bound again: " + back.error().message();
    }
    return outcome;
}

struct Priority {
    std::string name;
    std::string driver;
    uint32_t before = 0;
    uint32_t wanted = 0;
};

// False for instances of essiv() and the like, which follow their inner driver.
bool IsBase(const CryptoDriver& driver) {
    return driver.name == "cbc(aes)" || driver.name == "xts(aes)";
}

// The engine's drivers come first: a request in between gets either.
std::vector<Priority> PlanPriorities(const CryptoTable& table) {
    const CryptoInventory inventory = MakeInventory(table);
    std::vector<Priority> engine;
    std::vector<Priority> cpu;
    for (const CryptoDriver& driver : inventory.drivers) {
        if (!IsBase(driver) || driver.priority < 0) continue;
        const CryptoDriver* best = inventory.BestCpu(driver.name);
        // Nothing can be put behind priority 0, the lowest.
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

Outcome Restore(CryptoPriorities& priorities, const std::vector<Priority>& done, Outcome outcome) {
    for (const Priority& priority : done) {
        const Result<void> back = priorities.Set(priority.driver, priority.before);
        if (!back.ok()) outcome.detail += "; not restored: " + back.error().message();
    }
    return outcome;
}

MechanismRefusal PriorityRefusal(int error) {
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

}  // namespace

MechanismRefusal SkipModule::Probe(const EarlyFacts&) const {
    if (files_.Exists(kEngineDriverFolder)) return MechanismRefusal::kDriverLoaded;
    return HasUnloadedEngine(files_) ? MechanismRefusal::kNone : MechanismRefusal::kNoDevice;
}

Outcome SkipModule::Apply(const EarlyFacts&) {
    if (set_(kEngineProperty, "skip")) return {};
    return {.refusal = MechanismRefusal::kNoTriggers,
            .detail = std::string("cannot set ") + kEngineProperty};
}

MechanismRefusal SoftwareLength::Probe(const EarlyFacts& facts) const {
    return HasMainlineDriver(facts.table) && files_.Exists(kSoftwareLimitPath)
                   ? MechanismRefusal::kNone
                   : MechanismRefusal::kNoParameter;
}

Outcome SoftwareLength::Apply(const EarlyFacts&) {
    const Result<uint64_t> before = ReadNumber(files_, kSoftwareLimitPath);
    if (!before.ok()) {
        return {.refusal = MechanismRefusal::kParameterFailed, .detail = before.error().message()};
    }
    if (*before >= kAllRequests) return {.detail = "already set"};
    const Result<void> written =
            WriteAttribute(syscalls_, kSoftwareLimitPath, std::to_string(kAllRequests));
    if (!written.ok()) {
        return {.refusal = MechanismRefusal::kParameterFailed, .detail = written.error().message()};
    }
    const Result<uint64_t> after = ReadNumber(files_, kSoftwareLimitPath);
    if (after.ok() && *after == kAllRequests) {
        return {.detail = "from " + std::to_string(*before) + " to " + std::to_string(*after)};
    }
    Outcome outcome{.refusal = MechanismRefusal::kNoEffect, .detail = "the value does not persist"};
    const Result<void> back =
            WriteAttribute(syscalls_, kSoftwareLimitPath, std::to_string(*before));
    if (!back.ok()) outcome.detail += "; not restored: " + back.error().message();
    return outcome;
}

MechanismRefusal UnbindEngine::Probe(const EarlyFacts& facts) const {
    if (HasMainlineDriver(facts.table)) return MechanismRefusal::kOtherDriver;
    if (!files_.Exists(kEngineDriverFolder)) return MechanismRefusal::kNoDriver;
    if (BoundEngineDevices(files_).empty()) return MechanismRefusal::kNoDevice;
    if (AnyInUse(facts.table)) return MechanismRefusal::kEngineInUse;
    return CpuHasAes(facts.table) ? MechanismRefusal::kNone : MechanismRefusal::kNoCpuAes;
}

Outcome UnbindEngine::Apply(const EarlyFacts&) {
    const Result<std::string> now = files_.ReadTable(kProcCryptoPath);
    const CryptoTable table = ParseProcCrypto(now.value_or(""));
    if (!now.ok() || !table.problems.empty() || AnyInUse(table)) {
        return {.refusal = MechanismRefusal::kEngineInUse, .detail = "as counted right before"};
    }
    std::vector<std::string> unbound;
    for (const std::string& device : BoundEngineDevices(files_)) {
        bool opened = false;
        const Result<void> done =
                WriteAttribute(syscalls_, std::string(kEngineDriverFolder) + "/unbind", device,
                               &opened);
        if (!done.ok()) {
            const MechanismRefusal refusal =
                    opened ? MechanismRefusal::kUnbindFailed : MechanismRefusal::kNoUnbind;
            return Rebind(syscalls_, unbound,
                          {.refusal = refusal, .detail = done.error().message()});
        }
        unbound.push_back(device);
    }
    const Result<std::string> after = files_.ReadTable(kProcCryptoPath);
    const CryptoTable left = ParseProcCrypto(after.value_or(""));
    if (after.ok() && std::none_of(left.algorithms.begin(), left.algorithms.end(), IsEngines)) {
        return {.detail = android::base::Join(unbound, ' ')};
    }
    return Rebind(syscalls_, unbound,
                  {.refusal = MechanismRefusal::kNoEffect,
                   .detail = "the engine's ciphers are still registered"});
}

MechanismRefusal CapiThroughVold::Probe(const EarlyFacts& facts) const {
    if (!facts.dm_crypt.has_value()) return MechanismRefusal::kNoDmCrypt;
    if (!facts.TakesDriverNames()) return MechanismRefusal::kOldDmCrypt;
    if (!facts.kernel.has_value() || *facts.kernel >= kFirstThatPassesOver) {
        return MechanismRefusal::kNewKernel;
    }
    // vold's list has only drivers in constant time.
    const CryptoInventory inventory = MakeInventory(facts.table);
    const CryptoDriver* cpu = inventory.BestCpu("cbc(aes)");
    return cpu == nullptr || cpu->uses_tables ? MechanismRefusal::kNoCpuDriver
                                              : MechanismRefusal::kNone;
}

Outcome CapiThroughVold::Apply(const EarlyFacts&) {
    return {.detail = "left to vold, which needs vold-patches/"};
}

MechanismRefusal LowerPriority::Probe(const EarlyFacts& facts) const {
    return PlanPriorities(facts.table).empty() ? MechanismRefusal::kNoCpuDriver
                                               : MechanismRefusal::kNone;
}

Outcome LowerPriority::Apply(const EarlyFacts& facts) {
    std::vector<Priority> done;
    std::string reported;
    for (const Priority& priority : PlanPriorities(facts.table)) {
        const Result<void> set = priorities_.Set(priority.driver, priority.wanted);
        if (!set.ok()) {
            return Restore(priorities_, done,
                           {.refusal = PriorityRefusal(set.error().code()),
                            .detail = set.error().message()});
        }
        done.push_back(priority);
        reported += (reported.empty() ? "" : " ") + priority.driver + "=" +
                    std::to_string(priority.wanted);
    }
    const Result<std::string> after = files_.ReadTable(kProcCryptoPath);
    const CryptoInventory inventory = MakeInventory(ParseProcCrypto(after.value_or("")));
    const bool behind = std::all_of(done.begin(), done.end(), [&](const Priority& priority) {
        const CryptoDriver* serving = inventory.Serving(priority.name);
        return serving != nullptr && !IsHardware(serving->engine);
    });
    if (after.ok() && behind) return {.detail = reported};
    return Restore(priorities_, done,
                   {.refusal = MechanismRefusal::kNoEffect, .detail = "the engine still serves"});
}

}  // namespace storekeeper
