// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/json_text.h"
#include "bench/bench_result.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

BenchRepetition Repetition(int time_ms) {
    BenchRepetition repetition;
    repetition.claim = {.read_bytes = 8'000'000, .time = milliseconds(time_ms), .direct = true};
    repetition.ios = 2000;
    repetition.latency.Add(std::chrono::nanoseconds(milliseconds(time_ms)) / 2000, 2000);
    repetition.before.cpu = {.user = 10, .system = 20};
    repetition.after.cpu = {.user = 15, .system = 40};
    repetition.after.clocks.raw = milliseconds(time_ms);
    repetition.after.zone_tenths = 355;
    repetition.before.disk = DiskStats{.name = "mmcblk0", .flushes = 3};
    repetition.after.disk = DiskStats{.name = "mmcblk0", .read_bytes = 8'000'000, .flushes = 4};
    return repetition;
}

BenchResult Result(const std::vector<int>& times_ms) {
    BenchResult result;
    result.matrix = "quick";
    result.fio_version = "fio-3.33";
    result.folder = "/data/local/tmp";
    result.place = {.mount = {.mount_point = "/data", .type = "ext4", .options = "rw"},
                    .disk = "mmcblk0",
                    .volatile_cache = true,
                    .overhead = milliseconds(30)};
    BenchFigure figure;
    figure.job = {.name = "rand-read-4k", .options = {{"rw", "randread"}}};
    for (const int time : times_ms) figure.repetitions.push_back(Repetition(time));
    result.figures.push_back(figure);
    return result;
}

// The result as it would be read from a file.
Json::Value Json(const BenchResult& result) {
    auto json = ParseJsonObject(WriteJson(BenchToJson(result)), {.bytes = 1 << 20});
    EXPECT_TRUE(json.ok()) << json.error();
    return *json;
}

const std::vector<int> kSlow = {1000, 1010, 990, 1000, 1005};
const std::vector<int> kFast = {500, 505, 495, 500, 510};

TEST(BenchResultTest, SaysItInUnits) {
    const Json::Value json = Json(Result(kSlow));
    const Json::Value& figure = json["figures"][0];
    EXPECT_EQ("VALID", figure["verdict"].asString());
    EXPECT_NEAR(8, figure["summary"]["mb_per_s"]["median"].asDouble(), 0.01);
    EXPECT_EQ(5, figure["summary"]["mb_per_s"]["n"].asInt());
    EXPECT_TRUE(figure["summary"]["sync_p50_ms"].isNull());
    const Json::Value& first = figure["repetitions"][0];
    EXPECT_DOUBLE_EQ(2000, first["iops"].asDouble());
    EXPECT_DOUBLE_EQ(0.5, first["latency_ms"]["p99_9"].asDouble());
    EXPECT_TRUE(first["sync_latency_ms"].isNull());
    EXPECT_EQ(1, first["disk"]["flushes"].asInt());
    EXPECT_DOUBLE_EQ(35.5, first["heat"]["zone_after_c"].asDouble());
    EXPECT_TRUE(first["heat"]["zone_before_c"].isNull());
    // Ticks are 10 ms: 50 ms of a second, for 8 MB.
    EXPECT_DOUBLE_EQ(5, first["cpu"]["user_pct"].asDouble());
    EXPECT_DOUBLE_EQ(25, first["cpu"]["system_ms_per_mb"].asDouble());
}

TEST(BenchResultTest, CountersThatWentBackAreNotKnown) {
    BenchResult result = Result({1000});
    BenchRepetition& repetition = result.figures[0].repetitions[0];
    repetition.after.disk->flushes = 2;
    Json::Value first = Json(result)["figures"][0]["repetitions"][0];
    EXPECT_EQ(8'000'000, first["disk"]["read_bytes"].asInt());
    EXPECT_TRUE(first["disk"]["flushes"].isNull());

    repetition.before.disk->written_bytes = 512;
    repetition.after.cpu->system = 19;
    first = Json(result)["figures"][0]["repetitions"][0];
    EXPECT_TRUE(first["disk"].isNull());
    EXPECT_TRUE(first["cpu"].isNull());
}

TEST(BenchResultTest, ARepetitionOfNothingHasNoRate) {
    BenchResult result = Result({0});
    BenchRepetition& repetition = result.figures[0].repetitions[0];
    repetition.claim.read_bytes = 0;
    repetition.after.zone_tenths.reset();
    const Json::Value first = Json(result)["figures"][0]["repetitions"][0];
    EXPECT_EQ(0, first["mb_per_s"].asDouble());
    EXPECT_EQ(0, first["cpu"]["user_ms_per_mb"].asDouble());
    EXPECT_LT(0, first["cpu"]["user_pct"].asDouble());
    EXPECT_THAT(BenchToText(result), HasSubstr("rand-read-4k"));
}

TEST(BenchResultTest, CpuTimeIsADifference) {
    BenchRepetition repetition = Repetition(1000);
    ASSERT_TRUE(repetition.cpu().has_value());
    repetition.after.cpu->user = 9;
    EXPECT_FALSE(repetition.cpu().has_value());
    repetition.after.cpu.reset();
    EXPECT_FALSE(repetition.cpu().has_value());
}

TEST(BenchResultTest, HalfInvalidIsInvalidAndDoesNotCount) {
    BenchResult result = Result({100, 1000, 1000, 1000, 1000, 1000});
    auto& repetitions = result.figures[0].repetitions;
    repetitions[0].reasons = {{"time_short", BenchReason::Level::kInvalid, "a lie"}};
    EXPECT_EQ(BenchVerdict::kValid, result.figures[0].verdict());
    EXPECT_NEAR(8, Json(result)["figures"][0]["summary"]["mb_per_s"]["upper"].asDouble(), 0.01);
    repetitions[1].reasons = {{"governor", BenchReason::Level::kSuspect, "a doubt"}};
    EXPECT_EQ(BenchVerdict::kSuspect, result.figures[0].verdict());
    repetitions[2].reasons = repetitions[3].reasons = repetitions[0].reasons;
    EXPECT_EQ(BenchVerdict::kInvalid, result.figures[0].verdict());
    EXPECT_EQ(BenchVerdict::kInvalid, BenchFigure().verdict());
}

TEST(BenchResultTest, FewHaveNoInterval) {
    for (const size_t n : {1, 4, 5}) {
        const Json::Value rate =
                Json(Result(std::vector<int>(n, 1000)))["figures"][0]["summary"]["mb_per_s"];
        EXPECT_EQ(n, rate["n"].asUInt());
        EXPECT_DOUBLE_EQ(8, rate["median"].asDouble());
        EXPECT_EQ(n < 5, rate["lower"].isNull());
        EXPECT_EQ(n < 5, rate["upper"].isNull());
    }
}

TEST(BenchTableTest, CountsRepetitionsByCodeAndLevelTheWorstFirst) {
    BenchResult result = Result(kSlow);
    auto& repetitions = result.figures[0].repetitions;
    repetitions[0].reasons = {{"clock_rate", BenchReason::Level::kSuspect, "a little"}};
    for (int i = 1; i < 4; ++i) {
        repetitions[i].reasons = {{"clock_rate", BenchReason::Level::kInvalid, "kernel"},
                                  {"clock_rate", BenchReason::Level::kInvalid, "processor"}};
    }
    const std::string text = BenchToText(result);
    const size_t invalid = text.find("rand-read-4k: invalid clock_rate (3 of 5): kernel");
    const size_t suspect = text.find("rand-read-4k: suspect clock_rate (1 of 5): a little");
    ASSERT_NE(std::string::npos, invalid);
    ASSERT_NE(std::string::npos, suspect);
    EXPECT_LT(invalid, suspect);
}

TEST(BenchTableTest, ReportsFiguresAndDoubts) {
    BenchResult result = Result(kSlow);
    result.figures[0].repetitions[1].reasons = {
            {"page_cache", BenchReason::Level::kInvalid, "from the cache"}};
    const std::string text = BenchToText(result);
    EXPECT_THAT(text, HasSubstr("/data (ext4) on mmcblk0, fio-3.33, matrix quick"));
    EXPECT_THAT(text, HasSubstr("rand-read-4k     VALID        8.000"));
    EXPECT_THAT(text, HasSubstr("rand-read-4k: invalid page_cache (1 of 5): from the cache"));
}

TEST(BenchTableTest, ReportsOneThatCounts) {
    BenchResult result = Result({1000, 1000, 100, 1000, 1000});
    auto& repetitions = result.figures[0].repetitions;
    repetitions[2].reasons = {{"time_short", BenchReason::Level::kInvalid, "a lie"}};
    // The IOPS of the middle repetition.
    EXPECT_THAT(BenchToText(result), HasSubstr(" 2000.0 "));
    EXPECT_THAT(BenchToText(result), Not(HasSubstr(" 20000.0 ")));
    for (BenchRepetition& repetition : repetitions) repetition.reasons = repetitions[2].reasons;
    EXPECT_THAT(BenchToText(result), HasSubstr(" 20000.0 "));
}

TEST(BenchTableTest, ReportsWhatIsNotKnown) {
    BenchResult result = Result({1000});
    result.place.disk = "";
    result.figures[0].repetitions[0].before.disk.reset();
    result.figures[0].repetitions[0].before.cpu.reset();
    EXPECT_THAT(BenchToText(result), HasSubstr("on no disk"));
}

TEST(ComparisonTest, ReportsFasterAndSlower) {
    auto comparison = CompareBenches(Json(Result(kSlow)), Json(Result(kFast)));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    const Json::Value metrics = ComparisonToJson(*comparison)["figures"][0]["metrics"];
    EXPECT_EQ("faster", metrics["mb_per_s"]["verdict"].asString());
    EXPECT_NEAR(100, metrics["mb_per_s"]["change_pct"].asDouble(), 1);
    EXPECT_EQ("faster", metrics["p50_ms"]["verdict"].asString());
    EXPECT_NEAR(-50, metrics["p50_ms"]["change_pct"].asDouble(), 1);
    EXPECT_FALSE(metrics.isMember("sync_p50_ms"));
    EXPECT_THAT(ComparisonToText(*comparison), HasSubstr("+100.0%"));

    comparison = CompareBenches(Json(Result(kFast)), Json(Result(kSlow)));
    EXPECT_EQ("slower",
              ComparisonToJson(*comparison)["figures"][0]["metrics"]["mb_per_s"]["verdict"]
                      .asString());
    comparison = CompareBenches(Json(Result(kFast)), Json(Result(kFast)));
    EXPECT_EQ("no difference",
              ComparisonToJson(*comparison)["figures"][0]["metrics"]["mb_per_s"]["verdict"]
                      .asString());
}

TEST(ComparisonTest, RefusesInvalidFigures) {
    BenchResult lie = Result(kFast);
    lie.figures[0].repetitions[2].reasons = {{"time_short", BenchReason::Level::kInvalid, "a lie"}};
    auto comparison = CompareBenches(Json(Result(kSlow)), Json(lie));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    const Json::Value figure = ComparisonToJson(*comparison)["figures"][0];
    EXPECT_TRUE(figure["metrics"].empty());
    EXPECT_THAT(figure["problem"].asString(), HasSubstr("the second has 4 repetitions that count "
                                                        "(1 are INVALID), 5 are needed"));
    EXPECT_THAT(ComparisonToText(*comparison), HasSubstr("not compared: the second"));
    EXPECT_THAT(ComparisonToText(*comparison), Not(HasSubstr("faster")));
}

TEST(ComparisonTest, RefusesFiguresOfWhichHalfIsInvalid) {
    BenchResult lie = Result(kFast);
    std::vector<BenchRepetition>& all = lie.figures[0].repetitions;
    all.insert(all.end(), all.begin(), all.begin() + 5);
    for (size_t i = 0; i < 5; ++i) {
        all[i].reasons = {{"time_short", BenchReason::Level::kInvalid, "a lie"}};
    }
    auto comparison = CompareBenches(Json(Result(kSlow)), Json(lie));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    EXPECT_TRUE(ComparisonToJson(*comparison)["figures"][0]["metrics"].empty());
    EXPECT_EQ("the second is INVALID: half of its repetitions are",
              ComparisonToJson(*comparison)["figures"][0]["problem"].asString());
    // Too few repetitions are left.
    all.pop_back();
    EXPECT_THAT(CompareBenches(Json(Result(kSlow)), Json(lie))->figures[0].problem,
                HasSubstr("the second has 4 repetitions that count (5 are INVALID)"));
}

TEST(ComparisonTest, RefusesFiguresOfDifferentJobs) {
    BenchResult other = Result(kFast);
    EXPECT_TRUE(CompareBenches(Json(Result(kSlow)), Json(other))->any());
    other.figures[0].job.options["size"] = "256m";
    auto comparison = CompareBenches(Json(Result(kSlow)), Json(other));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    EXPECT_EQ("their jobs differ: measure both with the same matrix",
              ComparisonToJson(*comparison)["figures"][0]["problem"].asString());
    EXPECT_TRUE(ComparisonToJson(*comparison)["figures"][0]["metrics"].empty());
    EXPECT_FALSE(comparison->any());

    // Invented results that name no job.
    Json::Value silent = Json(other);
    silent["figures"][0].removeMember("job");
    EXPECT_TRUE(CompareBenches(silent, silent)->any());
}

TEST(ComparisonTest, NothingIsManyTimesNothing) {
    const Json::Value nothing = Json(Result({0, 0, 0, 0, 0}));
    EXPECT_EQ("it has no figures that could be compared",
              CompareBenches(nothing, Json(Result(kFast)))->figures[0].problem);
}

TEST(ComparisonTest, NamesWhatOnlyOneHas) {
    BenchResult before = Result(kSlow);
    BenchResult after = Result(kFast);
    EXPECT_TRUE(
            ComparisonToJson(*CompareBenches(Json(before), Json(after)))["only_before"].isArray());
    before.figures.push_back(before.figures[0]);
    before.figures[1].job.name = "gone";
    after.figures.push_back(after.figures[0]);
    after.figures[1].job.name = "new";
    auto comparison = CompareBenches(Json(before), Json(after));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    EXPECT_EQ(1u, ComparisonToJson(*comparison)["figures"].size());
    EXPECT_EQ("gone", ComparisonToJson(*comparison)["only_before"][0].asString());
    EXPECT_EQ("new", ComparisonToJson(*comparison)["only_after"][0].asString());
    const std::string text = ComparisonToText(*comparison);
    EXPECT_THAT(text, HasSubstr("gone             not compared: only the first has it\n"));
    EXPECT_THAT(text, HasSubstr("new              not compared: only the second has it\n"));
}

TEST(ComparisonTest, MarksWhatIsSuspect) {
    BenchResult doubted = Result(kFast);
    doubted.figures[0].repetitions[2].reasons = {
            {"background_io", BenchReason::Level::kSuspect, "others"}};
    auto comparison = CompareBenches(Json(Result(kSlow)), Json(doubted));
    ASSERT_TRUE(comparison.ok()) << comparison.error();
    EXPECT_THAT(ComparisonToText(*comparison), HasSubstr("faster (SUSPECT)"));
    EXPECT_THAT(ComparisonToText(*CompareBenches(Json(doubted), Json(Result(kSlow)))),
                HasSubstr("slower (SUSPECT)"));
}

TEST(ComparisonTest, RefusesWhatIsNoResult) {
    const Json::Value good = Json(Result(kSlow));
    Json::Value version = good;
    version["version"] = 2;
    Json::Value verdict = good;
    verdict["figures"][0]["repetitions"][0]["verdict"] = "GREAT";
    Json::Value none = good;
    none["figures"][0]["repetitions"] = 3;
    Json::Value negative = good;
    negative["figures"][0]["repetitions"][0]["mb_per_s"] = -1;
    Json::Value nan = good;
    nan["figures"][0]["repetitions"][4]["latency_ms"]["p50"] = std::nan("");
    Json::Value huge = good;
    huge["figures"][0]["repetitions"][0]["latency_ms"]["p99"] = 1e300;
    Json::Value words = good;
    words["figures"][0]["repetitions"][0]["latency_ms"]["p99"] = "fast";
    Json::Value list = good;
    list["figures"][0]["repetitions"][0]["latency_ms"] = Json::Value(Json::arrayValue);
    Json::Value name = good;
    name["figures"][0]["name"] = "another";
    Json::Value nameless = good;
    nameless["figures"][0]["name"] = 7;
    Json::Value figure = good;
    figure["figures"][0] = 7;
    Json::Value figures = good;
    figures["figures"] = 7;
    Json::Value unjudged = good;
    unjudged["figures"][0].removeMember("verdict");
    Json::Value repetition = good;
    repetition["figures"][0]["repetitions"][0] = 7;
    Json::Value unjudged_repetition = good;
    unjudged_repetition["figures"][0]["repetitions"][0].removeMember("verdict");
    struct Row {
        Json::Value after;
        const char* error;
    };
    for (const Row& row :
         {Row{Json::Value(Json::objectValue), "second result: it is not a result"},
          Row{version, "version is not 1"}, Row{verdict, "unknown verdict"},
          Row{none, "no repetitions"}, Row{negative, "mb_per_s is not a number from 0"},
          Row{nan, "p50_ms is not a number"}, Row{huge, "p99_ms is not a number"},
          Row{words, "p99_ms is not a number"}, Row{list, "'latency_ms' is not an object"},
          Row{name, "no figure in common"}, Row{nameless, "a figure has no name"},
          Row{figure, "a figure has no name"}, Row{figures, "it has no figures"},
          Row{unjudged, "a figure has no verdict"}, Row{repetition, "a repetition has no verdict"},
          Row{unjudged_repetition, "a repetition has no verdict"}}) {
        auto comparison = CompareBenches(good, row.after);
        ASSERT_FALSE(comparison.ok()) << row.error;
        EXPECT_THAT(comparison.error().message(), HasSubstr(row.error));
    }
    EXPECT_FALSE(CompareBenches(Json::Value(7), good).ok());
}

}  // namespace
}  // namespace storekeeper
