// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/recommendation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace storekeeper {
namespace {

using Advice = Recommendation::Advice;
using testing::HasSubstr;

Estimate Exactly(double mbps) {
    return EstimateOf({mbps});
}

Estimate Between(double lower, double upper) {
    return {.mean = (lower + upper) / 2, .lower = lower, .upper = upper, .n = 8};
}

EnginePair Pair(const Estimate& hardware, const Estimate& cpu) {
    return {.hardware_mbps = hardware, .cpu_mbps = cpu};
}

RecommendationInputs Offload() {
    RecommendationInputs inputs{.state = {.state = CryptoState::kHwOffload},
                                .hardware_there = true};
    inputs.write = inputs.read = Pair(Exactly(10), Exactly(20));
    return inputs;
}

// The figures of the Xperia Z: dd of 75 MB with conv=fsync, caches dropped before the read.
TEST(RecommendationTest, XperiaZ) {
    RecommendationInputs inputs = Offload();
    inputs.write = Pair(Exactly(2.7), Exactly(5.8));
    inputs.read = Pair(Exactly(3.9), Exactly(17.1));
    const Recommendation recommendation = Recommend(inputs);
    EXPECT_EQ(Advice::kKernel, recommendation.advice);
    EXPECT_THAT(recommendation.text, HasSubstr("2.1x faster writing and 4.4x reading"));
    EXPECT_THAT(recommendation.text, HasSubstr("write 2.7 -> 5.8, read 3.9 -> 17.1 MB/s"));
    EXPECT_THAT(recommendation.text, HasSubstr("measured by AF_ALG, n=1"));
}

TEST(RecommendationTest, NamesTheTimeOfTheCpu) {
    RecommendationInputs inputs = Offload();
    inputs.cpu_cpu_percent = 100;
    inputs.hardware_cpu_percent = 20;
    EXPECT_THAT(Recommend(inputs).text, HasSubstr("MB/s, CPU 20 % -> 100 %, measured by"));
}

TEST(RecommendationTest, BoundsDecide) {
    struct Row {
        EnginePair write;
        EnginePair read;
        Advice advice = Advice::kCannotTell;
    };
    const Row rows[] = {
            {Pair(Exactly(10), Exactly(13)), Pair(Exactly(10), Exactly(13)), Advice::kKernel},
            {Pair(Exactly(10), Exactly(12.9)), Pair(Exactly(10), Exactly(13)), Advice::kCannotTell},
            // The means are 10 and 15, but the intervals permit a smaller gain.
            {Pair(Between(8, 12), Between(14, 16)), Pair(Exactly(10), Exactly(20)),
             Advice::kCannotTell},
            {Pair(Between(9, 10), Between(13, 20)), Pair(Between(9, 10), Between(13, 20)),
             Advice::kKernel},
            {Pair(Exactly(10), Exactly(20)), Pair(Exactly(20), Exactly(10)), Advice::kCannotTell},
            {Pair(Exactly(13), Exactly(10)), Pair(Exactly(14), Exactly(10)), Advice::kHardware},
            {Pair(Exactly(13), Exactly(10)), Pair(Exactly(12), Exactly(10)), Advice::kCannotTell},
            {Pair(Exactly(0), Exactly(0)), Pair(Exactly(0), Exactly(0)), Advice::kCannotTell},
    };
    for (const Row& row : rows) {
        RecommendationInputs inputs = Offload();
        inputs.write = row.write;
        inputs.read = row.read;
        EXPECT_EQ(AdviceName(row.advice), AdviceName(Recommend(inputs).advice))
                << Recommend(inputs).text;
    }
}

TEST(RecommendationTest, NothingIsAdvisedAgainstTheState) {
    struct Row {
        CryptoState state;
        bool hardware;
        Advice advice;
        const char* text;
    };
    const Row rows[] = {
            {CryptoState::kNone, true, Advice::kNothingToDo, "not encrypted"},
            {CryptoState::kCpu, true, Advice::kNothingToDo, "the CPU already encrypts"},
            {CryptoState::kInline, true, Advice::kReportOnly, "storage host"},
            {CryptoState::kHwKey, true, Advice::kReportOnly, "only the engine has the key"},
            {CryptoState::kUnknown, true, Advice::kCannotTell, "the engine in use is not known"},
            {CryptoState::kHwOffload, true, Advice::kKernel, "2.0x"},
    };
    for (const Row& row : rows) {
        RecommendationInputs inputs = Offload();
        inputs.state.state = row.state;
        inputs.hardware_there = row.hardware;
        EXPECT_EQ(AdviceName(row.advice), AdviceName(Recommend(inputs).advice));
        EXPECT_THAT(Recommend(inputs).text, HasSubstr(row.text));
    }
}

TEST(RecommendationTest, WithoutHardwareThereIsNothingToDo) {
    for (CryptoState state : {CryptoState::kCpu, CryptoState::kUnknown}) {
        RecommendationInputs inputs = Offload();
        inputs.state.state = state;
        inputs.hardware_there = false;
        EXPECT_EQ(Advice::kNothingToDo, Recommend(inputs).advice);
        EXPECT_THAT(Recommend(inputs).text, HasSubstr("nothing to do"));
    }
}

TEST(RecommendationTest, NothingIsAdvisedThatWasNotProved) {
    RecommendationInputs inputs = Offload();
    inputs.wrong = "a and b encrypt differently";
    EXPECT_EQ(Advice::kCannotTell, Recommend(inputs).advice);
    EXPECT_THAT(Recommend(inputs).text, HasSubstr("a and b encrypt differently"));
    inputs = Offload();
    inputs.read.reset();
    inputs.problem = "AF_ALG is not available";
    EXPECT_EQ(Advice::kCannotTell, Recommend(inputs).advice);
    EXPECT_THAT(Recommend(inputs).text, HasSubstr("AF_ALG is not available"));
    inputs.problem = "";
    EXPECT_EQ("undecided: no measurement", Recommend(inputs).text);
}

TEST(RecommendationTest, TablesAreNamed) {
    RecommendationInputs inputs = Offload();
    inputs.cpu_uses_tables = true;
    EXPECT_THAT(Recommend(inputs).text, HasSubstr("its timing depends on the key"));
}

// An engine and a CPU, measured in both directions with requests of 512 bytes.
CryptoMeasured Measured() {
    CryptoMeasured measured{.hardware = "xts-aes-qce", .cpu = "xts-aes-ce"};
    measured.now = CryptoBaseline{.method = "af_alg", .unit_bytes = 512};
    for (bool encrypt : {true, false}) {
        measured.figures.push_back({.driver = measured.hardware,
                                    .unit_bytes = 512,
                                    .encrypt = encrypt,
                                    .gross_mbps = Exactly(98),
                                    .net_mbps = Exactly(99),
                                    .cpu_percent = 7});
        measured.figures.push_back({.driver = measured.cpu,
                                    .unit_bytes = 512,
                                    .encrypt = encrypt,
                                    .gross_mbps = Exactly(99),
                                    .net_mbps = Exactly(100)});
    }
    return measured;
}

TEST(MeasuredTest, AFigureIsFoundByAllThatItIsOf) {
    CryptoMeasured measured = Measured();
    measured.figures[0].threads = 2;
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-qce", 512, true));
    EXPECT_EQ(&measured.figures[2], FindFigure(measured, "xts-aes-qce", 512, false));
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-qce", 4096, false));
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-neon", 512, false));
    EXPECT_EQ(0, CpuOf(measured, "xts-aes-qce", 512));
    EXPECT_EQ(7, CpuOf(Measured(), "xts-aes-qce", 512));
}

TEST(MeasuredTest, APairIsOfTheSameKindOfFigure) {
    CryptoMeasured measured = Measured();
    EXPECT_EQ(100, PairOf(measured, 512, true)->cpu_mbps.mean);
    measured.figures[0].net_mbps.reset();
    EXPECT_EQ(99, PairOf(measured, 512, true)->cpu_mbps.mean);
    EXPECT_EQ(98, PairOf(measured, 512, true)->hardware_mbps.mean);
    measured.cpu = "xts-aes-neon";
    EXPECT_FALSE(PairOf(measured, 512, true).has_value());
    EXPECT_FALSE(PairOf(measured, 4096, true).has_value());
}

TEST(MeasuredTest, MainlinesDriverThatHasTheCpuDoIt) {
    EXPECT_TRUE(EngineRunsOnCpu(Measured()));
    const std::vector<std::pair<const char*, std::function<void(CryptoMeasured*)>>> unlike = {
            {"another engine", [](auto* m) { m->hardware = "qcrypto-xts-aes"; }},
            {"no unit", [](auto* m) { m->now.reset(); }},
            {"another unit", [](auto* m) { m->now->unit_bytes = 4096; }},
            {"slower reading", [](auto* m) { m->figures[2].net_mbps = Exactly(50); }},
    };
    for (const auto& [what, change] : unlike) {
        CryptoMeasured measured = Measured();
        change(&measured);
        EXPECT_FALSE(EngineRunsOnCpu(measured)) << what;
    }
}

}  // namespace
}  // namespace storekeeper
