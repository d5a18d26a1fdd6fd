// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/canary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace storekeeper {
namespace {

using State = ChipTrust::State;
using Kind = CanaryReading::Kind;
using Answer = TrimAdmission::Answer;
using std::chrono::hours;
using testing::HasSubstr;

const Chip kChip{.id = "0123456789abcdef", .firmware = "0x01"};
const RunStamp kNow{.boot_id = "one", .since_boot = hours(1), .wall = WallTime(1000)};

RunStamp Later(hours passed) {
    RunStamp later = kNow;
    later.since_boot += passed;
    return later;
}

RunStamp AfterARestart() {
    return {.boot_id = "two", .since_boot = hours(0), .wall = WallTime(2000)};
}

ChipTrust In(State state) {
    return {.chip = kChip, .state = state, .since = kNow, .canary = Canary()};
}

TEST(CanaryContentTest, IsKnownAndDiffersByPlaceAndSeed) {
    std::array<uint8_t, 4096> page = {};
    std::array<uint8_t, 4096> other = {};
    FillCanaryPage(1, 0, page);
    FillCanaryPage(1, 0, other);
    EXPECT_EQ(page, other);
    FillCanaryPage(1, 4096, other);
    EXPECT_NE(page, other);
    FillCanaryPage(2, 0, other);
    EXPECT_NE(page, other);
    // The content is incompressible: no eight bytes of it occur twice.
    std::set<uint64_t> words;
    for (size_t i = 0; i < page.size(); i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, page.data() + i, sizeof(word));
        words.insert(word);
    }
    EXPECT_EQ(words.size(), page.size() / sizeof(uint64_t));
}

TEST(AdmitTest, RefusesAChipInQuarantineAlsoByCommand) {
    ChipTrust trust = In(State::kQuarantined);
    trust.why = "garbled";
    for (const bool manual : {false, true}) {
        const TrimAdmission admission = Admit(trust, AfterARestart(), hours(0), manual);
        EXPECT_EQ(Answer::kNever, admission.answer);
        EXPECT_EQ("quarantined", admission.verdict);
        EXPECT_EQ("garbled", admission.why);
    }
}

TEST(AdmitTest, WaitsForARestart) {
    const ChipTrust trust = In(State::kPassed);
    EXPECT_EQ(Answer::kWait, Admit(trust, Later(hours(71)), hours(72), false).answer);
    EXPECT_EQ(Answer::kGo, Admit(trust, Later(hours(72)), hours(72), false).answer);
    EXPECT_EQ(Answer::kGo, Admit(trust, kNow, hours(0), false).answer);
    EXPECT_EQ(Answer::kGo, Admit(trust, AfterARestart(), hours(72), false).answer);
    const TrimAdmission manual = Admit(trust, kNow, hours(72), true);
    EXPECT_EQ(Answer::kGo, manual.answer);
    EXPECT_EQ("verified", manual.verdict);
    EXPECT_EQ("not yet after a restart", manual.why);
}

TEST(AdmitTest, NeedsNothingMoreAfterARestart) {
    ChipTrust trust = In(State::kPassed);
    trust.after_restart = true;
    const TrimAdmission admission = Admit(trust, kNow, hours(72), false);
    EXPECT_EQ(Answer::kGo, admission.answer);
    EXPECT_EQ("verified", admission.verdict);
    EXPECT_EQ("", admission.why);
}

TEST(AdmitTest, LetsTrimsPassWhereNothingCanBeKnown) {
    for (const State state : {State::kUnknown, State::kPlanting, State::kTrying, State::kWatched}) {
        const TrimAdmission admission = Admit(In(state), kNow, hours(72), false);
        EXPECT_EQ(Answer::kGo, admission.answer);
        EXPECT_EQ("unverified", admission.verdict);
        EXPECT_THAT(admission.why, HasSubstr("no canary"));
    }
    ChipTrust trust = In(State::kWatched);
    trust.why = "mounted with discard";
    EXPECT_EQ("mounted with discard", Admit(trust, kNow, hours(72), false).why);
}

TEST(AfterReadingTest, PassesATrialThatDidNoHarm) {
    ChipTrust trust = In(State::kTrying);
    trust.unfinished = 1;
    trust.why = "stopped";
    trust = TrustAfterReading(trust, {.kind = Kind::kIntact}, kNow);
    EXPECT_EQ(State::kPassed, trust.state);
    EXPECT_EQ(0U, trust.unfinished);
    EXPECT_EQ("", trust.why);
    EXPECT_FALSE(TrustAfterReading(trust, {.kind = Kind::kIntact}, Later(hours(80))).after_restart);
    EXPECT_TRUE(TrustAfterReading(trust, {.kind = Kind::kIntact}, AfterARestart()).after_restart);
    EXPECT_EQ(In(State::kWatched),
              TrustAfterReading(In(State::kWatched), {.kind = Kind::kIntact}, kNow));
}

TEST(AfterReadingTest, QuarantinesForGood) {
    for (const State state : {State::kUnknown, State::kTrying, State::kPassed, State::kWatched}) {
        const ChipTrust trust =
                TrustAfterReading(In(state), {.kind = Kind::kDamaged, .why = "garbled"}, kNow);
        EXPECT_EQ(State::kQuarantined, trust.state);
        EXPECT_EQ("garbled", trust.why);
        for (const Kind kind : {Kind::kIntact, Kind::kGone, Kind::kUnreadable, Kind::kDamaged}) {
            EXPECT_EQ(trust,
                      TrustAfterReading(trust, {.kind = kind, .why = "later"}, AfterARestart()));
        }
    }
}

TEST(AfterReadingTest, BeginsAnewWithoutACanary) {
    ChipTrust trust = In(State::kPassed);
    trust.after_restart = true;
    trust.written_bytes = 5;
    trust = TrustAfterReading(trust, {.kind = Kind::kGone, .why = "removed"}, kNow);
    EXPECT_EQ(State::kUnknown, trust.state);
    EXPECT_EQ(std::nullopt, trust.canary);
    EXPECT_FALSE(trust.after_restart);
    EXPECT_EQ(5U, trust.written_bytes);
    EXPECT_EQ("removed", trust.why);
}

TEST(AfterReadingTest, LeavesWhatCannotBeReadNow) {
    EXPECT_EQ(In(State::kPassed),
              TrustAfterReading(In(State::kPassed), {.kind = Kind::kUnreadable}, AfterARestart()));
}

TEST(AtBeginTest, KnowsNothingOfAnotherChip) {
    const Chip other{.id = "fedcba9876543210", .firmware = "0x01"};
    EXPECT_EQ((ChipTrust{.chip = other}), TrustAtBegin(In(State::kQuarantined), other, kNow));
}

TEST(AtBeginTest, TriesAnotherFirmwareAnew) {
    ChipTrust trust = In(State::kPassed);
    trust.after_restart = true;
    EXPECT_EQ(trust, TrustAtBegin(trust, kChip, Later(hours(1))));
    const Chip newer{.id = kChip.id, .firmware = "0x02"};
    trust = TrustAtBegin(trust, newer, kNow);
    EXPECT_EQ(State::kUnknown, trust.state);
    EXPECT_EQ(newer, trust.chip);
    EXPECT_FALSE(trust.after_restart);
    EXPECT_TRUE(trust.canary.has_value());
    // A quarantine outlives new firmware.
    EXPECT_EQ(State::kQuarantined, TrustAtBegin(In(State::kQuarantined), newer, kNow).state);
}

TEST(AtBeginTest, QuarantinesAfterTrialsThatEndedWithTheSystem) {
    ChipTrust trust = In(State::kTrying);
    for (unsigned i = 1; i < kMaxUnfinishedTrials; ++i) {
        trust = TrustAtBegin(trust, kChip, AfterARestart());
        EXPECT_EQ(State::kUnknown, trust.state);
        EXPECT_EQ(i, trust.unfinished);
        trust.state = State::kTrying;
        // The daemon alone died, which is no sign of a fault of the chip.
        EXPECT_EQ(i, TrustAtBegin(trust, kChip, AfterARestart()).unfinished);
        trust.since = kNow;
    }
    trust = TrustAtBegin(trust, kChip, AfterARestart());
    EXPECT_EQ(State::kQuarantined, trust.state);
    EXPECT_THAT(trust.why, HasSubstr("3 trial trims in a row"));
    EXPECT_EQ(State::kUnknown, TrustAtBegin(In(State::kPlanting), kChip, kNow).state);
}

}  // namespace
}  // namespace storekeeper
