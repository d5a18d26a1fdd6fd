// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/early_step.h"

#include <errno.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/file_reader.h"
#include "base/kernel_version.h"
#include "crypto/choice_store.h"
#include "crypto/properties.h"
#include "crypto/qcrypto_driver.h"

namespace storekeeper {
namespace {

using android::base::Result;
using Stage = CryptoChoice::Stage;

constexpr char kCryptTarget[] = "crypt";
constexpr char kReqCryptTarget[] = "req-crypt";

// Names of mechanisms.
constexpr std::string_view kSkipModule = "skip_module";
constexpr std::string_view kUnbind = "unbind";
constexpr std::string_view kCapi = "capi";

// True if there is no device mapper, and so no req-crypt either.
bool IsAbsent(int error) {
    return error == ENOENT || error == ENODEV || error == ENXIO;
}

EarlyInputs ReadInputs(const EarlySeams& seams, EarlyFacts* facts, EarlyReport* report) {
    EarlyInputs inputs{.boot_id = seams.files.ReadAttribute(kBootIdPath).value_or(""),
                       .has_unloaded_engine = HasUnloadedEngine(seams.files),
                       .boot_word = seams.property(kBootCryptoProperty),
                       .product_word = seams.property(kProductCryptoProperty)};
    const Result<std::string> text = seams.files.ReadTable(kProcCryptoPath);
    if (text.ok()) {
        inputs.table = ParseProcCrypto(*text);
        facts->table = *inputs.table;
    } else {
        report->notes.push_back(text.error().message());
    }
    const Result<std::vector<DmTarget>> targets = seams.targets();
    if (targets.ok()) {
        for (const DmTarget& target : *targets) {
            if (target.name == kReqCryptTarget) inputs.req_crypt = true;
            if (target.name == kCryptTarget) facts->dm_crypt = target.version;
        }
    } else if (!IsAbsent(targets.error().code())) {
        inputs.targets_unknown = true;
        report->notes.push_back(targets.error().message());
    }
    facts->kernel = ParseKernelRelease(seams.kernel_release);
    return inputs;
}

struct NamedMechanism {
    std::string_view name;  // at most 16 characters, for storekeeper.crypto.early
    const CryptoMechanism& apply;
};

// The order of mechanisms, by generation of the kernel. If dm-crypt accepts a driver's name, no
// process needs to lose the engine, so unbinding comes last.
std::vector<NamedMechanism> OrderByKernel(const EarlyMechanisms& all, const EarlyFacts& facts) {
    const NamedMechanism skip{kSkipModule, all.skip_module};
    const NamedMechanism length{"aes_sw_max_len", all.software_length};
    const NamedMechanism unbind{kUnbind, all.unbind};
    const NamedMechanism capi{kCapi, all.capi};
    const NamedMechanism priority{"priority", all.priority};
    if (facts.TakesDriverNames()) return {skip, length, capi, priority, unbind};
    return {skip, length, unbind, priority, capi};
}

void ApplyMechanism(const EarlyMechanisms& all, const EarlyFacts& facts, EarlyReport* report) {
    bool offered = false;
    for (const auto& [name, apply] : OrderByKernel(all, facts)) {
        if (offered && name == kUnbind) break;
        const MechanismOutcome outcome = apply(facts);
        const bool done = outcome.refusal == MechanismRefusal::kNone;
        std::string note(name);
        note += done ? ": done" : ": refused, " + std::string(RefusalName(outcome.refusal));
        if (!done) note += " (" + std::to_string(static_cast<int>(outcome.refusal)) + ")";
        if (!outcome.detail.empty()) note += ": " + outcome.detail;
        report->notes.push_back(note);
        if (!done) continue;
        report->outcome = name;
        // vold must do the rest, and may lack our patches. So another mechanism is tried as well.
        if (name != kCapi) return;
        offered = true;
    }
    if (!offered) report->refusal = EarlyRefusal::kNoMechanism;
}

// Applies a choice only if it is on the disk: otherwise its boots would not be counted.
void ApplyChoice(const EarlySeams& seams, const EarlyMechanisms& mechanisms, EarlyReport* report) {
    if (!seams.choice.ok()) {
        report->notes.push_back(seams.choice.error().message());
        report->refusal = EarlyRefusal::kNoPlace;
        return;
    }
    const ChoiceStore store(seams.syscalls, *seams.choice);
    const ChoiceStore::Loaded loaded = store.Load();
    if (!loaded.note.empty()) report->notes.push_back(loaded.note);
    EarlyFacts facts;
    const EarlyInputs inputs = ReadInputs(seams, &facts, report);
    EarlyStep step = AtBoot(loaded.choice, inputs);
    report->mode = loaded.choice.mode;
    report->refusal = step.refusal;
    if (FormatChoice(step.next) != FormatChoice(loaded.choice)) {
        const Result<void> saved = store.Save(step.next);
        if (!saved.ok()) {
            report->notes.push_back(saved.error().message());
            report->refusal = EarlyRefusal::kNotSaved;
        }
    }
    if (report->refusal != EarlyRefusal::kNone || report->mode != CryptoMode::kKernel) return;
    ApplyMechanism(mechanisms, facts, report);
    if (report->refusal == EarlyRefusal::kNone || step.next.stage != Stage::kTrial) return;
    step.next.reason = "refused at boot: " + std::string(RefusalName(report->refusal));
    const Result<void> saved = store.Save(step.next);
    if (!saved.ok()) report->notes.push_back(saved.error().message());
}

// The word for vold. Absent: vold acts as if there were no Storekeeper.
std::optional<CryptoMode> WordForVold(const EarlyReport& report) {
    switch (report.refusal) {
        case EarlyRefusal::kNothingChosen:
        case EarlyRefusal::kNoPlace:
        case EarlyRefusal::kNoBaseline:
            return std::nullopt;
        case EarlyRefusal::kNone:
        // vold checks itself whether it can do what this program could not.
        case EarlyRefusal::kNoMechanism:
            return report.mode;
        default:
            return CryptoMode::kAuto;
    }
}

}  // namespace

EarlyReport RunEarlyStep(const EarlySeams& seams, const EarlyMechanisms& mechanisms) {
    EarlyReport report{.outcome = "none"};
    ApplyChoice(seams, mechanisms, &report);
    if (report.refusal != EarlyRefusal::kNone) {
        report.outcome = "refused:" + std::string(RefusalName(report.refusal));
    }
    const auto set = [&](const char* name, const std::string& value) {
        if (!seams.set(name, value)) report.notes.push_back(std::string("cannot set ") + name);
    };
    if (const std::optional<CryptoMode> word = WordForVold(report); word.has_value()) {
        set(kVoldChoiceProperty, std::string(ModeName(*word)));
    }
    set(kEarlyProperty, report.outcome);
    if (report.outcome != kSkipModule) set(kEngineProperty, "load");
    return report;
}

}  // namespace storekeeper
