// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/reread.h"

#include <android-base/stringprintf.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/system/file_io.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;
using std::chrono::microseconds;
using testing::IsEmpty;

bool GoOn() {
    return false;
}

std::vector<std::string> Codes(const Reread& reread, const BenchJob& job,
                               const LatencyBins& latency) {
    std::vector<std::string> codes;
    for (const BenchReason& reason : JudgeByReread(reread, job, latency)) {
        EXPECT_FALSE(reason.text.empty());
        codes.push_back(reason.code);
    }
    return codes;
}

class RereadTest : public testing::Test {
  protected:
    static constexpr uint64_t kBlocks = 400;

    // Absent where the test's folder has no direct I/O.
    std::optional<Reread> Again() {
        auto reread = RereadTenth(tree_.PathOf("/data"), GoOn);
        EXPECT_TRUE(reread.ok()) << reread.error();
        return *reread;
    }

    Tree tree_;
};

TEST_F(RereadTest, FindsNothingAgainstRandomData) {
    ASSERT_TRUE(WriteRandomFile(tree_.PathOf("/data"), kBlocks * DirectFile::kBlock + 17, 1).ok());
    const auto reread = Again();
    if (!reread.has_value()) GTEST_SKIP() << "no direct I/O there";
    EXPECT_EQ(kBlocks / 10, reread->blocks);
    EXPECT_EQ(kBlocks / 10, reread->latency.count());
    EXPECT_EQ(0u, reread->alike);
    EXPECT_THAT(Codes(*reread, {.name = "x"}, {}), IsEmpty());
}

TEST_F(RereadTest, CallsWhatRepeatsItself) {
    std::string again;
    for (uint64_t i = 0; i < kBlocks; ++i) {
        // As fio has it that fills its buffer once and scrambles a little of each sector.
        std::string block(DirectFile::kBlock, 'x');
        for (size_t at = 0; at < block.size(); at += 512) {
            block.replace(at, 8, StringPrintf("%08d", static_cast<int>(i * 8 + at / 512)));
        }
        again += block;
    }
    for (const std::string& content : {again, std::string(kBlocks * DirectFile::kBlock, '\0')}) {
        tree_.Write("/data", content);
        const auto reread = Again();
        if (!reread.has_value()) GTEST_SKIP() << "no direct I/O there";
        EXPECT_GE(reread->alike + 1, reread->blocks);
        EXPECT_THAT(Codes(*reread, {.name = "x"}, {}), testing::ElementsAre("duplicate_data"));
    }
}

TEST_F(RereadTest, LooksAtNothingOfASmallFileAndSaysWhatFails) {
    tree_.Write("/data", std::string(9 * DirectFile::kBlock, 'x'));
    EXPECT_EQ(std::nullopt, Again());
    EXPECT_EQ(ENOENT, RereadTenth(tree_.PathOf("/none"), GoOn).error().code());
    tree_.Write("/data", std::string(10 * DirectFile::kBlock, 'x'));
    const auto stopped = RereadTenth(tree_.PathOf("/data"), [] { return true; });
    if (stopped.ok()) GTEST_SKIP() << "no direct I/O there";
    EXPECT_EQ(EINTR, stopped.error().code());
}

TEST(JudgeByRereadTest, FioHasASecondOpinion) {
    Reread reread = {.blocks = 100};
    reread.latency.Add(microseconds(1000), 100);
    const auto latency = [](int us) {
        LatencyBins bins;
        bins.Add(microseconds(us), 1000);
        return bins;
    };
    BenchJob job = {.name = "rand-read-4k",
                    .options = {{"rw", "randread"}, {"bs", "4k"}, {"direct", "1"}}};
    EXPECT_THAT(Codes(reread, job, latency(520)), IsEmpty());
    EXPECT_THAT(Codes(reread, job, latency(5000)), IsEmpty());
    EXPECT_THAT(Codes(reread, job, {}), IsEmpty());
    EXPECT_THAT(Codes(reread, job, latency(480)), testing::ElementsAre("faster_than_reread"));
    // Those do something else.
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"rw", "read"},
                                                          {"rw", "randwrite"},
                                                          {"bs", "8k"},
                                                          {"direct", "0"},
                                                          {"iodepth", "4"}}) {
        BenchJob other = job;
        other.options[option] = value;
        EXPECT_THAT(Codes(reread, other, latency(480)), IsEmpty()) << option << "=" << value;
    }
}

}  // namespace
}  // namespace storekeeper
