// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/choice.h"

#include <iterator>

#include "base/quantity_text.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Stage = CryptoChoice::Stage;

constexpr size_t kSignsNeeded = 2;

EarlyRefusal RefusalToApply(CryptoMode mode, const EarlyInputs& inputs) {
    // An entry that could not be read may be in use.
    if (!inputs.table.has_value() || !inputs.table->problems.empty()) {
        return EarlyRefusal::kUnreadable;
    }
    // Leaving the engine in place is always safe.
    if (mode == CryptoMode::kHardware) return EarlyRefusal::kNone;
    if (inputs.targets_unknown) return EarlyRefusal::kTargetsUnknown;
    if (inputs.req_crypt) return EarlyRefusal::kReqCrypt;
    bool any = false;
    for (const CryptoAlgorithm& algorithm : inputs.table->algorithms) {
        const bool qcom = HasQcomPrefix(algorithm.name);
        if (qcom && algorithm.refcount > 1) return EarlyRefusal::kQcomInUse;
        if (!IsHardware(EngineOf(algorithm.driver))) continue;
        if (algorithm.refcount != 1) return EarlyRefusal::kEngineInUse;
        any = any || (!qcom && algorithm.IsDiskCipher());
    }
    return any || inputs.has_unloaded_engine ? EarlyRefusal::kNone : EarlyRefusal::kNoEngine;
}

// The refusal if nothing was chosen; a word of bootloader or product may want the CPU.
EarlyRefusal RefusalWithoutChoice(const EarlyInputs& inputs) {
    const bool wanted =
            EffectiveMode(inputs.boot_word, {}, inputs.product_word) == CryptoMode::kKernel;
    return wanted ? EarlyRefusal::kNoBaseline : EarlyRefusal::kNothingChosen;
}

bool Comparable(const CryptoBaseline& a, const CryptoBaseline& b) {
    return a.method == b.method && a.unit_bytes == b.unit_bytes && a.cipher == b.cipher &&
           a.key_bytes == b.key_bytes;
}

std::string Conditions(const CryptoBaseline& baseline) {
    std::string text = baseline.method;
    if (!baseline.cipher.empty()) {
        text += " " + baseline.cipher + " " + std::to_string(8 * baseline.key_bytes) + " bit";
    }
    return text + " in units of " + SizeText(baseline.unit_bytes);
}

// Why the choice must be rolled back; "" if it may stay.
std::string RollbackReason(const CryptoChoice& choice, const Verification& found) {
    if (found.io_errors != 0) return Counted(found.io_errors, "I/O error");
    if (!found.against.empty()) return "the other engine is in use: " + found.against.front();
    // A return to the engine needs no gain.
    if (choice.mode == CryptoMode::kHardware || !found.measured.has_value()) return "";
    const CryptoBaseline& before = *choice.baseline;
    if (!Comparable(before, *found.measured)) return "";
    if (found.measured->write_mbps < before.write_mbps * kMinGain ||
        found.measured->read_mbps < before.read_mbps * kMinGain) {
        return "gain below 10 %: write " + FigureText(before.write_mbps) + " -> " +
               FigureText(found.measured->write_mbps) + ", read " + FigureText(before.read_mbps) +
               " -> " + FigureText(found.measured->read_mbps) + " MB/s";
    }
    return "";
}

// A fact that is not known yet; "" if none is missing.
std::string MissingFact(const CryptoChoice& choice, const Verification& found) {
    if (found.signs.size() < kSignsNeeded) {
        return std::to_string(found.signs.size()) +
               " of 2 required signs that the chosen engine is in use";
    }
    if (choice.mode == CryptoMode::kHardware) return "";
    if (!found.measured.has_value()) return "no measurement";
    if (!Comparable(*choice.baseline, *found.measured)) {
        return "measured by " + Conditions(*found.measured) + ", the baseline by " +
               Conditions(*choice.baseline) +
               "; not comparable: run cmd storekeeper crypto rollback, then choose again";
    }
    return "";
}

}  // namespace

std::string_view ModeName(CryptoMode mode) {
    if (mode == CryptoMode::kKernel) return "kernel";
    return mode == CryptoMode::kHardware ? "hardware" : "auto";
}

std::optional<CryptoMode> ModeOf(std::string_view name) {
    for (CryptoMode mode : {CryptoMode::kAuto, CryptoMode::kKernel, CryptoMode::kHardware}) {
        if (ModeName(mode) == name) return mode;
    }
    return std::nullopt;
}

std::string_view StageName(Stage stage) {
    if (stage == Stage::kTrial) return "trial";
    return stage == Stage::kConfirmed ? "confirmed" : "none";
}

std::string_view RefusalName(EarlyRefusal refusal) {
    // Names in the order of the enumeration, from kNothingChosen on.
    constexpr std::string_view kNames[] = {"nothing_chosen", "trial_failed", "unreadable",
                                           "req_crypt",      "qcom_in_use",  "engine_in_use",
                                           "no_engine",      "not_saved",    "no_place",
                                           "no_baseline",    "overruled",    "targets_unknown",
                                           "no_mechanism"};
    constexpr size_t kFirst = static_cast<size_t>(EarlyRefusal::kNothingChosen);
    static_assert(kFirst + std::size(kNames) - 1 ==
                  static_cast<size_t>(EarlyRefusal::kNoMechanism));
    return refusal == EarlyRefusal::kNone ? "none" : kNames[static_cast<size_t>(refusal) - kFirst];
}

Result<CryptoChoice> MakeChoice(CryptoMode mode, const std::optional<CryptoBaseline>& baseline,
                                const std::string& boot_id) {
    if (mode == CryptoMode::kAuto) return RollBack("auto chosen");
    if (!baseline.has_value()) {
        return Error() << "no measurement to compare with: run cmd storekeeper crypto bench first";
    }
    if (boot_id.empty())
        return Error() << "boot_id unavailable: the trial's boots cannot be counted";
    return CryptoChoice{.mode = mode,
                        .stage = Stage::kTrial,
                        .chosen_boot_id = boot_id,
                        .baseline = baseline,
                        .reason = "chosen; takes effect at the next boot"};
}

EarlyStep AtBoot(const CryptoChoice& choice, const EarlyInputs& inputs) {
    EarlyStep step{.next = choice};
    if (choice.mode == CryptoMode::kAuto || choice.stage == Stage::kNone) {
        step.refusal = RefusalWithoutChoice(inputs);
        return step;
    }
    // Without a boot_id, each call counts as a boot.
    const bool counted = !inputs.boot_id.empty() && inputs.boot_id == choice.last_boot_id;
    if (choice.stage == Stage::kTrial && !counted) {
        if (choice.boots >= kMaxTrialBoots) {
            step.next = RollBack("two boots without confirmation");
            step.refusal = EarlyRefusal::kTrialFailed;
            return step;
        }
        ++step.next.boots;
        step.next.last_boot_id = inputs.boot_id;
    }
    const std::optional<CryptoMode> word = ModeOf(inputs.boot_word);
    step.refusal = word.has_value() && *word != choice.mode ? EarlyRefusal::kOverruled
                                                            : RefusalToApply(choice.mode, inputs);
    if (!counted) {
        step.next.reason = step.refusal == EarlyRefusal::kNone
                                   ? "applied at boot"
                                   : "refused at boot: " + std::string(RefusalName(step.refusal));
    }
    return step;
}

VerificationResult Verify(const CryptoChoice& choice, const Verification& verification) {
    VerificationResult answer{.next = choice};
    if (choice.stage != Stage::kTrial || !choice.baseline.has_value()) {
        answer.reason = "no trial is in progress";
        return answer;
    }
    if (verification.boot_id == choice.chosen_boot_id) {
        answer.reason = "the choice takes effect at the next boot";
        return answer;
    }
    if (const std::string fault = RollbackReason(choice, verification); !fault.empty()) {
        answer.reason = fault;
        answer.result = VerificationResult::Result::kRolledBack;
        answer.next = RollBack(fault);
        return answer;
    }
    if (const std::string missing = MissingFact(choice, verification); !missing.empty()) {
        answer.reason = missing;
        return answer;
    }
    answer.result = VerificationResult::Result::kConfirmed;
    answer.reason = "confirmed: " + verification.signs[0] + "; " + verification.signs[1];
    answer.next.stage = Stage::kConfirmed;
    answer.next.reason = "confirmed";
    return answer;
}

CryptoChoice RollBack(const std::string& reason) {
    return {.reason = reason};
}

CryptoMode EffectiveMode(std::string_view boot_property, const CryptoChoice& choice,
                         std::string_view product_property) {
    if (std::optional<CryptoMode> mode = ModeOf(boot_property); mode.has_value()) return *mode;
    if (choice.stage != Stage::kNone) return choice.mode;
    return ModeOf(product_property).value_or(CryptoMode::kAuto);
}

}  // namespace storekeeper
