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
using Outcome = MechanismOutcome;
using Refusal = MechanismRefusal;

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

Refusal RefusalToUnbind(const FileReader& files, const EarlyFacts& facts) {
    if (HasMainlineDriver(facts.table)) return Refusal::kOtherDriver;
    if (!files.Exists(kEngineDriverFolder)) return Refusal::kNoDriver;
    if (BoundEngineDevices(files).empty()) return Refusal::kNoDevice;
    if (AnyInUse(facts.table)) return Refusal::kEngineInUse;
    return CpuHasAes(facts.table) ? Refusal::kNone : Refusal::kNoCpuAes;
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

Refusal PriorityRefusal(int error) {
    switch (error) {
        case EPROTONOSUPPORT:
        case EAFNOSUPPORT:
            return Refusal::kNoNetlink;
        case EPERM:
        case EACCES:
            return Refusal::kNotPermitted;
        default:
            return Refusal::kPriorityFailed;
    }
}

}  // namespace

Outcome SkipModule(const FileReader& files, const SetProperty& set) {
    if (files.Exists(kEngineDriverFolder)) return {.refusal = Refusal::kDriverLoaded};
    if (!HasUnloadedEngine(files)) return {.refusal = Refusal::kNoDevice};
    if (set(kEngineProperty, "skip")) return {};
    return {.refusal = Refusal::kNoTriggers,
            .detail = std::string("cannot set ") + kEngineProperty};
}

Outcome SetSoftwareLength(const FileReader& files, Syscalls& syscalls, const EarlyFacts& facts) {
    if (!HasMainlineDriver(facts.table) || !files.Exists(kSoftwareLimitPath)) {
        return {.refusal = Refusal::kNoParameter};
    }
    const Result<uint64_t> before = ReadNumber(files, kSoftwareLimitPath);
    if (!before.ok()) {
        return {.refusal = Refusal::kParameterFailed, .detail = before.error().message()};
    }
    if (*before >= kAllRequests) return {.detail = "already set"};
    const Result<void> written =
            WriteAttribute(syscalls, kSoftwareLimitPath, std::to_string(kAllRequests));
    if (!written.ok()) {
        return {.refusal = Refusal::kParameterFailed, .detail = written.error().message()};
    }
    const Result<uint64_t> after = ReadNumber(files, kSoftwareLimitPath);
    if (after.ok() && *after == kAllRequests) {
        return {.detail = "from " + std::to_string(*before) + " to " + std::to_string(*after)};
    }
    Outcome outcome{.refusal = Refusal::kNoEffect, .detail = "the value does not persist"};
    const Result<void> back = WriteAttribute(syscalls, kSoftwareLimitPath, std::to_string(*before));
    if (!back.ok()) outcome.detail += "; not restored: " + back.error().message();
    return outcome;
}

Outcome UnbindEngine(const FileReader& files, Syscalls& syscalls, const EarlyFacts& facts) {
    const Refusal refusal = RefusalToUnbind(files, facts);
    if (refusal != Refusal::kNone) return {.refusal = refusal};
    const Result<std::string> now = files.ReadTable(kProcCryptoPath);
    const CryptoTable table = ParseProcCrypto(now.value_or(""));
    if (!now.ok() || !table.problems.empty() || AnyInUse(table)) {
        return {.refusal = Refusal::kEngineInUse, .detail = "as counted right before"};
    }
    std::vector<std::string> unbound;
    for (const std::string& device : BoundEngineDevices(files)) {
        bool opened = false;
        const Result<void> done =
                WriteAttribute(syscalls, std::string(kEngineDriverFolder) + "/unbind", device,
                               &opened);
        if (!done.ok()) {
            return Rebind(syscalls, unbound,
                          {.refusal = opened ? Refusal::kUnbindFailed : Refusal::kNoUnbind,
                           .detail = done.error().message()});
        }
        unbound.push_back(device);
    }
    const Result<std::string> after = files.ReadTable(kProcCryptoPath);
    const CryptoTable left = ParseProcCrypto(after.value_or(""));
    if (after.ok() && std::none_of(left.algorithms.begin(), left.algorithms.end(), IsEngines)) {
        return {.detail = android::base::Join(unbound, ' ')};
    }
    return Rebind(syscalls, unbound,
                  {.refusal = Refusal::kNoEffect,
                   .detail = "the engine's ciphers are still registered"});
}

Outcome LeaveToVold(const EarlyFacts& facts) {
    if (!facts.dm_crypt.has_value()) return {.refusal = Refusal::kNoDmCrypt};
    if (!facts.TakesDriverNames()) return {.refusal = Refusal::kOldDmCrypt};
    if (!facts.kernel.has_value() || *facts.kernel >= kFirstThatPassesOver) {
        return {.refusal = Refusal::kNewKernel};
    }
    // vold's list has only drivers in constant time.
    const CryptoInventory inventory = MakeInventory(facts.table);
    const CryptoDriver* cpu = inventory.BestCpu("cbc(aes)");
    if (cpu == nullptr || cpu->uses_tables) return {.refusal = Refusal::kNoCpuDriver};
    return {.detail = "left to vold, which needs vold-patches/"};
}

Outcome LowerPriority(const FileReader& files, CryptoPriorities& priorities,
                      const EarlyFacts& facts) {
    const std::vector<Priority> plan = PlanPriorities(facts.table);
    if (plan.empty()) return {.refusal = Refusal::kNoCpuDriver};
    std::vector<Priority> done;
    std::string reported;
    for (const Priority& priority : plan) {
        const Result<void> set = priorities.Set(priority.driver, priority.wanted);
        if (!set.ok()) {
            return Restore(priorities, done,
                           {.refusal = PriorityRefusal(set.error().code()),
                            .detail = set.error().message()});
        }
        done.push_back(priority);
        reported += (reported.empty() ? "" : " ") + priority.driver + "=" +
                    std::to_string(priority.wanted);
    }
    const Result<std::string> after = files.ReadTable(kProcCryptoPath);
    const CryptoInventory inventory = MakeInventory(ParseProcCrypto(after.value_or("")));
    const bool behind = std::all_of(done.begin(), done.end(), [&](const Priority& priority) {
        const CryptoDriver* serving = inventory.Serving(priority.name);
        return serving != nullptr && !IsHardware(serving->engine);
    });
    if (after.ok() && behind) return {.detail = reported};
    return Restore(priorities, done,
                   {.refusal = Refusal::kNoEffect, .detail = "the engine still serves"});
}

EarlyMechanisms MechanismsOf(const FileReader& files, Syscalls& syscalls,
                             CryptoPriorities& priorities, const SetProperty& set) {
    return {.skip_module = [&files, set](const EarlyFacts&) { return SkipModule(files, set); },
            .software_length =
                    [&](const EarlyFacts& facts) {
                        return SetSoftwareLength(files, syscalls, facts);
                    },
            .unbind = [&](const EarlyFacts& facts) { return UnbindEngine(files, syscalls, facts); },
            .capi = LeaveToVold,
            .priority =
                    [&](const EarlyFacts& facts) {
                        return LowerPriority(files, priorities, facts);
                    }};
}

}  // namespace storekeeper
