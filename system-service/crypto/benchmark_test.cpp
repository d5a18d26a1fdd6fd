// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/benchmark.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "testing/fake_cipher_calls.h"
#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kHw[] = "qcrypto-cbc-aes";
constexpr char kCpu[] = "cbc(aes-asm)";

const CipherFigure& Find(const CipherFigures& answer, const std::string& driver, size_t unit,
                         unsigned threads, bool encrypt) {
    static const CipherFigure kNone;
    for (const CipherFigure& one : answer.figures) {
        if (one.driver == driver && one.unit_bytes == unit && one.threads == threads &&
            one.encrypt == encrypt) {
            return one;
        }
    }
    ADD_FAILURE() << driver << " " << unit << " " << threads;
    return kNone;
}

TEST(BenchmarkTest, SubtractsTheNullCipherAndShowsCpuTime) {
    FakeCipherCalls calls;
    // Without the cost of the calls, 512 bytes take 99 us and 9 us.
    calls.Add(kHw, {.name = "cbc(aes)", .per_request = microseconds(100), .cpu_percent = 20});
    calls.Add(kCpu, {.name = "cbc(aes)", .per_kib = microseconds(20)});
    const auto answer = MeasureCiphers(calls, {kHw, kCpu}, {.round = milliseconds(2)});
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_THAT(answer->note, IsEmpty());
    EXPECT_THAT(answer->figures, SizeIs(2 * 3 * 2 * 2));
    const CipherFigure& engine = Find(*answer, kHw, 512, 1, true);
    EXPECT_NEAR(5.12, engine.gross_mbps.mean, 0.01);
    EXPECT_NEAR(512 / 99.0, engine.net_mbps->mean, 0.01);
    EXPECT_NEAR(20, engine.cpu_percent, 0.1);
    EXPECT_EQ(8, engine.net_mbps->n);
    const CipherFigure& cpu = Find(*answer, kCpu, 512, 1, false);
    EXPECT_NEAR(51.2, cpu.gross_mbps.mean, 0.1);
    EXPECT_NEAR(512 / 9.0, cpu.net_mbps->mean, 0.1);
    EXPECT_NEAR(100, cpu.cpu_percent, 0.1);
    // The fake kernel has one engine, however many threads there are.
    EXPECT_NEAR(5.12, Find(*answer, kHw, 512, 4, true).gross_mbps.mean, 0.01);
    EXPECT_NEAR(65536 / 100.0, Find(*answer, kHw, 65536, 1, true).gross_mbps.mean, 1);
}

TEST(BenchmarkTest, NetRatesAreAbsentIfTheCallsTakeAlmostAllTheTime) {
    FakeCipherCalls calls;
    calls.Add(kCpu, {.name = "cbc(aes)", .per_request = std::chrono::nanoseconds(1050)});
    const auto answer = MeasureCiphers(calls, {kCpu},
                                       {.units = {512}, .threads = {1}, .round = milliseconds(1)});
    ASSERT_TRUE(answer.ok()) << answer.error();
    for (const CipherFigure& figure : answer->figures) EXPECT_FALSE(figure.net_mbps.has_value());
}

TEST(BenchmarkTest, WithoutTheNullCipherItSaysSo) {
    FakeCipherCalls calls;
    calls.Remove(FakeCipherCalls::kNull);
    calls.Add(kCpu, {.name = "cbc(aes)", .per_request = microseconds(10)});
    const auto answer = MeasureCiphers(calls, {kCpu},
                                       {.units = {512}, .threads = {1}, .round = milliseconds(1)});
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_THAT(answer->note, HasSubstr("null cipher"));
    EXPECT_FALSE(answer->figures[0].net_mbps.has_value());
    EXPECT_NEAR(51.2, answer->figures[0].gross_mbps.mean, 0.1);
}

TEST(BenchmarkTest, FailuresKeepTheKernelsReason) {
    FakeCipherCalls calls;
    const BenchmarkPlan plan{.units = {512}, .threads = {1}, .round = milliseconds(1)};
    EXPECT_EQ(ENOENT, MeasureCiphers(calls, {kCpu}, plan).error().code());
    calls.Add(kCpu, {.name = "cbc(aes)", .per_request = microseconds(1), .error = EIO});
    EXPECT_EQ(EIO, MeasureCiphers(calls, {kCpu}, plan).error().code());
    calls.Add(kCpu, {.name = "cbc(aes)"});
    EXPECT_THAT(MeasureCiphers(calls, {kCpu}, plan).error().message(), HasSubstr("no time passes"));
    calls.FailSockets(EAFNOSUPPORT);
    EXPECT_EQ(EAFNOSUPPORT, MeasureCiphers(calls, {kCpu}, plan).error().code());
}

TEST(BenchmarkTest, WithoutAThreadItIsAnError) {
    FakeCipherCalls calls;
    calls.Add(kCpu, {.name = "cbc(aes)", .per_request = microseconds(10)});
    BenchmarkPlan plan{.units = {512}, .threads = {4}, .round = milliseconds(1)};
    plan.stack_bytes = std::numeric_limits<size_t>::max() / 8 * 7;
    const auto answer = MeasureCiphers(calls, {kCpu}, plan);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(EAGAIN, answer.error().code());
    plan.threads = {1};
    EXPECT_TRUE(MeasureCiphers(calls, {kCpu}, plan).ok());
}

// Without inlinecrypt, ext4 and f2fs accept O_DIRECT for an encrypted file and read it through the
// page cache (Documentation/filesystems/fscrypt.rst, "Direct I/O support").
TEST(FileSpeedTest, ReadsTheStorageIfDirectReadsFallBackToTheCache) {
    constexpr char kPath[] = "/data/misc/storekeeper/speed";
    FakeCipherCalls calls;
    FakeSyscalls syscalls;
    int copied = 0;
    syscalls.AllowToCreate(kPath, {.during = [&](std::string_view call) {
                               const bool copies = call == "pread" && syscalls.FileAt(kPath).cached;
                               copied += copies ? 1 : 0;
                               calls.Pass(copies ? microseconds(1) : microseconds(500));
                           }});
    const auto speed = MeasureFileSpeed(syscalls, calls, kPath);
    ASSERT_TRUE(speed.ok()) << speed.error();
    // 1 MiB in 4 requests of 500 us.
    EXPECT_NEAR(524.3, speed->read_mbps.mean, 0.1);
    FakeSyscalls::File written = syscalls.FileAt(kPath);
    written.cached = true;
    syscalls.Add(kPath, written);
    EXPECT_TRUE(ReadSpeedFile(syscalls, kPath).ok());
    EXPECT_EQ(0, copied);
}

TEST(BenchmarkTest, EstimatesHaveStudentsBounds) {
    const Estimate one = EstimateOf({5});
    EXPECT_EQ(5, one.lower);
    EXPECT_EQ(5, one.upper);
    // The expected half width: s = 1.1547, n = 4, t = 3.182.
    const Estimate four = EstimateOf({9, 9, 11, 11});
    EXPECT_NEAR(10, four.mean, 1e-9);
    EXPECT_NEAR(3.182 * 1.1547 / 2, four.upper - four.mean, 1e-3);
    EXPECT_EQ(0, EstimateOf({0, 1}).lower);
}

}  // namespace
}  // namespace storekeeper
