// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maintenance/canary/canary.h"

namespace storekeeper {
namespace {

using State = ChipTrust::State;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ChipTrust Trust(const std::string& id, State state) {
    return {.chip = {.id = id, .firmware = "0x07"},
            .state = state,
            .since = {.boot_id = "boot", .since_boot = BootTime(5), .wall = WallTime(6)},
            .written_bytes = 327680,
            .unfinished = 2,
            .after_restart = true,
            .why = "a \"reason\""};
}

TEST(ChipTrustTest, IsReadAsItWasWritten) {
    std::vector<ChipTrust> chips;
    for (const State state : {State::kUnknown, State::kPlanting, State::kTrying, State::kPassed,
                              State::kWatched, State::kQuarantined}) {
        chips.push_back(Trust("chip" + std::to_string(chips.size()), state));
    }
    chips[3].canary = Canary{.seed = UINT64_MAX,
                             .inode = 12,
                             .size = 327680,
                             .modified_ns = 1'767'225'600'123'456'789,
                             .gap = {.offset = 65536, .length = 196608, .physical = 1ULL << 40}};
    const std::string text = FormatChipTrust(chips);
    EXPECT_EQ(std::string::npos, text.find('\n'));
    EXPECT_EQ(chips, *ParseChipTrust(text));
}

TEST(ChipTrustTest, RefusesWhatIsNone) {
    EXPECT_THAT(*ParseChipTrust(""), IsEmpty());
    const std::string good = FormatChipTrust({Trust("chip", State::kPassed)});
    for (const auto& [what, instead] :
         {std::pair("{", ""), std::pair("\"chips\":[", "\"chips\":7,\"x\":["),
          std::pair("\"passed\"", "\"loved\""), std::pair("\"why\"", "\"reason\""),
          std::pair("327680", "-1"), std::pair("\"canary\":null", "\"canary\":3"),
          std::pair("\"canary\":null", "\"canary\":{}"), std::pair("[{", "[3,{")}) {
        const std::string bad = android::base::StringReplace(good, what, instead, false);
        ASSERT_NE(bad, good) << what;
        EXPECT_FALSE(ParseChipTrust(bad).ok()) << bad;
    }
}

TEST(ChipTrustTest, IsKeptByChip) {
    std::vector<ChipTrust> chips;
    PutTrust(Trust("a", State::kPassed), &chips);
    PutTrust(Trust("b", State::kPassed), &chips);
    PutTrust(Trust("a", State::kQuarantined), &chips);
    EXPECT_THAT(chips, ElementsAre(Trust("a", State::kQuarantined), Trust("b", State::kPassed)));
    EXPECT_EQ(State::kQuarantined, TrustOf(chips, "a").state);
    EXPECT_EQ(ChipTrust(), TrustOf(chips, "c"));
}

TEST(ChipTrustTest, IsReportedWithoutTheCanary) {
    const Json::Value json = ChipTrustToJson(Trust("a", State::kQuarantined));
    EXPECT_EQ("quarantined", json["state"].asString());
    EXPECT_EQ(6, json["since_wall_s"].asInt64());
    EXPECT_THAT(json.getMemberNames(),
                ElementsAre("after_restart", "chip", "firmware", "since_wall_s", "state", "why",
                            "written_bytes"));
}

}  // namespace
}  // namespace storekeeper
