// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/alerts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/wear_history.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Level = Verdict::Level;

// Updates the alerts once a day, with a restart each time.
class AlertsTest : public testing::Test {
  protected:
    AlertChanges Update(const std::vector<WearSample>& samples, const Forecast& forecast = {}) {
        Result<AlertState> state = ParseAlertState(FormatAlertState(state_));
        EXPECT_TRUE(state.ok()) << state.error();
        state_ = *state;
        now_ += days{1};
        return UpdateAlerts(BuildLedger(samples), forecast,
                            {.device = "mmcblk0 (VEMMC1)",
                             .critical_health = critical_health_,
                             .over_budget = over_budget_},
                            now_, &state_);
    }

    // Updates with a card that reports `wear`.
    AlertChanges See(WearReading wear) {
        samples_.push_back({.wall = now_,
                            .boot_id = std::to_string(now_.count()),
                            .chip = "a",
                            .wear = wear,
                            .filesystem_written_bytes = 0});
        return Update(samples_);
    }

    // Updates with a forecast that ends in `latest_days` at the latest.
    AlertChanges Foresee(int latest_days) {
        samples_.push_back({.wall = now_, .chip = "a"});
        Forecast forecast{.state = Forecast::State::kRange, .made = now_};
        forecast.earliest = now_;
        forecast.latest = now_ + days{latest_days};
        return Update(samples_, forecast);
    }

    std::vector<std::string> Standing() const {
        std::vector<std::string> codes;
        for (const AlertState::Entry& entry : state_.entries) {
            codes.push_back(entry.alert.code + " " + NameOf(entry.alert.level));
        }
        return codes;
    }

    template <typename T>
    using Result = android::base::Result<T>;

    std::vector<WearSample> samples_;
    std::optional<uint64_t> critical_health_;
    std::optional<std::string> over_budget_;
    AlertState state_;
    WallTime now_ = WearHistory::kBegin;
};

TEST_F(AlertsTest, ReportsEachLevelOnceAndNamesWhatItIs) {
    EXPECT_THAT(See({.life_time_a = 8, .life_time_b = 1, .pre_eol_info = 1}).raised, IsEmpty());
    AlertChanges changes = See({.life_time_a = 9, .life_time_b = 1, .pre_eol_info = 1});
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_EQ("life_a", changes.raised[0].code);
    EXPECT_EQ(Level::kWarning, changes.raised[0].level);
    EXPECT_EQ(now_, changes.raised[0].since);
    EXPECT_EQ(
            "mmcblk0 (VEMMC1): life time A is 80-90 % used, rising, before 2023-11 it was 70-80 % "
            "used (warning at 80 % used, urgent past the rated life)",
            changes.raised[0].text);
    EXPECT_THAT(See({.life_time_a = 9, .life_time_b = 1, .pre_eol_info = 1}).raised, IsEmpty());
    // A further step of the same level raises nothing; past the rated life is urgent.
    EXPECT_THAT(See({.life_time_a = 10, .life_time_b = 1, .pre_eol_info = 1}).raised, IsEmpty());
    changes = See({.life_time_a = 11, .life_time_b = 9, .pre_eol_info = 1});
    ASSERT_THAT(changes.raised, SizeIs(2));
    EXPECT_EQ(Level::kUrgent, changes.raised[0].level);
    EXPECT_EQ("life_b", changes.raised[1].code);
    EXPECT_THAT(Standing(), ElementsAre("life_a urgent", "life_b warning"));
}

TEST_F(AlertsTest, PreEol) {
    EXPECT_THAT(See({.pre_eol_info = 1}).raised, IsEmpty());
    AlertChanges changes = See({.pre_eol_info = 2});
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_THAT(changes.raised[0].text,
                AllOf(HasSubstr("mmcblk0"), HasSubstr("pre-EOL is warning"), HasSubstr("rising"),
                      HasSubstr("it was normal"), HasSubstr("urgent at 90 %")));
    EXPECT_THAT(See({.pre_eol_info = 2}).raised, IsEmpty());
    changes = See({.pre_eol_info = 3});
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_EQ(Level::kUrgent, changes.raised[0].level);
}

TEST_F(AlertsTest, AWornChipIsReportedWhenItIsFirstSeen) {
    AlertChanges changes = See({.life_time_b = 10});
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_THAT(changes.raised[0].text, HasSubstr("as when first seen"));
}

TEST_F(AlertsTest, UnknownWearNeitherRaisesNorEndsAnAlert) {
    See({.life_time_a = 9});
    for (int day = 0; day < 30; ++day) {
        AlertChanges changes = See({.life_time_a = 0});
        EXPECT_THAT(changes.raised, IsEmpty());
        EXPECT_THAT(changes.ended, IsEmpty());
    }
    EXPECT_THAT(Standing(), ElementsAre("life_a warning"));
    EXPECT_THAT(See({.life_time_a = 9}).raised, IsEmpty());
    EXPECT_THAT(Update({}).ended, IsEmpty());
    EXPECT_THAT(Standing(), ElementsAre("life_a warning"));
}

TEST_F(AlertsTest, AnotherChipBeginsAnew) {
    See({.life_time_a = 9});
    samples_.push_back({.wall = now_, .boot_id = "x", .chip = "b", .wear = {.life_time_a = 9}});
    AlertChanges changes = Update(samples_);
    EXPECT_THAT(changes.ended, SizeIs(1));
    EXPECT_THAT(changes.raised, SizeIs(1));
    EXPECT_EQ("b", state_.chip);
}

TEST_F(AlertsTest, ForecastsThatWaverAreReportedOnce) {
    EXPECT_THAT(Foresee(400).raised, IsEmpty());
    EXPECT_THAT(Foresee(364).raised, SizeIs(1));
    size_t news = 0;
    for (int i = 0; i < 40; ++i) {
        AlertChanges changes = Foresee(i % 2 == 0 ? 440 : 350);
        news += changes.raised.size() + changes.ended.size();
    }
    // The forecast is beyond the holding threshold, but never for a whole week.
    for (int i = 0; i < 40; ++i) {
        AlertChanges changes = Foresee(i % 7 == 6 ? 350 : 800);
        news += changes.raised.size() + changes.ended.size();
    }
    EXPECT_EQ(0, news);
    EXPECT_THAT(Foresee(80).raised, SizeIs(1));
    EXPECT_THAT(Standing(), ElementsAre("forecast urgent"));
}

TEST_F(AlertsTest, EndsAfterAWeekAndIsReportedAnewThen) {
    Foresee(80);
    for (int day = 0; day < 7; ++day) EXPECT_THAT(Foresee(200).ended, IsEmpty());
    // The level falls, which raises nothing.
    EXPECT_THAT(Foresee(200).raised, IsEmpty());
    EXPECT_THAT(Standing(), ElementsAre("forecast warning"));
    for (int day = 0; day < 7; ++day) EXPECT_THAT(Foresee(800).ended, IsEmpty());
    AlertChanges changes = Foresee(800);
    ASSERT_THAT(changes.ended, SizeIs(1));
    EXPECT_EQ("forecast", changes.ended[0].code);
    EXPECT_THAT(Standing(), IsEmpty());
    EXPECT_THAT(Foresee(300).raised, SizeIs(1));
}

TEST_F(AlertsTest, AClockThatGoesBackDoesNotKeepItForEver) {
    Foresee(300);
    Foresee(800);
    now_ -= days{3000};
    for (int day = 0; day < 7; ++day) EXPECT_THAT(Foresee(800).ended, IsEmpty());
    EXPECT_THAT(Foresee(800).ended, SizeIs(1));
}

TEST_F(AlertsTest, ACriticalHealthConditionIsRaisedOnceAndOutlivesAReboot) {
    const WearReading fine{.life_time_a = 1, .life_time_b = 1, .pre_eol_info = 1};
    EXPECT_THAT(See(fine).raised, IsEmpty());
    critical_health_ = 0;
    EXPECT_THAT(See(fine).raised, IsEmpty());
    critical_health_ = 1;
    const AlertChanges changes = See(fine);
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_EQ("critical_health", changes.raised[0].code);
    EXPECT_EQ(Level::kUrgent, changes.raised[0].level);
    EXPECT_THAT(changes.raised[0].text,
                AllOf(HasSubstr("mmcblk0 (VEMMC1): the chip has reported critical health 1 time "),
                      HasSubstr("back up the data")));
    critical_health_ = 3;
    EXPECT_THAT(See(fine).raised, IsEmpty());
    EXPECT_THAT(state_.entries[0].alert.text, HasSubstr("critical health 3 times"));
    // The count restarts at 0; later the kernel does not report it.
    critical_health_ = 0;
    for (int day = 0; day < 7; ++day) EXPECT_THAT(See(fine).ended, IsEmpty()) << day;
    critical_health_.reset();
    EXPECT_THAT(See(fine).ended, IsEmpty());
    critical_health_ = 0;
    EXPECT_THAT(See(fine).ended, SizeIs(1));
}

TEST_F(AlertsTest, AWriterOverItsBudgetIsWarnedOfOnceAndForgottenWithTheBudget) {
    const WearReading fine{.life_time_a = 1, .life_time_b = 1, .pre_eol_info = 1};
    over_budget_ = "";
    EXPECT_THAT(See(fine).raised, IsEmpty());
    over_budget_ = "uid 10101 wrote much";
    const AlertChanges changes = See(fine);
    ASSERT_THAT(changes.raised, SizeIs(1));
    EXPECT_EQ("write_budget", changes.raised[0].code);
    EXPECT_EQ(Level::kWarning, changes.raised[0].level);
    EXPECT_EQ("mmcblk0 (VEMMC1): uid 10101 wrote much", changes.raised[0].text);
    over_budget_ = "uid 10102 wrote much";
    EXPECT_THAT(See(fine).raised, IsEmpty());
    EXPECT_THAT(state_.entries[0].alert.text, HasSubstr("uid 10102"));
    over_budget_ = "";
    for (int day = 0; day < 7; ++day) EXPECT_THAT(See(fine).ended, IsEmpty()) << day;
    EXPECT_THAT(See(fine).ended, SizeIs(1));
    over_budget_ = "uid 10101 wrote much";
    EXPECT_THAT(See(fine).raised, SizeIs(1));
    over_budget_.reset();
    EXPECT_THAT(See(fine).ended, SizeIs(1));
    EXPECT_THAT(Standing(), IsEmpty());
}

struct RateCase {
    const char* name;
    double usual_gib;  // GiB per day
    double last_gib;   // GiB per day in the last week
    int days_before;
    std::vector<std::string> standing;
};

class AlertsRateTest : public testing::TestWithParam<RateCase> {};

TEST_P(AlertsRateTest, ReportsJumps) {
    WearHistory phone({});
    phone.Run(
            GetParam().days_before, [](int) { return GetParam().usual_gib; }, 5);
    phone.Run(
            7, [](int) { return GetParam().last_gib; }, 5);
    AlertState state;
    AlertChanges changes =
            UpdateAlerts(BuildLedger(phone.samples), {}, {.device = "sda"}, phone.clock(), &state);
    std::vector<std::string> raised;
    for (const Alert& alert : changes.raised) {
        raised.push_back(alert.code + " " + NameOf(alert.level));
        EXPECT_THAT(alert.text, AllOf(HasSubstr("sda: "), HasSubstr("rising"), HasSubstr("usual"),
                                      HasSubstr("3 times")));
    }
    EXPECT_EQ(GetParam().standing, raised);
    EXPECT_THAT(UpdateAlerts(BuildLedger(phone.samples), {}, {.device = "sda"}, phone.clock(),
                             &state)
                        .raised,
                IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
        All, AlertsRateTest,
        testing::Values(RateCase{"AsUsual", 5, 5, 60, {}},
                        RateCase{"ThreeTimesIsNotYet", 5, 15, 60, {}},
                        RateCase{"More", 5, 15.5, 60, {"write_rate warning"}},
                        RateCase{"MuchMore", 5, 51, 60, {"write_rate urgent"}},
                        RateCase{"FromNothing", 0, 2, 60, {"write_rate urgent"}},
                        RateCase{"BelowTheFloor", 0.1, 0.9, 60, {}},
                        RateCase{"NobodyKnowsWhatIsUsual", 5, 50, 27, {}},
                        RateCase{"FourWeeksTell", 5, 50, 30, {"write_rate warning"}}),
        [](const auto& row) { return row.param.name; });

TEST(AlertStateTest, IsReadAsItWasWritten) {
    AlertState state{.chip = "a",
                     .entries = {{.alert = {.code = "life_a", .text = "x\ty\nz"}},
                                 {.alert = {.code = "forecast", .level = Level::kUrgent},
                                  .quiet_since = WallTime(7)}}};
    const std::string text = FormatAlertState(state);
    EXPECT_EQ(std::string::npos, text.find('\n'));
    const auto parsed = ParseAlertState(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    EXPECT_EQ("x\ty\nz", parsed->entries.at(0).alert.text);
    EXPECT_EQ(WallTime(7), parsed->entries.at(1).quiet_since);
    EXPECT_EQ(text, FormatAlertState(*parsed));
}

TEST(AlertStateTest, GarbageIsRefused) {
    EXPECT_TRUE(ParseAlertState(FormatAlertState({})).ok());
    EXPECT_EQ("", FormatAlertState({}));
    for (const char* text : {"\n", "chip a", R"({"chip":"a"})", R"({"chip":"a","alerts":[{}]})",
                             R"({"chip":1,"alerts":[]})"}) {
        EXPECT_FALSE(ParseAlertState(text).ok()) << text;
    }
}

}  // namespace
}  // namespace storekeeper
