// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/logging.h>

#include <algorithm>

#include "campaigns/machine.h"
#include "campaigns/seam_faults.h"
#include "campaigns/sequences.h"
#include "crypto/choice_store.h"
#include "crypto/early/early_step.h"
#include "crypto/early/mechanisms.h"
#include "extcsd/mmc_ioctl.h"
#include "testing/fake_crypto_kernel.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// The first calls of each kind on each object that fail in turn.
constexpr size_t kMaxNumber = 6;

// An error that a user reads must name its object.
std::string NamesObject(const std::string& error) {
    for (const char* name : {"/", "aes", "AF_ALG", "HAL", "storekeeper.", "random"}) {
        if (error.find(name) != std::string::npos) return "";
    }
    return "unnamed: '" + error + "'";
}

// Lives a day of the service: it starts, trims, queries the HAL, collects, measures the ciphers,
// and goes through a choice of an engine.
std::string LiveADay(SeamFaults* faults, bool lasts) {
    Machine machine(/*blind=*/false, faults);
    Phone& phone = machine.phone();
    machine.Release();
    // If init cannot be reached, it restores the queue only when the daemon ends.
    machine.TolerateThrottledQueue(lasts && faults->fault().call.starts_with("setprop@"));
    const auto day = [&]() -> std::string {
        phone.daemon().Turn();
        phone.WaitUntilIdle();
        const Result<TrimReceipt> receipt = phone.keeper().Trim({});
        if (!receipt.ok()) return "no run: " + receipt.error().message();
        if (!receipt->complete) {
            if (std::string wrong = NamesObject(receipt->reason); !wrong.empty()) return wrong;
        }
        phone.daemon().Health();
        phone.collector().Gather();
        for (const char* event : {"choose", "reboot", "confirm"}) {
            if (std::string wrong = machine.RunEvent(event); !wrong.empty()) return wrong;
            machine.Release();
        }
        for (const std::string& error : machine.errors()) {
            if (std::string wrong = NamesObject(error); !wrong.empty()) return wrong;
        }
        phone.Dump();
        return "";
    };
    std::string wrong = day();
    if (wrong.empty()) wrong = machine.Check();
    faults->Disarm();
    if (!wrong.empty()) return wrong;
    machine.TolerateThrottledQueue(false);
    wrong = machine.RunEvent("reboot");
    return wrong.empty() ? machine.Recover() : wrong;
}

// Runs the early step on an old kernel with Qualcomm's engine, which unbinds it or changes
// priorities.
std::string BootWithChoice(SeamFaults* faults, bool lasts) {
    Tree tree;
    faults->SetRoot(tree.root());
    const FileReader files = tree.files();
    FakeCryptoKernel kernel(tree);
    tree.MakeDirectory("/cache/storekeeper");
    kernel.Register({.name = "aes", .driver = "aes-asm", .type = "cipher"});
    kernel.Register({.name = "cbc(aes)", .driver = "cbc-aes-neonbs", .priority = 250});
    kernel.Register({.name = "cbc(aes)", .driver = "qcrypto-cbc-aes", .priority = 300});
    kernel.AddDevice("qcrypto.0");
    kernel.LoadDriver();
    const std::string before = kernel.proc_crypto();
    const std::string path = tree.PathOf("/cache/storekeeper/crypto");
    const ChoiceStore store(RealCalls(), path);
    const CryptoBaseline baseline{.write_mbps = 2.7,
                                  .read_mbps = 3.9,
                                  .method = "af_alg",
                                  .unit_bytes = 512};
    if (Result<void> saved = store.Save(*MakeChoice(CryptoMode::kKernel, baseline, "0"));
        !saved.ok()) {
        return saved.error().message();
    }
    FaultySyscalls of_files(*faults, RealCalls());
    FaultySyscalls of_engine(*faults, kernel);
    FaultyPriorities priorities(*faults, kernel);
    std::map<std::string, std::string> properties;
    const SetProperty set = [&](const std::string& name, const std::string& value) {
        if (faults->Fate("setprop", name) != 0) return false;
        properties[name] = value;
        return true;
    };
    const auto boot = [&](const std::string& id) {
        tree.Write(kBootIdPath, id + "\n");
        return RunEarlyStep({.files = files,
                             .syscalls = of_files,
                             .targets = [&]() -> Result<std::vector<DmTarget>> {
                                 const int error = faults->Fate("dm", "DM_LIST_VERSIONS");
                                 if (error != 0) return Error(error) << "/dev/device-mapper";
                                 return std::vector<DmTarget>{{"crypt", {1, 11, 0}}};
                             },
                             .property = [](const std::string&) { return ""; },
                             .set = set,
                             .choice = path,
                             .kernel_release = "3.4.113-perf"},
                            MechanismsOf(files, of_engine, priorities, set));
    };
    const EarlyReport report = boot("1");
    if (kernel.bug()) return "an engine in use was unbound";
    const CryptoChoice counted = store.Load().choice;
    if (kernel.proc_crypto() != before && counted.boots != 1) return "a boot is not counted";
    const bool refused = report.refusal != EarlyRefusal::kNone;
    if (refused && !lasts && kernel.proc_crypto() != before) return "half of it is left";
    if (refused && report.notes.empty()) return "no note says why it is refused";
    faults->Disarm();
    if (!kernel.LoadDriverAgain()) return "the driver does not load";
    const EarlyReport again = boot("2");
    if (again.refusal != EarlyRefusal::kNone || again.outcome != "unbind") {
        return "the next boot ends as " + again.outcome;
    }
    const unsigned boots = store.Load().choice.boots;
    return boots == counted.boots + 1 ? "" : "boot " + std::to_string(boots) + " of the trial";
}

std::string ReadRegister(SeamFaults* faults, bool) {
    constexpr char kCard[] = "/dev/block/mmcblk0";
    FakeSyscalls kernel;
    kernel.Add(kCard, FakeSyscalls::Card{.ext_csd = std::vector<uint8_t>(512, 7)});
    FaultySyscalls calls(*faults, kernel);
    const Result<std::vector<uint8_t>> read = ReadExtCsdFromCard(calls, kCard);
    if (!read.ok() && read.error().message().find(kCard) == std::string::npos) {
        return "unnamed: '" + read.error().message() + "'";
    }
    if (read.ok() && *read != std::vector<uint8_t>(512, 7)) return "other bytes";
    faults->Disarm();
    return ReadExtCsdFromCard(calls, kCard).ok() ? "" : "it cannot be read later";
}

struct SeamScenario {
    const char* name;
    std::string (*run)(SeamFaults* faults, bool lasts);
};

constexpr SeamScenario kScenarios[] = {{"seams-day", LiveADay},
                                       {"seams-early", BootWithChoice},
                                       {"seams-extcsd", ReadRegister}};

// All faults of the calls that a scenario makes.
std::vector<SeamFault> FaultsOf(const SeamScenario& scenario, std::string* wrong) {
    SeamFaults counting;
    *wrong = scenario.run(&counting, false);
    std::vector<SeamFault> faults;
    for (const auto& [call, count] : counting.counts()) {
        for (size_t number = 1; number <= std::min(count, kMaxNumber); ++number) {
            for (const int error : SeamFaults::ErrorsOf(call.substr(0, call.find('@')))) {
                for (const bool lasts : {false, true}) {
                    faults.push_back(
                            {.call = call, .number = number, .error = error, .lasts = lasts});
                }
            }
        }
    }
    return faults;
}

}  // namespace

CampaignResult SeamCampaign(const CampaignOptions& options) {
    CampaignResult result;
    for (const SeamScenario& scenario : kScenarios) {
        const std::string prefix = std::string(scenario.name) + ":";
        if (!options.only.starts_with(scenario.name) && !prefix.starts_with(options.only)) continue;
        std::string wrong;
        const std::vector<SeamFault> faults = FaultsOf(scenario, &wrong);
        if (!wrong.empty()) result.failures.push_back(prefix + "  " + wrong);
        const bool alone = options.only.find(':') != std::string::npos;
        std::vector<CampaignCase> cases;
        for (size_t i = 0; i < faults.size(); i += options.stride) {
            const SeamFault& fault = faults[i];
            const std::string name = prefix + fault.name();
            if (alone && !name.starts_with(options.only)) continue;
            cases.push_back({scenario.name, name, [&scenario, &fault] {
                                 SeamFaults armed;
                                 armed.Arm(fault);
                                 return scenario.run(&armed, fault.lasts);
                             }});
        }
        TryCases(cases, options.max_failures, &result);
    }
    std::sort(result.failures.begin(), result.failures.end());
    return result;
}

}  // namespace storekeeper
