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

struct Speeds {
    Estimate hardware;
    Estimate cpu;
};

// A volume that the engine serves, in requests of 512 bytes.
VolumeState Volume(CryptoState state = CryptoState::kHwOffload) {
    return {.state = state, .unit_bytes = 512};
}

CryptoMeasured Measured(const Speeds& write, const Speeds& read) {
    CryptoMeasured measured{.hardware = "xts-aes-qce", .cpu = "xts-aes-ce"};
    measured.now = CryptoBaseline{.method = "af_alg", .unit_bytes = 512};
    const auto add = [&](const std::string& driver, const Estimate& net, bool encrypt, double cpu) {
        measured.figures.push_back({.driver = driver,
                                    .unit_bytes = 512,
                                    .encrypt = encrypt,
                                    .gross_mbps = Exactly(net.mean - 1),
                                    .net_mbps = net,
                                    .cpu_percent = cpu});
    };
    for (bool encrypt : {true, false}) {
        const Speeds& speeds = encrypt ? write : read;
        add(measured.hardware, speeds.hardware, encrypt, 20);
        add(measured.cpu, speeds.cpu, encrypt, 100);
    }
    return measured;
}

// The CPU is twice as fast in both directions.
CryptoMeasured TwiceAsFast() {
    return Measured({Exactly(10), Exactly(20)}, {Exactly(10), Exactly(20)});
}

// The engine is nearly as fast as the CPU.
CryptoMeasured AsFast() {
    return Measured({Exactly(99), Exactly(100)}, {Exactly(99), Exactly(100)});
}

// The figures of the Xperia Z: dd of 75 MB with conv=fsync, caches dropped before the read.
TEST(RecommendationTest, XperiaZ) {
    const Recommendation recommendation =
            Recommend(Volume(), true,
                      Measured({Exactly(2.7), Exactly(5.8)}, {Exactly(3.9), Exactly(17.1)}));
    EXPECT_EQ(Advice::kKernel, recommendation.advice);
    EXPECT_THAT(recommendation.text, HasSubstr("2.1x faster writing and 4.4x reading"));
    EXPECT_THAT(recommendation.text, HasSubstr("write 2.7 -> 5.8, read 3.9 -> 17.1 MB/s"));
    EXPECT_THAT(recommendation.text, HasSubstr("measured by AF_ALG, n=1"));
}

TEST(RecommendationTest, NamesTheTimeOfTheCpu) {
    EXPECT_THAT(Recommend(Volume(), true, TwiceAsFast()).text,
                HasSubstr("MB/s, CPU 20 % -> 100 %, measured by"));
}

TEST(RecommendationTest, BoundsDecide) {
    struct Row {
        Speeds write;
        Speeds read;
        Advice advice = Advice::kCannotTell;
    };
    const Row rows[] = {
            {{Exactly(10), Exactly(13)}, {Exactly(10), Exactly(13)}, Advice::kKernel},
            {{Exactly(10), Exactly(12.9)}, {Exactly(10), Exactly(13)}, Advice::kCannotTell},
            // The means are 10 and 15, but the intervals permit a smaller gain.
            {{Between(8, 12), Between(14, 16)}, {Exactly(10), Exactly(20)}, Advice::kCannotTell},
            {{Between(9, 10), Between(13, 20)}, {Between(9, 10), Between(13, 20)}, Advice::kKernel},
            {{Exactly(10), Exactly(20)}, {Exactly(20), Exactly(10)}, Advice::kCannotTell},
            {{Exactly(13), Exactly(10)}, {Exactly(14), Exactly(10)}, Advice::kHardware},
            {{Exactly(13), Exactly(10)}, {Exactly(12), Exactly(10)}, Advice::kCannotTell},
            {{Exactly(0), Exactly(0)}, {Exactly(0), Exactly(0)}, Advice::kCannotTell},
    };
    for (const Row& row : rows) {
        const Recommendation found = Recommend(Volume(), true, Measured(row.write, row.read));
        EXPECT_EQ(AdviceName(row.advice), AdviceName(found.advice)) << found.text;
    }
}

TEST(RecommendationTest, NothingIsAdvisedAgainstTheState) {
    struct Row {
        CryptoState state;
        Advice advice;
        const char* text;
    };
    const Row rows[] = {
            {CryptoState::kNone, Advice::kNothingToDo, "not encrypted"},
            {CryptoState::kCpu, Advice::kNothingToDo, "the CPU already encrypts"},
            {CryptoState::kInline, Advice::kReportOnly, "storage host"},
            {CryptoState::kHwKey, Advice::kReportOnly, "only the engine has the key"},
            {CryptoState::kUnknown, Advice::kCannotTell, "the engine in use is not known"},
            {CryptoState::kHwOffload, Advice::kKernel, "2.0x"},
    };
    for (const Row& row : rows) {
        const Recommendation found = Recommend(Volume(row.state), true, TwiceAsFast());
        EXPECT_EQ(AdviceName(row.advice), AdviceName(found.advice));
        EXPECT_THAT(found.text, HasSubstr(row.text));
    }
}

TEST(RecommendationTest, WithoutQualcommsEngine) {
    struct Row {
        CryptoState state;
        const char* driver;
        Advice advice;
        const char* text;
    };
    constexpr char kNoEngine[] = "nothing to do: the kernel has no Qualcomm crypto engine driver";
    const Row rows[] = {
            {CryptoState::kCpu, "xts-aes-ce", Advice::kNothingToDo,
             "nothing to do: the CPU already encrypts, with xts-aes-ce"},
            // Engines of an Allwinner (github.com/PureSwift/CryptoLinux, TestCipherList.swift) and
            // of a Rockchip (crypto/rockchip of its kernels).
            {CryptoState::kUnknown, "ss-cbc-aes", Advice::kCannotTell,
             "undecided: the engine of driver ss-cbc-aes is not known, see crypto status"},
            {CryptoState::kUnknown, "cbc-aes-rk", Advice::kCannotTell,
             "undecided: the engine of driver cbc-aes-rk is not known, see crypto status"},
            // The CPU's driver is the best one, but not in use.
            {CryptoState::kUnknown, "xts-aes-ce", Advice::kNothingToDo, kNoEngine},
            {CryptoState::kUnknown, "", Advice::kNothingToDo, kNoEngine},
    };
    for (const Row& row : rows) {
        VolumeState volume = Volume(row.state);
        volume.driver = row.driver;
        const Recommendation found = Recommend(volume, false, TwiceAsFast());
        EXPECT_EQ(AdviceName(row.advice), AdviceName(found.advice)) << row.driver;
        EXPECT_EQ(row.text, found.text);
    }
}

TEST(RecommendationTest, NothingIsAdvisedThatWasNotProved) {
    CryptoMeasured measured = TwiceAsFast();
    measured.wrong = "a and b encrypt differently";
    EXPECT_EQ(Advice::kCannotTell, Recommend(Volume(), true, measured).advice);
    EXPECT_THAT(Recommend(Volume(), true, measured).text, HasSubstr(measured.wrong));
    measured = TwiceAsFast();
    measured.figures.pop_back();
    EXPECT_EQ(Advice::kCannotTell, Recommend(Volume(), true, measured).advice);
    EXPECT_EQ("undecided: no measurement", Recommend(Volume(), true, measured).text);
    measured.problem = "AF_ALG is not available";
    EXPECT_THAT(Recommend(Volume(), true, measured).text, HasSubstr(measured.problem));
}

TEST(RecommendationTest, TablesAreNamed) {
    CryptoMeasured measured = TwiceAsFast();
    measured.cpu = "xts(aes-generic)";
    for (CipherFigure& figure : measured.figures) {
        if (figure.driver == "xts-aes-ce") figure.driver = measured.cpu;
    }
    EXPECT_THAT(Recommend(Volume(), true, measured).text,
                HasSubstr("its timing depends on the key"));
}

// Speeds of which net and gross differ, so that the text shows which are compared.
TEST(RecommendationTest, FiguresOfTheSameKindAreCompared) {
    CryptoMeasured measured = AsFast();
    EXPECT_THAT(Recommend(Volume(), true, measured).text,
                HasSubstr("write 99.0 -> 100.0, read 99.0 -> 100.0"));
    measured.figures[0].net_mbps.reset();
    EXPECT_THAT(Recommend(Volume(), true, measured).text,
                HasSubstr("write 98.0 -> 99.0, read 99.0 -> 100.0"));
    VolumeState volume = Volume();
    volume.unit_bytes = 4096;
    EXPECT_EQ("undecided: no measurement", Recommend(volume, true, measured).text);
    measured.cpu = "xts-aes-neon";
    EXPECT_EQ("undecided: no measurement", Recommend(Volume(), true, measured).text);
}

TEST(MeasuredTest, AFigureIsFoundByAllThatItIsOf) {
    CryptoMeasured measured = AsFast();
    measured.figures[0].threads = 2;
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-qce", 512, true));
    EXPECT_EQ(&measured.figures[2], FindFigure(measured, "xts-aes-qce", 512, false));
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-qce", 4096, false));
    EXPECT_EQ(nullptr, FindFigure(measured, "xts-aes-neon", 512, false));
}

TEST(MeasuredTest, MainlinesDriverThatHasTheCpuDoIt) {
    EXPECT_TRUE(EngineRunsOnCpu(AsFast()));
    const std::vector<std::pair<const char*, std::function<void(CryptoMeasured*)>>> unlike = {
            {"another engine", [](auto* m) { m->hardware = "qcrypto-xts-aes"; }},
            {"no unit", [](auto* m) { m->now.reset(); }},
            {"another unit", [](auto* m) { m->now->unit_bytes = 4096; }},
            {"slower reading", [](auto* m) { m->figures[2].net_mbps = Exactly(50); }},
    };
    for (const auto& [what, change] : unlike) {
        CryptoMeasured measured = AsFast();
        change(&measured);
        EXPECT_FALSE(EngineRunsOnCpu(measured)) << what;
    }
}

}  // namespace
}  // namespace storekeeper
