// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maintenance/canary/canary.h"
#include "testing/canary_phone.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Answer = TrimAdmission::Answer;
using State = ChipTrust::State;
using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr uint64_t kGap = kCanaryWrittenBytes - 2 * kCanaryKeptBytes;

class ChipGuardTest : public testing::Test {
  protected:
    void ExpectQuarantine(const std::string& why) {
        EXPECT_EQ("quarantined", phone_.Verdict(true));
        EXPECT_EQ(Answer::kNever, phone_.Examine(true).answer);
        EXPECT_THAT(phone_.trust().why, HasSubstr(why));
        EXPECT_THAT(phone_.guard->QuarantineReason({CanaryPhone::data()}).value_or(""),
                    HasSubstr(why));
        EXPECT_THAT(phone_.guard->QuarantineReason({CanaryPhone::cache()}).value_or(""),
                    HasSubstr(why));
    }
    // Expects that nothing is trimmed any more, whatever the clocks and restarts.
    void ExpectQuarantineForEver(const std::string& why) {
        ExpectQuarantine(why);
        const uint64_t discarded = phone_.flash.discarded_bytes();
        for (uint64_t seed = 0; seed < 3; ++seed) {
            phone_.Restart(seed);
            phone_.clock.Advance(hours(1000));
            ExpectQuarantine(why);
        }
        EXPECT_EQ(discarded, phone_.flash.discarded_bytes());
    }

    CanaryPhone phone_;
};

TEST_F(ChipGuardTest, VerifiesAHealthyChip) {
    const TrimAdmission examined = phone_.Examine();
    EXPECT_EQ("verified", examined.verdict);
    EXPECT_EQ(Answer::kWait, examined.answer);
    EXPECT_EQ(kCanaryWrittenBytes, examined.written_bytes);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
    EXPECT_EQ(std::nullopt, phone_.guard->QuarantineReason({CanaryPhone::data()}));
    EXPECT_THAT(phone_.guard->WaitReason({CanaryPhone::cache()}).value_or(""), HasSubstr("3 d"));
    // The trial is made once.
    EXPECT_EQ(0U, phone_.Examine().written_bytes);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
}

TEST_F(ChipGuardTest, GoesAheadAfterARestart) {
    phone_.Examine();
    phone_.Restart();
    EXPECT_EQ(std::nullopt, phone_.guard->WaitReason({CanaryPhone::data()}));
    const TrimAdmission examined = phone_.Examine();
    EXPECT_EQ(Answer::kGo, examined.answer);
    EXPECT_EQ("", examined.why);
    EXPECT_EQ(0U, examined.written_bytes);
    // The result is final: no later boot waits.
    EXPECT_TRUE(phone_.trust().after_restart);
}

TEST_F(ChipGuardTest, GoesAheadWithoutARestartIntoTheFourthDay) {
    phone_.Examine();
    phone_.clock.Advance(hours(71));
    EXPECT_EQ(Answer::kWait, phone_.Examine().answer);
    EXPECT_EQ(Answer::kGo, phone_.Examine(true).answer);
    phone_.clock.Advance(hours(1));
    EXPECT_EQ(Answer::kGo, phone_.Examine().answer);
    // A restart of the daemon alone is no restart of the chip.
    phone_.StartDaemon();
    EXPECT_FALSE(phone_.trust().after_restart);
}

TEST_F(ChipGuardTest, QuarantinesAfterTheGapAlone) {
    phone_.flash.faults.garbled = 16;
    EXPECT_EQ(Answer::kNever, phone_.Examine().answer);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
    ExpectQuarantineForEver("16 of 16 blocks of 4 KiB right before a discard");
}

TEST_F(ChipGuardTest, FindsASingleGarbledBlock) {
    phone_.flash.faults.garbled = 1;
    phone_.Examine();
    ExpectQuarantineForEver("1 of 16 blocks");
}

TEST_F(ChipGuardTest, FindsOnF2fsWhatItFindsOnExt4) {
    phone_.Mount("f2fs", "rw,nodiscard");
    EXPECT_EQ("verified", phone_.Verdict());
    phone_.Restart();
    phone_.flash.faults.garbled = 16;
    phone_.SetFirmware("0x02");
    phone_.Examine();
    ExpectQuarantineForEver("16 of 16 blocks");
}

// The canary is written piece by piece, so that nobody waits for all of it.
TEST_F(ChipGuardTest, WritesTheFirstCanaryOnF2fsIntoALogOfItsOwn) {
    phone_.Mount("f2fs", "rw,nodiscard");
    phone_.Examine();
    EXPECT_THAT(phone_.flash.write_lives, ElementsAre(RWH_WRITE_LIFE_EXTREME));
    // Other files' blocks may have got in between, so the next canary is written at once.
    phone_.flash.RemoveFile("canary");
    EXPECT_EQ(kF2fsCanaryWrittenBytes, phone_.Examine().written_bytes);
    EXPECT_THAT(phone_.flash.write_lives, SizeIs(1));
    CanaryPhone old;
    old.Mount("f2fs", "rw,nodiscard");
    old.flash.knows_write_lives = false;
    EXPECT_EQ("verified", old.Verdict());
}

TEST_F(ChipGuardTest, FindsDamageThatShowsAfterAPowerCycle) {
    phone_.flash.faults = {.garbled = 16, .garbled_later = true};
    EXPECT_EQ(Answer::kWait, phone_.Examine().answer);
    phone_.Restart();
    phone_.guard->Recheck();
    EXPECT_EQ(State::kQuarantined, phone_.trust().state);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
    ExpectQuarantineForEver("16 of 16 blocks");
}

TEST_F(ChipGuardTest, FindsDamageOfLaterTrims) {
    phone_.Examine();
    phone_.Restart();
    EXPECT_EQ("verified", phone_.Verdict());
    phone_.flash.Garble("canary", 0);
    ExpectQuarantineForEver("1 of 16 blocks");
}

TEST_F(ChipGuardTest, QuarantinesAChipThatDiesOfTheFirstDiscard) {
    phone_.flash.faults.dies_at_discard = 1;
    EXPECT_EQ(Answer::kNever, phone_.Examine().answer);
    EXPECT_EQ(0U, phone_.flash.discarded_bytes());
    ExpectQuarantine("the first discard failed");
}

TEST_F(ChipGuardTest, QuarantinesAChipThatTakesTheSystemDownThreeTimes) {
    phone_.flash.faults = {.dies_at_discard = 1, .revives = true};
    for (unsigned boot = 1; boot <= kMaxUnfinishedTrials; ++boot) {
        phone_.Examine();
        phone_.Restart(boot);
    }
    ExpectQuarantineForEver("3 trial trims in a row");
    EXPECT_EQ(0U, phone_.flash.discarded_bytes());
}

TEST_F(ChipGuardTest, QuarantinesAChipThatCannotReadTheCanary) {
    phone_.discard = [this](uint64_t start, uint64_t length) {
        phone_.flash.faults.unreadable = true;
        return phone_.flash.Discard(start, length);
    };
    EXPECT_EQ(Answer::kNever, phone_.Examine().answer);
    phone_.flash.faults.unreadable = false;
    ExpectQuarantineForEver("cannot be read");
}

TEST_F(ChipGuardTest, KeepsAQuarantineInMemoryThatCannotBeWritten) {
    phone_.discard = [this](uint64_t start, uint64_t length) {
        phone_.flash.faults.garbled = 16;
        Result<uint64_t> answer = phone_.flash.Discard(start, length);
        // These calls are enough to read the canary; the record comes after it.
        phone_.flash.power_off_after = phone_.flash.calls() + 12;
        return answer;
    };
    phone_.Examine();
    EXPECT_EQ(State::kQuarantined, phone_.trust().state);
    // The record on the disk says that a trial was under way; the canary shows its result.
    phone_.Restart();
    phone_.guard->Recheck();
    EXPECT_EQ(State::kQuarantined, phone_.trust().state);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
}

TEST_F(ChipGuardTest, SaysWhatItCannotKnowOfAFileSystemThatDiscardsByItself) {
    for (const char* type : {"ext4", "f2fs"}) {
        CanaryPhone phone;
        phone.Mount(type, "rw,discard");
        phone.flash.discards_itself = true;
        const TrimAdmission admission = phone.Examine();
        EXPECT_EQ(Answer::kGo, admission.answer);
        EXPECT_EQ("unverified", admission.verdict);
        EXPECT_THAT(admission.why, HasSubstr("mounted with discard"));
        // The canary is watched nevertheless.
        EXPECT_EQ(0U, phone.Examine().written_bytes);
        phone.flash.Garble("canary", 0);
        EXPECT_EQ("quarantined", phone.Verdict());
    }
}

TEST_F(ChipGuardTest, FindsWhatTheFileSystemsOwnDiscardDid) {
    phone_.Mount("ext4", "rw,discard");
    phone_.flash.discards_itself = true;
    phone_.flash.faults.garbled = 16;
    phone_.Examine();
    ExpectQuarantineForEver("a discard have other content");
}

TEST_F(ChipGuardTest, ProvesItOnceTheFileSystemDiscardsNoMore) {
    phone_.Mount("ext4", "rw,discard");
    EXPECT_EQ("unverified", phone_.Verdict());
    phone_.Mount("ext4", "rw");
    EXPECT_EQ("verified", phone_.Verdict());
    EXPECT_EQ(kCanaryWrittenBytes, phone_.trust().written_bytes);
}

TEST_F(ChipGuardTest, TriesAgainOnceThereIsRoom) {
    phone_.flash.free_blocks_for_users = 10;
    const TrimAdmission admission = phone_.Examine();
    EXPECT_EQ("unverified", admission.verdict);
    EXPECT_EQ(Answer::kGo, admission.answer);
    EXPECT_THAT(admission.why, HasSubstr("/data has 40 KiB free"));
    EXPECT_EQ(0U, phone_.flash.discarded_bytes());
    phone_.flash.free_blocks_for_users = 100000;
    EXPECT_EQ("verified", phone_.Verdict());
}

TEST_F(ChipGuardTest, WritesNothingWhereTheRoomIsInPieces) {
    phone_.flash.piece_blocks = 8;
    const uint64_t records = phone_.flash.written_bytes();
    EXPECT_THAT(phone_.Examine().why, HasSubstr("too fragmented"));
    phone_.Examine();
    EXPECT_EQ(kCanaryWrittenBytes, phone_.trust().written_bytes);
    EXPECT_FALSE(phone_.flash.Has("canary"));
    EXPECT_LE(records, phone_.flash.written_bytes());
}

TEST_F(ChipGuardTest, PlantsNoMoreThanTheBudget) {
    uint64_t written = 0;
    for (int i = 0; i < 9; ++i) {
        phone_.Restart();
        phone_.Examine();
        const TrimAdmission examined = phone_.Examine();
        if (phone_.flash.Has("canary")) phone_.flash.RemoveFile("canary");
        written = phone_.trust().written_bytes;
        static_cast<void>(examined);
    }
    EXPECT_EQ(5 * kCanaryWrittenBytes, written);
    EXPECT_THAT(phone_.Examine().why, HasSubstr("another would exceed 1 MiB"));
}

TEST_F(ChipGuardTest, PlantsAnewWhatOthersHaveTouched) {
    const std::pair<const char*, std::function<void()>> touches[] = {
            {"removed", [this] { phone_.flash.RemoveFile("canary"); }},
            {"written by others", [this] { phone_.flash.Change("canary", 0); }},
    };
    for (const auto& [why, touch] : touches) {
        phone_.Examine();
        touch();
        phone_.guard->Recheck();
        EXPECT_EQ(State::kUnknown, phone_.trust().state);
        EXPECT_THAT(phone_.trust().why, HasSubstr(why));
        EXPECT_EQ("verified", phone_.Verdict());
    }
    EXPECT_EQ(3 * kCanaryWrittenBytes, phone_.trust().written_bytes);
}

TEST_F(ChipGuardTest, JudgesNothingByACanaryThatTheFileSystemMoved) {
    phone_.Examine();
    phone_.flash.Move("canary");
    EXPECT_EQ("verified", phone_.Verdict());
    EXPECT_EQ(kCanaryWrittenBytes, phone_.trust().written_bytes);
    phone_.flash.Garble("canary", 4096);
    phone_.guard->Recheck();
    EXPECT_THAT(phone_.trust().why, HasSubstr("moved"));
}

TEST_F(ChipGuardTest, PlantsAnewWhereOthersTookTheGap) {
    const ChipGuard::Discard works = phone_.discard;
    phone_.discard = [](uint64_t, uint64_t) -> Result<uint64_t> {
        return Error(EINTR) << "killed";
    };
    phone_.Examine();
    phone_.discard = works;
    phone_.flash.Occupy(phone_.trust().canary->gap.physical, 4096);
    EXPECT_EQ("verified", phone_.Verdict());
    EXPECT_EQ(2 * kCanaryWrittenBytes, phone_.trust().written_bytes);
}

TEST_F(ChipGuardTest, PlantsAnotherCanaryForAnotherFirmware) {
    phone_.Examine();
    phone_.Restart();
    phone_.Examine();
    phone_.SetFirmware("0x02");
    EXPECT_EQ(Answer::kWait, phone_.Examine().answer);
    EXPECT_EQ(2 * kCanaryWrittenBytes, phone_.trust().written_bytes);
    EXPECT_EQ(2 * kGap, phone_.flash.discarded_bytes());
}

TEST_F(ChipGuardTest, ReadsTheOldCanaryBeforeItTriesAnotherFirmware) {
    phone_.Examine();
    phone_.Restart();
    phone_.flash.Garble("canary", 4096);
    phone_.SetFirmware("0x02");
    EXPECT_EQ("quarantined", phone_.Verdict());
}

TEST_F(ChipGuardTest, GoesOnAfterAnAbort) {
    const ChipGuard::Discard works = phone_.discard;
    phone_.discard = [](uint64_t, uint64_t) -> Result<uint64_t> {
        return Error(EINTR) << "killed";
    };
    const TrimAdmission admission = phone_.Examine();
    EXPECT_EQ("unverified", admission.verdict);
    EXPECT_THAT(admission.why, HasSubstr("stopped"));
    phone_.discard = works;
    EXPECT_EQ("verified", phone_.Verdict());
    EXPECT_EQ(kCanaryWrittenBytes, phone_.trust().written_bytes);
}

TEST_F(ChipGuardTest, TakesARefusalForNoFault) {
    phone_.discard = [](uint64_t, uint64_t) -> Result<uint64_t> {
        return Error(EOPNOTSUPP) << "FITRIM";
    };
    EXPECT_EQ("unverified", phone_.Verdict());
    phone_.discard = [](uint64_t, uint64_t) -> Result<uint64_t> { return 0; };
    const TrimAdmission admission = phone_.Examine();
    EXPECT_EQ("unverified", admission.verdict);
    EXPECT_THAT(admission.why, HasSubstr("discarded 0 bytes of 64 KiB"));
    EXPECT_EQ(State::kWatched, phone_.trust().state);
}

TEST_F(ChipGuardTest, ReservesALongGapForACoarseCard) {
    phone_.SetGranularity(4 << 20);
    const TrimAdmission examined = phone_.Examine();
    EXPECT_EQ("verified", examined.verdict);
    EXPECT_EQ(kCanaryWrittenBytes, examined.written_bytes);
    EXPECT_EQ(4U << 20, phone_.flash.discarded_bytes());
    phone_.SetGranularity(65 << 20);
    phone_.flash.RemoveFile("canary");
    EXPECT_THAT(phone_.Examine().why, HasSubstr("units of 65 MiB"));
}

TEST_F(ChipGuardTest, NeedsDataToBeTrimmed) {
    phone_.may_discard = false;
    EXPECT_THAT(phone_.Examine().why,
                HasSubstr("/data, which holds the canary file, must not be trimmed"));
    EXPECT_FALSE(phone_.flash.Has("canary"));
}

TEST_F(ChipGuardTest, LeavesAFileSystemOnSeveralChipsUnverified) {
    const std::vector<dev_t> both = {CanaryPhone::data(), *ParseDevice("179:8")};
    phone_.tree.Write("/sys/dev/block/179:8/device/cid", "150100544553544d3107deadbeee3b9f\n");
    const TrimAdmission examined = phone_.guard->Examine(both, false, &phone_.discard);
    EXPECT_EQ("unverified", examined.verdict);
    EXPECT_EQ(Answer::kGo, examined.answer);
    EXPECT_THAT(examined.why, HasSubstr("spans several chips"));
    EXPECT_EQ(0U, examined.written_bytes);
    phone_.Examine();
    EXPECT_EQ(std::nullopt, phone_.guard->WaitReason(both));
}

TEST_F(ChipGuardTest, RefusesAFileSystemWithOneChipInQuarantine) {
    phone_.flash.faults.garbled = 16;
    phone_.Examine();
    EXPECT_NE(std::nullopt,
              phone_.guard->QuarantineReason({*ParseDevice("179:8"), CanaryPhone::data()}));
}

TEST_F(ChipGuardTest, ServesTheChipOfDataAlone) {
    phone_.tree.Write("/sys/dev/block/179:8/device/cid", "150100544553544d3107deadbeee3b9f\n");
    TrimAdmission examined = phone_.guard->Examine({*ParseDevice("179:8")}, false, &phone_.discard);
    EXPECT_EQ("unverified", examined.verdict);
    EXPECT_THAT(examined.why, HasSubstr("on another chip"));
    examined = phone_.guard->Examine({*ParseDevice("254:0")}, false, &phone_.discard);
    EXPECT_THAT(examined.why, HasSubstr("no identity"));
    EXPECT_EQ(std::nullopt, phone_.guard->QuarantineReason({*ParseDevice("254:0")}));
    EXPECT_EQ(std::nullopt, phone_.guard->WaitReason({*ParseDevice("254:0")}));
    // /cache is on the chip of /data.
    EXPECT_EQ("verified",
              phone_.guard->Examine({CanaryPhone::cache()}, true, &phone_.discard).verdict);
}

TEST_F(ChipGuardTest, TakesALostWriteWithNobarrierForNoFault) {
    phone_.Mount("ext4", "rw,nobarrier");
    phone_.flash.loses_synced = true;
    // The record has a page of its own and survives; half of the canary is lost.
    EXPECT_EQ("verified", phone_.Verdict());
    phone_.Restart(3);
    EXPECT_NE("quarantined", phone_.Verdict());
}

TEST_F(ChipGuardTest, LiftsAQuarantine) {
    EXPECT_EQ(0U, *phone_.guard->LiftQuarantine());
    phone_.flash.faults.garbled = 16;
    phone_.Examine();
    EXPECT_EQ(1U, *phone_.guard->LiftQuarantine());
    EXPECT_FALSE(phone_.flash.Has("canary"));
    phone_.Restart();
    // A restart lifts no quarantine.
    phone_.Examine();
    ExpectQuarantineForEver("16 of 16 blocks");
}

TEST_F(ChipGuardTest, RemovesALeftoverThatNobodyRemembers) {
    {
        const auto fd = phone_.flash.Open(FakeFlash::PathOf("canary"), O_RDWR | O_CREAT);
        ASSERT_TRUE(fd.ok());
        ASSERT_TRUE(phone_.flash.Pwrite(*fd, "left", 4, 0).ok());
    }
    EXPECT_EQ("verified", phone_.Verdict());
}

TEST_F(ChipGuardTest, RechecksNothingWithoutACanary) {
    phone_.guard->Recheck();
    EXPECT_EQ(ChipTrust(), phone_.trust());
    phone_.tree.Remove("/proc/self/mountinfo");
    phone_.guard->Recheck();
    EXPECT_EQ(ChipTrust(), phone_.trust());
}

// The power goes off at each moment of an examination. A healthy chip stays out of quarantine, one
// that garbles is found, and nothing but the gap is discarded before that.
TEST_F(ChipGuardTest, SurvivesAPowerCutAtAnyMoment) {
    for (const uint64_t garbled : {0, 16}) {
        CanaryPhone whole;
        whole.flash.faults.garbled = garbled;
        whole.Examine();
        const uint64_t calls = whole.flash.calls();
        ASSERT_GT(calls, 30U);
        for (uint64_t cut = 0; cut < calls; ++cut) {
            CanaryPhone phone;
            phone.flash.faults.garbled = garbled;
            phone.flash.power_off_after = cut;
            phone.Examine();
            phone.Restart(cut);
            EXPECT_EQ(garbled == 0 ? "verified" : "quarantined", phone.Verdict()) << cut;
            EXPECT_LE(phone.flash.discarded_bytes(), 2 * kGap) << cut;
            EXPECT_LE(phone.trust().written_bytes, kCanaryBudgetBytes) << cut;
        }
    }
}

}  // namespace
}  // namespace storekeeper
