// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/scenario.h"
#include "crypto/choice_store.h"
#include "crypto/early/early_step.h"
#include "testing/fake_crypto_kernel.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using Stage = CryptoChoice::Stage;

constexpr char kName[] = "crypto";

// Steps of a choice in CrashMarks.
constexpr int64_t kChosen = 1;
constexpr int64_t kConfirmed = 2;
constexpr int64_t kTakenBack = 3;

const CryptoBaseline kBaseline{.write_mbps = 2.7,
                               .read_mbps = 3.9,
                               .method = "af_alg",
                               .unit_bytes = 512};

// A phone with an engine that is not in use yet.
class Booting {
  public:
    Booting() {
        kernel_.Register({.name = "aes", .driver = "aes-asm", .type = "cipher"});
        kernel_.Register({.name = "cbc(aes)", .driver = "cbc-aes-neonbs", .priority = 250});
        kernel_.Register({.name = "cbc(aes)", .driver = "qcrypto-cbc-aes", .priority = 300});
        kernel_.AddDevice("qcrypto.0");
        kernel_.LoadDriver();
    }

    EarlyReport Boot(ScenarioDisk* disk, int64_t number, const std::function<void()>& applied) {
        tree_.Write(kBootIdPath, std::to_string(number) + "\n");
        const CryptoMechanism first = [&](const EarlyFacts&) {
            applied();
            return MechanismOutcome();
        };
        const CryptoMechanism others = [](const EarlyFacts&) {
            return MechanismOutcome{.refusal = MechanismRefusal::kNoTriggers};
        };
        return RunEarlyStep({.files = files_,
                             .syscalls = *disk,
                             .targets = [] { return Result<std::vector<DmTarget>>(); },
                             .property = [](const std::string&) { return ""; },
                             .set = [](const std::string&, const std::string&) { return true; },
                             .choice = disk->Path(kName),
                             .kernel_release = "3.4.113-perf"},
                            {.skip_module = first,
                             .software_length = others,
                             .unbind = others,
                             .capi = others,
                             .priority = others});
    }

  private:
    Tree tree_;
    FileReader files_ = tree_.files();
    FakeCryptoKernel kernel_{tree_};
};

// The kernel's AES is chosen and tried. Then the choice is confirmed or rolled back, or forgotten.
class Choice : public Scenario {
  public:
    enum class End { kConfirmed, kSlower, kForgotten };

    Choice(const char* name, End end, bool chosen_before, bool late_count)
          : name_(name), end_(end), chosen_before_(chosen_before), late_count_(late_count) {}

    std::string name() const override { return name_; }

    DiskImage Begin() override {
        if (!chosen_before_) return {};
        CrashDisk disk;
        const ChoiceStore store = Store(&disk);
        static_cast<void>(store.Save(RollBack("an earlier trial")));
        static_cast<void>(store.Save(RollBack("and another")));
        return disk.image();
    }

    std::vector<std::string> Work(ScenarioDisk* disk) override {
        disk_ = disk;
        marks_ = {};
        errors_.clear();
        Save(kChosen, *MakeChoice(CryptoMode::kKernel, kBaseline, "0"));
        Boot(1);
        if (end_ == End::kConfirmed) Judge(kConfirmed, 3.0);
        if (end_ == End::kSlower) Judge(kTakenBack, 1.0);
        Boot(2);
        // A boot counts even if nothing was applied in it.
        if (marks_.begun == kChosen) marks_.begun = kTakenBack;
        disk->Mark(marks_);
        Boot(3);
        return errors_;
    }

    std::string Check(ScenarioDisk* disk, const CrashMarks& marks) override {
        const ChoiceStore::Loaded loaded = Store(disk).Load();
        if (!loaded.note.empty()) return loaded.note;
        const CryptoChoice& choice = loaded.choice;
        const std::string is = std::string(ModeName(choice.mode)) + ", " +
                               std::string(StageName(choice.stage)) + ", boots " +
                               std::to_string(choice.boots) + ", " + choice.reason;
        const bool ended = marks.begun == kTakenBack || marks.done >= kMaxTrialBoots;
        if (choice.stage == Stage::kTrial && choice.boots < marks.done) {
            return "a boot is not counted: " + is + " after " + std::to_string(marks.done);
        }
        if (choice.stage == Stage::kConfirmed && marks.begun != kConfirmed) {
            return "nobody has confirmed it: " + is;
        }
        if (marks.kept == kChosen && !ended && choice.mode != CryptoMode::kKernel) {
            return "the choice is lost: " + is;
        }
        if (marks.kept == kConfirmed && choice.stage != Stage::kConfirmed) {
            return "the confirmation is lost: " + is;
        }
        if (marks.kept == kTakenBack && choice.mode != CryptoMode::kAuto) {
            return "it was taken back: " + is;
        }
        if (marks.begun == 0 && choice.mode != CryptoMode::kAuto) return "never chosen: " + is;
        return "";
    }

    // Boots several times and counts the boots in which the choice is applied.
    std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) override {
        const bool confirmed = Store(disk).Load().choice.stage == Stage::kConfirmed;
        int64_t applied = marks.done;
        for (int64_t boot = 10; boot < 14; ++boot) {
            booting_.Boot(disk, boot, [&] { ++applied; });
        }
        if (!confirmed && applied > kMaxTrialBoots) {
            return "the trial was applied in " + std::to_string(applied) + " boots";
        }
        const Result<void> saved =
                Store(disk).Save(*MakeChoice(CryptoMode::kKernel, kBaseline, "20"));
        if (!saved.ok()) return saved.error().message();
        return Store(disk).Load().choice.mode == CryptoMode::kKernel ? "" : "a new choice is lost";
    }

  private:
    static ChoiceStore Store(ScenarioDisk* disk) { return {*disk, disk->Path(kName)}; }

    void Save(int64_t step, const CryptoChoice& choice) {
        marks_.begun = step;
        disk_->Mark(marks_);
        const Result<void> saved = Store(disk_).Save(choice);
        if (saved.ok()) marks_.kept = step;
        if (!saved.ok()) errors_.push_back(saved.error().message());
        disk_->Mark(marks_);
    }

    void Boot(int64_t number) {
        const auto applied = [this] {
            if (marks_.kept == kConfirmed) return;
            ++marks_.done;
            disk_->Mark(marks_);
        };
        if (late_count_ && Store(disk_).Load().choice.stage == Stage::kTrial) applied();
        const EarlyReport report =
                booting_.Boot(disk_, number, late_count_ ? std::function<void()>([] {}) : applied);
        if (report.refusal == EarlyRefusal::kNotSaved) {
            errors_.insert(errors_.end(), report.notes.begin(), report.notes.end());
        }
    }

    void Judge(int64_t step, double gain) {
        CryptoBaseline measured = kBaseline;
        measured.write_mbps *= gain;
        measured.read_mbps *= gain;
        const VerificationResult result =
                Verify(Store(disk_).Load().choice, {.boot_id = "1",
                                                    .signs = {"one", "two"},
                                                    .against = {},
                                                    .measured = measured});
        if (result.result != VerificationResult::Result::kNotYet) Save(step, result.next);
    }

    const char* const name_;
    const End end_;
    const bool chosen_before_;
    const bool late_count_;
    Booting booting_;
    ScenarioDisk* disk_ = nullptr;
    CrashMarks marks_;
    std::vector<std::string> errors_;
};

}  // namespace

std::vector<MakeScenario> ChoiceScenarios(Flaw flaw) {
    const bool late = flaw == Flaw::kLateCount;
    using End = Choice::End;
    return {[late] {
                return std::make_unique<Choice>("choice-first", End::kForgotten, false, late);
            },
            [late] {
                return std::make_unique<Choice>("choice-forgotten", End::kForgotten, true, late);
            },
            [late] {
                return std::make_unique<Choice>("choice-confirmed", End::kConfirmed, true, late);
            },
            [late] { return std::make_unique<Choice>("choice-slower", End::kSlower, true, late); }};
}

}  // namespace storekeeper
