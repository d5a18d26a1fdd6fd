// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/runner.h"

#include <android-base/stringprintf.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "bench/system/files.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A device on which each job writes or reads 4 MB in 1 s. It records its calls.
class RunnerTest : public testing::Test {
  protected:
    Result<std::vector<BenchFigure>> Run(unsigned repeat) {
        const BenchTools tools =
                {.fio = [this](const BenchJob& job) { return Fio(job); },
                 .settle =
                         [this](bool fresh) {
                             calls_.emplace_back(fresh ? "fresh" : "settle");
                             return Result<void>();
                         },
                 .reread = [this]() -> Result<std::optional<Reread>> {
                     calls_.emplace_back("reread");
                     return reread_;
                 },
                 .copy = copy_,
                 .read =
                         [this](bool clocks_first) {
                             calls_.emplace_back(clocks_first ? "after" : "before");
                             return state_;
                         },
                 .progress = [this](const std::string& what) { progress_.push_back(what); }};
        const BenchPlace place = {.disk = "mmcblk0",
                                  .volatile_cache = true,
                                  .overhead = milliseconds(50)};
        return RunBench(tools, place, jobs_, repeat);
    }

    Result<FioJob> Fio(const BenchJob& job) {
        calls_.push_back(job.name);
        if (fail_ != 0) return Error(fail_) << "it broke";
        FioJob done = {.error = error_, .said = said_};
        const bool reads = job.Get("rw") == "read";
        FioSide& side = reads ? done.read : done.write;
        side = {.bytes = bytes_, .ios = bytes_ / 4096, .runtime = milliseconds(1000)};
        side.latency.Add(milliseconds(1), side.ios);
        (reads ? state_.disk->read_bytes : state_.disk->written_bytes) += bytes_;
        if (!reads) {
            done.sync_latency.Add(milliseconds(1));
            *state_.disk->flushes += 1 + (job.IsOn("end_fsync") ? 1 : 0);
        }
        for (auto* clock : {&state_.clocks.raw, &state_.clocks.monotonic, &state_.clocks.boot,
                            &state_.clocks.wall}) {
            *clock += milliseconds(1050);
        }
        return done;
    }

    std::vector<BenchJob> jobs_ = {{.name = "one", .options = {{"rw", "write"}, {"direct", "1"}}},
                                   {.name = "two", .options = {{"rw", "write"}, {"direct", "1"}}}};
    std::optional<Reread> reread_;
    std::function<Result<BenchRepetition>()> copy_;
    DeviceState state_{.disk = DiskStats{.name = "mmcblk0", .flushes = 0}};
    uint64_t bytes_ = 4'096'000;
    int fail_ = 0;
    int error_ = 0;
    std::string said_;
    std::vector<std::string> calls_;
    std::vector<std::string> progress_;
};

TEST_F(RunnerTest, AllJobsThenAllAgain) {
    auto figures = Run(2);
    ASSERT_TRUE(figures.ok()) << figures.error();
    EXPECT_THAT(calls_, ElementsAre("fresh", "before", "one", "after", "settle", "before", "two",
                                    "after", "reread", "fresh", "before", "one", "after", "settle",
                                    "before", "two", "after", "reread"));
    EXPECT_THAT(progress_, ElementsAre("1 of 2: one", "1 of 2: two", "2 of 2: one", "2 of 2: two"));
    ASSERT_EQ(2u, figures->size());
    for (const BenchFigure& figure : *figures) {
        ASSERT_EQ(2u, figure.repetitions.size());
        EXPECT_EQ(BenchVerdict::kValid, figure.verdict());
        EXPECT_DOUBLE_EQ(4.096, figure.repetitions[0].mb_per_s());
        EXPECT_DOUBLE_EQ(1000, figure.repetitions[0].iops());
    }
}

// The rule is should_fsync() of fio's fio.h.
TEST_F(RunnerTest, OnlyWhoWritesSyncsAtTheEnd) {
    for (BenchJob& job : jobs_) job.options["end_fsync"] = "1";
    jobs_[1].options["rw"] = "read";
    auto figures = Run(1);
    ASSERT_TRUE(figures.ok()) << figures.error();
    EXPECT_EQ(2u, (*figures)[0].repetitions[0].claim.syncs);
    EXPECT_EQ(0u, (*figures)[1].repetitions[0].claim.syncs);
    for (const BenchFigure& figure : *figures) EXPECT_EQ(BenchVerdict::kValid, figure.verdict());
}

TEST_F(RunnerTest, JudgesEachRepetition) {
    jobs_[1].options["zero_buffers"] = "1";
    auto figures = Run(1);
    ASSERT_TRUE(figures.ok()) << figures.error();
    EXPECT_EQ(BenchVerdict::kValid, (*figures)[0].verdict());
    EXPECT_EQ(BenchVerdict::kInvalid, (*figures)[1].verdict());
    EXPECT_EQ("compressible", (*figures)[1].repetitions[0].reasons.at(0).code);
}

TEST_F(RunnerTest, DuplicateDataOfAFileCountsAgainstAllRepetitionsThatUsedIt) {
    reread_ = Reread{.blocks = 10, .alike = 10};
    auto figures = Run(2);
    ASSERT_TRUE(figures.ok()) << figures.error();
    for (const BenchFigure& figure : *figures) {
        for (const BenchRepetition& repetition : figure.repetitions) {
            ASSERT_EQ(1u, repetition.reasons.size());
            EXPECT_EQ("duplicate_data", repetition.reasons[0].code);
        }
    }
}

TEST_F(RunnerTest, TheCopyComesLastAndHasNoProgramToStart) {
    jobs_[0].size_bytes = 8192;
    jobs_[1].size_bytes = 4096;
    copy_ = [this] {
        BenchRepetition repetition;
        repetition.before = state_;
        const FioJob done = *Fio({.name = "copying"});
        repetition.after = state_;
        repetition.claim = {.written_bytes = bytes_, .syncs = 1, .time = milliseconds(1050)};
        return repetition;
    };
    auto figures = Run(1);
    ASSERT_TRUE(figures.ok()) << figures.error();
    EXPECT_EQ("copying", calls_.back());
    EXPECT_EQ(kCopyName, figures->back().job.name);
    EXPECT_EQ("8192", figures->back().job.Get("size"));
    EXPECT_EQ(BenchVerdict::kValid, figures->back().verdict());
}

TEST(CheckRoomTest, NeedsTheLargestFileTwice) {
    EXPECT_EQ(0u, LargestFile({}));
    EXPECT_EQ(7u, LargestFile({{.size_bytes = 3}, {.size_bytes = 7}, {.size_bytes = 5}}));
    constexpr uint64_t kMiB = 1 << 20;
    struct Row {
        uint64_t free;
        uint64_t bytes;
        bool fits;
    };
    for (const Row& row :
         {Row{20 * kMiB, 8 * kMiB, true}, Row{20 * kMiB - 1, 8 * kMiB, false},
          Row{4 * kMiB, 0, true}, Row{4 * kMiB - 1, 0, false},
          // Twice this size overflows to 0.
          Row{20 * kMiB, uint64_t{1} << 63, false}, Row{20 * kMiB, UINT64_MAX, false}}) {
        const auto room = CheckRoom("/x", row.free, row.bytes);
        ASSERT_EQ(row.fits, room.ok()) << row.free << " " << row.bytes;
        if (room.ok()) continue;
        EXPECT_EQ(ENOSPC, room.error().code());
        EXPECT_THAT(room.error().message(), HasSubstr("take a smaller matrix or another --dir"));
    }
}

TEST_F(RunnerTest, NamesTheJobThatFailed) {
    struct Row {
        int fail;
        int error;
        uint64_t bytes;
        int code;
        const char* text;
    };
    for (const Row& row : {Row{EINTR, 0, 4096, EINTR, "one: it broke"},
                           Row{0, ENOSPC, 4096, ENOSPC, "one: fio's first error: No space left"},
                           Row{0, 0, 0, 0, "one: fio did no I/O"}}) {
        said_.clear();
        fail_ = row.fail;
        error_ = row.error;
        bytes_ = row.bytes;
        auto figures = Run(5);
        ASSERT_FALSE(figures.ok());
        EXPECT_EQ(row.code, figures.error().code());
        EXPECT_THAT(figures.error().message(), HasSubstr(row.text));
    }
    error_ = EINVAL;
    said_ = "fio: Try setting direct=0";
    EXPECT_THAT(Run(5).error().message(),
                HasSubstr("fio's first error (fio: Try setting direct=0): Invalid argument"));
}

TEST(CopyLengthsTest, AddUpAndAreAlwaysTheSame) {
    const auto lengths = CopyLengths(8 << 20);
    EXPECT_EQ(8u << 20, std::accumulate(lengths.begin(), lengths.end(), uint64_t{0}));
    EXPECT_EQ(lengths, CopyLengths(8 << 20));
    EXPECT_GT(lengths.size(), 20u);
    EXPECT_TRUE(CopyLengths(0).empty());
    EXPECT_EQ(std::vector<uint64_t>{7}, CopyLengths(7));
}

TEST(CopyBenchTest, CopiesAndLeavesNothing) {
    Tree tree;
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    size_t copies = 0;
    const auto read = [&](bool clocks_first) {
        if (clocks_first) copies = folder->Files()->size();
        return DeviceState();
    };
    auto done = RunCopyBench(&*folder, 1 << 20, read, [] { return false; });
    ASSERT_TRUE(done.ok()) << done.error();
    EXPECT_EQ(1u << 20, done->claim.read_bytes);
    EXPECT_EQ(1u << 20, done->claim.written_bytes);
    EXPECT_GT(done->claim.time.count(), 0);
    EXPECT_EQ(CopyLengths(1 << 20).size(), done->latency.count());
    EXPECT_EQ(2 * done->ios, copies);
    EXPECT_EQ(done->ios, done->claim.writes);
    EXPECT_TRUE(folder->Files()->empty());
}

TEST(CopyBenchTest, StopsBetweenFiles) {
    Tree tree;
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    int asked = 0;
    auto done = RunCopyBench(
            &*folder, 1 << 20, [](bool) { return DeviceState(); }, [&] { return ++asked > 3; });
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(EINTR, done.error().code());
    EXPECT_EQ(3u, folder->Files()->size());
    EXPECT_TRUE(folder->Remove().ok());
}

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

    // Absent if the test's folder has no direct I/O.
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

TEST_F(RereadTest, FindsBlocksThatRepeat) {
    std::string again;
    for (uint64_t i = 0; i < kBlocks; ++i) {
        // fio fills its buffer once and scrambles a little of each sector in this way.
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
    // These jobs do not read single blocks at random.
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
