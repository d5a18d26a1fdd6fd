// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/canary_campaign.h"

#include <errno.h>

#include <random>
#include <string>

#include "testing/canary_phone.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Answer = TrimAdmission::Answer;
using State = ChipTrust::State;

constexpr uint64_t kLives = 500;
constexpr int kEvents = 12;

class Life {
  public:
    Life(uint64_t seed, bool harmful) : random_(seed), harmful_(harmful) {
        phone_.discard = [this](uint64_t start, uint64_t length) { return Discard(start, length); };
        if (!harmful) return;
        FakeFlash::Faults& faults = phone_.flash.faults;
        faults.garbled = 1 + Below(16);
        faults.garbled_later = Below(2) == 0;
        // The card revives with each restart, because a dead one gives no answers.
        if (Below(4) == 0) faults = {.dies_at_discard = 1, .revives = true};
    }

    // The invariant that does not hold; "" if all hold.
    std::string Live() {
        for (int i = 0; i < kEvents && problem_.empty(); ++i) Happen();
        return problem_.empty() && harmful_ ? LeaveAlone() : problem_;
    }

  private:
    uint64_t Below(uint64_t limit) { return random_() % limit; }

    Result<uint64_t> Discard(uint64_t start, uint64_t length) {
        ++discards_;
        if (length > longest_) longest_ = length;
        const int abort = static_cast<int>(std::exchange(abort_, 0));
        if (abort == 1) return Error(EINTR) << "killed before it";
        // An abort ends the discard anywhere.
        const uint64_t done =
                abort == 2 ? Below(length / FakeFlash::kBlock) * FakeFlash::kBlock : length;
        Result<uint64_t> answer = phone_.flash.Discard(start, done);
        if (abort == 2 && answer.ok()) return Error(EINTR) << "killed in it";
        return answer;
    }

    void Run() {
        const bool manual = Below(3) == 0;
        const bool power = !phone_.flash.power_off_after.has_value();
        const TrimAdmission admission = phone_.Examine(manual);
        const ChipTrust trust = phone_.trust();
        if (!power) return;
        Judge("a run");
        const FakeFlash::Faults& faults = phone_.flash.faults;
        const bool at_once = harmful_ && !faults.garbled_later;
        if (at_once && admission.verdict == "verified") problem_ = "a card that harms is verified";
        if (admission.answer == Answer::kGo && admission.verdict == "verified" && !manual &&
            !trust.after_restart && phone_.clock.SinceBoot() < std::chrono::hours(72)) {
            problem_ = "a run of the policy did not wait for a restart";
        }
    }

    void Judge(const std::string& after) {
        const ChipTrust trust = phone_.trust();
        if (!harmful_ && trust.state == State::kQuarantined) {
            problem_ = "a healthy card is in quarantine after " + after + ": " + trust.why;
        }
        if (trust.written_bytes > kCanaryBudgetBytes) {
            problem_ = "canaries have written " + std::to_string(trust.written_bytes) + " bytes";
        }
        if (phone_.flash.discarded_bytes() > discards_ * longest_) {
            problem_ = "more than the gaps was discarded";
        }
    }

    void Happen() {
        FakeFlash& flash = phone_.flash;
        switch (Below(14)) {
            case 0:
            case 1:
            case 2:
                return Run();
            case 3:  // the power goes off in a run
            case 4:
                flash.power_off_after = flash.calls() + Below(120);
                Run();
                phone_.Restart(random_());
                return Judge("a power cut");
            case 5:
                phone_.Restart(random_());
                phone_.guard->Recheck();
                return Judge("a restart");
            case 6:
                abort_ = 1 + Below(2);
                Run();
                abort_ = 0;
                return;
            case 7:
                flash.free_blocks_for_users = Below(2) == 0 ? Below(4000) : 100000;
                return;
            case 8:
                flash.piece_blocks = Below(3) == 0 ? 1 + Below(64) : 0;
                return;
            case 9:
                return Touch();
            case 10:
                phone_.SetFirmware("0x0" + std::to_string(Below(3)));
                return;
            case 11:
                flash.discards_itself = Below(3) == 0;
                phone_.Mount(Below(2) == 0 ? "ext4" : "f2fs",
                             flash.discards_itself ? "rw,discard" : "rw");
                return;
            case 12:
                phone_.StartDaemon();
                phone_.guard->Recheck();
                return Judge("a start of the daemon");
            default:
                phone_.clock.Advance(std::chrono::hours(Below(100)));
                phone_.guard->Recheck();
                return Judge("days");
        }
    }

    void Touch() {
        FakeFlash& flash = phone_.flash;
        if (!flash.Has("canary")) return;
        if (Below(3) == 0) {
            flash.RemoveFile("canary");
        } else if (const auto canary = phone_.trust().canary; canary.has_value()) {
            if (Below(2) == 0) {
                flash.Change("canary", canary->gap.offset - FakeFlash::kBlock);
            } else {
                flash.Occupy(canary->gap.physical, FakeFlash::kBlock);
            }
        }
    }

    // Removes all obstacles to an examination.
    std::string LeaveAlone() {
        FakeFlash& flash = phone_.flash;
        flash.free_blocks_for_users = 100000;
        flash.piece_blocks = 0;
        flash.discards_itself = false;
        phone_.Mount("ext4", "rw");
        for (unsigned i = 0; i <= 2 * kMaxUnfinishedTrials; ++i) {
            phone_.Examine();
            phone_.Restart(random_());
            phone_.guard->Recheck();
        }
        // Removed canaries may have used up the budget; the verdict says so then.
        const TrimAdmission admission = phone_.Examine();
        const bool spent = admission.verdict == "unverified" &&
                           admission.why.find("another would exceed") != std::string::npos;
        return spent || phone_.trust().state == State::kQuarantined
                       ? ""
                       : "the harm was not found: " + std::string(NameOf(phone_.trust().state)) +
                                 " " + phone_.trust().why;
    }

    std::mt19937_64 random_;
    const bool harmful_;
    CanaryPhone phone_;
    std::string problem_;
    uint64_t abort_ = 0;
    uint64_t discards_ = 0;
    uint64_t longest_ = 0;
};

}  // namespace

CampaignResult CanaryCampaign(const CampaignOptions& options) {
    CampaignResult result;
    for (const bool harmful : {false, true}) {
        const std::string kind = harmful ? "harmful" : "healthy";
        size_t failures = 0;
        for (uint64_t seed = 0; seed < kLives && failures < options.max_failures;
             seed += options.stride) {
            const std::string name = kind + "-" + std::to_string(seed);
            if (!options.only.empty() && options.only != name && options.only != kind) continue;
            ++result.tried[kind];
            const std::string problem = Life(seed, harmful).Live();
            if (problem.empty()) continue;
            result.failures.push_back(name + "  " + problem);
            ++failures;
        }
    }
    return result;
}

}  // namespace storekeeper
